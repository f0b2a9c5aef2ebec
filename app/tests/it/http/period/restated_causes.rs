//! What became of each figure of a closed period, by the cause under which it changed: both attributions, every class, scope 2 by
//! location and by market.

use domain::Total;

use crate::http::harness::{Client, Service, Value, json, to};

const FIGURES: [&str; 6] = ["CO2e", "marketCO2e", "uncategorizedCO2e", "biogenicCO2", "creditsCO2e", "outsideCO2e"];

fn total(value: &Value) -> Total {
    Total::parse(value.as_str().unwrap()).unwrap()
}

/// Each figure's causes add up to its difference, and the figures of today are those of reports.
#[track_caller]
fn adds_up(admin: &Client, seen: &Value) {
    for (form, attribution) in [("started", "start"), ("spread", "daily")] {
        let report = admin.get(&format!("/v1/activity?date=2025&scope2=both&attribution={attribution}")).ok();
        for figure in FIGURES {
            let (was, is) = (total(&seen["frozen"][form][figure]), total(&seen["now"][form][figure]));
            let parts = seen["causes"].as_array().unwrap().iter().map(|cause| total(&cause["figures"][form][figure]));
            assert_eq!(parts.sum::<Total>(), is - was, "{figure}, {attribution}: {seen}");
            assert_eq!(is, total(&report[figure]), "{figure}, {attribution}");
        }
    }
}

/// What a cause changed of a figure.
fn part(seen: &Value, cause: &str, form: &str, figure: &str) -> String {
    let found = seen["causes"].as_array().unwrap().iter().find(|one| one["cause"] == cause);
    found.map_or("none", |one| one["figures"][form][figure].as_str().unwrap()).to_owned()
}

fn recalculate(admin: &Client, asked: Value) -> String {
    let mut body = asked;
    body["of"] = json!("outdated");
    body["confirm"] = admin.post("/v1/recalculation?dryRun=true", &body).ok()["confirm"].clone();
    admin.post("/v1/recalculation", &body).ok()["uuid"].as_str().unwrap().to_owned()
}

#[test]
fn each_figure_is_booked_by_the_cause_that_it_changed_for_and_undoing_takes_it_back() {
    let service = Service::start();
    let admin = service.admin();
    let [one, two, biogenic, credit, outside] =
        ["scope1", "scope2", "biogenic", "credit", "outside"].map(|kind| admin.scope(kind));
    let (gas, grid, steam) = (admin.product("kg"), admin.product("kWh"), admin.product("kg"));
    let wrong = admin.factor(&gas, "kg", [json!("2"), Value::Null], "2024-01-01");
    admin.factor(&grid, "kWh", [Value::Null, json!("0.4")], "2024-01-01");
    let mix = json!({
        "unit": "kWh", "downstream": "0.5", "validFrom": "2024-01-01", "source": "A mix", "basis": "residualMix",
    });
    admin.post(&format!("/v1/product/{grid}/factor"), &mix).created();
    admin.factor(&steam, "kg", [json!("7"), Value::Null], "2024-01-01");
    let add = |scope: Option<&String>, product: &str, unit: &str, members: Value| {
        let mut body = json!({
            "product": to(product), "quantity": 31, "unit": unit, "startDate": "2025-12-01", "endDate": "2025-12-31",
        });
        body["scope"] = scope.map_or(Value::Null, |scope| to(scope));
        body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        admin.activity(body)
    };
    let edited = add(Some(&one), &gas, "kg", json!({ "biogenicCO2": "62" }));
    for scope in [Some(&biogenic), Some(&credit), Some(&outside), None] {
        add(scope, &gas, "kg", json!({}));
        // Of two years: half of its days are in the closed one.
        add(scope, &steam, "kg", json!({ "startDate": "2025-12-31", "endDate": "2026-01-01" }));
    }
    add(Some(&two), &grid, "kWh", json!({}));
    let period = admin.post("/v1/period", &json!({ "first": "2025-01-01", "last": "2025-12-31" })).uuid();
    let seen = || admin.get(&format!("/v1/period/{period}/restatement")).ok();
    assert_eq!(seen()["causes"], json!([]));
    adds_up(&admin, &seen());
    let correction = json!({ "unit": "kg", "upstream": "3", "source": "T" });
    admin.post(&format!("/v1/product/{gas}/factor/{wrong}/correction"), &correction).expect(201);
    admin.factor(&steam, "kg", [json!("8"), Value::Null], "2025-12-01");
    admin.factor(&grid, "kWh", [Value::Null, json!("0.3")], "2025-12-01");
    assert_eq!(seen()["causes"], json!([]), "nothing moves by itself");
    admin.post(&format!("/v1/period/{period}/reopen"), &json!({ "reason": "corrections" })).expect(200);
    admin.patch(&format!("/v1/activity/{edited}"), &json!({ "biogenicCO2": "93" })).expect(200);
    adds_up(&admin, &seen());
    assert_eq!(part(&seen(), "data", "started", "biogenicCO2"), "31");
    let before = seen();

    let both = recalculate(&admin, json!({}));
    adds_up(&admin, &seen());
    for figure in ["CO2e", "marketCO2e", "uncategorizedCO2e", "biogenicCO2", "creditsCO2e", "outsideCO2e"] {
        assert_eq!(part(&seen(), "correction", "started", figure), "31", "{figure}");
    }
    assert_eq!(part(&seen(), "factor", "started", "CO2e"), "-3.1", "location-based power");
    assert_eq!(part(&seen(), "factor", "started", "marketCO2e"), "0", "the residual mix is the same");
    assert_eq!(part(&seen(), "factor", "started", "creditsCO2e"), "31");
    assert_eq!(part(&seen(), "factor", "spread", "creditsCO2e"), "15.5");
    admin.delete(&format!("/v1/recalculation/{both}")).expect(200);
    let (after, mut before) = (seen(), before);
    before["change"] = after["change"].clone();
    assert_eq!(after, before, "what was undone is due to nothing");

    recalculate(&admin, json!({ "cause": "factor" }));
    adds_up(&admin, &seen());
    assert_eq!(part(&seen(), "correction", "started", "CO2e"), "none");
    // A class that a scope becomes moves what nobody wrote, in both of its figures.
    admin.patch(&format!("/v1/scope/{credit}"), &json!({ "kind": "outside" })).expect(200);
    adds_up(&admin, &seen());
    assert_ne!(part(&seen(), "structure", "spread", "outsideCO2e"), "0");
}
