//! The standard's field tables, written down here a second time from the standard alone: this knows nothing of the domain's
//! own description.

// The paths are given, since the tests of the whole service read this file too.
#[path = "check.rs"]
mod check;
#[path = "ranges.rs"]
mod ranges;

use domain::footprint::Edition;
use serde_json::Value;

use check::{check_object, is_report, is_text, is_urn};
use ranges::broken_ranges;

/// Required (M) or optional (o).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Need {
    M,
    O,
}
use Need::{M, O};

/// The types of the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Type {
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
    /// A set of one text at least, each of that form.
    Set(fn(&str) -> bool),
    SetOf(&'static [&'static str]),
    Uuids,
    Country,
    Subdivision,
    Uri,
    Https,
    /// The version of an extension (Semantic Versioning 2).
    Semver,
    Object(&'static [Field]),
    Objects(&'static [Field]),
    /// Such objects, none of them twice.
    ObjectSet(&'static [Field]),
    /// A JSON object of any kind.
    Any,
}
use Type::{
    Any, Bool, Country, Dec, Https, Int, Num, Object, ObjectSet, Objects, OneOf, Semver, Set, SetOf, SpecVersion, Str,
    Subdivision, Text, Time, Uri, Uuid, Uuids,
};

pub(crate) type Field = (&'static str, Need, Type);

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
const REGIONS: &[&str] = &[
    "Africa",
    "Americas",
    "Asia",
    "Europe",
    "Oceania",
    "Australia and New Zealand",
    "Central Asia",
    "Eastern Asia",
    "Eastern Europe",
    "Latin America and the Caribbean",
    "Melanesia",
    "Micronesia",
    "Northern Africa",
    "Northern America",
    "Northern Europe",
    "Polynesia",
    "South-eastern Asia",
    "Southern Asia",
    "Southern Europe",
    "Sub-Saharan Africa",
    "Western Asia",
    "Western Europe",
];
const RULES: &[Field] = &[
    ("operator", M, OneOf(&["PEF", "EPD International", "Other"])),
    ("ruleNames", M, Set(is_text)),
    ("otherOperatorName", O, Text),
];
const SOURCES: &[Field] = &[("name", M, Text), ("version", M, Text)];
const EXTENSION: &[Field] =
    &[("specVersion", M, Semver), ("dataSchema", M, Https), ("documentation", O, Https), ("data", M, Any)];

pub(crate) const FOOTPRINT_2: &[Field] = &[
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
    ("companyIds", M, Set(is_urn)),
    ("productDescription", M, Str),
    ("productIds", M, Set(is_urn)),
    ("productClassifications", O, Set(is_urn)),
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
    ("ipccCharacterizationFactorsSources", M, Set(is_report)),
    (
        "crossSectoralStandardsUsed",
        M,
        SetOf(&["GHG Protocol Product standard", "ISO Standard 14067", "ISO Standard 14044"]),
    ),
    ("crossSectoralStandards", O, SetOf(STANDARDS)),
    ("productOrSectorSpecificRules", O, ObjectSet(RULES)),
    ("biogenicAccountingMethodology", O, OneOf(&["PEF", "ISO", "GHGP", "Quantis"])),
    ("boundaryProcessesDescription", M, Str),
    ("referencePeriodStart", M, Time),
    ("referencePeriodEnd", M, Time),
    ("geographyRegionOrSubregion", O, OneOf(REGIONS)),
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

pub(crate) const FOOTPRINT_3: &[Field] = &[
    ("id", M, Uuid),
    ("specVersion", M, SpecVersion),
    ("precedingPfIds", O, Uuids),
    ("created", M, Time),
    ("status", M, OneOf(&["Active", "Deprecated"])),
    ("validityPeriodStart", O, Time),
    ("validityPeriodEnd", O, Time),
    ("companyName", M, Text),
    ("companyIds", M, Set(is_urn)),
    ("productDescription", M, Str),
    ("productIds", M, Set(is_urn)),
    ("productClassifications", O, Set(is_urn)),
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
    ("geographyRegionOrSubregion", O, OneOf(REGIONS)),
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
    ("ccuCreditCertification", O, Uri),
    ("ipccCharacterizationFactors", M, Set(is_report)),
    ("crossSectoralStandards", M, Set(is_text)),
    ("productOrSectorSpecificRules", O, ObjectSet(RULES)),
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
