//! `/v1/key`: credentials that are presented as they are.

use domain::Timestamp;

use super::harness::{Client, Service, Value, json};
use super::problem::{no_names, refuses, requires};

/// A new key that may read activities.
fn made(admin: &Client) -> Value {
    admin.post("/v1/key", &json!({ "name": "Dashboard", "permissions": ["activity:read"] })).created()
}

#[test]
fn a_new_key_is_shown_this_once_and_its_beginning_always() {
    let service = Service::start();
    let admin = service.admin();
    let answer = admin.post("/v1/key", &json!({ "name": "Dashboard", "permissions": ["activity:read"] })).expect(201);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let key = answer.json();
    let (uuid, secret) = (key["uuid"].as_str().unwrap(), key["key"].as_str().unwrap());
    let prefix = key["prefix"].as_str().unwrap();
    let expected = json!({
        "uuid": uuid,
        "key": secret,
        "prefix": prefix,
        "name": "Dashboard",
        "permissions": ["activity:read"],
        "expires": null,
        "lastUsed": null,
        "created": key["created"],
        "updated": key["created"],
    });
    assert_eq!(key, expected);
    assert!(secret.starts_with("tonne_") && secret.starts_with(prefix) && secret.len() >= 6 + 43);
    assert!(prefix.len() > 6 && prefix.len() < 16, "{prefix}");
    let location = answer.header("location").unwrap();
    assert_eq!(location, format!("{}/v1/key/{uuid}", service.base()));
    for text in [admin.get(location).expect(200).text(), admin.get("/v1/key").expect(200).text()] {
        assert!(text.contains(prefix) && !text.contains(secret));
    }
    service.anybody().with_key(secret).get("/v1/activity").expect(200);
}

#[test]
fn each_member_that_is_wrong_is_named() {
    let service = Service::start();
    let admin = service.admin();
    let post = |body: &Value| admin.post("/v1/key", body);
    let good = json!({ "name": "Dashboard", "permissions": ["activity:read"] });
    requires(post, &good, &["name", "permissions"]);
    let cases = [
        ("/name", no_names()),
        ("/permissions", json!(["admin", 7, {}, []])),
        ("/permissions/0", json!([[7], [null], [""], ["read"], ["activity:read,admin"]])),
        ("/expires", json!([7, {}, "", "tomorrow", "2999-02-30", "2020-01-01T00:00:00Z"])),
        ("/key", json!(["tonne_x", null])),
        ("/prefix", json!(["tonne_"])),
        ("/lastUsed", json!([null])),
    ];
    refuses(post, &good, &cases);
    let one = format!("/v1/key/{}", post(&good).uuid());
    refuses(|body| admin.patch(&one, body), &json!({}), &cases);
    refuses(|body| admin.patch(&one, body), &json!({}), &[("/name", json!([null])), ("/permissions", json!([null]))]);
}

#[test]
fn every_permission_can_be_held_once() {
    let service = Service::start();
    let admin = service.admin();
    let read = ["activity:read", "switch:read", "model:read", "footprint:read", "catalog:read"];
    let write = ["activity:write", "switch:write", "model:write", "footprint:write", "catalog:write"];
    for permission in read.into_iter().chain(write).chain(["activity:report", "footprint:review", "admin"]) {
        let body = json!({ "name": "A", "permissions": [permission, permission] });
        assert_eq!(admin.post("/v1/key", &body).created()["permissions"], json!([permission]));
    }
}

#[test]
fn a_change_takes_effect_at_once() {
    let service = Service::start();
    let admin = service.admin();
    let key = made(&admin);
    let one = format!("/v1/key/{}", key["uuid"].as_str().unwrap());
    let caller = service.anybody().with_key(key["key"].as_str().unwrap());
    caller.get("/v1/activity").expect(200);
    assert_eq!(caller.get("/v1/switch").status, 403);
    let changed = admin.patch(&one, &json!({ "permissions": ["switch:read"], "expires": "2999-01-01T00:00:00+01:00" }));
    assert_eq!(changed.ok()["expires"], "2998-12-31T23:00:00.000Z");
    assert_eq!(caller.get("/v1/activity").status, 403);
    caller.get("/v1/switch").expect(200);
    assert_eq!(admin.patch(&one, &json!({ "expires": null })).ok()["expires"], Value::Null);
    let tag = admin.get(&one).etag();
    admin.patch(&one, &json!({ "name": "B" })).expect(200);
    let stale = admin.request("PATCH", &one).header("If-Match", &tag).json(&json!({ "name": "C" })).send();
    assert_eq!(stale.problem(), "412 stale");
}

#[test]
fn a_removed_key_is_worth_nothing_at_once() {
    let service = Service::start();
    let admin = service.admin();
    let key = made(&admin);
    let one = format!("/v1/key/{}", key["uuid"].as_str().unwrap());
    let caller = service.anybody().with_key(key["key"].as_str().unwrap());
    caller.get("/v1/activity").expect(200);
    admin.delete(&one).expect(204);
    let refused = caller.get("/v1/activity");
    assert_eq!(refused.problem(), "401 unauthenticated");
    assert_eq!(refused.header("www-authenticate"), Some(r#"Bearer error="invalid_token""#));
    for answer in [admin.get(&one), admin.delete(&one), admin.patch(&one, &json!({}))] {
        assert_eq!(answer.problem(), "404 not-found");
    }
}

#[test]
fn a_key_that_ran_out_is_worth_nothing() {
    let service = Service::start();
    let admin = service.admin();
    let key = made(&admin);
    let changed = Timestamp::parse(key["created"].as_str().unwrap()).unwrap();
    let expires = Timestamp::from_millis(changed.millis() + 1_500).unwrap().to_string();
    let one = format!("/v1/key/{}", key["uuid"].as_str().unwrap());
    admin.patch(&one, &json!({ "expires": expires })).expect(200);
    let caller = service.anybody().with_key(key["key"].as_str().unwrap());
    let patience = std::time::Instant::now();
    let refused = loop {
        let answer = caller.get("/v1/activity");
        if answer.status != 200 {
            break answer;
        }
        assert!(patience.elapsed().as_secs() < 30, "still good after {expires}");
    };
    assert_eq!(refused.problem(), "401 unauthenticated");
    assert!(refused.text().contains("run out"), "{}", refused.text());
}

#[test]
fn keys_come_in_pages() {
    let service = Service::start();
    let admin = service.admin();
    made(&admin);
    let last = made(&admin);
    let page = admin.get("/v1/key?pageSize=2&page=2").ok();
    assert_eq!([&page["count"], &page["page"], &page["pageSize"]], [3, 2, 2]);
    assert_eq!(page["data"][0]["uuid"], last["uuid"]);
    assert_eq!(admin.get("/v1/key?pageSize=0").problem(), "400 invalid-parameters pageSize");
    // No key has a syncId: asked by one, as every collection can be, there is none.
    let none = json!({ "count": 0, "page": 1, "pageSize": 100, "data": [] });
    assert_eq!(admin.get("/v1/key?syncId=x").ok(), none);
    assert_eq!(admin.get("/v1/key?syncId=").problem(), "400 invalid-parameters syncId");
}
