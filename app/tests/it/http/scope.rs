//! `/v1/scope`: the GHG scopes and their categories.

use super::harness::{Client, Service, Value, json, to};
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
    for kind in ["scope1", "scope2", "scope3", "biogenic", "credit", "outside"] {
        assert_eq!(make(kind, Value::Null).created()["kind"], kind);
    }
    for category in 1..=15 {
        assert_eq!(make("scope3", json!(category)).created()["category"], category);
    }
    for kind in ["scope1", "scope2", "biogenic", "credit", "outside"] {
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

/// Kind, category and parent of each scope, by name.
fn tree(client: &Client) -> Vec<String> {
    let page = client.get("/v1/scope").ok();
    let line = |node: &Value| {
        let (name, kind) = (node["name"].as_str().unwrap(), node["kind"].as_str().unwrap());
        let parent = node["parent"]["name"].as_str().unwrap_or("-");
        format!("{name}: {kind} {} below {parent}", node["category"])
    };
    page["data"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn a_scope_has_the_kind_of_the_node_above_and_a_category_that_goes_with_its() {
    let service = Service::start();
    let admin = service.admin();
    let (scope1, scope3) = (admin.scope("scope1"), admin.scope("scope3"));
    let travel = admin.category(&scope3, 6);
    let post = |kind: &str, category: Value, parent: &str| {
        admin.post("/v1/scope", &json!({ "name": "A", "kind": kind, "category": category, "parent": to(parent) }))
    };
    for kind in ["scope2", "scope3", "biogenic", "credit", "outside"] {
        assert_eq!(post(kind, Value::Null, &scope1).problem(), "422 invalid-input /kind", "{kind}");
    }
    assert_eq!(post("scope3", json!(7), &travel).problem(), "422 invalid-input /category");
    assert_eq!(post("scope1", Value::Null, &scope1).created()["kind"], "scope1");
    assert_eq!(post("scope3", json!(6), &travel).created()["category"], 6);
    assert_eq!(post("scope3", Value::Null, &travel).created()["category"], 6, "that of the node above");
    assert_eq!(post("scope3", Value::Null, &scope3).created()["category"], Value::Null);
    let one = format!("/v1/scope/{travel}");
    let refused = |body: Value| admin.patch(&one, &body).problem();
    assert_eq!(refused(json!({ "kind": "scope1", "category": null })), "422 invalid-input /kind");
    assert_eq!(refused(json!({ "parent": to(&scope1) })), "422 invalid-input /parent/uuid");
    let waste = admin.category(&scope3, 5);
    assert_eq!(refused(json!({ "parent": to(&waste) })), "422 invalid-input /parent/uuid");
    assert_eq!(refused(json!({ "parent": to(&waste), "category": 7 })), "422 invalid-input /category");
    assert_eq!(admin.patch(&one, &json!({ "parent": to(&waste), "category": 5 })).ok()["category"], 5);
}

#[test]
fn kind_and_category_change_with_the_whole_subtree_in_one_request() {
    let service = Service::start();
    let admin = service.admin();
    let scope3 = admin.scope("scope3");
    let below = |name: &str, category: Value, parent: &str| {
        let body = json!({ "name": name, "kind": "scope3", "category": category, "parent": to(parent) });
        admin.post("/v1/scope", &body).uuid()
    };
    let travel = below("Travel", json!(6), &scope3);
    let flights = below("Flights", json!(6), &travel);
    let far = below("Far", json!(6), &flights);
    admin.activity(json!({ "scope": to(&far), "DownstreamCO2e": "5" }));
    let numbers = || admin.get(&format!("/v1/scope/{far}")).ok()["updated"].clone();
    let before = numbers();
    admin.patch(&format!("/v1/scope/{travel}"), &json!({ "category": 7 })).expect(200);
    let expected = [
        "scope3: scope3 null below -",
        "Travel: scope3 7 below scope3",
        "Flights: scope3 7 below Travel",
        "Far: scope3 7 below Flights",
    ];
    assert_eq!(tree(&admin), expected);
    assert_ne!(numbers(), before, "a node that changes with the one above is a changed record");
    let blocked = admin.patch(&format!("/v1/scope/{scope3}"), &json!({ "category": 1 }));
    assert_eq!(blocked.problem(), "422 invalid-input /category /category /category");
    assert_eq!(tree(&admin), expected);
    assert_eq!(admin.get("/v1/activity").ok()["CO2e"], "5");
    admin.patch(&format!("/v1/scope/{scope3}"), &json!({ "kind": "outside" })).expect(200);
    let expected = [
        "scope3: outside null below -",
        "Travel: outside null below scope3",
        "Flights: outside null below Travel",
        "Far: outside null below Flights",
    ];
    assert_eq!(tree(&admin), expected);
    let report = admin.get("/v1/activity").ok();
    assert_eq!([&report["CO2e"], &report["outsideCO2e"]], ["0", "5"]);
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
