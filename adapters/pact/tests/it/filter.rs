//! The parameters of version 3.

use domain::Moment;
use domain::footprint::{Condition, FootprintFilter};
use tonne_pact::FilterQuery;

fn read(given: &[(&str, &[&str])]) -> Result<FootprintFilter, Vec<String>> {
    let mut query = FilterQuery::default();
    for (name, values) in given {
        query.read(name, values.iter().map(|value| (*value).to_owned()).collect());
    }
    query.finish().map_err(|faults| faults.as_slice().iter().map(|fault| fault.pointer.clone()).collect())
}

fn at(text: &str) -> Moment {
    Moment::parse(text).unwrap()
}

#[test]
fn each_parameter_asks_for_what_it_says() {
    let texts = || vec!["a".to_owned(), "b".to_owned()];
    let time = "2025-01-01T00:00:00Z";
    let all = read(&[
        ("productId", &["a", "b"]),
        ("companyId", &["a", "b"]),
        ("classification", &["a", "b"]),
        ("geography", &["a", "b"]),
        ("status", &["a", "b"]),
        ("validOn", &[time]),
        ("validAfter", &[time]),
        ("validBefore", &[time]),
    ]);
    assert_eq!(
        all.unwrap().conditions,
        [
            Condition::ProductId(texts()),
            Condition::CompanyId(texts()),
            Condition::Classification(texts()),
            Condition::Geography(texts()),
            Condition::Status(texts()),
            Condition::ValidOn(at(time)),
            Condition::ValidAfter(at(time)),
            Condition::ValidBefore(at(time)),
        ]
    );
}

#[test]
fn an_empty_parameter_is_as_if_it_were_not_given() {
    for parameter in FilterQuery::PARAMETERS {
        assert_eq!(read(&[(parameter.name, &[""])]), Ok(FootprintFilter::default()), "{}", parameter.name);
    }
    let one = read(&[("productId", &["", "a"])]).unwrap();
    assert_eq!(one.conditions, [Condition::ProductId(vec!["a".to_owned()])]);
}

#[test]
fn what_is_no_identifier_and_no_status_is_asked_for_all_the_same() {
    assert_eq!(read(&[("companyId", &["not a URN"]), ("status", &["BogusStatus"])]).unwrap().conditions.len(), 2);
}

#[test]
fn a_plus_that_came_as_a_blank_is_read_as_the_offset_it_was() {
    let asked = read(&[("validOn", &["2025-01-01T00:00:00 01:00"])]).unwrap();
    assert_eq!(asked.conditions, [Condition::ValidOn(at("2025-01-01T00:00:00+01:00"))]);
}

#[test]
fn dates_that_cannot_be_read_are_all_named() {
    let time = "2025-01-01T00:00:00Z";
    let faults = read(&[("validOn", &["soon"]), ("validAfter", &["2025-01-01"]), ("validBefore", &[time, time])]);
    assert_eq!(faults.unwrap_err(), ["validOn", "validAfter", "validBefore"]);
}
