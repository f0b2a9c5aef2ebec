//! The standard's field tables, written down here a second time from the standard alone: this knows nothing of the domain's
//! own description.

use domain::Decimal;
use domain::footprint::Edition;
use serde_json::Value;

/// Required (M) or optional (o).
#[derive(Clone, Copy, PartialEq)]
enum Need {
    M,
    O,
}
use Need::{M, O};

/// The types of the tables.
#[derive(Clone, Copy)]
enum Type {
    /// A decimal in a text.
    Dec,
    /// A JSON number.
    Num,
    Int,
    Bool,
    /// Any text.
    Str,
    /// A text of one character at least.
    Text,
    Uuid,
    SpecVersion,
    /// A date-time in UTC, with `Z`.
    Time,
    OneOf(&'static [&'static str]),
    /// A set of one text at least, each beginning so in any case and going on.
    Set(&'static str),
    SetOf(&'static [&'static str]),
    Uuids,
    Country,
    Subdivision,
    Object(&'static [Field]),
    Objects(&'static [Field]),
    /// A JSON object of any kind.
    Any,
}
use Type::{
    Any, Bool, Country, Dec, Int, Num, Object, Objects, OneOf, Set, SetOf, SpecVersion, Str, Subdivision, Text, Time,
    Uuid, Uuids,
};

type Field = (&'static str, Need, Type);

const UNITS: &[&str] =
    &["liter", "kilogram", "cubic meter", "kilowatt hour", "megajoule", "ton kilometer", "square meter"];
const UNITS_3: &[&str] = &[
    "liter",
    "kilogram",
    "cubic meter",
    "kilowatt hour",
    "megajoule",
    "ton kilometer",
    "square meter",
    "piece",
    "hour",
    "megabit second",
];
const STANDARDS: &[&str] =
    &["ISO14067", "ISO14083", "ISO14040-44", "GHGP-Product", "PEF", "PACT-1.0", "PACT-2.0", "PACT-3.0"];
const RULES: &[Field] = &[
    ("operator", M, OneOf(&["PEF", "EPD International", "Other"])),
    ("ruleNames", M, Set("")),
    ("otherOperatorName", O, Text),
];
const SOURCES: &[Field] = &[("name", M, Text), ("version", M, Text)];
const EXTENSION: &[Field] =
    &[("specVersion", M, Text), ("dataSchema", M, Text), ("documentation", O, Text), ("data", M, Any)];

const FOOTPRINT_2: &[Field] = &[
    ("id", M, Uuid),
    ("specVersion", M, SpecVersion),
    ("precedingPfIds", O, Uuids),
    ("version", M, Int),
    ("created", M, Time),
    ("updated", O, Time),
    ("status", M, OneOf(&["Active", "Deprecated"])),
    ("statusComment", O, Str),
    ("validityPeriodStart", O, Time),
    ("validityPeriodEnd", O, Time),
    ("companyName", M, Text),
    ("companyIds", M, Set("urn:")),
    ("productDescription", M, Str),
    ("productIds", M, Set("urn:")),
    ("productClassifications", O, Set("urn:")),
    ("productCategoryCpc", M, Text),
    ("productNameCompany", M, Text),
    ("comment", M, Str),
    ("pcf", M, Object(PCF_2)),
    ("extensions", O, Objects(EXTENSION)),
];
const PCF_2: &[Field] = &[
    ("declaredUnit", M, OneOf(UNITS)),
    ("unitaryProductAmount", M, Dec),
    ("productMassPerDeclaredUnit", O, Dec),
    ("pCfExcludingBiogenic", M, Dec),
    ("pCfIncludingBiogenic", O, Dec),
    ("fossilGhgEmissions", M, Dec),
    ("fossilCarbonContent", M, Dec),
    ("biogenicCarbonContent", M, Dec),
    ("dLucGhgEmissions", O, Dec),
    ("landManagementGhgEmissions", O, Dec),
    ("otherBiogenicGhgEmissions", O, Dec),
    ("iLucGhgEmissions", O, Dec),
    ("biogenicCarbonWithdrawal", O, Dec),
    ("aircraftGhgEmissions", O, Dec),
    ("packagingEmissionsIncluded", M, Bool),
    ("packagingGhgEmissions", O, Dec),
    ("characterizationFactors", M, OneOf(&["AR5", "AR6"])),
    ("ipccCharacterizationFactorsSources", M, Set("AR")),
    (
        "crossSectoralStandardsUsed",
        M,
        SetOf(&["GHG Protocol Product standard", "ISO Standard 14067", "ISO Standard 14044"]),
    ),
    ("crossSectoralStandards", O, SetOf(STANDARDS)),
    ("productOrSectorSpecificRules", O, Objects(RULES)),
    ("biogenicAccountingMethodology", O, OneOf(&["PEF", "ISO", "GHGP", "Quantis"])),
    ("boundaryProcessesDescription", M, Str),
    ("referencePeriodStart", M, Time),
    ("referencePeriodEnd", M, Time),
    ("geographyRegionOrSubregion", O, Text),
    ("geographyCountry", O, Country),
    ("geographyCountrySubdivision", O, Subdivision),
    ("secondaryEmissionFactorSources", O, Objects(SOURCES)),
    ("exemptedEmissionsPercent", M, Num),
    ("exemptedEmissionsDescription", M, Str),
    ("allocationRulesDescription", O, Str),
    ("uncertaintyAssessmentDescription", O, Str),
    ("primaryDataShare", O, Num),
    (
        "dqi",
        O,
        Object(&[
            ("coveragePercent", M, Num),
            ("technologicalDQR", M, Num),
            ("temporalDQR", M, Num),
            ("geographicalDQR", M, Num),
            ("completenessDQR", M, Num),
            ("reliabilityDQR", M, Num),
        ]),
    ),
    (
        "assurance",
        O,
        Object(&[
            ("assurance", M, Bool),
            ("coverage", O, OneOf(&["corporate level", "product line", "PCF system", "product level"])),
            ("level", O, OneOf(&["limited", "reasonable"])),
            ("boundary", O, OneOf(&["Gate-to-Gate", "Cradle-to-Gate"])),
            ("providerName", M, Str),
            ("completedAt", O, Time),
            ("standardName", O, Str),
            ("comments", O, Str),
        ]),
    ),
];

const FOOTPRINT_3: &[Field] = &[
    ("id", M, Uuid),
    ("specVersion", M, SpecVersion),
    ("precedingPfIds", O, Uuids),
    ("created", M, Time),
    ("status", M, OneOf(&["Active", "Deprecated"])),
    ("validityPeriodStart", O, Time),
    ("validityPeriodEnd", O, Time),
    ("companyName", M, Text),
    ("companyIds", M, Set("urn:")),
    ("productDescription", M, Str),
    ("productIds", M, Set("urn:")),
    ("productClassifications", O, Set("urn:")),
    ("productNameCompany", M, Text),
    ("comment", O, Str),
    ("pcf", M, Object(PCF_3)),
    ("extensions", O, Objects(EXTENSION)),
];
const PCF_3: &[Field] = &[
    ("declaredUnitOfMeasurement", M, OneOf(UNITS_3)),
    ("declaredUnitAmount", M, Dec),
    ("productMassPerDeclaredUnit", M, Dec),
    ("referencePeriodStart", M, Time),
    ("referencePeriodEnd", M, Time),
    ("geographyRegionOrSubregion", O, Text),
    ("geographyCountry", O, Country),
    ("geographyCountrySubdivision", O, Subdivision),
    ("boundaryProcessesDescription", O, Str),
    ("pcfExcludingBiogenicUptake", M, Dec),
    ("pcfIncludingBiogenicUptake", M, Dec),
    ("fossilGhgEmissions", M, Dec),
    ("fossilCarbonContent", M, Dec),
    ("biogenicCarbonContent", O, Dec),
    ("recycledCarbonContent", O, Dec),
    ("landUseChangeGhgEmissions", O, Dec),
    ("biogenicNonCO2Emissions", O, Dec),
    ("biogenicCO2Uptake", O, Dec),
    ("landManagementFossilGhgEmissions", O, Dec),
    ("landManagementBiogenicCO2Emissions", O, Dec),
    ("landManagementBiogenicCO2Removals", O, Dec),
    ("landCarbonLeakage", O, Dec),
    ("aircraftGhgEmissions", O, Dec),
    ("landAreaOccupation", O, Dec),
    ("packagingEmissionsIncluded", O, Bool),
    ("packagingGhgEmissions", O, Dec),
    ("packagingBiogenicCarbonContent", O, Dec),
    ("outboundLogisticsGhgEmissions", O, Dec),
    ("ccsTechnologicalCO2CaptureIncluded", O, Bool),
    ("ccsTechnologicalCO2Capture", O, Dec),
    ("technologicalCO2Removals", O, Dec),
    ("technologicalCO2CaptureOrigin", O, Str),
    ("ccuCarbonContent", O, Dec),
    ("ccuCalculationApproach", O, OneOf(&["Cut-off", "Credit"])),
    ("ccuCreditCertification", O, Text),
    ("ipccCharacterizationFactors", M, Set("AR")),
    ("crossSectoralStandards", M, Set("")),
    ("productOrSectorSpecificRules", O, Objects(RULES)),
    ("exemptedEmissionsPercent", M, Dec),
    ("exemptedEmissionsDescription", O, Str),
    ("allocationRulesDescription", O, Str),
    ("secondaryEmissionFactorSources", O, Objects(SOURCES)),
    ("primaryDataShare", O, Dec),
    ("dqi", O, Object(&[("technologicalDQR", M, Dec), ("geographicalDQR", M, Dec), ("temporalDQR", M, Dec)])),
    (
        "verification",
        O,
        Object(&[
            ("coverage", O, OneOf(&["PCF calculation model", "PCF program", "product level"])),
            ("providerName", O, Str),
            ("completedAt", O, Time),
            ("standardName", O, Str),
            ("comments", O, Str),
        ]),
    ),
];

/// Where the footprint is not as the table of its edition says.
pub(crate) fn departures(json: &str, edition: Edition) -> Vec<String> {
    let value: Value = serde_json::from_str(json).unwrap();
    let table = if edition == Edition::V2 { FOOTPRINT_2 } else { FOOTPRINT_3 };
    let mut found = Vec::new();
    check_object(&value, table, "", &mut found);
    let pcf = &value["pcf"];
    let places = ["geographyRegionOrSubregion", "geographyCountry", "geographyCountrySubdivision"];
    if places.iter().filter(|name| !pcf[**name].is_null()).count() > 1 {
        found.push("two geographies".to_owned());
    }
    found.extend(broken_ranges(&value, edition));
    found
}

/// The members of version 2 that came after 2.0, by the minor version that has them first.
const ADDED: [(&str, u8); 4] = [
    ("ipccCharacterizationFactorsSources", 2),
    ("productMassPerDeclaredUnit", 3),
    ("crossSectoralStandards", 3),
    ("productClassifications", 3),
];

/// Where the footprint is not as that minor version of 2 asks. Members that it does not have yet are let through, as its
/// schema does.
pub(crate) fn departures_of_v2(json: &str, minor: u8) -> Vec<String> {
    let value = without_later(&serde_json::from_str(json).unwrap(), minor);
    let is_later = |told: &String| later_than(minor).any(|name| told.ends_with(&format!("/{name} is missing")));
    departures(&value.to_string(), Edition::V2).into_iter().filter(|told| !is_later(told)).collect()
}

/// The footprint without the members that came after that minor version of 2.
pub(crate) fn without_later(footprint: &Value, minor: u8) -> Value {
    let mut earlier = footprint.clone();
    for object in ["", "/pcf"] {
        let Some(members) = earlier.pointer_mut(object).and_then(Value::as_object_mut) else { continue };
        members.retain(|name, _| !later_than(minor).any(|later| later == name));
    }
    earlier
}

fn later_than(minor: u8) -> impl Iterator<Item = &'static str> {
    ADDED.iter().filter(move |(_, first)| *first > minor).map(|(name, _)| *name)
}

fn check_object(value: &Value, table: &[Field], at: &str, found: &mut Vec<String>) {
    let Some(members) = value.as_object() else { return found.push(format!("{at} is no object")) };
    for name in members.keys().filter(|name| !table.iter().any(|(known, ..)| known == name)) {
        found.push(format!("{at}/{name} is not in the table"));
    }
    for (name, need, kind) in table {
        match members.get(*name) {
            None if *need == M => found.push(format!("{at}/{name} is missing")),
            None => {}
            Some(value) => check(value, *kind, &format!("{at}/{name}"), found),
        }
    }
}

fn check(value: &Value, kind: Type, at: &str, found: &mut Vec<String>) {
    let text = value.as_str();
    let all_of = |holds: &dyn Fn(&str) -> bool| {
        let Some(items) = value.as_array() else { return false };
        let distinct: std::collections::HashSet<_> = items.iter().map(ToString::to_string).collect();
        !items.is_empty() && distinct.len() == items.len() && items.iter().all(|item| item.as_str().is_some_and(holds))
    };
    let holds = match kind {
        Dec => text.is_some_and(is_decimal),
        Num => value.is_number(),
        Int => value.as_u64().is_some_and(|number| number < 1 << 31),
        Bool => value.is_boolean(),
        Str => text.is_some(),
        Text => text.is_some_and(|text| !text.is_empty()),
        Uuid => text.is_some_and(is_uuid),
        SpecVersion => text.is_some_and(|text| text.split('.').count() == 3),
        Time => text.is_some_and(|text| text.len() >= 20 && text.ends_with('Z') && text.as_bytes()[10] == b'T'),
        OneOf(words) => text.is_some_and(|text| words.contains(&text)),
        Set(start) => all_of(&|text| text.len() > start.len() && text[..start.len()].eq_ignore_ascii_case(start)),
        SetOf(words) => all_of(&|text| words.contains(&text)),
        Uuids => all_of(&is_uuid),
        Country => text.is_some_and(is_country),
        Subdivision => text.is_some_and(|text| text.split_once('-').is_some_and(|(country, _)| is_country(country))),
        Object(table) => {
            check_object(value, table, at, found);
            true
        }
        Objects(table) => {
            let items = value.as_array().map_or(&[][..], Vec::as_slice);
            for (index, item) in items.iter().enumerate() {
                check_object(item, table, &format!("{at}/{index}"), found);
            }
            !items.is_empty()
        }
        Any => value.is_object(),
    };
    if !holds {
        found.push(format!("{at} is {value}"));
    }
}

fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, fraction].iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
}

fn is_uuid(text: &str) -> bool {
    let lengths: Vec<_> = text.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.bytes().all(|b| b == b'-' || (b.is_ascii_hexdigit() && !b.is_ascii_uppercase()))
}

fn is_country(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|b| b.is_ascii_uppercase())
}

/// Signs, ranges and flags that the text of the standard asks for.
fn broken_ranges(value: &Value, edition: Edition) -> Vec<String> {
    let pcf = &value["pcf"];
    let number = |name: &str| match &pcf[name] {
        Value::String(text) => Decimal::parse(text).ok(),
        Value::Number(number) => Decimal::parse(&number.to_string()).ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    let table = if edition == Edition::V2 { PCF_2 } else { PCF_3 };
    let any_sign = [
        "pCfIncludingBiogenic",
        "landManagementGhgEmissions",
        "pcfExcludingBiogenicUptake",
        "pcfIncludingBiogenicUptake",
    ];
    let not_positive = [
        "biogenicCarbonWithdrawal",
        "biogenicCO2Uptake",
        "landManagementBiogenicCO2Removals",
        "ccsTechnologicalCO2Capture",
        "technologicalCO2Removals",
    ];
    let mut broken = Vec::new();
    for (name, _, kind) in table {
        let (Dec | Num, Some(number)) = (kind, number(name)) else { continue };
        let holds = if any_sign.contains(name) {
            true
        } else if not_positive.contains(name) {
            number <= Decimal::ZERO
        } else {
            number >= Decimal::ZERO
        };
        if !holds {
            broken.push(format!("{name} is {number}"));
        }
    }
    let units = if edition == Edition::V2 { "unitaryProductAmount" } else { "declaredUnitAmount" };
    if number(units).is_none_or(|number| number <= Decimal::ZERO) {
        broken.push(format!("{units} is not above zero"));
    }
    let most = Decimal::from_integer(if edition == Edition::V2 { 5 } else { 100 });
    if number("exemptedEmissionsPercent").is_none_or(|number| number > most) {
        broken.push("exemptedEmissionsPercent is too large".to_owned());
    }
    if pcf["packagingEmissionsIncluded"] == false && !pcf["packagingGhgEmissions"].is_null() {
        broken.push("packaging that is not included".to_owned());
    }
    if pcf["referencePeriodStart"].as_str() >= pcf["referencePeriodEnd"].as_str() {
        broken.push("the reference period ends before it starts".to_owned());
    }
    let [start, end] = ["validityPeriodStart", "validityPeriodEnd"].map(|name| value[name].as_str());
    if edition == Edition::V2 && start.is_some() != end.is_some() {
        broken.push("half a validity period".to_owned());
    }
    if value["updated"].as_str().is_some_and(|updated| Some(updated) <= value["created"].as_str()) {
        broken.push("updated before it was created".to_owned());
    }
    broken
}
