//! `/v1/product`: what is bought, used or made, counted in a unit.

use super::harness::{Service, Value, json, to};
use super::problem::{no_units, refuses, requires};

#[test]
fn a_product_has_exactly_these_members() {
    let service = Service::start();
    let admin = service.admin();
    let made = admin.post("/v1/product", &json!({ "name": "Power", "unit": "kWh", "syncId": "p" })).created();
    let expected = json!({
        "uuid": made["uuid"],
        "syncId": "p",
        "name": "Power",
        "unit": "kWh",
        "factorRule": null,
        "created": made["created"],
        "updated": made["created"],
    });
    assert_eq!(made, expected);
}

#[test]
fn each_member_that_is_wrong_is_named() {
    let service = Service::start();
    let admin = service.admin();
    let post = |body: &Value| admin.post("/v1/product", body);
    let good = json!({ "name": "A", "unit": "kg" });
    requires(post, &good, &["name", "unit"]);
    refuses(post, &good, &[("/unit", no_units()), ("/parent", json!([null]))]);
    let one = format!("/v1/product/{}", post(&good).uuid());
    refuses(|body| admin.patch(&one, body), &json!({}), &[("/unit", no_units()), ("/unit", json!([null]))]);
}

#[test]
fn a_unit_is_read_by_code_alias_or_rec_20_and_written_by_code() {
    let service = Service::start();
    let admin = service.admin();
    for (given, code) in [
        ("kg", "kg"),
        ("KGM", "kg"),
        ("kilogram", "kg"),
        ("lb", "lbs"),
        ("litre", "L"),
        ("KWH", "kWh"),
        ("t", "t"),
        ("EUR", "EUR"),
    ] {
        assert_eq!(admin.post("/v1/product", &json!({ "name": "A", "unit": given })).created()["unit"], code);
    }
}

#[test]
fn an_ambiguous_unit_is_refused_with_what_to_write_instead() {
    let service = Service::start();
    let admin = service.admin();
    for (given, suggested) in [
        ("ton", "ton_short"),
        ("gallon", "gal_uk"),
        ("MBtu", "MMBtu"),
        ("T", "write t"),
        ("Sm3", "m3"),
        ("kwh", "did you mean kWh?"),
    ] {
        let answer = admin.post("/v1/product", &json!({ "name": "A", "unit": given }));
        assert_eq!(answer.problem(), "422 invalid-input /unit");
        assert!(answer.text().contains(suggested), "{}", answer.text());
    }
}

#[test]
fn a_unit_changes_its_dimension_only_while_the_product_is_unused() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.product("kWh");
    let one = format!("/v1/product/{product}");
    admin.patch(&one, &json!({ "unit": "kg" })).expect(200);
    admin.patch(&one, &json!({ "unit": "kWh" })).expect(200);
    admin.factor(&product, "MWh", [json!("1"), Value::Null], "2025-01-01");
    assert_eq!(admin.patch(&one, &json!({ "unit": "kg" })).problem(), "422 invalid-input /unit");
    assert_eq!(admin.patch(&one, &json!({ "unit": "GJ" })).ok()["unit"], "GJ");
}

#[test]
fn a_product_in_use_is_kept_and_says_by_what() {
    let service = Service::start();
    let admin = service.admin();
    let by_factor = admin.priced("kg", "1", "2");
    let by_activity = admin.product("kg");
    admin.activity(json!({ "product": to(&by_activity), "quantity": 1, "unit": "kg" }));
    let by_input = admin.product("kg");
    let model = admin.post("/v1/model", &json!({ "name": "Bolt", "unit": "piece" })).uuid();
    let input = json!({ "name": "Steel", "material": to(&by_input), "quantity": 1, "unit": "kg" });
    let input = admin.post(&format!("/v1/model/{model}/input"), &input).uuid();
    for (product, by) in [(&by_factor, "1 factor"), (&by_activity, "1 activity"), (&by_input, "1 input")] {
        let answer = admin.delete(&format!("/v1/product/{product}"));
        assert_eq!(answer.problem(), "409 conflict");
        assert!(answer.text().contains(by), "{}", answer.text());
    }
    admin.delete(&format!("/v1/model/{model}/input/{input}")).expect(204);
    admin.delete(&format!("/v1/product/{by_input}")).expect(204);
}
