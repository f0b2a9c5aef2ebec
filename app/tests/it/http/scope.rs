//! `/v1/scope`: the GHG scopes and their categories.

use super::harness::{Service, Value, json, to};
use super::problem::{refuses, refuses_references, requires};

#[test]
fn a_scope_has_exactly_these_members() {
    let service = Service::start();
    let admin = service.admin();
    let scope3 = admin.scope("scope3");
    let body = json!({ "name": "Travel", "kind": "scope3", "category": 6, "parent": to(&scope3), "syncId": "s6" });
    let made = admin.post("/v1/scope", &body).created();
    let expected = json!({
        "uuid": made["uuid"],
        "syncId": "s6",
        "name": "Travel",
        "parent": { "uuid": scope3, "name": "scope3" },
        "kind": "scope3",
        "category": 6,
        "created": made["created"],
        "updated": made["created"],
    });
    assert_eq!(made, expected);
    let root = admin.get(&format!("/v1/scope/{scope3}")).ok();
    assert_eq!((&root["parent"], &root["category"]), (&Value::Null, &Value::Null));
}

#[test]
fn every_kind_is_taken_and_categories_1_to_15_in_scope_3_alone() {
    let service = Service::start();
    let admin = service.admin();
    let make = |kind: &str, category: Value| {
        admin.post("/v1/scope", &json!({ "name": "A", "kind": kind, "category": category }))
    };
    for kind in ["scope1", "scope2", "scope3", "outside"] {
        assert_eq!(make(kind, Value::Null).created()["kind"], kind);
    }
    for category in 1..=15 {
        assert_eq!(make("scope3", json!(category)).created()["category"], category);
    }
    for kind in ["scope1", "scope2", "outside"] {
        assert_eq!(make(kind, json!(1)).problem(), "422 invalid-input /category", "{kind}");
    }
}

#[test]
fn each_member_that_is_wrong_is_named() {
    let service = Service::start();
    let admin = service.admin();
    let post = |body: &Value| admin.post("/v1/scope", body);
    let good = json!({ "name": "A", "kind": "scope3" });
    requires(post, &good, &["name", "kind"]);
    let kinds = json!([3, {}, "", "Scope1", "scope 1", "scope4", " outside"]);
    let categories = json!([0, 16, -1, "6", true, [6], 6.5]);
    refuses(post, &good, &[("/kind", kinds.clone()), ("/category", categories.clone()), ("/slug", json!(["a"]))]);
    refuses_references(post, &good, "parent");
    let one = format!("/v1/scope/{}", post(&good).uuid());
    let patch = |body: &Value| admin.patch(&one, body);
    refuses(patch, &json!({}), &[("/kind", kinds), ("/category", categories), ("/kind", json!([null]))]);
    refuses_references(patch, &json!({}), "parent");
}

#[test]
fn a_category_goes_where_the_kind_has_none() {
    let service = Service::start();
    let admin = service.admin();
    let one = format!("/v1/scope/{}", admin.category(&admin.scope("scope3"), 6));
    assert_eq!(admin.patch(&one, &json!({ "kind": "scope1" })).problem(), "422 invalid-input /category");
    let changed = admin.patch(&one, &json!({ "kind": "scope1", "category": null, "parent": null })).ok();
    assert_eq!([&changed["kind"], &changed["category"]], [&json!("scope1"), &Value::Null]);
}

#[test]
fn a_scope_in_use_is_kept_and_says_by_what() {
    let service = Service::start();
    let admin = service.admin();
    let scope3 = admin.scope("scope3");
    let travel = admin.category(&scope3, 6);
    let activity = admin.activity(json!({ "scope": to(&travel) }));
    for (scope, by) in [(&scope3, "1 scope"), (&travel, "1 activity")] {
        let answer = admin.delete(&format!("/v1/scope/{scope}"));
        assert_eq!(answer.problem(), "409 conflict");
        assert!(answer.text().contains(&format!("used by {by};")), "{}", answer.text());
    }
    admin.activity(json!({ "scope": to(&travel) }));
    assert!(admin.delete(&format!("/v1/scope/{travel}")).text().contains("2 activities"));
    admin.delete(&format!("/v1/activity/{activity}")).expect(204);
    assert!(admin.delete(&format!("/v1/scope/{travel}")).text().contains("1 activity"));
}
