//! CO2e of an activity: supplied or computed, part by part.

use crate::http::harness::{Client, Service, Value, activity, json, to};

/// The parts and their sum, such as `1 + 7.5! = 8.5`: a part with a mark was supplied, `?` is null.
fn shown(activity: &Value) -> String {
    let supplied = activity["supplied"].as_array().unwrap();
    let part = |name: &str| {
        let mark = if supplied.contains(&json!(name)) { "!" } else { "" };
        format!("{}{mark}", activity[name].as_str().unwrap_or("?"))
    };
    format!("{} + {} = {}", part("UpstreamCO2e"), part("DownstreamCO2e"), part("CO2e"))
}

/// Records an activity of that product and checks what it shows.
#[track_caller]
fn check(admin: &Client, product: &str, members: &Value, expected: &str) -> Value {
    let mut body = activity(json!({ "product": to(product) }));
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    let made = admin.post("/v1/activity", &body).created();
    assert_eq!(shown(&made), expected, "{body}");
    made
}

#[test]
fn both_parts_are_the_quantity_times_the_factor() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.priced("kWh", "0.1", "0.4");
    check(&admin, &product, &json!({ "quantity": 10, "unit": "kWh" }), "1 + 4 = 5");
    check(&admin, &product, &json!({ "quantity": -10, "unit": "kWh" }), "-1 + -4 = -5");
    check(&admin, &product, &json!({ "quantity": 0, "unit": "kWh" }), "0 + 0 = 0");
}

#[test]
fn the_unit_is_converted_exactly() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.priced("kWh", "0.1", "0.4");
    check(&admin, &product, &json!({ "quantity": 2, "unit": "MWh" }), "200 + 800 = 1000");
    check(&admin, &product, &json!({ "quantity": "3.6", "unit": "MJ" }), "0.1 + 0.4 = 0.5");
    let steel = admin.priced("kg", "0", "2");
    let pound = "0 + 0.90718474 = 0.90718474";
    check(&admin, &steel, &json!({ "quantity": 1, "unit": "lbs" }), pound);
}

#[test]
fn the_result_is_rounded_once_half_to_even_at_the_eighteenth_digit() {
    let service = Service::start();
    let admin = service.admin();
    let one = |upstream: &str, quantity: &str, expected: &str| {
        let product = admin.product("kg");
        admin.factor(&product, "kg", [json!(upstream), Value::Null], "2000-01-01");
        let expected = format!("{expected} + ? = {expected}");
        check(&admin, &product, &json!({ "quantity": quantity, "unit": "kg" }), &expected);
    };
    one("0.000000000000000001", "0.5", "0");
    one("0.000000000000000001", "1.5", "0.000000000000000002");
    one("0.000000000000000001", "2.5", "0.000000000000000002");
    one("0.000000000000000001", "-1.5", "-0.000000000000000002");
    one("0.000000000000000001", "2.500000000000000001", "0.000000000000000003");
    one("0.333333333333333333", "0.1", "0.033333333333333333");
    // Thirds appear when a unit converts: 1 MJ is 5/18 kWh.
    let power = admin.product("kWh");
    admin.factor(&power, "kWh", [json!("1"), Value::Null], "2000-01-01");
    let third = "0.277777777777777778 + ? = 0.277777777777777778";
    check(&admin, &power, &json!({ "quantity": 1, "unit": "MJ" }), third);
}

#[test]
fn a_supplied_part_replaces_the_computed_one() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.priced("kWh", "0.1", "0.4");
    check(&admin, &product, &json!({ "quantity": 10, "unit": "kWh", "DownstreamCO2e": "7.50" }), "1 + 7.5! = 8.5");
    check(
        &admin,
        &product,
        &json!({ "quantity": 10, "unit": "kWh", "UpstreamCO2e": 0, "DownstreamCO2e": -2 }),
        "0! + -2! = -2",
    );
}

#[test]
fn a_part_that_is_not_known_counts_as_zero() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.product("kWh");
    admin.factor(&product, "kWh", [Value::Null, json!("0.4")], "2000-01-01");
    let made = check(&admin, &product, &json!({ "quantity": 10, "unit": "kWh" }), "? + 4 = 4");
    assert!(made["incomplete"].is_null());
    let alone = admin.post("/v1/activity", &activity(json!({ "UpstreamCO2e": "3" }))).created();
    assert_eq!(shown(&alone), "3! + ? = 3");
}

#[test]
fn an_activity_without_either_part_is_incomplete_and_says_why() {
    let service = Service::start();
    let admin = service.admin();
    let (bare, later) = (admin.product("kWh"), admin.product("kWh"));
    admin.factor(&later, "kWh", [json!("1"), Value::Null], "2026-01-01");
    let measured = |product: &str| json!({ "product": to(product), "quantity": 1, "unit": "kWh" });
    for (members, reason) in [
        (json!({}), "there is no product to compute it from"),
        (json!({ "quantity": 1, "unit": "kWh" }), "there is no product to compute it from"),
        (json!({ "product": to(&bare) }), "there is no quantity to compute it from"),
        (measured(&bare), "has no emission factor yet"),
        (measured(&later), "None of the product's emission factors holds on the day"),
    ] {
        let made = admin.post("/v1/activity", &activity(members)).created();
        assert_eq!(shown(&made), "? + ? = ?");
        assert!(made["incomplete"].as_str().unwrap().contains(reason), "{made}");
    }
    let report = admin.get("/v1/activity").ok();
    assert_eq!([&report["count"], &report["incompleteCount"]], [5, 5]);
    assert_eq!([&report["CO2e"], &report["uncategorizedCO2e"]], ["0", "0"]);
}

#[test]
fn a_unit_of_another_dimension_is_refused_at_once() {
    let service = Service::start();
    let admin = service.admin();
    for product in [admin.product("kWh"), admin.priced("kWh", "1", "1")] {
        for members in [json!({}), json!({ "UpstreamCO2e": "1", "DownstreamCO2e": "1" })] {
            let mut body = activity(json!({ "product": to(&product), "quantity": 1, "unit": "kg" }));
            body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
            assert_eq!(admin.post("/v1/activity", &body).problem(), "422 invalid-input /unit");
        }
    }
    let euros = admin.priced("EUR", "1", "1");
    let body = activity(json!({ "product": to(&euros), "quantity": 1, "unit": "USD" }));
    assert_eq!(
        admin.post("/v1/activity", &body).problem(),
        "422 invalid-input /unit",
        "currencies convert to themselves"
    );
}

#[test]
fn more_than_twenty_digits_of_co2e_are_refused() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.priced("kg", "10", "0");
    let body = activity(json!({ "product": to(&product), "quantity": "10000000000000000000", "unit": "kg" }));
    assert_eq!(admin.post("/v1/activity", &body).problem(), "422 invalid-input /quantity");
}

#[test]
fn the_factor_is_the_one_valid_on_the_activitys_first_day() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.product("kg");
    admin.factor(&product, "kg", [json!("1"), Value::Null], "2024-01-01");
    admin.factor(&product, "kg", [json!("2"), Value::Null], "2025-01-01");
    for (start, end, co2e) in [
        ("2023-12-31", "2024-06-01", "?"),
        ("2024-01-01", "2024-01-01", "1"),
        ("2024-12-31", "2025-12-31", "1"),
        ("2025-01-01", "2025-01-01", "2"),
        ("2025-01-01T00:30:00+13:00", "2025-01-02", "2"),
        ("2024-12-31T23:30:00-10:00", "2025-01-02", "1"),
    ] {
        let body = json!({ "quantity": 1, "unit": "kg", "startDate": start, "endDate": end });
        let made = check(&admin, &product, &body, &format!("{co2e} + ? = {co2e}"));
        assert_eq!(made["incomplete"].is_null(), !made["CO2e"].is_null());
    }
}

/// An activity whose factor has got a successor since, and its path.
fn overtaken(admin: &Client) -> String {
    let product = admin.priced("kg", "1", "1");
    let made = admin.activity(json!({ "product": to(&product), "quantity": 10, "unit": "kg" }));
    admin.factor(&product, "kg", [json!("2"), json!("2")], "2024-06-01");
    format!("/v1/activity/{made}")
}

#[test]
fn a_new_factor_leaves_what_was_computed_alone() {
    let service = Service::start();
    let admin = service.admin();
    let path = overtaken(&admin);
    assert_eq!(admin.get(&path).ok()["CO2e"], "20");
    let (org, scope) = (admin.org("Works", None), admin.scope("scope1"));
    let body = json!({ "name": "B", "description": "D", "syncId": "s", "org": to(&org), "scope": to(&scope) });
    assert_eq!(admin.patch(&path, &body).ok()["CO2e"], "20", "nothing that counts has changed");
}

#[test]
fn a_change_of_what_counts_computes_anew() {
    for (body, expected) in [
        (json!({ "quantity": 20 }), "40 + 40 = 80"),
        (json!({ "unit": "t", "quantity": "0.02" }), "40 + 40 = 80"),
        (json!({ "unit": "g" }), "0.02 + 0.02 = 0.04"),
        (json!({ "startDate": "2025-01-02" }), "20 + 20 = 40"),
        (json!({ "endDate": "2025-01-05" }), "20 + 20 = 40"),
        (json!({ "UpstreamCO2e": "7" }), "7! + 20 = 27"),
        (json!({ "startDate": "2024-05-01" }), "10 + 10 = 20"),
        (json!({ "product": null }), "? + ? = ?"),
    ] {
        let service = Service::start();
        let admin = service.admin();
        let path = overtaken(&admin);
        assert_eq!(shown(&admin.patch(&path, &body).ok()), expected, "{body}");
    }
}

#[test]
fn what_was_read_can_be_written_back_without_freezing_what_was_computed() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.priced("kg", "1", "1");
    let made = admin.activity(json!({ "product": to(&product), "quantity": 10, "unit": "kg", "UpstreamCO2e": "3" }));
    let path = format!("/v1/activity/{made}");
    let mut read = admin.get(&path).ok();
    let written = admin.patch(&path, &read).ok();
    assert_eq!(shown(&written), "3! + 10 = 13");
    read["quantity"] = json!(20);
    let written = admin.patch(&path, &read).ok();
    assert_eq!(shown(&written), "3! + 20 = 23");
    read["supplied"] = json!([]);
    let written = admin.patch(&path, &read).ok();
    assert_eq!(shown(&written), "20 + 20 = 40");
}

#[test]
fn a_supplied_part_that_is_cleared_is_computed_again() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.priced("kg", "1", "1");
    let made = admin.activity(json!({ "product": to(&product), "quantity": 10, "unit": "kg", "UpstreamCO2e": "3" }));
    let after = admin.patch(&format!("/v1/activity/{made}"), &json!({ "UpstreamCO2e": null })).ok();
    assert_eq!(shown(&after), "10 + 10 = 20");
}

#[test]
fn a_supplied_part_that_stays_while_the_quantity_changes_is_told_of() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.priced("kg", "1", "1");
    let made = admin.activity(json!({ "product": to(&product), "quantity": 10, "unit": "kg", "UpstreamCO2e": "3" }));
    let path = format!("/v1/activity/{made}");
    let told = |body: &Value| admin.patch(&path, body).ok()["warnings"].clone();
    assert_eq!(
        told(&json!({ "quantity": 20 })),
        json!([
            "/UpstreamCO2e was supplied and stays 3 kg, though the quantity changes from 10 kg to 20 kg: give the amount that \
                belongs to it, or null to have it computed"
        ])
    );
    // What is said anew, and what changes nothing that the amount is for, is no doubt.
    assert_eq!(told(&json!({ "quantity": 30, "UpstreamCO2e": "3" })), Value::Null);
    assert_eq!(told(&json!({ "name": "Other", "startDate": "2025-02-01" })), Value::Null);
    assert_eq!(told(&json!({ "quantity": 40, "UpstreamCO2e": null })), Value::Null);
}

#[test]
fn an_answer_that_is_written_back_with_another_quantity_tells_of_the_supplied_part_in_it() {
    let service = Service::start();
    let admin = service.admin();
    let made = admin.activity(json!({ "quantity": 10, "unit": "kg", "DownstreamCO2e": "3" }));
    let path = format!("/v1/activity/{made}");
    let mut read = admin.get(&path).ok();
    read["unit"] = json!("t");
    let told = admin.patch(&path, &read).ok()["warnings"].clone();
    assert_eq!(told.as_array().unwrap().len(), 1, "{told}");
    assert!(told[0].as_str().unwrap().contains("from 10 kg to 10 t"), "{told}");
}
