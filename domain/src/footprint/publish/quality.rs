//! How good the data of a model's footprint are: averages over its inputs, weighted by the size of their CO2e.

use ethnum::I256;

use super::boundary::{Boundary, Counted};
use super::{Findings, SourcedInput};
use crate::amount::decimal::Decimal;
use crate::amount::round;
use crate::calendar::day::Day;
use crate::footprint::fields::{FieldValue, Fields};
use crate::model::Model;
use crate::product::factor::Factor;

const SHARE: &str = "primaryDataShare";
const TECHNOLOGICAL: &str = "technologicalDQR";
const TEMPORAL: &str = "temporalDQR";
const GEOGRAPHICAL: &str = "geographicalDQR";

/// How many per cent of a factor are primary data, as its supplier states it, 0 to 100. `None`: nobody states it, and all of it
/// counts as secondary data.
#[must_use]
pub fn primary_data_share(factor: &Factor) -> Option<Decimal> {
    factor.data().supplier.as_ref()?.primary_data_share()
}

/// Writes the share of primary data and the data quality ratings.
pub(super) fn write(model: &Model, boundary: &Boundary<'_>, said: &Fields, pcf: &mut Fields, found: &mut Findings) {
    let inputs: Vec<_> = boundary.counted(Counted::Footprint).collect();
    let share = |factor: &Factor| primary_data_share(factor).unwrap_or(Decimal::ZERO);
    match average(&inputs, |one| one.factor.map(share)) {
        Some(average) => put(SHARE, &average, pcf, found),
        None => found.note(format!("{SHARE} is not known: the inputs come to zero.")),
    }
    let Some(dqi) = said.object("dqi") else {
        found.note(format!("The data quality is not rated: {TECHNOLOGICAL} can only be said."));
        return;
    };
    let mut rated = dqi.clone();
    if rated.find(TEMPORAL).is_none() {
        let rating = |one: &SourcedInput<'_>| {
            Some(Decimal::from_integer(temporal(one.factor?.data().valid_from, model.reference_date)))
        };
        rate(TEMPORAL, average(&inputs, rating), &mut rated, found);
    }
    if rated.find(GEOGRAPHICAL).is_none() {
        let country = pcf.text("geographyCountry").or_else(|| pcf.text("geographyCountrySubdivision"));
        if let Some(place) = country {
            let rating = |one: &SourcedInput<'_>| Some(Decimal::from_integer(geographical(region(one.factor?), place)));
            rate(GEOGRAPHICAL, average(&inputs, rating), &mut rated, found);
        } else {
            let why = "it can be computed for a country or subdivision alone: say it, or one of these";
            found.missing(&format!("/pcf/dqi/{GEOGRAPHICAL}"), why);
        }
    }
    pcf.put("dqi", Some(FieldValue::Object(rated)));
}

fn rate(name: &'static str, average: Option<Average>, dqi: &mut Fields, found: &mut Findings) {
    match average {
        Some(average) => put(name, &average, dqi, found),
        None => found.missing(&format!("/pcf/dqi/{name}"), "the inputs come to zero, and nothing weighs their ratings"),
    }
}

/// A rating by the age of a factor on the reference date, as the pedigree matrix has it (Weidema and Wesnæs, 1996): 1 below
/// 3 years, 2 below 6, 3 below 10, 4 below 15, else 5.
fn temporal(valid_from: Day, reference: Day) -> i64 {
    let (year, month, day) = valid_from.calendar();
    let is_within = |years: i32| reference.calendar() < (year + years, month, day);
    [(3, 1), (6, 2), (10, 3), (15, 4)].into_iter().find(|(years, _)| is_within(*years)).map_or(5, |(_, rating)| rating)
}

/// A rating by the place that a factor holds in (same source): 1 of the place itself or a part of it, 2 of the country around
/// it, 5 of another or an unknown one.
fn geographical(region: Option<&str>, place: &str) -> i64 {
    let is_part = |inner: &str, outer: &str| {
        inner == outer || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('-'))
    };
    match region {
        Some(region) if is_part(region, place) => 1,
        Some(region) if is_part(place, region) => 2,
        Some(_) | None => 5,
    }
}

fn region(factor: &Factor) -> Option<&str> {
    factor.data().origin.as_deref()?.factor.region.as_ref().map(crate::text::Name::as_str)
}

/// A weighted average.
struct Average {
    value: Decimal,
    is_rounded: bool,
}

fn put(name: &'static str, average: &Average, fields: &mut Fields, found: &mut Findings) {
    fields.put(name, Some(FieldValue::Number(average.value)));
    if average.is_rounded {
        found.note(format!("{name} is rounded half to even at the 18th digit."));
    }
}

/// The average of values, each weighted by the size of its input's CO2e; `None` where all are zero or a value lacks.
fn average(inputs: &[&SourcedInput<'_>], value: impl Fn(&SourcedInput<'_>) -> Option<Decimal>) -> Option<Average> {
    let (mut sum, mut weights) = (I256::ZERO, I256::ZERO);
    for one in inputs {
        let weight = I256::from(one.input.calculation.co2e()?.decimal().scaled()).abs();
        sum = sum.checked_add(weight.checked_mul(I256::from(value(one)?.scaled()))?)?;
        weights = weights.checked_add(weight)?;
    }
    let value = round::quotient(&[sum], &[weights]).and_then(Decimal::from_wide)?;
    let is_rounded = sum % weights != I256::ZERO;
    Some(Average { value, is_rounded })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_rated_by_its_age_on_the_reference_date() {
        let day = |text| Day::parse(text).unwrap();
        let cases = [
            ("2024-01-01", 1),
            ("2022-06-02", 1),
            ("2022-06-01", 2),
            ("2019-06-01", 3),
            ("2015-06-01", 4),
            ("2010-06-01", 5),
        ];
        for (from, rating) in cases {
            assert_eq!(temporal(day(from), day("2025-06-01")), rating, "{from}");
        }
    }

    #[test]
    fn a_factor_is_rated_by_its_place() {
        for (region, place, rating) in [
            ("US", "US", 1),
            ("US-RFCW", "US", 1),
            ("US", "US-CA", 2),
            ("US-TX", "US-CA", 5),
            ("GB", "US", 5),
            ("USA", "US", 5),
        ] {
            assert_eq!(geographical(Some(region), place), rating, "{region} {place}");
        }
        assert_eq!(geographical(None, "US"), 5);
    }
}
