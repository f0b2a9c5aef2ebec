//! The feature `serde`: texts out, texts in, and nothing else.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tonne_domain::{
    ActivityId, Co2e, Day, Decimal, DeclaredAmount, Description, ImageAddress, Intensity, Moment, Name, Quantity, Slug,
    Source, Stage, SyncId, Timestamp, Total, Unit,
};

/// The value is written as that text and read from it.
#[track_caller]
fn same<T: Serialize + DeserializeOwned + Debug>(text: &str) {
    let json = serde_json::to_string(text).unwrap();
    let value: T = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::to_string(&value).unwrap(), json);
}

#[track_caller]
fn refused<T: DeserializeOwned + Debug>(json: &str) -> String {
    serde_json::from_str::<T>(json).unwrap_err().to_string()
}

#[test]
fn values_are_their_texts() {
    let amount = "99999999999999999999.999999999999999999";
    same::<Decimal>(amount);
    same::<Co2e>(&format!("-{amount}"));
    same::<Quantity>(amount);
    same::<Intensity>("0.000000000000000001");
    same::<DeclaredAmount>("2.5");
    same::<Total>(&"9".repeat(40));
    same::<Unit>("kWh");
    same::<Day>("2025-01-31");
    same::<Moment>("2025-01-31T09:30:00.50+13:00");
    same::<Timestamp>("2025-01-31T09:30:00.500Z");
    same::<Stage>("A1-A3");
    same::<ActivityId>("0198c0de-0000-7000-8000-000000000000");
    same::<Name>("Öl");
    same::<SyncId>(" x ");
    same::<Description>("two\nlines");
    same::<Slug>("waste-2");
    same::<Source>("Somebody 2025");
    same::<ImageAddress>("HTTPS://example.com/x.png");
}

#[test]
fn other_spellings_are_read_as_everywhere() {
    assert_eq!(serde_json::from_str::<Unit>("\"litre\"").unwrap().code(), "L");
    assert_eq!(serde_json::from_str::<Co2e>("\"1.250e1\"").unwrap().to_string(), "12.5");
}

#[test]
fn no_number_and_nothing_else_is_read_as_an_amount() {
    for wrong in ["12.5", "12", "-1", "1e3", "null", "true", "[]", "[49]", "{}"] {
        let error = refused::<Co2e>(wrong);
        assert!(error.contains("expected a decimal number in a string"), "{wrong}: {error}");
        assert!(refused::<Total>(wrong).contains("expected a decimal number in a string"), "{wrong}");
    }
    assert!(refused::<Day>("20250131").contains("expected a day"));
}

#[test]
fn what_is_no_value_says_why() {
    assert!(refused::<Co2e>("\"12,5\"").starts_with("\"12,5\": not a decimal number such as 12.5"));
    assert!(refused::<DeclaredAmount>("\"0\"").contains("the amount must be above zero"));
    assert!(refused::<Unit>("\"kwh\"").contains("did you mean kWh?"));
    assert!(refused::<Day>("\"2025-02-30\"").contains("not a day of the calendar"));
    assert!(refused::<ActivityId>("\"x\"").contains("not a UUID"));
    assert!(refused::<Name>("\"\"").contains("the text must not be empty"));
}
