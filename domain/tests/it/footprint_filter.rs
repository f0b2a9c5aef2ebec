//! What partners ask lists for, and where records stand in them.

use tonne_domain::footprint::{Compared, Comparison, Condition, Edition, FootprintFilter, FootprintPlace, Operator};
use tonne_domain::{Footprint, Moment};

use crate::footprint::{moment, put, text, valid_v2, valid_v3};
use crate::footprint_projection::shown;

/// A condition on texts, and one on a time.
type AsksForTexts = fn(Vec<String>) -> Condition;
type AsksForTime = fn(Moment) -> Condition;

fn found(footprint: &Footprint, edition: Edition, condition: Condition) -> bool {
    FootprintFilter { conditions: vec![condition] }.matches(&shown(footprint, edition).footprint.fields)
}

fn all(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn at(text: &str) -> Moment {
    Moment::parse(text).unwrap()
}

#[test]
fn one_of_several_is_enough_in_any_case_and_a_part_is_not() {
    let footprint = valid_v3();
    let cases: [(AsksForTexts, &[&str], bool); 11] = [
        (Condition::ProductId, &["x", "URN:GTIN:4712345060507"], true),
        (Condition::ProductId, &["urn:gtin:47123450605"], false),
        (Condition::CompanyId, &["urn:pact:WORKS.example:company:1"], true),
        (Condition::CompanyId, &["one", "two"], false),
        (Condition::Classification, &["urn:cpc:41532"], true),
        (Condition::Classification, &["urn:cpc:4153"], false),
        (Condition::Geography, &["no"], true),
        (Condition::Geography, &["XX"], false),
        (Condition::Status, &["active"], true),
        (Condition::Status, &["Deprecated"], false),
        (Condition::Status, &["BogusStatus"], false),
    ];
    for (asks, values, expected) in cases {
        assert_eq!(found(&footprint, Edition::V3, asks(all(values))), expected, "{values:?}");
    }
}

#[test]
fn a_region_and_a_subdivision_are_found_too() {
    for (name, value) in [("geographyRegionOrSubregion", "Northern Europe"), ("geographyCountrySubdivision", "NO-03")] {
        let mut footprint = valid_v3();
        put(&mut footprint, "/pcf/geographyCountry", None);
        put(&mut footprint, &format!("/pcf/{name}"), Some(text(value)));
        assert!(found(&footprint, Edition::V3, Condition::Geography(all(&[&value.to_lowercase()]))));
    }
}

#[test]
fn a_record_of_version_2_is_found_by_its_category_in_version_3() {
    assert!(found(&valid_v2(), Edition::V3, Condition::Classification(all(&["urn:cpc:41532"]))));
}

#[test]
fn both_ends_of_the_validity_count_as_valid_and_before_and_after_are_strict() {
    let footprint = valid_v3();
    let (start, end) = ("2025-01-01T00:00:00Z", "2028-01-01T00:00:00Z");
    let (before, after) = ("2024-12-31T23:59:59Z", "2028-01-01T00:00:01Z");
    let cases: [(AsksForTime, [bool; 4]); 3] = [
        (Condition::ValidOn, [false, true, true, false]),
        (Condition::ValidAfter, [true, false, false, false]),
        (Condition::ValidBefore, [false, false, false, true]),
    ];
    for (asks, expected) in cases {
        let found = [before, start, end, after].map(|time| found(&footprint, Edition::V3, asks(at(time))));
        assert_eq!(found, expected);
    }
}

#[test]
fn without_a_validity_period_it_is_three_years_from_the_reference_period() {
    let mut footprint = valid_v3();
    put(&mut footprint, "/validityPeriodStart", None);
    put(&mut footprint, "/validityPeriodEnd", None);
    put(&mut footprint, "/pcf/referencePeriodEnd", Some(moment("2025-01-01T01:00:00+01:00")));
    for (time, expected) in
        [("2024-12-31T23:59:59Z", false), ("2025-01-01T00:00:00Z", true), ("2028-01-01T00:00:00Z", true)]
    {
        assert_eq!(found(&footprint, Edition::V3, Condition::ValidOn(at(time))), expected, "{time}");
    }
    assert!(!found(&footprint, Edition::V3, Condition::ValidOn(at("2028-01-01T00:00:00.001Z"))));
}

#[test]
fn several_conditions_must_all_hold_and_none_finds_everything() {
    let fields = shown(&valid_v3(), Edition::V3).footprint.fields;
    let product = Condition::ProductId(all(&["urn:gtin:4712345060507"]));
    let company = Condition::CompanyId(all(&["bogus"]));
    assert!(FootprintFilter::default().matches(&fields));
    assert!(!FootprintFilter { conditions: vec![product, company] }.matches(&fields));
}

#[test]
fn version_2_compares_instants_and_texts() {
    use Operator::{Eq, Ge, Gt, Le, Lt};
    let footprint = valid_v2();
    let compares = |operator, with| found(&footprint, Edition::V2, Condition::Compares(Comparison { operator, with }));
    let created = || Compared::Created(at("2025-02-01T11:00:00+01:00"));
    assert_eq!([Eq, Lt, Le, Gt, Ge].map(|operator| compares(operator, created())), [true, false, true, false, true]);
    let later = || Compared::Updated(at("2025-02-03T00:00:00Z"));
    assert_eq!([Eq, Lt, Le, Gt, Ge].map(|operator| compares(operator, later())), [false, true, true, false, false]);
    assert!(compares(Eq, Compared::Category("41532".to_owned())));
    assert!(compares(Ge, Compared::Country("NL".to_owned())) && !compares(Eq, Compared::Country("no".to_owned())));
    assert!(compares(Eq, Compared::ReferenceStart(at("2024-01-01T00:00:00Z"))));
    assert!(!compares(Lt, Compared::ReferenceEnd(at("2025-01-01T00:00:00Z"))));
    let mut never = valid_v2();
    put(&mut never, "/updated", None);
    let comparison = Comparison { operator: Lt, with: later() };
    assert!(!found(&never, Edition::V2, Condition::Compares(comparison)));
}

#[test]
fn records_stand_in_the_order_of_their_creation_then_of_their_numbers() {
    let mut first = valid_v2();
    put(&mut first, "/created", Some(moment("0001-01-01T00:00:00+23:59")));
    let mut second = valid_v2();
    put(&mut second, "/created", Some(moment("2025-02-01T10:00:00.000000999Z")));
    let mut third = second.clone();
    put(&mut third, "/created", Some(moment("2025-02-01T11:00:00+01:00")));
    third.number = second.number + 1;
    let mut last = valid_v2();
    put(&mut last, "/created", Some(moment("9999-12-31T23:59:59.999999999-23:59")));
    let places = [first, second, third, last].map(|footprint| FootprintPlace::of(&footprint));
    assert!(places.is_sorted() && places[1].created_us == places[2].created_us, "{places:?}");
}
