//! Exclusions: kept with their reason, for a scope or a category, and no figure changes by them.

use super::harness::{Service, Value, json, to};

const PATH: &str = "/v1/exclusion";

#[test]
fn an_exclusion_of_a_category_is_read_as_it_was_written_and_changed_member_by_member() {
    let service = Service::start();
    let admin = service.admin();
    let added = admin.post(PATH, &json!({ "category": 14, "firstYear": 2024, "reason": "There are no franchises" }));
    let added = added.created();
    assert_eq!(added["lastYear"], 2024);
    assert_eq!((&added["scope"], &added["org"]), (&Value::Null, &Value::Null));
    let at = format!("{PATH}/{}", added["uuid"].as_str().unwrap());
    assert_eq!(admin.get(&at).ok(), added);

    let org = admin.org("Site", None);
    let changed = admin.patch(&at, &json!({ "org": to(&org), "lastYear": 2026 })).ok();
    assert_eq!((&changed["org"]["name"], &changed["lastYear"]), (&json!("Site"), &json!(2026)));
    assert_eq!((&changed["category"], &changed["reason"]), (&json!(14), &json!("There are no franchises")));
    admin.delete(&format!("/v1/org/{org}")).expect(409);
    assert_eq!(admin.get(PATH).ok()["count"], 1);

    admin.delete(&at).expect(204);
    admin.get(&at).expect(404);
    admin.delete(&format!("/v1/org/{org}")).expect(204);
}

#[test]
fn a_scope_and_a_category_take_each_others_place() {
    let service = Service::start();
    let admin = service.admin();
    let scope = admin.scope("scope3");
    let body = json!({ "scope": to(&scope), "firstYear": 2024, "lastYear": 2025, "reason": "not material" });
    let at = format!("{PATH}/{}", admin.post(PATH, &body).uuid());
    assert_eq!(admin.patch(&at, &json!({ "category": 3 })).expect(422).places(), ["/category"]);
    let changed = admin.patch(&at, &json!({ "category": 3, "scope": null })).ok();
    assert_eq!((&changed["scope"], &changed["category"]), (&Value::Null, &json!(3)));
    admin.delete(&format!("/v1/scope/{scope}")).expect(204);
}

#[test]
fn all_faults_of_an_exclusion_are_told_at_once() {
    let service = Service::start();
    let admin = service.admin();
    let places = |body: Value| admin.post(PATH, &body).expect(422).places();
    assert_eq!(places(json!({})), ["/firstYear", "/reason", "/scope"]);
    let nobody = "00000000-0000-7000-8000-000000000000";
    let faulty = json!({
        "category": 16, "org": to(nobody), "firstYear": 2025, "lastYear": 2024, "reason": "x", "because": "y",
    });
    assert_eq!(places(faulty), ["/because", "/category", "/lastYear", "/org/uuid"]);
    let both = json!({ "category": 1, "scope": to(&admin.scope("scope1")), "firstYear": 2025, "reason": "x" });
    assert_eq!(places(both), ["/category"]);
}

#[test]
fn what_is_excluded_counts_as_ever() {
    let service = Service::start();
    let admin = service.admin();
    let scope = admin.scope("scope1");
    admin.activity(json!({ "scope": to(&scope), "UpstreamCO2e": "7" }));
    let body = json!({ "scope": to(&scope), "firstYear": 2025, "reason": "not material" });
    admin.post(PATH, &body).created();
    assert_eq!(admin.get("/v1/report?date=2025").ok()["CO2e"], "7");
}

#[test]
fn what_is_left_out_already_is_not_left_out_twice_and_the_other_is_named() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, org) = (admin.scope("scope1"), admin.org("Site", None));
    let body = json!({ "scope": to(&scope), "firstYear": 2024, "lastYear": 2025, "reason": "not material" });
    let with = |members: Value| {
        let mut body = body.clone();
        body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        body
    };
    let first = admin.post(PATH, &body).uuid();
    let again = admin.post(PATH, &with(json!({ "reason": "another" })));
    assert!(again.problem() == "409 conflict" && again.text().contains(&first), "{}", again.text());
    let others = [json!({ "org": to(&org) }), json!({ "lastYear": 2026 }), json!({ "scope": null, "category": 1 })];
    let others: Vec<String> = others.map(|other| admin.post(PATH, &with(other)).uuid()).into();
    let changed = admin.patch(&format!("{PATH}/{}", others[1]), &json!({ "lastYear": 2025 }));
    assert!(changed.problem() == "409 conflict" && changed.text().contains(&first), "{}", changed.text());
    admin.patch(&format!("{PATH}/{first}"), &json!({ "reason": "measured: below a thousandth" })).expect(200);
    admin.delete(&format!("{PATH}/{first}")).expect(204);
    admin.patch(&format!("{PATH}/{}", others[1]), &json!({ "lastYear": 2025 })).expect(200);
}
