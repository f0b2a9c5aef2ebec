//! `/v1/product/:uuid/factor`: what a unit of a product emits, from which day on.

use super::harness::{Answer, Client, Service, Value, json, to};
use super::problem::{no_amounts, no_dates, no_units, refuses, requires};

/// A factor of 1 kg upstream over those days; without an end it stays open.
fn over(client: &Client, product: &str, from: &str, end: Option<&str>) -> Answer {
    let body = json!({ "unit": "kg", "upstream": "1", "validFrom": from, "validTo": end, "source": "Table" });
    client.post(&format!("/v1/product/{product}/factor"), &body)
}

/// The days of a product's factors, as they are listed.
fn periods(client: &Client, product: &str) -> Vec<String> {
    let page = client.get(&format!("/v1/product/{product}/factor")).ok();
    let day = |day: &Value| day.as_str().unwrap_or("open").to_owned();
    let period = |factor: &Value| format!("{} {}", day(&factor["validFrom"]), day(&factor["validTo"]));
    page["data"].as_array().unwrap().iter().map(period).collect()
}

#[test]
fn a_factor_has_exactly_these_members_and_reads_where_its_address_says() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.product("kWh");
    let body = json!({
        "unit": "MWh", "upstream": "12.50", "downstream": 0, "validFrom": "2025-01-01", "validTo": "2026-01-01",
        "source": " National grid 2025 ", "gwp": "AR6",
    });
    let made = admin.post(&format!("/v1/product/{product}/factor"), &body).expect(201);
    let mut factor = made.json();
    assert_eq!(factor.as_object_mut().unwrap().remove("fills"), Some(json!(0)));
    let expected = json!({
        "uuid": factor["uuid"],
        "unit": "MWh",
        "upstream": "12.5",
        "downstream": "0",
        "validFrom": "2025-01-01",
        "validTo": "2026-01-01",
        "source": "National grid 2025",
        "gwp": "AR6",
        "basis": "location",
        "origin": null,
        "choice": null,
        "corrects": null,
        "created": factor["created"],
        "updated": factor["created"],
    });
    assert_eq!(factor, expected);
    let location = made.header("location").unwrap();
    let path = format!("/v1/product/{product}/factor/{}", factor["uuid"].as_str().unwrap());
    assert_eq!(location, format!("{}{path}", service.base()));
    assert_eq!(admin.get(location).ok(), factor);
    let page = admin.get(&format!("/v1/product/{product}/factor")).ok();
    assert_eq!(page, json!({ "count": 1, "page": 1, "pageSize": 100, "data": [factor] }));
}

#[test]
fn each_member_that_is_wrong_is_named() {
    let service = Service::start();
    let admin = service.admin();
    let path = format!("/v1/product/{}/factor", admin.product("kg"));
    let post = |body: &Value| admin.post(&path, body);
    let good = json!({ "unit": "kg", "upstream": "1", "validFrom": "2025-01-01", "source": "Table" });
    requires(post, &good, &["unit", "validFrom", "source"]);
    refuses(
        post,
        &good,
        &[
            ("/unit", no_units()),
            ("/unit", json!(["kWh", "L", "EUR"])),
            ("/upstream", no_amounts()),
            ("/downstream", no_amounts()),
            ("/validFrom", no_dates()),
            ("/validTo", no_dates()),
            ("/validTo", json!(["2024-12-31", "2025-01-01"])),
            ("/source", json!([7, {}, "", " ", "a\nb", "x".repeat(1001)])),
            ("/gwp", json!([7, {}, "", "AR7", "IPCC"])),
            ("/product", json!([null])),
            ("/uuid", json!([null])),
        ],
    );
    assert_eq!(post(&good).expect(201).json()["upstream"], "1");
}

#[test]
fn at_least_one_part_is_given_and_zero_is_one() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.product("kg");
    let post = |parts: Value| {
        let mut body = json!({ "unit": "kg", "validFrom": "2025-01-01", "source": "Table" });
        body.as_object_mut().unwrap().extend(parts.as_object().unwrap().clone());
        admin.post(&format!("/v1/product/{product}/factor"), &body)
    };
    for none in [json!({}), json!({ "upstream": null }), json!({ "upstream": null, "downstream": null })] {
        assert_eq!(post(none).problem(), "422 invalid-input /upstream");
    }
    let made = post(json!({ "downstream": "-0.0" })).created();
    assert_eq!((&made["upstream"], &made["downstream"]), (&Value::Null, &json!("0")));
}

#[test]
fn amounts_are_exact_to_20_and_18_digits_and_may_be_numbers() {
    let service = Service::start();
    let admin = service.admin();
    for (given, read) in [
        (r#""12345678901234567890.123456789012345678""#, "12345678901234567890.123456789012345678"),
        ("12345678901234567890.123456789012345678", "12345678901234567890.123456789012345678"),
        ("-0.100", "-0.1"),
        (r#""+1e-18""#, "0.000000000000000001"),
        ("1.5E3", "1500"),
    ] {
        let body = format!(r#"{{"unit": "kg", "upstream": {given}, "validFrom": "2025-01-01", "source": "Table"}}"#);
        let path = format!("/v1/product/{}/factor", admin.product("kg"));
        assert_eq!(admin.request("POST", &path).json_text(&body).send().created()["upstream"], read, "{given}");
    }
}

#[test]
fn a_successor_closes_its_open_predecessor() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.product("kg");
    over(&admin, &product, "2024-01-01", None).expect(201);
    let first = admin.get(&format!("/v1/product/{product}/factor")).ok()["data"][0].clone();
    over(&admin, &product, "2025-01-01", None).expect(201);
    over(&admin, &product, "2025-07-01", Some("2026-01-01")).expect(201);
    over(&admin, &product, "2026-01-01", None).expect(201);
    let expected = ["2024-01-01 2025-01-01", "2025-01-01 2025-07-01", "2025-07-01 2026-01-01", "2026-01-01 open"];
    assert_eq!(periods(&admin, &product), expected);
    let closed = admin.get(&format!("/v1/product/{product}/factor/{}", first["uuid"].as_str().unwrap())).ok();
    assert_eq!((&closed["upstream"], &closed["source"]), (&first["upstream"], &first["source"]));
}

#[test]
fn any_other_overlap_is_409_and_names_the_factor() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.product("kg");
    let closed = over(&admin, &product, "2024-01-01", Some("2025-01-01")).uuid();
    let open = over(&admin, &product, "2026-01-01", None).uuid();
    for (from, end, holder) in [
        ("2024-01-01", Some("2025-01-01"), &closed),
        ("2024-12-31", Some("2025-06-01"), &closed),
        ("2023-01-01", Some("2024-01-02"), &closed),
        ("2024-03-01", Some("2024-04-01"), &closed),
        ("2023-01-01", None, &closed),
        ("2026-01-01", None, &open),
        ("2025-06-01", None, &open),
        ("2025-06-01", Some("2026-01-02"), &open),
    ] {
        let answer = over(&admin, &product, from, end);
        assert_eq!(answer.problem(), "409 conflict /validFrom", "{from} {end:?}");
        assert!(answer.text().contains(holder.as_str()), "{}", answer.text());
    }
    over(&admin, &product, "2025-01-01", Some("2026-01-01")).expect(201);
    over(&admin, &product, "2023-01-01", Some("2024-01-01")).expect(201);
    assert_eq!(periods(&admin, &product).len(), 4);
}

#[test]
fn the_last_day_of_a_factor_is_the_one_before_valid_to() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.product("kg");
    admin.factor(&product, "kg", [json!("1"), Value::Null], "2024-01-01");
    admin.factor(&product, "kg", [json!("2"), Value::Null], "2025-01-01");
    for (day, co2e) in [("2023-12-31", Value::Null), ("2024-12-31", json!("10")), ("2025-01-01", json!("20"))] {
        let body = json!({ "name": "A", "product": to(&product), "quantity": 10, "unit": "kg", "startDate": day });
        assert_eq!(admin.post("/v1/activity", &body).created()["CO2e"], co2e, "{day}");
    }
}

#[test]
fn a_factor_is_removed_while_unused_only() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.product("kg");
    let path = format!("/v1/product/{product}/factor");
    let unused = over(&admin, &product, "2020-01-01", Some("2021-01-01")).uuid();
    let used = admin.factor(&product, "kg", [json!("1"), Value::Null], "2025-01-01");
    admin.activity(json!({ "product": to(&product), "quantity": 1, "unit": "kg" }));
    let model = admin.post("/v1/model", &json!({ "name": "M", "unit": "kg", "referenceDate": "2025-06-01" })).uuid();
    let input = json!({ "name": "I", "material": to(&product), "quantity": 1, "unit": "kg" });
    admin.post(&format!("/v1/model/{model}/input"), &input).expect(201);
    let answer = admin.delete(&format!("{path}/{used}"));
    assert_eq!(answer.problem(), "409 conflict");
    for by in ["1 activity", "1 input"] {
        assert!(answer.text().contains(by), "{}", answer.text());
    }
    admin.delete(&format!("{path}/{unused}")).expect(204);
    assert_eq!(admin.get(&format!("{path}/{unused}")).problem(), "404 not-found");
    assert_eq!(admin.delete(&format!("{path}/{unused}")).problem(), "404 not-found");
}

#[test]
fn a_factor_stands_below_its_own_product_and_is_never_changed() {
    let service = Service::start();
    let admin = service.admin();
    let (one, other) = (admin.priced("kg", "1", "1"), admin.product("kg"));
    let factor = admin.get(&format!("/v1/product/{one}/factor")).ok()["data"][0]["uuid"].as_str().unwrap().to_owned();
    let nobody = "0198c0de-0000-7000-8000-000000000000";
    for product in [other.as_str(), nobody] {
        let path = format!("/v1/product/{product}/factor/{factor}");
        assert_eq!(admin.get(&path).problem(), "404 not-found");
        assert_eq!(admin.delete(&path).problem(), "404 not-found");
    }
    let lost = format!("/v1/product/{nobody}/factor");
    assert_eq!(admin.get(&lost).problem(), "404 not-found");
    assert_eq!(over(&admin, nobody, "2025-01-01", None).problem(), "404 not-found");
    let changed = admin.patch(&format!("/v1/product/{one}/factor/{factor}"), &json!({ "upstream": "2" }));
    assert_eq!(
        (changed.problem().as_str(), changed.header("allow")),
        ("405 method-not-allowed", Some("GET, DELETE, HEAD"))
    );
}
