//! Reading what partners send: every fault at once, and what was understood although it departs from the form.

use domain::footprint::Edition;
use domain::{Decimal, Faults};
use tonne_pact::read;

use crate::sample::{ID, V2, V3};

fn told(faults: &Faults) -> Vec<(&str, &str)> {
    faults.as_slice().iter().map(|fault| (fault.pointer.as_str(), fault.code.as_str())).collect()
}

#[test]
fn a_footprint_in_its_form_departs_from_nothing() {
    for (json, edition) in [(V2, Edition::V2), (V3, Edition::V3)] {
        let received = read(json.as_bytes(), edition).unwrap();
        assert_eq!((received.id.to_string().as_str(), told(&received.departures)), (ID, vec![]));
    }
}

#[test]
fn all_faults_are_told_at_once() {
    let json = r#"{"id":"x","companyName":1,"companyName":"a","created":"yesterday","companyIds":"urn:a:b",
        "version":1.0,"pcf":{"fossilGhgEmissions":"1,5","dqi":[],"packagingEmissionsIncluded":"true","x":{"y":1,"y":2}},
        "extensions":[{"data":{"a":"\u0000"}},7]}"#;
    let faults = read(json.as_bytes(), Edition::V2).unwrap_err();
    assert_eq!(
        told(&faults),
        [
            ("/companyName", "repeated"),
            ("/id", "invalid"),
            ("/companyName", "type"),
            ("/created", "invalid"),
            ("/companyIds", "type"),
            ("/version", "type"),
            ("/pcf/fossilGhgEmissions", "invalid"),
            ("/pcf/dqi", "type"),
            ("/pcf/packagingEmissionsIncluded", "type"),
            ("/extensions/0/data", "invalid"),
            ("/extensions/1", "type"),
        ]
    );
}

#[test]
fn what_is_no_footprint_at_all_is_told_once() {
    for (bytes, pointer) in [(&b"{"[..], ""), (b"[]", ""), (b"\xff", ""), (b"{}", "/id"), (b"{} {}", "")] {
        let faults = read(bytes, Edition::V3).unwrap_err();
        assert_eq!(faults.as_slice()[0].pointer, pointer, "{faults:?}");
    }
}

#[test]
fn what_departs_from_the_form_and_is_understood_is_told() {
    let json = format!(
        r#"{{"id":"{ID}","version":1,"comment":null,"productIds":[],"pcf":{{"fossilGhgEmissions":1.50,"exemptedEmissionsPercent":"1e-1","primaryDataShare":7}}}}"#
    );
    let received = read(json.as_bytes(), Edition::V3).unwrap();
    assert_eq!(
        told(&received.departures),
        [
            ("/version", "unknown"),
            ("/comment", "type"),
            ("/productIds", "required"),
            ("/pcf/fossilGhgEmissions", "type"),
            ("/pcf/primaryDataShare", "type"),
        ]
    );
    let pcf = received.fields.object("pcf").unwrap();
    assert_eq!(pcf.number("fossilGhgEmissions"), Some(Decimal::parse("1.5").unwrap()));
    assert_eq!(pcf.number("exemptedEmissionsPercent"), Some(Decimal::parse("0.1").unwrap()));
}

#[test]
fn every_digit_of_an_amount_is_kept() {
    let digits = "12345678901234567890.123456789012345678";
    for amount in [digits.to_owned(), format!("\"{digits}\"")] {
        let json = format!(r#"{{"id":"{ID}","pcf":{{"fossilGhgEmissions":{amount}}}}}"#);
        let received = read(json.as_bytes(), Edition::V3).unwrap();
        assert_eq!(received.fields.object("pcf").unwrap().number("fossilGhgEmissions").unwrap().to_string(), digits);
    }
    let json = format!(r#"{{"id":"{ID}","pcf":{{"fossilGhgEmissions":"0.1234567890123456789"}}}}"#);
    assert_eq!(told(&read(json.as_bytes(), Edition::V3).unwrap_err()), [("/pcf/fossilGhgEmissions", "invalid")]);
}

#[test]
fn an_escaped_backslash_before_u0000_is_no_null_character() {
    let json = |data: &str| format!(r#"{{"id":"{ID}","extensions":[{{"data":{{"a":"{data}"}}}}]}}"#);
    assert!(read(json(r"\\u0000").as_bytes(), Edition::V3).is_ok());
    assert!(read(json(r"\\\u0000").as_bytes(), Edition::V3).is_err());
}

#[test]
fn an_array_of_more_than_a_thousand_items_is_refused() {
    let ids = vec!["\"urn:a:b\""; 1_001].join(",");
    let json = format!(r#"{{"id":"{ID}","productIds":[{ids}]}}"#);
    assert_eq!(told(&read(json.as_bytes(), Edition::V3).unwrap_err()), [("/productIds", "too_much")]);
}

#[test]
fn more_digits_than_are_kept_hinder_reading_and_not_the_judgement_of_the_form() {
    let longer = V3.replace("\"fossilGhgEmissions\":\"18\"", "\"fossilGhgEmissions\":\"18.0000000000000000001\"");
    assert_ne!(longer, V3);
    let faults = tonne_pact::read(longer.as_bytes(), Edition::V3).unwrap_err();
    assert_eq!(faults.as_slice()[0].pointer, "/pcf/fossilGhgEmissions");
    let received = tonne_pact::read_form(longer.as_bytes(), Edition::V3).unwrap();
    let [left_out] = received.departures.as_slice() else { panic!("{:?}", received.departures) };
    assert_eq!((left_out.pointer.as_str(), left_out.code.as_str()), ("/pcf/fossilGhgEmissions", "too_much"));
    assert_eq!(received.fields.object("pcf").unwrap().number("fossilGhgEmissions"), None);
    let none = V3.replace("\"fossilGhgEmissions\":\"18\"", "\"fossilGhgEmissions\":\"1,8\"");
    tonne_pact::read_form(none.as_bytes(), Edition::V3).unwrap_err();
}
