//! Valid records to start from, ways to change them, and what holds of a footprint as a whole.

use std::collections::BTreeSet;

use tonne_domain::footprint::{
    AmendError, FOOTPRINT, FieldError, FieldValue, Fields, JsonType, Major, ObjectSchema, PCF, RawJson, Reference,
    Rule, validate,
};
use tonne_domain::{Canonical as _, Decimal, Footprint, FootprintId, Moment, Timestamp};

pub(crate) const OWN_ID: &str = "91715e5e-fd0b-4d1c-8fab-76290c46e6ed";
pub(crate) const OTHER_ID: &str = "0b1f8a2c-7c53-4f0e-9a53-2f4dcb7a9f10";

pub(crate) fn text(text: &str) -> FieldValue {
    FieldValue::Text(text.to_owned())
}

pub(crate) fn number(text: &str) -> FieldValue {
    FieldValue::Number(Decimal::parse(text).unwrap())
}

pub(crate) fn moment(text: &str) -> FieldValue {
    FieldValue::Moment(Moment::parse(text).unwrap())
}

pub(crate) fn texts(items: &[&str]) -> FieldValue {
    FieldValue::Texts(items.iter().map(|item| (*item).to_owned()).collect())
}

pub(crate) fn raw(json: &str) -> FieldValue {
    FieldValue::Raw(RawJson::parse(json).unwrap())
}

pub(crate) fn flag(flag: bool) -> FieldValue {
    FieldValue::Flag(flag)
}

pub(crate) fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

/// A record that holds nothing.
pub(crate) fn empty() -> Footprint {
    let mut fields = Fields::new(&FOOTPRINT);
    fields.set("pcf", FieldValue::Object(blank(&fields, "pcf"))).unwrap();
    Footprint::new(OWN_ID.parse::<FootprintId>().unwrap(), 7, at("2025-03-01T00:00:00Z"), fields)
}

/// An object for the field of that name, with nothing in it.
pub(crate) fn blank(fields: &Fields, name: &str) -> Fields {
    let kind = fields.schema().field(name).map(|spec| spec.kind);
    let shape = if let Some(JsonType::Object(shape) | JsonType::Objects(shape)) = kind { Some(shape) } else { None };
    Fields::new(shape.unwrap())
}

/// Sets (or with `None` takes away) what a pointer such as `/pcf/dqi/temporalDQR` names; objects come to be on the way.
pub(crate) fn put(footprint: &mut Footprint, pointer: &str, value: Option<FieldValue>) {
    let path: Vec<&str> = pointer.trim_start_matches('/').split('/').collect();
    put_in(&mut footprint.fields, &path, value);
}

fn put_in(fields: &mut Fields, path: &[&str], value: Option<FieldValue>) {
    match (path, value) {
        ([name], Some(value)) => fields.set(name, value).unwrap(),
        ([name], None) => drop(fields.remove(name)),
        ([name, index, rest @ ..], value) if index.parse::<usize>().is_ok() => {
            let mut items = fields.objects(name).to_vec();
            let index: usize = index.parse().unwrap();
            items.resize(items.len().max(index + 1), blank(fields, name));
            put_in(&mut items[index], rest, value);
            fields.set(name, FieldValue::Objects(items)).unwrap();
        }
        ([name, rest @ ..], value) => {
            let mut object = fields.object(name).cloned().unwrap_or_else(|| blank(fields, name));
            put_in(&mut object, rest, value);
            fields.set(name, FieldValue::Object(object)).unwrap();
        }
        ([], _) => {}
    }
}

fn filled(members: Vec<(&str, FieldValue)>) -> Footprint {
    let mut footprint = empty();
    for (pointer, value) in members {
        put(&mut footprint, pointer, Some(value));
    }
    footprint
}

fn shared() -> Vec<(&'static str, FieldValue)> {
    vec![
        ("/precedingPfIds", FieldValue::References(vec![Reference::Number(3), Reference::Text(OTHER_ID.to_owned())])),
        ("/created", moment("2025-02-01T10:00:00Z")),
        ("/status", text("Active")),
        ("/validityPeriodStart", moment("2025-01-01T00:00:00Z")),
        ("/validityPeriodEnd", moment("2028-01-01T00:00:00Z")),
        ("/companyName", text("Aluminium Works")),
        ("/companyIds", texts(&["urn:pact:works.example:company:1"])),
        ("/productDescription", text("")),
        ("/productIds", texts(&["urn:gtin:4712345060507", "urn:pact:works.example:product-id:a-1"])),
        ("/productClassifications", texts(&["urn:unspsc:11101500", "urn:cpc:41532"])),
        ("/productNameCompany", text("Aluminium sheet")),
        ("/comment", text("")),
        ("/extensions/0/specVersion", text("2.0.0")),
        ("/extensions/0/dataSchema", text("https://works.example/schema.json")),
        ("/extensions/0/documentation", text("https://works.example/docs")),
        ("/extensions/0/data", raw("{ \"b\": 1.50, \"a\": null }")),
        ("/pcf/productMassPerDeclaredUnit", number("1")),
        ("/pcf/fossilGhgEmissions", number("18")),
        ("/pcf/fossilCarbonContent", number("0")),
        ("/pcf/biogenicCarbonContent", number("0.6")),
        ("/pcf/aircraftGhgEmissions", number("0.3")),
        ("/pcf/packagingEmissionsIncluded", flag(true)),
        ("/pcf/packagingGhgEmissions", number("0.9")),
        ("/pcf/crossSectoralStandards", texts(&["GHGP-Product", "PACT-3.0"])),
        ("/pcf/productOrSectorSpecificRules/0/operator", text("Other")),
        ("/pcf/productOrSectorSpecificRules/0/ruleNames", texts(&["Sheet rules"])),
        ("/pcf/productOrSectorSpecificRules/0/otherOperatorName", text("Sheet makers")),
        ("/pcf/productOrSectorSpecificRules/1/operator", text("PEF")),
        ("/pcf/productOrSectorSpecificRules/1/ruleNames", texts(&["Metal sheets"])),
        ("/pcf/boundaryProcessesDescription", text("Smelting and rolling")),
        ("/pcf/referencePeriodStart", moment("2024-01-01T00:00:00Z")),
        ("/pcf/referencePeriodEnd", moment("2025-01-01T00:00:00Z")),
        ("/pcf/geographyCountry", text("NO")),
        ("/pcf/secondaryEmissionFactorSources/0/name", text("Factors of Norway")),
        ("/pcf/secondaryEmissionFactorSources/0/version", text("2024")),
        ("/pcf/exemptedEmissionsPercent", number("0.5")),
        ("/pcf/exemptedEmissionsDescription", text("")),
        ("/pcf/allocationRulesDescription", text("By mass")),
        ("/pcf/primaryDataShare", number("56.12")),
        ("/pcf/dqi/technologicalDQR", number("1.5")),
        ("/pcf/dqi/temporalDQR", number("2")),
        ("/pcf/dqi/geographicalDQR", number("3")),
    ]
}

/// A record with every field of PACT 2.3.
pub(crate) fn valid_v2() -> Footprint {
    let mut members = shared();
    members.extend([
        ("/specVersion", text("2.3.0")),
        ("/version", FieldValue::Integer(2)),
        ("/updated", moment("2025-02-02T10:00:00Z")),
        ("/statusComment", text("as published")),
        ("/productCategoryCpc", text("41532")),
        ("/pcf/declaredUnit", text("kilogram")),
        ("/pcf/unitaryProductAmount", number("12")),
        ("/pcf/pCfExcludingBiogenic", number("18.4")),
        ("/pcf/pCfIncludingBiogenic", number("-1.2")),
        ("/pcf/dLucGhgEmissions", number("0.1")),
        ("/pcf/landManagementGhgEmissions", number("-0.2")),
        ("/pcf/otherBiogenicGhgEmissions", number("0.3")),
        ("/pcf/iLucGhgEmissions", number("0.4")),
        ("/pcf/biogenicCarbonWithdrawal", number("-19.6")),
        ("/pcf/characterizationFactors", text("AR6")),
        ("/pcf/ipccCharacterizationFactorsSources", texts(&["AR6"])),
        ("/pcf/crossSectoralStandardsUsed", texts(&["GHG Protocol Product standard"])),
        ("/pcf/biogenicAccountingMethodology", text("GHGP")),
        ("/pcf/uncertaintyAssessmentDescription", text("Estimated")),
        ("/pcf/dqi/coveragePercent", number("80")),
        ("/pcf/dqi/completenessDQR", number("1")),
        ("/pcf/dqi/reliabilityDQR", number("2.25")),
        ("/pcf/assurance/assurance", flag(true)),
        ("/pcf/assurance/coverage", text("product level")),
        ("/pcf/assurance/level", text("limited")),
        ("/pcf/assurance/boundary", text("Cradle-to-Gate")),
        ("/pcf/assurance/providerName", text("Auditors")),
        ("/pcf/assurance/completedAt", moment("2025-01-15T00:00:00Z")),
    ]);
    filled(members)
}

/// A record with every field of PACT 3.0.
pub(crate) fn valid_v3() -> Footprint {
    let mut members = shared();
    members.extend([
        ("/specVersion", text("3.0.0")),
        ("/pcf/declaredUnitOfMeasurement", text("piece")),
        ("/pcf/declaredUnitAmount", number("12")),
        ("/pcf/pcfExcludingBiogenicUptake", number("18.4")),
        ("/pcf/pcfIncludingBiogenicUptake", number("-1.2")),
        ("/pcf/recycledCarbonContent", number("0.1")),
        ("/pcf/landUseChangeGhgEmissions", number("1.2")),
        ("/pcf/biogenicNonCO2Emissions", number("2.4")),
        ("/pcf/biogenicCO2Uptake", number("-19.6")),
        ("/pcf/landManagementFossilGhgEmissions", number("0.5")),
        ("/pcf/landManagementBiogenicCO2Emissions", number("4.8")),
        ("/pcf/landManagementBiogenicCO2Removals", number("-6")),
        ("/pcf/landCarbonLeakage", number("3.6")),
        ("/pcf/landAreaOccupation", number("7")),
        ("/pcf/packagingBiogenicCarbonContent", number("0.2")),
        ("/pcf/outboundLogisticsGhgEmissions", number("0.1")),
        ("/pcf/ccsTechnologicalCO2CaptureIncluded", flag(true)),
        ("/pcf/ccsTechnologicalCO2Capture", number("-0.5")),
        ("/pcf/technologicalCO2Removals", number("-0.6")),
        ("/pcf/technologicalCO2CaptureOrigin", text("Own plant")),
        ("/pcf/ccuCarbonContent", number("0.1")),
        ("/pcf/ccuCalculationApproach", text("Credit")),
        ("/pcf/ccuCreditCertification", text("https://certificates.example/1")),
        ("/pcf/ipccCharacterizationFactors", texts(&["AR6", "AR5"])),
        ("/pcf/verification/coverage", text("product level")),
        ("/pcf/verification/providerName", text("Auditors")),
        ("/pcf/verification/completedAt", moment("2025-01-15T00:00:00Z")),
    ]);
    filled(members)
}

#[test]
fn complete_records_of_both_major_versions_break_no_rule() {
    assert_eq!(validate(&valid_v2()), []);
    assert_eq!(validate(&valid_v3()), []);
}

#[test]
fn what_the_service_fills_in_need_not_be_written() {
    for mut footprint in [valid_v2(), valid_v3()] {
        for name in ["/created", "/updated", "/version", "/status"] {
            put(&mut footprint, name, None);
        }
        assert_eq!(validate(&footprint), []);
        assert_eq!(footprint.status(), "Active");
        assert_eq!(footprint.version(), 1);
        assert_eq!(footprint.created().to_string(), "2025-03-01T00:00:00.000Z");
        assert_eq!(footprint.updated(), None);
    }
}

#[test]
fn an_older_version_does_not_ask_for_what_a_later_one_added() {
    for version in ["2.0.0", "2.1.0-20231101"] {
        let mut footprint = valid_v2();
        put(&mut footprint, "/specVersion", Some(text(version)));
        put(&mut footprint, "/pcf/ipccCharacterizationFactorsSources", None);
        put(&mut footprint, "/pcf/crossSectoralStandards", Some(texts(&["unheard of"])));
        put(&mut footprint, "/productClassifications", Some(texts(&["no urn"])));
        assert_eq!(validate(&footprint), [], "{version}");
    }
}

#[test]
fn version_3_takes_standards_it_has_not_heard_of() {
    let mut footprint = valid_v3();
    put(&mut footprint, "/pcf/crossSectoralStandards", Some(texts(&["PAS2050", "a new one"])));
    assert_eq!(validate(&footprint), []);
}

#[test]
fn a_value_of_another_type_or_an_unknown_name_is_not_taken() {
    let mut fields = Fields::new(&FOOTPRINT);
    assert_eq!(fields.set("companyname", text("x")), Err(FieldError::Unknown));
    assert_eq!(fields.set("companyName", flag(true)), Err(FieldError::JsonType));
    let extension = blank(&fields, "extensions");
    assert_eq!(fields.set("pcf", FieldValue::Object(extension)), Err(FieldError::JsonType));
    assert_eq!(fields, Fields::new(&FOOTPRINT));
}

#[test]
fn an_empty_array_is_the_same_as_none() {
    let mut footprint = valid_v2();
    put(&mut footprint, "/extensions", None);
    let without = footprint.clone();
    put(&mut footprint, "/extensions", Some(FieldValue::Objects(Vec::new())));
    assert_eq!(footprint, without);
}

#[test]
fn an_active_footprint_can_be_deprecated_and_nothing_undoes_it() {
    let footprint = valid_v2();
    let deprecated = footprint.amend("Deprecated", Some("replaced"), at("2026-01-01T00:00:00Z")).unwrap();
    assert_eq!(deprecated.status(), "Deprecated");
    assert_eq!(deprecated.fields.text("statusComment"), Some("replaced"));
    assert_eq!(deprecated.version(), 3);
    assert_eq!(deprecated.updated().unwrap().to_string(), "2026-01-01T00:00:00.000Z");
    assert_eq!(validate(&deprecated), []);
    let back = deprecated.amend("Active", None, at("2026-01-02T00:00:00Z"));
    assert_eq!(back, Err(AmendError::Status { from: "Deprecated".to_owned(), to: "Active".to_owned() }));
    assert!(footprint.amend("Gone", None, at("2026-01-02T00:00:00Z")).is_err());
}

#[test]
fn an_amendment_that_changes_nothing_leaves_no_trace() {
    let footprint = valid_v2();
    assert_eq!(footprint.amend("Active", Some("as published"), at("2026-01-01T00:00:00Z")), Ok(footprint.clone()));
}

#[test]
fn a_footprint_amended_in_its_first_millisecond_stays_valid() {
    let mut footprint = valid_v2();
    for name in ["/created", "/updated"] {
        put(&mut footprint, name, None);
    }
    let amended = footprint.amend("Deprecated", None, footprint.stamps.created).unwrap();
    assert_eq!(validate(&amended), []);
}

#[test]
fn the_canonical_form_keeps_extension_data_byte_for_byte() {
    let canonical = valid_v2().canonical();
    assert!(canonical.contains(r#""data":"{ \"b\": 1.50, \"a\": null }""#), "{canonical}");
}

#[test]
fn the_canonical_form_tells_a_number_of_ours_from_a_text() {
    let (mut ours, mut theirs) = (empty(), empty());
    put(&mut ours, "/precedingPfIds", Some(FieldValue::References(vec![Reference::Number(12)])));
    put(&mut theirs, "/precedingPfIds", Some(FieldValue::References(vec![Reference::Text("12".to_owned())])));
    assert_ne!(ours.canonical(), theirs.canonical());
}

#[test]
fn every_field_is_described_once() {
    for shape in [&FOOTPRINT, &PCF] {
        let names: BTreeSet<&str> = shape.fields.iter().map(|spec| spec.name).collect();
        assert_eq!(names.len(), shape.fields.len());
    }
}

#[test]
fn version_2_writes_percentages_and_ratings_as_json_numbers_and_version_3_writes_none() {
    let numbers = |shape: &ObjectSchema, major| -> Vec<&str> {
        shape.fields.iter().filter(|spec| spec.is_json_number(major)).map(|spec| spec.name).collect()
    };
    assert_eq!(numbers(&PCF, Major::V2), ["exemptedEmissionsPercent", "primaryDataShare"]);
    assert_eq!(numbers(&PCF, Major::V3), [""; 0]);
    assert_eq!(numbers(blank(&Fields::new(&PCF), "dqi").schema(), Major::V2).len(), 6);
}

#[test]
fn a_very_long_list_is_judged_item_by_item() {
    let mut footprint = valid_v2();
    let ids = (0..100_000).map(|number| format!("urn:gtin:{}", number / 2)).collect();
    put(&mut footprint, "/productIds", Some(FieldValue::Texts(ids)));
    let broken = validate(&footprint);
    assert_eq!(broken.len(), 50_000);
    assert!(broken.iter().all(|broken| broken.rule == Rule::ItemsDistinct));
}

#[test]
fn a_very_long_text_is_not_repeated_in_full() {
    let mut footprint = valid_v2();
    put(&mut footprint, "/status", Some(text(&"\u{e9}".repeat(10_000))));
    assert!(validate(&footprint)[0].detail.len() < 400);
}
