//! `/v1/client`: machine credentials that get tokens.

use super::harness::{Client, Service, Value, json};
use super::problem::{no_names, refuses, requires};
use super::token::{self, basic};

/// The status of the token endpoint's answer to a client.
fn asks(service: &Service, client: &Value, secret: &Value) -> u16 {
    let authorization = basic(client["client_id"].as_str().unwrap(), secret.as_str().unwrap());
    token::ask(service, &authorization, "grant_type=client_credentials").status
}

/// A new client that may read activities.
fn made(admin: &Client) -> Value {
    admin.post("/v1/client", &json!({ "name": "ERP", "permissions": ["activity:read"] })).created()
}

#[test]
fn a_new_client_shows_its_secret_this_once() {
    let service = Service::start();
    let admin = service.admin();
    let body = json!({ "name": " ERP ", "permissions": ["switch:write", "activity:read"], "expires": "2999-12-31" });
    let answer = admin.post("/v1/client", &body).expect(201);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let client = answer.json();
    let (uuid, secret) = (client["uuid"].as_str().unwrap(), client["client_secret"].as_str().unwrap());
    let expected = json!({
        "uuid": uuid,
        "client_id": uuid,
        "client_secret": secret,
        "name": "ERP",
        "permissions": ["activity:read", "switch:write"],
        "expires": "2999-12-31T23:59:59.000Z",
        "lastUsed": null,
        "created": client["created"],
        "updated": client["created"],
    });
    assert_eq!(client, expected);
    assert!(secret.len() >= 43, "256 bits take 43 characters");
    let location = answer.header("location").unwrap();
    assert_eq!(location, format!("{}/v1/client/{uuid}", service.base()));
    let one = admin.get(location).expect(200);
    assert!(!one.text().contains(secret) && one.json().get("client_secret").is_none());
    let mut shown = client.clone();
    shown.as_object_mut().unwrap().remove("client_secret");
    assert_eq!(one.json(), shown);
    let list = admin.get("/v1/client").ok();
    assert_eq!(list, json!({ "count": 1, "page": 1, "pageSize": 100, "data": [shown] }));
}

#[test]
fn each_member_that_is_wrong_is_named() {
    let service = Service::start();
    let admin = service.admin();
    let post = |body: &Value| admin.post("/v1/client", body);
    let good = json!({ "name": "ERP", "permissions": ["activity:read"] });
    requires(post, &good, &["name", "permissions"]);
    let cases = [
        ("/name", no_names()),
        ("/permissions", json!(["admin", 7, {}, []])),
        (
            "/permissions/0",
            json!([[7], [null], [""], ["Admin"], ["activity"], ["activity:read,admin"], ["activity:read admin"]]),
        ),
        ("/permissions/1", json!([["admin", "everything"]])),
        (
            "/expires",
            json!([7, {}, "", "tomorrow", "2999-02-30", "2999-12-31T00:00:60Z", "2020-01-01", "2020-01-01T00:00:00Z"]),
        ),
        ("/syncId", json!(["x", null])),
        ("/client_id", json!(["x"])),
        ("/client_secret", json!(["x", null])),
        ("/lastUsed", json!([null])),
    ];
    refuses(post, &good, &cases);
    let one = format!("/v1/client/{}", post(&good).uuid());
    refuses(|body| admin.patch(&one, body), &json!({}), &cases);
    refuses(|body| admin.patch(&one, body), &json!({}), &[("/name", json!([null])), ("/permissions", json!([null]))]);
}

#[test]
fn a_change_takes_effect_at_once_on_tokens_too() {
    let service = Service::start();
    let admin = service.admin();
    let client = made(&admin);
    let one = format!("/v1/client/{}", client["uuid"].as_str().unwrap());
    let caller = token::caller(&service, &client);
    caller.get("/v1/activity").expect(200);
    let changed = admin.patch(&one, &json!({ "permissions": ["switch:read"], "name": "MES", "expires": null })).ok();
    assert_eq!([&changed["permissions"], &changed["name"]], [&json!(["switch:read"]), &json!("MES")]);
    assert_eq!(caller.get("/v1/activity").problem(), "403 missing-permission");
    assert_eq!(caller.get("/v1/switch").problem(), "403 missing-permission", "a token never grows");
    token::caller(&service, &client).get("/v1/switch").expect(200);
    let tag = admin.get(&one).etag();
    admin.patch(&one, &json!({ "name": "ERP" })).expect(200);
    let stale = admin.request("PATCH", &one).header("If-Match", &tag).json(&json!({ "name": "MES" })).send();
    assert_eq!(stale.problem(), "412 stale");
    assert_eq!(admin.request("DELETE", &one).header("If-Match", &tag).send().problem(), "412 stale");
}

#[test]
fn a_new_secret_ends_the_old_one_at_once() {
    let service = Service::start();
    let admin = service.admin();
    let client = made(&admin);
    let path = format!("/v1/client/{}/secret", client["uuid"].as_str().unwrap());
    let rotated = admin.request("POST", &path).send().expect(200);
    assert_eq!(rotated.header("cache-control"), Some("no-store"));
    let rotated = rotated.json();
    assert_eq!([&rotated["client_id"], &rotated["name"]], [&client["client_id"], &client["name"]]);
    assert_ne!(rotated["client_secret"], client["client_secret"]);
    assert_eq!(asks(&service, &client, &client["client_secret"]), 401);
    assert_eq!(asks(&service, &client, &rotated["client_secret"]), 200);
}

#[test]
fn a_new_secret_of_a_client_that_was_changed_meanwhile_is_412_with_its_present_tag() {
    let service = Service::start();
    let admin = service.admin();
    let client = made(&admin);
    let one = format!("/v1/client/{}", client["uuid"].as_str().unwrap());
    let tag = admin.get(&one).etag();
    let changed = admin.patch(&one, &json!({ "name": "Another name" })).expect(200).etag();
    let rotate = |tag: &str| admin.request("POST", &format!("{one}/secret")).header("If-Match", tag).send();
    let stale = rotate(&tag);
    assert_eq!((stale.problem().as_str(), stale.etag()), ("412 stale", changed.clone()));
    assert_eq!(asks(&service, &client, &client["client_secret"]), 200, "the old secret is good");
    rotate(&changed).expect(200);
    assert_eq!(asks(&service, &client, &client["client_secret"]), 401);
}

#[test]
fn a_removed_client_is_worth_nothing_at_once() {
    let service = Service::start();
    let admin = service.admin();
    let client = made(&admin);
    let one = format!("/v1/client/{}", client["uuid"].as_str().unwrap());
    let caller = token::caller(&service, &client);
    caller.get("/v1/activity").expect(200);
    admin.delete(&one).expect(204);
    assert_eq!(caller.get("/v1/activity").problem(), "401 unauthenticated");
    assert_eq!(asks(&service, &client, &client["client_secret"]), 401);
    for answer in [
        admin.get(&one),
        admin.delete(&one),
        admin.patch(&one, &json!({})),
        admin.request("POST", &format!("{one}/secret")).send(),
    ] {
        assert_eq!(answer.problem(), "404 not-found");
    }
    assert_eq!(admin.get("/v1/client").ok()["count"], 0);
}

#[test]
fn clients_come_in_pages_and_keys_are_none_of_them() {
    let service = Service::start();
    let admin = service.admin();
    let clients = [made(&admin), made(&admin), made(&admin)];
    let page = admin.get("/v1/client?pageSize=2&page=2").ok();
    assert_eq!([&page["count"], &page["page"], &page["pageSize"]], [3, 2, 2]);
    assert_eq!(page["data"][0]["uuid"], clients[2]["uuid"]);
    let key = admin.get("/v1/key").ok()["data"][0]["uuid"].as_str().unwrap().to_owned();
    assert_eq!(admin.get(&format!("/v1/client/{key}")).problem(), "404 not-found");
    let none = json!({ "count": 0, "page": 1, "pageSize": 100, "data": [] });
    assert_eq!(admin.get("/v1/client?syncId=x").ok(), none);
    assert_eq!(admin.get("/v1/client?syncId=").problem(), "400 invalid-parameters syncId");
    assert_eq!(admin.get("/v1/client/me").problem(), "400 malformed-request uuid");
}

#[test]
fn a_client_that_ran_out_gets_no_token() {
    let service = Service::start();
    let admin = service.admin();
    let client = made(&admin);
    let created = domain::Timestamp::parse(client["created"].as_str().unwrap()).unwrap();
    let expires = domain::Timestamp::from_millis(created.millis() + 1_500).unwrap().to_string();
    let one = format!("/v1/client/{}", client["uuid"].as_str().unwrap());
    let caller = token::caller(&service, &client);
    admin.patch(&one, &json!({ "expires": expires })).expect(200);
    let patience = std::time::Instant::now();
    while asks(&service, &client, &client["client_secret"]) == 200 {
        assert!(patience.elapsed().as_secs() < 30, "still good after {expires}");
    }
    assert_eq!(caller.get("/v1/activity").problem(), "401 unauthenticated", "its tokens ran out with it");
    admin.patch(&one, &json!({ "expires": null })).expect(200);
    assert_eq!(asks(&service, &client, &client["client_secret"]), 200);
}

#[test]
fn the_last_use_of_a_client_and_of_a_key_is_shown() {
    let service = Service::start();
    let admin = service.admin();
    let client = made(&admin);
    token::caller(&service, &client);
    let one = format!("/v1/client/{}", client["uuid"].as_str().unwrap());
    let key = format!("/v1/key/{}", admin.get("/v1/key").ok()["data"][0]["uuid"].as_str().unwrap());
    let patience = std::time::Instant::now();
    for path in [one, key] {
        let mut last_used = Value::Null;
        while last_used.is_null() {
            assert!(patience.elapsed().as_secs() < 30, "{path} was never used");
            last_used = admin.get(&path).ok()["lastUsed"].clone();
        }
        assert!(last_used.as_str() >= client["created"].as_str().map(|time| &time[..16]), "{last_used}");
    }
}
