//! Recalculations leave out what stands in a closed period, and write the rest.

use super::super::harness::{Service, Value, json, to};
use super::Closed;

#[test]
fn an_activity_in_a_closed_period_is_left_out_of_a_recalculation_and_counted() {
    let it = Closed::new();
    let admin = &it.admin;
    let product = admin.product("kg");
    let members = json!({ "product": to(&product), "quantity": 10, "unit": "kg", "startDate": "2026-05-01" });
    let open = admin.activity(members);
    admin.factor(&product, "kg", [json!("2"), Value::Null], "2020-01-01");
    let figures = it.figures();
    let preview = admin.post("/v1/recalculation?dryRun=true", &json!({})).ok();
    let done = admin.post("/v1/recalculation", &json!({ "confirm": preview["confirm"] })).ok();
    for answer in [&preview, &done] {
        let counts = ["activities", "changed", "closed", "CO2eAfter"].map(|name| answer[name].clone());
        assert_eq!(counts, [json!(2), json!(1), json!(1), json!("20")], "{answer}");
    }
    assert_eq!(preview["groups"], done["groups"]);
    assert_eq!(done["groups"][0]["changed"], 1);
    assert_eq!(admin.get(&format!("/v1/activity/{open}")).ok()["CO2e"], "20");
    assert_eq!(it.figures(), figures, "the closed period is as it was");
    let again = admin.post("/v1/recalculation", &json!({})).ok();
    assert_eq!((&again["changed"], &again["closed"]), (&json!(0), &json!(1)));
}

/// Everything that an activity's figure comes from is changed around it: its factor corrected and ended, the factor that counts
/// for it in the market corrected, what stands in its history blanked.
#[test]
fn a_closed_figure_stays_whatever_becomes_of_its_factors_and_reads_as_outdated() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, product, wind) = (admin.scope("scope2"), admin.product("kWh"), admin.product("kWh"));
    let wrong = admin.factor(&product, "kWh", [json!("0.4"), Value::Null], "2024-01-01");
    let certificate = admin.factor(&wind, "kWh", [json!("0.01"), Value::Null], "2024-01-01");
    let power = |day: &str| {
        let members = json!({
            "product": to(&product), "quantity": 10, "unit": "kWh", "scope": to(&scope), "startDate": day,
            "marketInstrument": "certificate", "marketFactor": certificate,
        });
        admin.activity(members)
    };
    let (closed, open) = (power("2025-05-01"), power("2026-05-01"));
    admin.patch(&format!("/v1/activity/{closed}"), &json!({ "description": "A person" })).expect(200);
    admin.patch(&format!("/v1/activity/{closed}"), &json!({ "description": null })).expect(200);
    admin.post("/v1/period", &json!({ "period": "2025" })).expect(201);
    let figures = || {
        let report = |query: &str| admin.get(&format!("/v1/report?date=2025&{query}")).ok()["rows"].clone();
        [report("by=scope,org&scope2=both"), report("by=gas"), report("by=month&attribution=daily&scope2=both")]
    };
    let before = figures();
    let correction = |upstream: &str| json!({ "unit": "kWh", "upstream": upstream, "source": "Mended" });
    admin.post(&format!("/v1/product/{product}/factor/{wrong}/correction"), &correction("0.5")).expect(201);
    admin.post(&format!("/v1/product/{wind}/factor/{certificate}/correction"), &correction("0.02")).expect(201);
    admin.factor(&product, "kWh", [json!("0.9"), Value::Null], "2025-01-01");
    let blanked = admin.post("/v1/change/blank", &json!({ "kind": "activity", "uuid": closed, "reason": "asked for" }));
    assert!(blanked.status == 200, "{}", blanked.text());
    let preview = admin.post("/v1/recalculation?dryRun=true", &json!({ "of": "outdated" })).ok();
    assert_eq!([&preview["changed"], &preview["closed"]], [1, 1]);
    let confirmed = json!({ "of": "outdated", "confirm": preview["confirm"] });
    let done = admin.post("/v1/recalculation", &confirmed).ok();
    assert_eq!([&done["changed"], &done["closed"]], [1, 1]);
    assert_eq!(figures(), before);
    assert_eq!(admin.get("/v1/activity?date=2025").ok()["outdatedCount"], 1);
    let of_open = admin.get(&format!("/v1/activity/{open}")).ok();
    assert_eq!([&of_open["CO2e"], &of_open["marketCO2e"]], ["9", "0.2"]);
    let undone = admin.delete(&format!("/v1/recalculation/{}", done["uuid"].as_str().unwrap())).ok();
    assert_eq!((&undone["restored"], figures()), (&json!(1), before), "what it changed stands in an open year");
}
