//! What differs from a frozen report, by cause, and what that means for the base year; previews of recalculations.

use super::Closed;
use crate::http::harness::{Service, Value, json, to};

/// The causes of a restatement that changed CO2e in scopes 1 to 3, with by how much.
fn causes(seen: &Value) -> Value {
    let cause = |cause: &Value| json!({ "cause": cause["cause"], "CO2e": cause["CO2e"] });
    seen["causes"].as_array().unwrap().iter().filter(|cause| cause["CO2e"] != "0").map(cause).collect()
}

#[test]
fn a_restatement_says_by_cause_and_by_series_what_differs_and_the_causes_add_up() {
    let it = Closed::new();
    let admin = &it.admin;
    admin.post(&format!("{}/reopen", it.address()), &json!({ "reason": "errors" })).expect(200);
    // Edited twice, one after the other, and once removed.
    let own = format!("/v1/activity/{}", it.activity);
    admin.patch(&own, &json!({ "UpstreamCO2e": "9" })).expect(200);
    admin.patch(&own, &json!({ "UpstreamCO2e": "10" })).expect(200);
    let gone = admin.activity(json!({ "scope": to(&it.scope), "UpstreamCO2e": "100", "startDate": "2025-02-01" }));
    admin.delete(&format!("/v1/activity/{gone}")).expect(204);
    admin.post("/v1/recalculation", &json!({})).expect(200);
    // Acquired: an org that came later, with what it emitted in that year.
    let acquired = admin.org("Acquired", None);
    admin.activity(json!({ "org": to(&acquired), "scope": to(&it.scope), "UpstreamCO2e": "40" }));
    let seen = admin.get(&format!("{}/restatement", it.address())).ok();
    assert_eq!((&seen["CO2eFrozen"], &seen["CO2e"], &seen["difference"]), (&json!("7"), &json!("70"), &json!("63")));
    let expected = json!([
        { "cause": "data", "CO2e": "3" },
        { "cause": "factor", "CO2e": "20" },
        { "cause": "structure", "CO2e": "40" },
    ]);
    assert_eq!(causes(&seen), expected);
    assert_eq!(seen["lines"].as_array().unwrap().len(), 3, "{seen}");
    // A scope that becomes another moves what nobody wrote.
    admin.patch(&format!("/v1/scope/{}", it.scope), &json!({ "kind": "outside" })).expect(200);
    let seen = admin.get(&format!("{}/restatement", it.address())).ok();
    assert_eq!((&seen["CO2e"], &seen["difference"]), (&json!("0"), &json!("-7")));
    assert_eq!(causes(&seen), json!([{ "cause": "structure", "CO2e": "-7" }]));
}

#[test]
fn the_base_year_asks_for_recalculation_when_a_change_is_above_its_threshold() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, product) = (admin.scope("scope1"), admin.product("kg"));
    let wrong = admin.factor(&product, "kg", [json!("10"), Value::Null], "2019-01-01");
    let of = |members: Value| {
        let mut body = json!({ "scope": to(&scope), "startDate": "2019-05-01" });
        body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        admin.activity(body)
    };
    of(json!({ "product": to(&product), "quantity": 10, "unit": "kg" }));
    assert_eq!(admin.get("/v1/base-year").status, 404);
    let both = json!({ "first": "2019-01-01", "last": "2019-12-31", "baseYear": "101", "org": { "syncId": "x" } });
    assert!(admin.post("/v1/period", &both).places().contains(&"/baseYear".to_owned()));
    let closing = json!({ "first": "2019-01-01", "last": "2019-12-31", "baseYear": "5" });
    let period = admin.post("/v1/period", &closing).uuid();
    let asked = || {
        let base = admin.get("/v1/base-year").ok();
        (base["recalculationAsked"].clone(), base["CO2eOutdated"].clone(), base["restatement"]["difference"].clone())
    };
    assert_eq!(asked(), (json!(false), json!("0"), json!("0")));
    // A corrected factor alters nothing of a closed year, and is told.
    let correction = json!({ "unit": "kg", "upstream": "10.5", "source": "T" });
    let right = admin.post(&format!("/v1/product/{product}/factor/{wrong}/correction"), &correction).uuid();
    assert_eq!(asked(), (json!(false), json!("5"), json!("0")));
    let correction = json!({ "unit": "kg", "upstream": "10.6", "source": "T" });
    admin.post(&format!("/v1/product/{product}/factor/{right}/correction"), &correction).expect(201);
    assert_eq!(asked(), (json!(true), json!("6"), json!("0")));
    admin.post(&format!("/v1/period/{period}/reopen"), &json!({ "reason": "recalculation" })).expect(200);
    let preview = admin.post("/v1/recalculation?dryRun=true", &json!({ "of": "outdated" })).ok();
    admin.post("/v1/recalculation", &json!({ "of": "outdated", "confirm": preview["confirm"] })).expect(200);
    assert_eq!(asked(), (json!(true), json!("0"), json!("6")));
    let found = causes(&admin.get("/v1/base-year").ok()["restatement"]);
    assert_eq!(found, json!([{ "cause": "correction", "CO2e": "6" }]));
    // Closed anew it is the base year as it is.
    admin.post("/v1/period", &closing).expect(201);
    assert_eq!(asked(), (json!(false), json!("0"), json!("0")));
    // Growth in later years is no change of it.
    of(json!({ "startDate": "2020-05-01", "UpstreamCO2e": "1000" }));
    assert_eq!(asked(), (json!(false), json!("0"), json!("0")));
}

#[test]
fn a_preview_says_what_becomes_of_which_scope_and_org_and_the_run_does_just_that() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, org, product) = (admin.scope("scope1"), admin.org("Site", None), admin.product("kg"));
    let wrong = admin.factor(&product, "kg", [json!("2"), Value::Null], "2024-01-01");
    let burnt = |day: &str, members: Value| {
        let mut body = json!({ "product": to(&product), "quantity": 10, "unit": "kg", "startDate": day });
        body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        admin.activity(body)
    };
    burnt("2025-01-01", json!({ "scope": to(&scope), "org": to(&org) }));
    burnt("2025-02-01", json!({ "scope": to(&scope), "org": to(&org) }));
    burnt("2024-02-01", json!({ "scope": to(&scope) }));
    let correction = json!({ "unit": "kg", "upstream": "3", "source": "T" });
    admin.post(&format!("/v1/product/{product}/factor/{wrong}/correction"), &correction).expect(201);
    let period = admin.post("/v1/period", &json!({ "first": "2024-01-01", "last": "2024-12-31" })).uuid();
    let asked = json!({ "of": "outdated" });
    let preview = |of: &Value| admin.post("/v1/recalculation?dryRun=true", of).ok();
    let seen = preview(&asked);
    let group = |group: &Value| {
        ["cause", "changed", "CO2eBefore", "CO2eAfter"].map(|name| group[name].to_string().replace('"', "")).join(" ")
    };
    let groups: Vec<String> = seen["groups"].as_array().unwrap().iter().map(group).collect();
    assert_eq!(groups, ["correction 2 40 60"]);
    assert_eq!((&seen["groups"][0]["org"]["uuid"], &seen["closed"]), (&json!(org), &json!(1)));
    let confirmed = json!({ "of": "outdated", "confirm": seen["confirm"] });
    let done = admin.post("/v1/recalculation", &confirmed).ok();
    assert_eq!((&done["groups"], &done["closed"]), (&seen["groups"], &json!(1)));
    assert_eq!(admin.get("/v1/activity").ok()["CO2e"], "80", "what is closed is as it was");
    admin.post(&format!("/v1/period/{period}/reopen"), &json!({ "reason": "recalculation" })).expect(200);
    let seen = preview(&asked);
    let done = admin.post("/v1/recalculation", &json!({ "of": "outdated", "confirm": seen["confirm"] })).ok();
    assert_eq!((&done["groups"], &done["changed"], &done["CO2eAfter"]), (&seen["groups"], &json!(1), &json!("30")));
    assert_eq!(seen["groups"][0]["org"], Value::Null);
    assert_eq!(admin.get("/v1/activity").ok()["CO2e"], "90");
    assert_eq!(preview(&asked)["groups"], json!([]));
}
