//! Signs, ranges and what several fields say together, as the text of the standard asks.

use domain::Decimal;
use domain::footprint::Edition;
use serde_json::Value;

use super::{PCF_2, PCF_3, Type};

/// Amounts that may lie on either side of zero.
const ANY_SIGN: [&str; 4] =
    ["pCfIncludingBiogenic", "landManagementGhgEmissions", "pcfExcludingBiogenicUptake", "pcfIncludingBiogenicUptake"];
/// Amounts of what is taken away.
const NOT_POSITIVE: [&str; 5] = [
    "biogenicCarbonWithdrawal",
    "biogenicCO2Uptake",
    "landManagementBiogenicCO2Removals",
    "ccsTechnologicalCO2Capture",
    "technologicalCO2Removals",
];
/// What is left out where nothing is captured.
const CAPTURE: [&str; 3] = ["ccsTechnologicalCO2Capture", "technologicalCO2Removals", "technologicalCO2CaptureOrigin"];

/// What is broken of that, and of what is asked of the times.
pub(super) fn broken_ranges(value: &Value, edition: Edition) -> Vec<String> {
    let mut broken = amounts(&value["pcf"], edition);
    broken.extend(shares(&value["pcf"], edition));
    broken.extend(conditions(value));
    broken.extend(times(value, edition));
    broken
}

fn number(value: &Value) -> Option<Decimal> {
    match value {
        Value::String(text) => Decimal::parse(text).ok(),
        Value::Number(number) => Decimal::parse(&number.to_string()).ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn amounts(pcf: &Value, edition: Edition) -> Vec<String> {
    let (table, units) = match edition {
        Edition::V2 => (PCF_2, "unitaryProductAmount"),
        Edition::V3 => (PCF_3, "declaredUnitAmount"),
    };
    let mut broken = Vec::new();
    for (name, _, kind) in table {
        let (Type::Dec | Type::Num, Some(number)) = (kind, number(&pcf[name])) else { continue };
        let holds = if ANY_SIGN.contains(name) {
            true
        } else if NOT_POSITIVE.contains(name) {
            number <= Decimal::ZERO
        } else {
            number >= Decimal::ZERO
        };
        if !holds {
            broken.push(format!("{name} is {number}"));
        }
    }
    if number(&pcf[units]).is_none_or(|number| number <= Decimal::ZERO) {
        broken.push(format!("{units} is not above zero"));
    }
    broken
}

/// Percentages and data quality ratings.
fn shares(pcf: &Value, edition: Edition) -> Vec<String> {
    let (exempted, rating) = match edition {
        Edition::V2 => (5, 3),
        Edition::V3 => (100, 5),
    };
    let ranges = [
        ("/exemptedEmissionsPercent", 0, exempted),
        ("/primaryDataShare", 0, 100),
        ("/dqi/coveragePercent", 0, 100),
        ("/dqi/technologicalDQR", 1, rating),
        ("/dqi/temporalDQR", 1, rating),
        ("/dqi/geographicalDQR", 1, rating),
        ("/dqi/completenessDQR", 1, rating),
        ("/dqi/reliabilityDQR", 1, rating),
    ];
    let outside = |(name, least, most): &(&str, i64, i64)| {
        let range = Decimal::from_integer(*least)..=Decimal::from_integer(*most);
        pcf.pointer(name).is_some_and(|value| number(value).is_none_or(|number| !range.contains(&number)))
    };
    ranges
        .iter()
        .filter(|range| outside(range))
        .map(|(name, least, most)| format!("{name}: {least} to {most}"))
        .collect()
}

/// What may be there only where another member says so.
fn conditions(value: &Value) -> Vec<String> {
    let pcf = &value["pcf"];
    let mut broken = Vec::new();
    let mut is_broken = |condition: bool, what: &str| {
        if condition {
            broken.push(what.to_owned());
        }
    };
    is_broken(
        pcf["packagingEmissionsIncluded"] == false && !pcf["packagingGhgEmissions"].is_null(),
        "packaging that is not included",
    );
    is_broken(
        pcf["ccsTechnologicalCO2CaptureIncluded"] == false && CAPTURE.iter().any(|name| !pcf[*name].is_null()),
        "capture that is not included",
    );
    is_broken(
        !pcf["ccuCreditCertification"].is_null() && pcf["ccuCalculationApproach"] != "Credit",
        "a certification without a credit",
    );
    for rule in pcf["productOrSectorSpecificRules"].as_array().into_iter().flatten() {
        is_broken((rule["operator"] == "Other") == rule["otherOperatorName"].is_null(), "the name of another operator");
    }
    let preceding = value["precedingPfIds"].as_array().into_iter().flatten();
    is_broken(preceding.into_iter().any(|id| *id == value["id"]), "it precedes itself");
    broken
}

fn times(value: &Value, edition: Edition) -> Vec<String> {
    let time = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).map(sortable);
    let [start, end] = ["/validityPeriodStart", "/validityPeriodEnd"].map(time);
    let [reference_start, reference_end] = ["/pcf/referencePeriodStart", "/pcf/referencePeriodEnd"].map(time);
    let limit = reference_end.as_deref().map(three_years_later);
    let is_after = |one: &Option<String>, other: &Option<String>| {
        one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| one > other)
    };
    let is_not_before = |one: &Option<String>, other: &Option<String>| {
        one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| one >= other)
    };
    let rules = [
        (is_not_before(&reference_start, &reference_end), "the reference period ends before it starts"),
        (is_not_before(&start, &end), "the validity period ends before it starts"),
        (is_after(&reference_end, &start), "the validity period starts within the reference period"),
        (is_after(&end, &limit), "the validity period is longer than three years"),
        (edition == Edition::V2 && start.is_some() != end.is_some(), "half a validity period"),
        (is_not_before(&time("/created"), &time("/updated")), "updated before it was created"),
    ];
    rules.into_iter().filter(|(is_broken, _)| *is_broken).map(|(_, what)| what.to_owned()).collect()
}

/// A date-time in UTC as a text that sorts by time: with all the digits of its fraction, and a year of five.
fn sortable(time: &str) -> String {
    let (second, fraction) = time.trim_end_matches('Z').split_once('.').unwrap_or((time.trim_end_matches('Z'), ""));
    format!("0{second}.{fraction:0<9}")
}

/// The same day three years later, 29 February becoming the 28th.
fn three_years_later(sortable: &str) -> String {
    let year: u32 = sortable[..5].parse().unwrap_or(0);
    format!("{:05}{}", year + 3, sortable[5..].replace("-02-29T", "-02-28T"))
}
