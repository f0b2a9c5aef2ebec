//! `/v1/model`: what a product is made of.

mod calculation;
mod input;

use super::harness::{Service, Value, json, to};
use super::problem::{no_amounts, no_dates, no_units, refuses, requires};

#[test]
fn a_model_has_exactly_these_members() {
    let service = Service::start();
    let admin = service.admin();
    let body = json!({ "name": "Bolt", "unit": "kg", "amount": "2.50", "referenceDate": "2025-06-01", "syncId": "b" });
    let made = admin.post("/v1/model", &body).expect(201);
    assert_eq!(made.raw("amount"), "2.5");
    let made = made.json();
    let expected = json!({
        "uuid": made["uuid"],
        "syncId": "b",
        "name": "Bolt",
        "unit": "kg",
        "amount": made["amount"],
        "referenceDate": "2025-06-01",
        "CO2e": null,
        "moduleDCO2e": null,
        "created": made["created"],
        "updated": made["created"],
    });
    assert_eq!(made, expected);
}

#[test]
fn a_model_is_of_one_unit_today_unless_it_says_more() {
    let service = Service::start();
    let admin = service.admin();
    let made = admin.post("/v1/model", &json!({ "name": "Bolt", "unit": "piece" })).expect(201);
    assert_eq!(made.raw("amount"), "1");
    let made = made.json();
    assert_eq!(made["referenceDate"], made["created"].as_str().unwrap()[..10]);
    let one = format!("/v1/model/{}", made["uuid"].as_str().unwrap());
    admin.patch(&one, &json!({ "amount": 12 })).expect(200);
    assert_eq!(admin.patch(&one, &json!({ "amount": null })).expect(200).raw("amount"), "1");
}

#[test]
fn each_member_that_is_wrong_is_named() {
    let service = Service::start();
    let admin = service.admin();
    let post = |body: &Value| admin.post("/v1/model", body);
    let good = json!({ "name": "A", "unit": "kg" });
    requires(post, &good, &["name", "unit"]);
    let cases = [
        ("/unit", no_units()),
        ("/amount", no_amounts()),
        ("/amount", json!([0, "0.000", -1, "-0.5"])),
        ("/referenceDate", no_dates()),
        ("/CO2e", json!(["1", null])),
        ("/blocks", json!([[]])),
    ];
    refuses(post, &good, &cases);
    let one = format!("/v1/model/{}", post(&good).uuid());
    refuses(|body| admin.patch(&one, body), &json!({}), &cases);
    refuses(|body| admin.patch(&one, body), &json!({}), &[("/unit", json!([null])), ("/name", json!([null]))]);
}

#[test]
fn a_removed_model_takes_its_inputs_with_it() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.product("kg");
    let model = admin.post("/v1/model", &json!({ "name": "Bolt", "unit": "piece" })).uuid();
    let input = json!({ "name": "Steel", "material": to(&material), "quantity": 1, "unit": "kg", "syncId": "i" });
    let inputs = format!("/v1/model/{model}/input");
    let uuid = admin.post(&inputs, &input).uuid();
    admin.delete(&format!("/v1/model/{model}")).expect(204);
    for path in [inputs.clone(), format!("{inputs}/{uuid}")] {
        assert_eq!(admin.get(&path).problem(), "404 not-found");
    }
    assert_eq!(admin.post(&inputs, &input).problem(), "404 not-found");
    let other = admin.post("/v1/model", &json!({ "name": "Nut", "unit": "piece" })).uuid();
    let other = format!("/v1/model/{other}/input");
    let again = admin.post(&other, &input).uuid();
    assert_eq!(admin.get(&format!("{other}/{uuid}")).problem(), "404 not-found");
    admin.delete(&format!("{other}/{again}")).expect(204);
    admin.delete(&format!("/v1/product/{material}")).expect(204);
}
