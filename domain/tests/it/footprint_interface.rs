//! The interface's shape of records written in either major version.

use std::fmt::Write as _;

use tonne_domain::footprint::{FOOTPRINT, InterfaceValue, ObjectSchema, PCF, interface_view, validate};

use crate::footprint::{empty, moment, number, put, text, texts, valid_v2, valid_v3};

fn json(value: &InterfaceValue<'_>) -> String {
    let joined = |parts: Vec<String>| parts.join(",");
    match value {
        InterfaceValue::Null => "null".to_owned(),
        InterfaceValue::Integer(number) => number.to_string(),
        InterfaceValue::Number(number) => number.to_string(),
        InterfaceValue::Flag(flag) => flag.to_string(),
        InterfaceValue::Text(text) => format!("{text:?}"),
        InterfaceValue::Moment(moment) => format!("\"{moment}\""),
        InterfaceValue::List(items) => format!("[{}]", joined(items.iter().map(json).collect())),
        InterfaceValue::Object(members) => {
            format!("{{{}}}", joined(members.iter().map(|(name, value)| format!("{name:?}:{}", json(value))).collect()))
        }
        InterfaceValue::Raw(raw) => raw.to_string(),
    }
}

fn members<'v, 'a>(value: &'v InterfaceValue<'a>) -> Option<&'v Vec<(&'static str, InterfaceValue<'a>)>> {
    if let InterfaceValue::Object(members) = value { Some(members) } else { None }
}

fn member<'v, 'a>(value: &'v InterfaceValue<'a>, path: &str) -> &'v InterfaceValue<'a> {
    path.split('/').fold(value, |value, name| {
        let members = members(value).unwrap();
        &members.iter().find(|(own, _)| *own == name).unwrap().1
    })
}

fn lines(value: &InterfaceValue<'_>) -> String {
    let mut lines = String::new();
    for (name, value) in members(value).unwrap().iter().filter(|(name, _)| *name != "pcf") {
        writeln!(lines, "{name} {}", json(value)).unwrap();
    }
    lines
}

#[test]
fn a_version_2_record_reads_as_it_was_written() {
    let footprint = valid_v2();
    let view = interface_view(&footprint);
    assert_eq!(
        lines(&view),
        r#"id 7
specVersion "2.3.0"
precedingPfIds [3,"0b1f8a2c-7c53-4f0e-9a53-2f4dcb7a9f10"]
version 2
status "Active"
statusComment "as published"
validityPeriodStart "2025-01-01T00:00:00Z"
validityPeriodEnd "2028-01-01T00:00:00Z"
companyName "Aluminium Works"
companyIds ["urn:pact:works.example:company:1"]
productIds ["urn:gtin:4712345060507","urn:pact:works.example:product-id:a-1"]
productCategoryCpc "41532"
productNameCompany "Aluminium sheet"
productDescription ""
comment ""
extensions [{"specVersion":"2.0.0","dataSchema":"https://works.example/schema.json","documentation":"https://works.example/docs","data":{ "b": 1.50, "a": null }}]
created "2025-02-01T10:00:00Z"
updated "2025-02-02T10:00:00Z"
"#
    );
    assert_eq!(
        lines(member(&view, "pcf")),
        r#"declaredUnit "kilogram"
unitaryProductAmount 12
pCfExcludingBiogenic 18.4
pCfIncludingBiogenic -1.2
fossilGhgEmissions 18
fossilCarbonContent 0
biogenicCarbonContent 0.6
dLucGhgEmissions 0.1
landManagementGhgEmissions -0.2
otherBiogenicGhgEmissions 0.3
iLucGhgEmissions 0.4
biogenicCarbonWithdrawal -19.6
aircraftGhgEmissions 0.3
characterizationFactors "AR6"
ipccCharacterizationFactorsSources ["AR6"]
crossSectoralStandardsUsed ["GHG Protocol Product standard"]
productOrSectorSpecificRules [{"operator":"Other","ruleNames":["Sheet rules"],"otherOperatorName":"Sheet makers"},{"operator":"PEF","ruleNames":["Metal sheets"],"otherOperatorName":null}]
biogenicAccountingMethodology "GHGP"
boundaryProcessesDescription "Smelting and rolling"
referencePeriodStart "2024-01-01T00:00:00Z"
referencePeriodEnd "2025-01-01T00:00:00Z"
geographyCountrySubdivision null
geographyCountry "NO"
geographyRegionOrSubregion null
secondaryEmissionFactorSources [{"name":"Factors of Norway","version":"2024"}]
exemptedEmissionsPercent 0.5
exemptedEmissionsDescription ""
packagingEmissionsIncluded true
packagingGhgEmissions 0.9
allocationRulesDescription "By mass"
uncertaintyAssessmentDescription "Estimated"
primaryDataShare 56.12
dqi {"coveragePercent":80,"technologicalDQR":1.5,"temporalDQR":2,"geographicalDQR":3,"completenessDQR":1,"reliabilityDQR":2.25}
"#
    );
}

#[test]
fn a_version_3_record_reads_per_one_declared_unit() {
    let footprint = valid_v3();
    let view = interface_view(&footprint);
    assert_eq!(json(member(&view, "productCategoryCpc")), "\"41532\"");
    assert_eq!(json(member(&view, "version")), "1");
    assert_eq!(json(member(&view, "statusComment")), "null");
    assert_eq!(
        lines(member(&view, "pcf")),
        r#"declaredUnit "piece"
unitaryProductAmount 12
pCfExcludingBiogenic 1.533333333333333333
pCfIncludingBiogenic -0.1
fossilGhgEmissions 1.5
fossilCarbonContent 0
biogenicCarbonContent 0.05
dLucGhgEmissions 0.1
landManagementGhgEmissions -0.1
otherBiogenicGhgEmissions 0.2
iLucGhgEmissions 0.3
biogenicCarbonWithdrawal -1.633333333333333333
aircraftGhgEmissions 0.025
characterizationFactors "AR5"
ipccCharacterizationFactorsSources ["AR6","AR5"]
crossSectoralStandardsUsed ["GHG Protocol Product standard","PACT-3.0"]
productOrSectorSpecificRules [{"operator":"Other","ruleNames":["Sheet rules"],"otherOperatorName":"Sheet makers"},{"operator":"PEF","ruleNames":["Metal sheets"],"otherOperatorName":null}]
biogenicAccountingMethodology null
boundaryProcessesDescription "Smelting and rolling"
referencePeriodStart "2024-01-01T00:00:00Z"
referencePeriodEnd "2025-01-01T00:00:00Z"
geographyCountrySubdivision null
geographyCountry "NO"
geographyRegionOrSubregion null
secondaryEmissionFactorSources [{"name":"Factors of Norway","version":"2024"}]
exemptedEmissionsPercent 0.5
exemptedEmissionsDescription ""
packagingEmissionsIncluded true
packagingGhgEmissions 0.075
allocationRulesDescription "By mass"
uncertaintyAssessmentDescription null
primaryDataShare 56.12
dqi null
"#
    );
}

#[test]
fn a_tiny_declared_amount_makes_large_numbers_and_loses_none() {
    let mut footprint = valid_v3();
    put(&mut footprint, "/pcf/declaredUnitAmount", Some(number("0.001")));
    put(&mut footprint, "/pcf/fossilGhgEmissions", Some(number("99999999999999999999.5")));
    assert_eq!(json(member(&interface_view(&footprint), "pcf/fossilGhgEmissions")), "99999999999999999999500");
}

#[test]
fn an_empty_record_reads_as_null_and_empty_arrays() {
    let footprint = empty();
    let view = interface_view(&footprint);
    for (path, expected) in [
        ("specVersion", "null"),
        ("productIds", "[]"),
        ("extensions", "[]"),
        ("status", "\"Active\""),
        ("created", "\"2025-03-01T00:00:00.000Z\""),
        ("updated", "null"),
        ("pcf/declaredUnit", "null"),
        ("pcf/fossilGhgEmissions", "null"),
        ("pcf/crossSectoralStandardsUsed", "[]"),
    ] {
        assert_eq!(json(member(&view, path)), expected, "{path}");
    }
}

#[test]
fn without_a_declared_amount_there_is_nothing_to_divide_by() {
    let mut footprint = valid_v3();
    put(&mut footprint, "/pcf/declaredUnitAmount", None);
    assert_eq!(json(member(&interface_view(&footprint), "pcf/fossilGhgEmissions")), "null");
}

#[test]
fn moments_read_in_utc_and_the_first_cpc_class_is_the_category() {
    let mut footprint = valid_v3();
    put(&mut footprint, "/created", Some(moment("2025-02-01T01:30:00.50+02:00")));
    put(&mut footprint, "/productClassifications", Some(texts(&["urn:cpc:", "URN:CPC:0111", "urn:cpc:2"])));
    put(&mut footprint, "/companyName", Some(text("Ł")));
    let view = interface_view(&footprint);
    assert_eq!(json(member(&view, "created")), "\"2025-01-31T23:30:00.50Z\"");
    assert_eq!(json(member(&view, "productCategoryCpc")), "\"0111\"");
}

#[test]
fn a_record_of_the_interfaces_members_alone_can_be_valid() {
    let mut footprint = valid_v2();
    let whole = footprint.clone();
    let view = interface_view(&whole);
    let strangers = |object: &InterfaceValue<'_>, described: &ObjectSchema| -> Vec<&'static str> {
        let own: Vec<&str> = members(object).unwrap().iter().map(|(name, _)| *name).collect();
        described.fields.iter().map(|spec| spec.name).filter(|name| !own.contains(name)).collect()
    };
    for name in strangers(&view, &FOOTPRINT) {
        put(&mut footprint, &format!("/{name}"), None);
    }
    for name in strangers(member(&view, "pcf"), &PCF) {
        put(&mut footprint, &format!("/pcf/{name}"), None);
    }
    assert_ne!(footprint, whole);
    assert_eq!(validate(&footprint), []);
    assert_eq!(interface_view(&footprint), view);
}
