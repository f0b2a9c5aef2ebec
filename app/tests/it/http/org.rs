//! `/v1/org`: organisation units.

use super::harness::{Service, Value, json, to};
use super::problem::{refuses, refuses_references, requires};

#[test]
fn an_org_has_exactly_these_members() {
    let service = Service::start();
    let admin = service.admin();
    let group = admin.org("Group", None);
    let made = admin.post("/v1/org", &json!({ "name": "Works", "parent": to(&group), "syncId": "w" })).created();
    let expected = json!({
        "uuid": made["uuid"],
        "syncId": "w",
        "name": "Works",
        "parent": { "uuid": group, "name": "Group" },
        "region": null,
        "created": made["created"],
        "updated": made["created"],
    });
    assert_eq!(made, expected);
}

#[test]
fn each_member_that_is_wrong_is_named() {
    let service = Service::start();
    let admin = service.admin();
    let post = |body: &Value| admin.post("/v1/org", body);
    let good = json!({ "name": "A" });
    requires(post, &good, &["name"]);
    refuses(post, &good, &[("/kind", json!(["scope1"])), ("/slug", json!(["a"])), ("/Name", json!(["a"]))]);
    refuses_references(post, &good, "parent");
    let foreign = admin.scope("scope1");
    assert_eq!(post(&json!({ "name": "A", "parent": to(&foreign) })).problem(), "422 invalid-input /parent/uuid");
}

#[test]
fn a_parent_is_named_by_uuid_or_sync_id_or_as_it_was_read() {
    let service = Service::start();
    let admin = service.admin();
    let group = admin.post("/v1/org", &json!({ "name": "Group", "syncId": "g" })).uuid();
    for parent in [to(&group), json!({ "syncId": "g" }), json!({ "uuid": group.to_uppercase(), "name": "Group" })] {
        let made = admin.post("/v1/org", &json!({ "name": "Works", "parent": parent })).created();
        assert_eq!(made["parent"], json!({ "uuid": group, "name": "Group" }), "{parent}");
    }
}

#[test]
fn a_parent_that_makes_a_cycle_is_refused_and_any_other_move_is_not() {
    let service = Service::start();
    let admin = service.admin();
    let group = admin.org("Group", None);
    let works = admin.org("Works", Some(&group));
    let hall = admin.org("Hall", Some(&works));
    let other = admin.org("Other", None);
    let into = |node: &str, parent: Value| admin.patch(&format!("/v1/org/{node}"), &json!({ "parent": parent }));
    for (node, parent) in [(&group, &group), (&group, &works), (&group, &hall), (&works, &hall), (&hall, &hall)] {
        assert_eq!(into(node, to(parent)).problem(), "422 invalid-input /parent/uuid");
    }
    assert_eq!(into(&hall, to(&group)).ok()["parent"]["name"], "Group");
    assert_eq!(into(&works, to(&hall)).ok()["parent"]["name"], "Hall");
    assert_eq!(into(&hall, to(&works)).problem(), "422 invalid-input /parent/uuid");
    assert_eq!(into(&group, to(&other)).ok()["parent"]["name"], "Other");
    assert_eq!(into(&group, Value::Null).ok()["parent"], Value::Null);
}

#[test]
fn a_parent_s_new_name_is_read_below_it() {
    let service = Service::start();
    let admin = service.admin();
    let group = admin.org("Group", None);
    let works = format!("/v1/org/{}", admin.org("Works", Some(&group)));
    let before = admin.get(&works);
    admin.patch(&format!("/v1/org/{group}"), &json!({ "name": "Holding" })).expect(200);
    let after = admin.get(&works);
    assert_eq!(after.json()["parent"]["name"], "Holding");
    let known = admin.request("GET", &works).header("If-None-Match", before.etag()).send();
    assert_eq!(known.expect(200).json(), after.json());
    let rename = admin.request("PATCH", &works).header("If-Match", before.etag());
    rename.json(&json!({ "name": "Mill" })).send().expect(200);
}

#[test]
fn an_org_in_use_is_kept_and_says_by_what() {
    let service = Service::start();
    let admin = service.admin();
    let group = admin.org("Group", None);
    let works = admin.org("Works", Some(&group));
    admin.activity(json!({ "org": to(&group) }));
    let answer = admin.delete(&format!("/v1/org/{group}"));
    assert_eq!(answer.problem(), "409 conflict");
    for by in ["1 org", "1 activity"] {
        assert!(answer.text().contains(by), "{}", answer.text());
    }
    admin.delete(&format!("/v1/org/{works}")).expect(204);
    assert!(!admin.delete(&format!("/v1/org/{group}")).text().contains("1 org"));
}
