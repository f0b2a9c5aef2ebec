//! `GET /v1/statement`: its figures are those of the report at the same revision, each where its addresses say.

mod forms;
mod stated;

use domain::Total;

use super::harness::{Client, Service, Value, json, to};
use super::origin::with_sets;
use crate::published_sample::id;

/// A company with activities of every kind of scope in 2025, two roots of scope 1, some of a category and some of none, one
/// without a scope, some without CO2e, and one of another year.
pub(super) struct Company {
    pub(super) service: Service,
    pub(super) admin: Client,
    pub(super) scope1: String,
    pub(super) travel: String,
}

pub(super) fn company() -> Company {
    let service = with_sets();
    let admin = service.admin();
    let [scope1, plant, scope2, scope3] = ["scope1", "scope1", "scope2", "scope3"].map(|kind| admin.scope(kind));
    let [travel, waste] = [6, 5].map(|number| admin.category(&scope3, number));
    let [biogenic, credit, outside] = ["biogenic", "credit", "outside"].map(|kind| admin.scope(kind));
    let diesel = admin.product("L");
    let copy = json!({ "published": { "set": id(2025, 1).to_string(), "cell": "A1" } });
    admin.post(&format!("/v1/product/{diesel}/factor"), &copy).expect(201);
    let grid = admin.priced("kWh", "0", "0.4");
    let mix = json!({
        "unit": "kWh", "downstream": "0.5", "validFrom": "2025-01-01", "source": "A published mix", "basis": "residualMix",
    });
    admin.post(&format!("/v1/product/{grid}/factor"), &mix).created();
    let on = |members: Value| {
        let mut body = json!({ "startDate": "2025-03-01", "endDate": "2026-02-15" });
        body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        admin.activity(body);
    };
    on(json!({ "scope": to(&scope1), "product": to(&diesel), "quantity": "1000", "unit": "L" }));
    on(json!({ "scope": to(&scope1), "product": to(&diesel), "quantity": "10", "unit": "L", "UpstreamCO2e": "0.25" }));
    on(json!({ "scope": to(&plant), "DownstreamCO2e": "50.000000000000000001", "biogenicCO2": "7" }));
    on(json!({ "scope": to(&scope2), "product": to(&grid), "quantity": "2000", "unit": "kWh" }));
    on(json!({ "scope": to(&travel), "UpstreamCO2e": "3.5" }));
    on(json!({ "scope": to(&waste), "UpstreamCO2e": "-1" }));
    on(json!({ "scope": to(&scope3), "UpstreamCO2e": "11" }));
    on(json!({ "scope": to(&travel), "product": to(&admin.product("km")), "quantity": "9", "unit": "km" }));
    on(json!({ "scope": to(&biogenic), "DownstreamCO2e": "13" }));
    on(json!({ "scope": to(&credit), "DownstreamCO2e": "-17" }));
    on(json!({ "scope": to(&outside), "DownstreamCO2e": "19" }));
    on(json!({ "UpstreamCO2e": "23" }));
    on(json!({ "scope": to(&scope1), "startDate": "2024-12-31", "endDate": "2025-01-31", "UpstreamCO2e": "310" }));
    Company { service, admin, scope1, travel }
}

pub(super) fn statement(client: &Client, query: &str) -> Value {
    client.get(&format!("/v1/statement?{query}")).ok()
}

fn total(value: &Value) -> Total {
    Total::parse(value.as_str().unwrap_or_else(|| panic!("{value} is no amount"))).unwrap()
}

/// The path of an address below the base address.
fn path(address: &Value) -> &str {
    address.as_str().unwrap().split_once("/api").unwrap().1
}

/// Every object of the statement that has addresses and a figure of that name, with where it stands.
fn figures<'a>(value: &'a Value, name: &str, at: &str, found: &mut Vec<(String, &'a Value)>) {
    match value {
        Value::Object(members) => {
            if members.contains_key("explanation") && members.contains_key(name) {
                found.push((at.to_owned(), value));
            }
            members.iter().for_each(|(key, value)| figures(value, name, &format!("{at}/{key}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(n, value)| figures(value, name, &format!("{at}/{n}"), found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_figure_is_what_its_addresses_answer_digit_for_digit() {
    let it = company();
    for query in ["year=2025", "year=2025&attribution=daily", "year=2025&yearKind=04-06", "year=2024"] {
        let found = statement(&it.admin, query);
        for figure in ["CO2e", "marketCO2e", "biogenicCO2", "mass", "count", "incompleteCount"] {
            let mut objects = Vec::new();
            figures(&found, figure, "", &mut objects);
            assert!(!objects.is_empty(), "{figure}");
            for (at, object) in objects {
                let stated = &object[figure];
                let stated = stated.as_str().map_or_else(|| stated.to_string(), str::to_owned);
                let mut sum = Total::parse("0").unwrap();
                for address in object["explanation"].as_array().unwrap() {
                    let answer = it.admin.get(path(address)).ok();
                    if path(address).starts_with("/v1/report?") {
                        assert_eq!(stated, "0", "{query} {at}: there is none of it in the report");
                        continue;
                    }
                    assert_eq!(answer["agrees"], true, "{query} {at}: {answer}");
                    let shown = &answer["shown"][figure];
                    sum += Total::parse(&shown.as_str().map_or_else(|| shown.to_string(), str::to_owned)).unwrap();
                }
                assert_eq!(sum.to_string(), stated, "{query} {at} {figure}: {object}");
            }
        }
    }
}

#[test]
fn the_tables_add_up_and_agree_with_the_report_of_the_same_days() {
    let it = company();
    for query in ["year=2025", "year=2025&attribution=daily"] {
        let found = statement(&it.admin, query);
        let daily = if query.ends_with("daily") { "&attribution=daily" } else { "" };
        let report = it.admin.get(&format!("/v1/report?date=2025&scope2=both{daily}")).ok();
        for (stated, reported) in [
            (&found["activities"]["CO2e"], "CO2e"),
            (&found["activities"]["marketCO2e"], "marketCO2e"),
            (&found["activities"]["biogenicCO2"], "biogenicCO2"),
            (&found["apart"]["credits"]["amount"], "creditsCO2e"),
            (&found["apart"]["outside"]["amount"], "outsideCO2e"),
            (&found["apart"]["withoutScope"]["amount"], "uncategorizedCO2e"),
            (&found["apart"]["biogenicCO2"], "biogenicCO2"),
            (&found["activities"]["count"], "count"),
            (&found["activities"]["incompleteCount"], "incompleteCount"),
            (&found["scope2"]["residualCO2e"], "scope2ResidualCO2e"),
            (&found["scope2"]["locationInMarketCO2e"], "scope2LocationCO2e"),
        ] {
            assert_eq!(*stated, report[reported], "{query} {reported}");
        }
        let sum =
            |list: &Value, name: &str| list.as_array().unwrap().iter().map(|one| total(&one[name])).sum::<Total>();
        assert_eq!(sum(&found["scopes"], "CO2e"), total(&found["activities"]["CO2e"]), "{query}");
        assert_eq!(sum(&found["scope3"], "CO2e"), total(&found["scopes"][2]["CO2e"]), "{query}");
        let gases = found["gases"].as_array().unwrap();
        for (scope, at) in [("scope1", 0), ("scope2", 1)] {
            let sum = gases.iter().map(|gas| total(&gas[scope]["CO2e"])).sum::<Total>();
            assert_eq!(sum, total(&found["scopes"][at]["CO2e"]), "{query} {scope}");
        }
        let lines = &found["sources"]["lines"];
        for (name, whole) in [
            ("CO2e", &found["activities"]["CO2e"]),
            ("biogenicCO2", &found["activities"]["biogenicCO2"]),
            ("uncategorizedCO2e", &found["apart"]["withoutScope"]["amount"]),
            ("creditsCO2e", &found["apart"]["credits"]["amount"]),
            ("outsideCO2e", &found["apart"]["outside"]["amount"]),
        ] {
            assert_eq!(sum(lines, name), total(whole), "{query} {name}");
        }
        assert_eq!(found["sources"]["agrees"], true);
        let market = [&found["scope2"]["instrumentCO2e"], &found["scope2"]["residualCO2e"]].map(total);
        assert_eq!(sum(&found["scope2"]["market"], "CO2e"), market.into_iter().sum::<Total>(), "{query}");
    }
}

#[test]
fn scopes_categories_gases_and_sources_are_these() {
    let it = company();
    let found = statement(&it.admin, "year=2025");
    let scopes: Vec<_> = found["scopes"].as_array().unwrap().iter().map(|one| one["CO2e"].clone()).collect();
    assert_eq!(json!(scopes), json!(["2201.550000000000000001", "800", "13.5"]));
    assert_eq!(found["scopes"][1]["marketCO2e"], "1000");
    assert_eq!(found["scopes"][0]["parts"].as_array().unwrap().len(), 2, "each root of scope 1");
    let named = |number: usize| json!([found["scope3"][number - 1]["state"], found["scope3"][number - 1]["CO2e"]]);
    assert_eq!(
        [named(5), named(6), named(1)],
        [json!(["recorded", "-1"]), json!(["recorded", "3.5"]), json!(["none", "0"])]
    );
    assert_eq!(found["scope3"][5]["incompleteCount"], 1);
    assert_eq!(json!([found["scope3"][15]["category"], found["scope3"][15]["CO2e"]]), json!([null, "11"]));
    let gas = |word: &str| {
        let row = found["gases"].as_array().unwrap().iter().find(|row| row["gas"] == word).unwrap();
        json!([row["scope1"]["CO2e"], row["scope1"]["mass"], row["scope2"]["CO2e"]])
    };
    assert_eq!(gas("CO2"), json!(["2121", "2121", "0"]));
    assert_eq!(gas("CH4_fossil"), json!(["30.3", "1.01", "0"]));
    assert_eq!(gas("unspecified"), json!(["50.250000000000000001", "0", "800"]));
    let line = |kind: &str| {
        let lines = found["sources"]["lines"].as_array().unwrap();
        let line = lines.iter().find(|line| line["kind"] == kind).unwrap();
        json!([line["publisher"], line["edition"], line["source"], line["gwp"], line["count"], line["CO2e"]])
    };
    assert_eq!(line("set"), json!(["A ministry", "2025 v1", null, "AR5", 2, "2151.3"]));
    assert_eq!(line("written")[5], "800");
    assert_eq!(line("supplied"), json!([null, null, null, null, 9, "63.750000000000000001"]));
    assert_eq!(line("incomplete"), json!([null, null, null, null, 1, "0"]));
    assert_eq!(found["sources"]["gwp"][0]["name"], "AR5");
    let market = &found["scope2"]["market"];
    assert_eq!(
        json!([market[0]["basis"], market[0]["source"], market[0]["CO2e"]]),
        json!(["residualMix", "A published mix", "1000"])
    );
    assert_eq!(market.as_array().unwrap().len(), 1);
}
