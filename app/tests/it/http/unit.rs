//! `GET /v1/unit`: List Units.

use super::harness::{Service, Value, activity, json};

/// The unit of that code.
fn unit<'a>(units: &'a Value, code: &str) -> &'a Value {
    units["data"].as_array().unwrap().iter().find(|unit| unit["code"] == code).unwrap_or_else(|| panic!("no {code}"))
}

#[test]
fn every_unit_of_the_interface_is_listed() {
    let service = Service::start();
    let units = service.caller("catalog:read").get("/v1/unit").ok();
    assert_eq!(units["count"], units["data"].as_array().unwrap().len());
    let codes = "kg g t lbs oz ton_short ton_long kWh MWh GWh MJ GJ TJ Btu kBtu MMBtu therm therm_ec L m3 gal gal_uk bbl \
                 ft3 m km mi nmi tkm pkm vkm m2 ft2 ha h d piece EUR USD GBP JPY CHF SEK INR BRL ZAR";
    for code in codes.split(' ') {
        let unit = unit(&units, code);
        for member in ["name", "symbol", "dimension", "base", "factor"] {
            assert!(unit[member].as_str().is_some_and(|text| !text.is_empty()), "{code}: {member}");
        }
    }
}

#[test]
fn a_unit_says_how_many_of_its_base_it_is_exactly() {
    let service = Service::start();
    let units = service.admin().get("/v1/unit").ok();
    for (code, base, factor, rec20) in [
        ("kg", "kg", "1", json!("KGM")),
        ("lbs", "kg", "0.45359237", json!("LBR")),
        ("ton_short", "kg", "907.18474", json!("STN")),
        ("mi", "km", "1.609344", json!("SMI")),
        ("gal", "m3", "0.003785411784", json!("GLL")),
        ("EUR", "EUR", "1", Value::Null),
    ] {
        let one = unit(&units, code);
        assert_eq!([&one["base"], &one["factor"], &one["rec20"]], [&json!(base), &json!(factor), &rec20], "{code}");
        assert_eq!(unit(&units, base)["factor"], "1", "{code}");
    }
}

#[test]
fn whatever_is_listed_is_taken_and_given_back() {
    let service = Service::start();
    let admin = service.admin();
    let units = admin.get("/v1/unit").ok();
    for unit in units["data"].as_array().unwrap().iter().filter(|unit| unit["dimension"] != "currency") {
        // STN is a currency too, and so refused as ambiguous.
        let taken = |code: &&Value| !code.is_null() && **code != "STN";
        for code in [&unit["code"], &unit["rec20"]].into_iter().filter(taken) {
            let made = admin.post("/v1/activity", &activity(json!({ "quantity": 1, "unit": code }))).created();
            assert_eq!(made["unit"], unit["code"], "{code}");
        }
    }
}

#[test]
fn it_takes_no_parameters_and_needs_the_permission_to_read_the_catalog() {
    let service = Service::start();
    assert_eq!(service.admin().get("/v1/unit?page=1").problem(), "400 invalid-parameters page");
    assert_eq!(service.caller("activity:write").get("/v1/unit").problem(), "403 missing-permission");
    service.caller("catalog:write").get("/v1/unit").ok();
}
