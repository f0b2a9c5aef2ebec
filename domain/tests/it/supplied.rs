//! Factors that are made of suppliers' footprints.

use proptest::prelude::*;
use tonne_domain::footprint::{Edition, FOOTPRINT, FieldValue, Fields, JsonType};
use tonne_domain::{Decimal, Moment, NoFactorOf, Source, SuppliedFactor, SupplierFootprint, supplied_factor};

use crate::sample::{id, name};

fn text(text: &str) -> FieldValue {
    FieldValue::Text(text.to_owned())
}

fn number(text: &str) -> FieldValue {
    FieldValue::Number(Decimal::parse(text).unwrap())
}

fn moment(text: &str) -> FieldValue {
    FieldValue::Moment(Moment::parse(text).unwrap())
}

fn object(members: Vec<(&str, FieldValue)>) -> Fields {
    let Some(JsonType::Object(shape)) = FOOTPRINT.field("pcf").map(|spec| spec.kind) else { unreachable!() };
    let mut pcf = Fields::new(shape);
    for (name, value) in members {
        pcf.set(name, value).unwrap();
    }
    pcf
}

/// A footprint of so much CO2e for so many of a unit.
fn footprint(co2e: &str, amount: &str, unit: &str, validity: [&str; 2]) -> Fields {
    let mut all = Fields::new(&FOOTPRINT);
    let pcf = object(vec![
        ("declaredUnitOfMeasurement", text(unit)),
        ("declaredUnitAmount", number(amount)),
        ("pcfExcludingBiogenicUptake", number(co2e)),
    ]);
    for (name, value) in [
        ("companyName", text("Works")),
        ("productNameCompany", text("Sheet")),
        ("validityPeriodStart", moment(validity[0])),
        ("validityPeriodEnd", moment(validity[1])),
        ("pcf", FieldValue::Object(pcf)),
    ] {
        all.set(name, value).unwrap();
    }
    all
}

fn made(fields: &Fields) -> Result<SuppliedFactor, NoFactorOf> {
    supplied_factor(id(1), fields, Edition::V3, &Source::parse("https://a.example").unwrap(), "urn:x:1")
}

const YEAR: [&str; 2] = ["2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"];

#[test]
fn each_declared_unit_has_its_own_of_ours() {
    let units = [
        ("liter", "L"),
        ("kilogram", "kg"),
        ("cubic meter", "m3"),
        ("kilowatt hour", "kWh"),
        ("megajoule", "MJ"),
        ("ton kilometer", "tkm"),
        ("square meter", "m2"),
        ("piece", "piece"),
        ("hour", "h"),
    ];
    for (declared, ours) in units {
        assert_eq!(made(&footprint("1", "1", declared, YEAR)).unwrap().data.unit.code(), ours);
    }
    let refused = made(&footprint("1", "1", "megabit second", YEAR));
    assert_eq!(refused, Err(NoFactorOf::Unit("megabit second".to_owned())));
}

#[test]
fn the_days_are_those_in_utc_of_which_an_instant_counts() {
    let cases = [
        (["2025-01-01T00:00:00Z", "2025-12-31T23:59:59Z"], ["2025-01-01", "2026-01-01"]),
        (["2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"], ["2025-01-01", "2026-01-01"]),
        (["2025-01-01T12:00:00Z", "2025-01-01T13:00:00Z"], ["2025-01-01", "2025-01-02"]),
        (["2025-01-01T00:30:00+01:00", "2025-12-31T23:30:00-01:00"], ["2024-12-31", "2026-01-02"]),
    ];
    for (validity, [from, to]) in cases {
        let data = made(&footprint("1", "1", "hour", validity)).unwrap().data;
        assert_eq!((data.valid_from.to_string(), data.valid_to.unwrap().to_string()), (from.to_owned(), to.to_owned()));
    }
    let no_day = ["2025-01-01T00:00:00Z", "2025-01-01T00:00:00Z"];
    assert_eq!(made(&footprint("1", "1", "hour", no_day)), Err(NoFactorOf::NoDay));
}

#[test]
fn a_share_of_primary_data_lies_between_0_and_100() {
    let footprint = || {
        let source = |text| Source::parse(text).unwrap();
        SupplierFootprint::new(name("Works"), id(1), source("https://a.example"), source("urn:x:1"))
    };
    for share in ["0", "62.5", "100"] {
        let share = Decimal::parse(share).unwrap();
        assert_eq!(footprint().with_primary_data_share(Some(share)).unwrap().primary_data_share(), Some(share));
    }
    for share in ["-0.1", "100.1"] {
        assert!(footprint().with_primary_data_share(Some(Decimal::parse(share).unwrap())).is_err());
    }
}

proptest! {
    #[test]
    fn amount_times_factor_is_the_footprint_where_nothing_was_rounded(co2e in -1_000_000_i64..1_000_000, amount in 1_i64..10_000) {
        let made = made(&footprint(&co2e.to_string(), &amount.to_string(), "liter", YEAR)).unwrap();
        let factor = made.data.upstream.unwrap().decimal();
        let back = factor.checked_mul(Decimal::from_integer(amount)).unwrap();
        prop_assert_eq!(back == Decimal::from_integer(co2e), !made.is_rounded);
        let off = back.checked_sub(Decimal::from_integer(co2e)).unwrap();
        prop_assert!(off.scaled().unsigned_abs() * 2 <= u128::from(amount.unsigned_abs()), "half a last digit for each unit");
    }
}
