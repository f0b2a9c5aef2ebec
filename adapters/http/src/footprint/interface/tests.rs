//! What the interface shows of records that follow either major version.

use std::fmt::Write as _;

use domain::footprint::{FOOTPRINT, ObjectSchema, PCF, validate};
use domain::{Canonical as _, Footprint};

use super::{CARBON, InterfaceValue, TOP, V3Source, interface_view};

/// The canonical texts of records with all that their version of PACT has.
const V2: &str = include_str!("v2.json");
const V3: &str = include_str!("v3.json");
const EMPTY: &str =
    r#"{"number":7,"stamps":{"created":"2025-03-01T00:00:00.000Z","amendments":0},"fields":{"pcf":{}}}"#;

fn record(canonical: &str) -> Footprint {
    let id = "91715e5e-fd0b-4d1c-8fab-76290c46e6ed".parse().unwrap();
    Footprint::from_canonical(id, canonical.trim_end()).unwrap()
}

/// The record of version 3 with each of those texts replaced.
fn changed(changes: &[(&str, &str)]) -> Footprint {
    let text = changes.iter().fold(V3.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    record(&text)
}

#[test]
fn every_member_of_the_interface_is_a_described_field() {
    let described = |name: &&str| FOOTPRINT.field(name).is_none();
    assert_eq!(TOP.iter().filter(|name| **name != "id").find(|name| described(name)), None);
    assert_eq!(CARBON.iter().map(|(name, _)| name).find(|name| PCF.field(name).is_none()), None);
    let renamed =
        |source: &V3Source| if let V3Source::Renamed(name) = source { PCF.field(name).is_none() } else { false };
    assert!(!CARBON.iter().any(|(_, source)| renamed(source)));
}

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
    let footprint = record(V2);
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
    let footprint = record(V3);
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
    let footprint = changed(&[
        (r#""declaredUnitAmount":"12""#, r#""declaredUnitAmount":"0.001""#),
        (r#""fossilGhgEmissions":"18""#, r#""fossilGhgEmissions":"99999999999999999999.5""#),
    ]);
    assert_eq!(json(member(&interface_view(&footprint), "pcf/fossilGhgEmissions")), "99999999999999999999500");
}

#[test]
fn an_empty_record_reads_as_null_and_empty_arrays() {
    let footprint = record(EMPTY);
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
    let footprint = changed(&[(r#""declaredUnitAmount":"12","#, "")]);
    assert_eq!(json(member(&interface_view(&footprint), "pcf/fossilGhgEmissions")), "null");
}

#[test]
fn moments_read_in_utc_and_the_first_cpc_class_is_the_category() {
    let footprint = changed(&[
        ("2025-02-01T10:00:00Z", "2025-02-01T01:30:00.50+02:00"),
        (r#"["urn:unspsc:11101500","urn:cpc:41532"]"#, r#"["urn:cpc:","URN:CPC:0111","urn:cpc:2"]"#),
    ]);
    let view = interface_view(&footprint);
    assert_eq!(json(member(&view, "created")), "\"2025-01-31T23:30:00.50Z\"");
    assert_eq!(json(member(&view, "productCategoryCpc")), "\"0111\"");
}

#[test]
fn a_record_of_the_interfaces_members_alone_can_be_valid() {
    let mut footprint = record(V2);
    let whole = footprint.clone();
    let view = interface_view(&whole);
    let strangers = |object: &InterfaceValue<'_>, described: &ObjectSchema| -> Vec<&'static str> {
        let own: Vec<&str> = members(object).unwrap().iter().map(|(name, _)| *name).collect();
        described.fields.iter().map(|spec| spec.name).filter(|name| !own.contains(name)).collect()
    };
    for name in strangers(&view, &FOOTPRINT) {
        footprint.fields.remove(name);
    }
    for name in strangers(member(&view, "pcf"), &PCF) {
        footprint.fields.object_mut("pcf").unwrap().remove(name);
    }
    assert_ne!(footprint, whole);
    assert_eq!(validate(&footprint), []);
    assert_eq!(interface_view(&footprint), view);
}

#[test]
fn no_value_is_too_strange_to_be_shown() {
    for change in [
        (r#""specVersion":"3.0.0""#, r#""specVersion":"3""#),
        (r#""declaredUnitAmount":"12""#, r#""declaredUnitAmount":"0""#),
        (r#""declaredUnitAmount":"12""#, r#""declaredUnitAmount":"-0.000000000000000001""#),
        (
            r#""landManagementBiogenicCO2Removals":"-6""#,
            r#""landManagementBiogenicCO2Removals":"-99999999999999999999""#,
        ),
        ("urn:cpc:41532", "urn:cp"),
        ("urn:cpc:41532", "urn:cpcł41532"),
        ("2025-02-01T10:00:00Z", "0001-01-01T00:00:00+13:00"),
    ] {
        let shown = json(&interface_view(&changed(&[change])));
        assert!(serde_json::from_str::<serde_json::Value>(&shown).is_ok(), "{change:?}: {shown}");
    }
}
