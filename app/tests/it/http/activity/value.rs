//! Values: what comes in, and what comes back of it, byte for byte.

use crate::http::harness::{Answer, Client, Service, activity, json};

/// An activity with that JSON as its quantity.
fn quantity(client: &Client, digits: &str) -> Answer {
    let body = format!(r#"{{"name": "A", "startDate": "2025-01-01", "unit": "kg", "quantity": {digits}}}"#);
    client.request("POST", "/v1/activity").json_text(&body).send()
}

/// An activity with that JSON as its supplied downstream part.
fn downstream(client: &Client, digits: &str) -> Answer {
    let body = format!(r#"{{"name": "A", "startDate": "2025-01-01", "DownstreamCO2e": {digits}}}"#);
    client.request("POST", "/v1/activity").json_text(&body).send()
}

/// The amounts that come back for those that go in, as a quantity and as CO2e.
fn check(amounts: &[(&str, &str)]) {
    let service = Service::start();
    let admin = service.admin();
    for (given, back) in amounts {
        let answer = quantity(&admin, given).expect(201);
        assert_eq!(answer.raw("quantity"), *back, "{given}");
        let answer = downstream(&admin, given).expect(201);
        assert_eq!(answer.raw("DownstreamCO2e"), format!("{back:?}"), "{given}");
        assert_eq!(answer.raw("CO2e"), format!("{back:?}"), "{given}");
    }
}

/// The amounts that are refused, as a quantity and as CO2e.
fn refused(amounts: &[&str]) {
    let service = Service::start();
    let admin = service.admin();
    for given in amounts {
        assert_eq!(quantity(&admin, given).problem(), "422 invalid-input /quantity", "{given}");
        assert_eq!(downstream(&admin, given).problem(), "422 invalid-input /DownstreamCO2e", "{given}");
    }
    assert_eq!(admin.get("/v1/activity").ok()["count"], 0);
}

#[test]
fn an_amount_comes_back_in_plain_notation_without_trailing_zeros() {
    check(&[
        ("12.50", "12.5"),
        (r#""12.50""#, "12.5"),
        ("12", "12"),
        ("1.0", "1"),
        ("100", "100"),
        (r#""007.10""#, "7.1"),
        (r#""+5""#, "5"),
        ("-3.25", "-3.25"),
        ("0.1", "0.1"),
    ]);
}

#[test]
fn zero_has_no_sign() {
    check(&[("0", "0"), ("-0", "0"), ("-0.000", "0"), (r#""-0""#, "0"), ("0e40", "0")]);
}

#[test]
fn an_amount_may_have_an_exponent() {
    check(&[
        ("1e3", "1000"),
        ("1.25E+2", "125"),
        (r#""12.5e-3""#, "0.0125"),
        ("0.000000000000000000000000000000000001e36", "1"),
        (r#""10000000000000000000000000000000000000000e-40""#, "1"),
    ]);
}

#[test]
fn twenty_integer_and_eighteen_fractional_digits_are_kept() {
    check(&[
        ("99999999999999999999.999999999999999999", "99999999999999999999.999999999999999999"),
        ("-99999999999999999999.999999999999999999", "-99999999999999999999.999999999999999999"),
        ("0.000000000000000001", "0.000000000000000001"),
        ("9007199254740993", "9007199254740993"),
        ("0.10000000000000000000000", "0.1"),
        ("0.123456789012345678", "0.123456789012345678"),
    ]);
}

#[test]
fn an_amount_of_too_many_digits_is_refused_and_not_rounded() {
    refused(&["100000000000000000000", "1e20", "0.0000000000000000001", "1.0000000000000000001", "1e-19", r#""1e20""#]);
}

#[test]
fn an_exponent_beyond_40_and_more_than_64_characters_are_refused() {
    let long = format!("1.{}", "0".repeat(63));
    refused(&["1e41", "1e-41", "0e41", "1e1000000000", &long, &format!("{long:?}")]);
    check(&[(&long[..64], "1")]);
}

#[test]
fn what_is_no_amount_is_refused() {
    refused(&[
        r#""""#,
        r#"" 1""#,
        r#""1 ""#,
        r#""1,5""#,
        r#""1.""#,
        r#""0x10""#,
        r#""NaN""#,
        r#""Infinity""#,
        r#""1e""#,
        r#""--1""#,
        r#""1_000""#,
        r#""١""#,
        "true",
        "[]",
        "{}",
        "[1]",
    ]);
}

#[test]
fn a_uuid_is_read_in_any_case_and_written_in_lower_case() {
    let service = Service::start();
    let admin = service.admin();
    let org = admin.org("Works", None);
    let made = admin.post("/v1/activity", &activity(json!({ "org": { "uuid": org.to_uppercase() } }))).created();
    assert_eq!(made["org"], json!({ "uuid": org, "name": "Works" }));
    let uuid = made["uuid"].as_str().unwrap();
    assert_eq!(uuid, uuid.to_lowercase());
    assert_eq!(&uuid[14..15], "7", "new ones are version 7");
    assert_eq!(admin.get(&format!("/v1/activity/{}", uuid.to_uppercase())).ok(), made);
}

#[test]
fn a_uuid_has_36_characters_with_hyphens() {
    let service = Service::start();
    let admin = service.admin();
    let org = admin.org("Works", None);
    let bare = org.replace('-', "");
    for wrong in [bare.clone(), format!("{{{org}}}"), format!("urn:uuid:{org}"), "x".to_owned(), String::new()] {
        let answer = admin.post("/v1/activity", &activity(json!({ "org": { "uuid": wrong } })));
        assert_eq!(answer.problem(), "422 invalid-input /org/uuid", "{wrong}");
    }
    for wrong in [bare.as_str(), "1", "x", "%7B%7D"] {
        assert_eq!(admin.get(&format!("/v1/activity/{wrong}")).problem(), "400 malformed-request", "{wrong}");
    }
}

#[test]
fn a_name_is_trimmed_and_has_1_to_255_characters_on_one_line() {
    let service = Service::start();
    let admin = service.admin();
    let name = |name: &str| admin.post("/v1/activity", &activity(json!({ "name": name })));
    assert_eq!(name("  Gas, hall 3 \t").created()["name"], "Gas, hall 3");
    assert_eq!(name(&"é".repeat(255)).created()["name"], "é".repeat(255));
    for wrong in
        ["", "   ", &"é".repeat(256), "two\nlines", "nul\u{0}", "\u{7f}", "Invoice \u{202e}fdp.exe", "\u{200b}"]
    {
        assert_eq!(name(wrong).problem(), "422 invalid-input /name", "{wrong:?}");
    }
    name("Twice").created();
    name("Twice").created();
}

#[test]
fn a_description_has_at_most_10_000_characters() {
    let service = Service::start();
    let admin = service.admin();
    let described = |text: &str| admin.post("/v1/activity", &activity(json!({ "description": text })));
    assert_eq!(described("two\nlines").created()["description"], "two\nlines");
    assert_eq!(described(&"é".repeat(10_000)).created()["description"], "é".repeat(10_000));
    assert_eq!(described(&"é".repeat(10_001)).problem(), "422 invalid-input /description");
}

#[test]
fn a_sync_id_has_1_to_255_characters_and_is_unique() {
    let service = Service::start();
    let admin = service.admin();
    let synced = |id: &str| admin.post("/v1/activity", &activity(json!({ "syncId": id })));
    let first = synced("meter-1").uuid();
    let second = synced("meter-1");
    assert_eq!(second.problem(), "409 conflict /syncId");
    assert!(second.text().contains(&first), "it names the record that holds it: {}", second.text());
    synced(&"s".repeat(255)).created();
    for wrong in ["", &"s".repeat(256), "a\nb"] {
        assert_eq!(synced(wrong).problem(), "422 invalid-input /syncId", "{wrong:?}");
    }
    admin.post("/v1/org", &json!({ "name": "Works", "syncId": "meter-1" })).created();
}

#[test]
fn a_unit_is_read_by_its_aliases_and_written_by_its_code() {
    let service = Service::start();
    let admin = service.admin();
    let unit = |code: &str| admin.post("/v1/activity", &activity(json!({ "quantity": 1, "unit": code })));
    for (given, code) in
        [("kg", "kg"), ("KGM", "kg"), ("kilogram", "kg"), ("litre", "L"), ("lb", "lbs"), ("EUR", "EUR")]
    {
        assert_eq!(unit(given).created()["unit"], code, "{given}");
    }
    for refused in ["ton", "gallon", "MBtu", "T", "Sm3", "KG", "", "bananas"] {
        assert_eq!(unit(refused).problem(), "422 invalid-input /unit", "{refused}");
    }
    for (refused, hint) in [("ton", "ton_short"), ("gallon", "gal_uk"), ("MBtu", "MMBtu"), ("Sm3", "m3")] {
        assert!(unit(refused).text().contains(hint), "{refused}: {}", unit(refused).text());
    }
}
