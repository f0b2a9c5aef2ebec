//! The CO2e of inputs and models, with figures calculated by hand.

use crate::http::harness::{Client, Service, Value, json, to};

/// A model of that amount at 1 June 2025.
fn model(client: &Client, amount: &str) -> String {
    let body = json!({ "name": "Bolt", "unit": "kg", "amount": amount, "referenceDate": "2025-06-01" });
    format!("/v1/model/{}", client.post("/v1/model", &body).uuid())
}

/// Adds an input, and gives its address.
fn input(client: &Client, model: &str, material: &str, quantity: &str, unit: &str) -> String {
    let body = json!({ "name": "Steel", "material": to(material), "quantity": quantity, "unit": unit });
    format!("{model}/input/{}", client.post(&format!("{model}/input"), &body).uuid())
}

fn co2e(client: &Client, path: &str) -> Value {
    client.get(path).ok()["CO2e"].clone()
}

#[test]
fn an_input_is_its_quantity_times_both_parts_of_the_factor() {
    let service = Service::start();
    let admin = service.admin();
    let both = admin.priced("kg", "1.2", "0.34");
    let upstream = admin.product("kg");
    admin.factor(&upstream, "kg", [json!("1.2"), Value::Null], "2000-01-01");
    let per_tonne = admin.product("kg");
    admin.factor(&per_tonne, "t", [json!("1200"), json!("340")], "2000-01-01");
    let model = model(&admin, "1");
    for (material, quantity, unit, expected) in [
        (&both, "10", "kg", "15.4"),
        (&both, "2500", "g", "3.85"),
        (&both, "0.5", "t", "770"),
        (&both, "1", "lbs", "0.6985322498"),
        (&both, "-2", "kg", "-3.08"),
        (&both, "0", "kg", "0"),
        (&upstream, "10", "kg", "12"),
        (&per_tonne, "10", "kg", "15.4"),
    ] {
        assert_eq!(co2e(&admin, &input(&admin, &model, material, quantity, unit)), expected, "{quantity} {unit}");
    }
}

#[test]
fn what_is_finer_than_18_digits_is_rounded_half_to_even() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.product("kg");
    admin.factor(&material, "kg", [json!("0.000000000000000001"), Value::Null], "2000-01-01");
    let model = model(&admin, "1");
    for (quantity, expected) in [
        ("0.5", "0"),
        ("0.500000000000000001", "0.000000000000000001"),
        ("1.5", "0.000000000000000002"),
        ("2.5", "0.000000000000000002"),
        ("-0.5", "0"),
        ("-1.5", "-0.000000000000000002"),
    ] {
        assert_eq!(co2e(&admin, &input(&admin, &model, &material, quantity, "kg")), expected, "{quantity}");
    }
}

#[test]
fn quantities_are_json_numbers_with_every_digit() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.product("kg");
    let model = model(&admin, "1");
    for (given, read) in [
        ("12345678901234567890.123456789012345678", "12345678901234567890.123456789012345678"),
        (r#""0.10""#, "0.1"),
        ("1e-18", "0.000000000000000001"),
        ("-0", "0"),
        ("1e19", "10000000000000000000"),
    ] {
        let reference = to(&material);
        let body = format!(r#"{{"name": "A", "material": {reference}, "quantity": {given}, "unit": "kg"}}"#);
        let made = admin.request("POST", &format!("{model}/input")).json_text(&body).send().expect(201);
        assert_eq!(made.raw("quantity"), read, "{given}");
    }
}

#[test]
fn a_figure_beyond_20_digits_is_refused() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.priced("kg", "10000000000", "0");
    let model = model(&admin, "1");
    let body = json!({ "name": "A", "material": to(&material), "quantity": "10000000000", "unit": "kg" });
    assert_eq!(admin.post(&format!("{model}/input"), &body).problem(), "422 invalid-input /quantity");
}

#[test]
fn a_model_is_the_sum_of_its_inputs_by_its_amount_rounded_once() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.priced("kg", "1", "0.5");
    let model = model(&admin, "9");
    assert_eq!(co2e(&admin, &model), Value::Null, "without inputs nothing is known");
    input(&admin, &model, &material, "1", "kg");
    let second = input(&admin, &model, &material, "1", "kg");
    assert_eq!(co2e(&admin, &model), "0.333333333333333333");
    admin.patch(&model, &json!({ "amount": "0.5" })).expect(200);
    assert_eq!(co2e(&admin, &model), "6");
    admin.patch(&second, &json!({ "quantity": "-3" })).expect(200);
    assert_eq!(co2e(&admin, &model), "-6");
    let unpriced = input(&admin, &model, &admin.product("kg"), "1", "kg");
    assert_eq!(co2e(&admin, &model), Value::Null, "one input is not known");
    admin.delete(&unpriced).expect(204);
    assert_eq!(admin.get("/v1/model").ok()["data"][0]["CO2e"], "-6");
}

#[test]
fn module_d_stands_beside_the_sum_and_never_in_it() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.priced("kg", "1", "0.5");
    let model = model(&admin, "2");
    let staged = |material: &str, quantity: &str, stage: &str| {
        let (stage, unit) = (json!({ "code": stage }), "kg");
        let body = json!({ "name": "Steel", "material": to(material), "quantity": quantity, "unit": unit, "lifecycleStage": stage });
        admin.post(&format!("{model}/input"), &body).uuid()
    };
    let figures = || {
        let read = admin.get(&model).ok();
        [read["CO2e"].clone(), read["moduleDCO2e"].clone()]
    };
    staged(&material, "-4", "D");
    assert_eq!(figures(), [Value::Null, json!("-3")], "module D alone is no sum");
    staged(&material, "10", "A1");
    staged(&material, "2", "C4");
    assert_eq!(figures(), [json!("9"), json!("-3")]);
    staged(&admin.product("kg"), "1", "D");
    assert_eq!(figures(), [json!("9"), Value::Null]);
}

#[test]
fn inputs_follow_the_reference_date_of_their_model() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.product("kg");
    admin.factor(&material, "kg", [json!("1"), json!("1")], "2024-01-01");
    admin.factor(&material, "kg", [json!("3"), Value::Null], "2026-01-01");
    let model = model(&admin, "1");
    let steel = input(&admin, &model, &material, "10", "kg");
    for (day, expected) in [
        ("2025-12-31", json!("20")),
        ("2026-01-01", json!("30")),
        ("2023-12-31", Value::Null),
        ("2024-01-01", json!("20")),
    ] {
        let changed = admin.patch(&model, &json!({ "referenceDate": day })).ok();
        assert_eq!((&changed["CO2e"], co2e(&admin, &steel)), (&expected, expected.clone()), "{day}");
    }
}

#[test]
fn an_input_is_reckoned_when_it_is_written_and_again_when_its_quantity_unit_or_material_changes() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.product("kg");
    let model = model(&admin, "1");
    let steel = input(&admin, &model, &material, "10", "kg");
    assert_eq!(co2e(&admin, &steel), Value::Null, "no factor yet");
    admin.factor(&material, "kg", [json!("2"), Value::Null], "2025-01-01");
    for (patch, expected) in [
        (json!({ "name": "Iron", "order": 9, "lifecycleStage": { "code": "A1" } }), Value::Null),
        (json!({ "quantity": "11" }), json!("22")),
        (json!({ "unit": "g" }), json!("0.022")),
        (json!({ "material": to(&admin.priced("kg", "3", "1")) }), json!("0.044")),
        (json!({ "unit": "kg", "quantity": "1" }), json!("4")),
    ] {
        assert_eq!(admin.patch(&steel, &patch).ok()["CO2e"], expected, "{patch}");
    }
}
