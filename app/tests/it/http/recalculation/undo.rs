//! Recalculations of a part of what is outdated, and undoing them: totals are what a preview said, and what they were before.

use super::{Client, Service, Value, json, recalculate, to};

/// A company with outdated activities of two causes, two orgs and two scopes, and some that are not outdated.
struct Company {
    works: String,
    hall: String,
    scopes: [String; 2],
}

fn company(admin: &Client) -> Company {
    let works = admin.org("Works", None);
    let hall = admin.org("Hall", Some(&works));
    let scopes = [admin.scope("scope1"), admin.scope("scope3")];
    let [gas, power, steam] = [admin.product("kg"), admin.product("kg"), admin.product("kg")];
    let wrong = admin.factor(&gas, "kg", [json!("2.5"), json!("0.125")], "2024-01-01");
    admin.factor(&power, "kg", [json!("0.3"), Value::Null], "2024-01-01");
    admin.factor(&steam, "kg", [json!("7"), Value::Null], "2024-01-01");
    let mut quantity = 1;
    for product in [&gas, &power, &steam] {
        for org in [Some(&works), Some(&hall), None] {
            for scope in [Some(&scopes[0]), Some(&scopes[1]), None] {
                quantity = quantity * 7 % 101;
                admin.activity(json!({
                    "product": to(product), "quantity": format!("{quantity}.000000000000000001"), "unit": "kg",
                    "org": org.map(|org| to(org)), "scope": scope.map(|scope| to(scope)), "startDate": "2025-02-01",
                }));
            }
        }
    }
    let correction = json!({ "unit": "kg", "upstream": "3", "downstream": "0.1", "source": "T" });
    admin.post(&format!("/v1/product/{gas}/factor/{wrong}/correction"), &correction).expect(201);
    admin.factor(&power, "kg", [json!("0.4"), Value::Null], "2025-01-01");
    Company { works, hall, scopes }
}

/// All that reports say, but when records were changed.
fn figures(admin: &Client) -> Vec<Value> {
    let mut found: Vec<Value> = ["scope,org", "month", "product,org"]
        .map(|by| admin.get(&format!("/v1/report?date=2025&depth=9&by={by}")).ok())
        .into();
    let mut rows = admin.get("/v1/activity").ok()["data"].take();
    for row in rows.as_array_mut().unwrap() {
        row["updated"].take();
    }
    found.push(rows);
    found
}

fn confirmed(admin: &Client, asked: &Value, preview: &Value) -> Value {
    let mut body = asked.clone();
    body["confirm"] = preview["confirm"].clone();
    recalculate(admin, false, &body)
}

fn undo(admin: &Client, done: &Value) -> Value {
    admin.delete(&format!("/v1/recalculation/{}", done["uuid"].as_str().unwrap())).ok()
}

#[test]
fn a_part_of_what_is_outdated_changes_as_its_preview_said_and_undoing_restores_every_figure() {
    let service = Service::start();
    let admin = service.admin();
    let Company { works, hall, scopes } = company(&admin);
    let before = figures(&admin);
    assert_eq!(before[0]["outdatedCount"], 18);
    let parts = [
        (json!({}), 18),
        (json!({ "cause": "correction" }), 9),
        (json!({ "cause": "factor" }), 9),
        (json!({ "cause": "gwp" }), 0),
        (json!({ "org": to(&works) }), 12),
        (json!({ "org": to(&hall), "cause": "correction" }), 3),
        (json!({ "scope": to(&scopes[0]) }), 6),
        (json!({ "scope": to(&scopes[1]), "org": to(&works), "cause": "factor" }), 2),
    ];
    for (mut asked, count) in parts {
        asked["of"] = json!("outdated");
        let preview = recalculate(&admin, true, &asked);
        assert_eq!([&preview["activities"], &preview["changed"]], [count, count], "{asked}");
        assert_eq!((&preview["uuid"], figures(&admin) == before), (&Value::Null, true), "a preview writes nothing");
        let done = confirmed(&admin, &asked, &preview);
        for member in ["activities", "changed", "CO2eBefore", "CO2eAfter", "groups", "closed", "failures"] {
            assert_eq!(done[member], preview[member], "{member} of {asked}");
        }
        assert_eq!(admin.get("/v1/report?by=year").ok()["outdatedCount"], 18 - count, "{asked}");
        if count == 0 {
            assert_eq!(done["uuid"], Value::Null, "{asked}");
            continue;
        }
        let undone = undo(&admin, &done);
        assert_eq!([&undone["activities"], &undone["restored"], &undone["kept"]], [count, count, 0], "{asked}");
        assert!(figures(&admin) == before, "{asked}");
        let again = undo(&admin, &done);
        assert_eq!([&again["restored"], &again["kept"]], [0, 0], "what is undone stays so");
    }
}

#[test]
fn a_recalculation_of_what_had_no_factor_is_undone_too() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.product("kg");
    for _ in 0..3 {
        admin.activity(json!({ "product": to(&product), "quantity": 10, "unit": "kg" }));
    }
    admin.factor(&product, "kg", [json!("2"), Value::Null], "2024-01-01");
    let before = figures(&admin);
    let done = recalculate(&admin, false, &json!({}));
    assert_eq!(admin.get("/v1/activity").ok()["uncategorizedCO2e"], "60");
    assert_eq!(undo(&admin, &done)["restored"], 3);
    assert!(figures(&admin) == before);
}

#[test]
fn a_recalculation_under_a_later_change_is_not_undone_until_that_is_taken_back() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.product("kg");
    let factors = format!("/v1/product/{product}/factor");
    let mut wrong = admin.factor(&product, "kg", [json!("2"), Value::Null], "2024-01-01");
    let edited = admin.activity(json!({ "product": to(&product), "quantity": 10, "unit": "kg" }));
    let removed = admin.activity(json!({ "product": to(&product), "quantity": 1, "unit": "kg" }));
    let mut corrected = |upstream: &str| {
        let correction = json!({ "unit": "kg", "upstream": upstream, "source": "T" });
        wrong = admin.post(&format!("{factors}/{wrong}/correction"), &correction).uuid();
        let asked = json!({ "of": "outdated" });
        confirmed(&admin, &asked, &recalculate(&admin, true, &asked))
    };
    let (first, second) = (corrected("3"), corrected("4"));
    let path = |done: &Value| format!("/v1/recalculation/{}", done["uuid"].as_str().unwrap());
    let total = || admin.get("/v1/activity").ok()["uncategorizedCO2e"].clone();
    let refused = admin.delete(&path(&first));
    assert_eq!(refused.problem(), "409 conflict");
    assert!(refused.text().contains(second["uuid"].as_str().unwrap()), "names the later one: {}", refused.text());
    assert_eq!(total(), "44");
    undo(&admin, &second);
    admin.patch(&format!("/v1/activity/{edited}"), &json!({ "description": "Read again" })).expect(200);
    let refused = admin.delete(&path(&first));
    assert!(refused.problem() == "409 conflict" && refused.text().contains(&edited), "{}", refused.text());
    assert_eq!(total(), "33");
    admin.patch(&format!("/v1/activity/{edited}"), &json!({ "description": null })).expect(200);
    admin.delete(&format!("/v1/activity/{removed}")).expect(204);
    assert_eq!(undo(&admin, &first)["restored"], 1, "what was put back is as it was left, what is gone stays so");
    assert_eq!(total(), "20");
    assert_eq!(admin.delete("/v1/recalculation/0198c0de-0000-7000-8000-000000000000").problem(), "404 not-found");
}

#[test]
fn a_closed_period_holds_against_undoing_a_recalculation() {
    let service = Service::start();
    let admin = service.admin();
    company(&admin);
    let asked = json!({ "of": "outdated" });
    let done = confirmed(&admin, &asked, &recalculate(&admin, true, &asked));
    admin.post("/v1/period", &json!({ "first": "2025-01-01", "last": "2025-12-31" })).expect(201);
    let after = figures(&admin);
    let path = format!("/v1/recalculation/{}", done["uuid"].as_str().unwrap());
    assert_eq!(admin.delete(&path).problem(), "409 period-closed");
    assert!(figures(&admin) == after);
}

#[test]
fn what_narrows_a_recalculation_is_there_or_named() {
    let service = Service::start();
    let admin = service.admin();
    let nobody = json!({ "uuid": "0198c0de-0000-7000-8000-000000000000" });
    let post = |body: Value| admin.post("/v1/recalculation?dryRun=true", &body).problem();
    assert_eq!(post(json!({ "org": nobody, "scope": nobody })), "422 invalid-input /org/uuid /scope/uuid");
    assert_eq!(post(json!({ "of": "outdated", "cause": "data" })), "422 invalid-input /cause");
    assert_eq!(post(json!({ "of": "incomplete", "cause": "gwp" })), "422 invalid-input /cause");
}
