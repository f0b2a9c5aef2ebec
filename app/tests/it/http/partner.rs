//! `/v1/partner`, and what is shared with partners.

use super::footprint::examples::{v2, v3, with};
use super::harness::{Answer, Client, Service, Value, json};
use super::token;

const PATH: &str = "/v1/partner";

/// A partner with that name, by its uuid.
fn added(admin: &Client, name: &str) -> String {
    admin.post(PATH, &json!({ "name": name, "baseUrl": "https://pact.example.com/" })).uuid()
}

/// New credentials of the partner.
#[track_caller]
fn credentials(admin: &Client, partner: &str) -> Value {
    let answer = admin.post(&format!("{PATH}/{partner}/client"), &Value::Null).expect(200);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    answer.json()
}

/// The partner, as it calls with new credentials.
fn calling(service: &Service, partner: &str) -> Client {
    token::caller(service, &credentials(&service.admin(), partner))
}

/// A footprint that both versions show, by its uuid.
fn footprint(admin: &Client) -> String {
    admin.post("/v1/footprint", &with(v2(), "/pcf/productMassPerDeclaredUnit", Some(json!("1")))).uuid()
}

#[track_caller]
fn share(admin: &Client, footprint: &str, body: &Value) -> Value {
    admin.put(&format!("/v1/footprint/{footprint}/sharing"), body).ok()
}

/// The ids of a list.
#[track_caller]
fn listed(client: &Client, path: &str) -> Vec<String> {
    let all = client.get(path).ok();
    all["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

#[track_caller]
fn is_refused(answer: &Answer) {
    assert_eq!((answer.status, &answer.json()["code"]), (403, &json!("AccessDenied")));
}

#[test]
fn a_partner_is_read_as_it_was_written_but_for_its_secret() {
    let service = Service::start();
    let admin = service.admin();
    let body = json!({
        "name": "Alloys", "baseUrl": "https://pact.example.com/sub/", "authUrl": "https://login.example.com",
        "clientId": "tonne", "clientSecret": "hush hush", "privateAddresses": true,
        "aliases": [{ "theirs": "urn:a:1", "ours": "urn:b:1" }],
    });
    let answer = admin.post(PATH, &body).expect(201);
    assert!(!answer.text().contains("hush"), "{answer:?}");
    let one = answer.json();
    assert_eq!((&one["baseUrl"], &one["hasSecret"]), (&json!("https://pact.example.com/sub"), &json!(true)));
    assert_eq!((&one["plainHttp"], &one["clients"], &one["heard"]), (&json!(false), &json!([]), &Value::Null));
    assert_eq!((&one["aliases"], &one["clientId"]), (&body["aliases"], &body["clientId"]));
    let at = format!("{PATH}/{}", one["uuid"].as_str().unwrap());
    assert_eq!(admin.get(&at).ok(), one);
    assert_eq!(admin.get(PATH).ok()["data"], json!([one]));
    let changed = admin.patch(&at, &json!({ "authUrl": null, "aliases": [] })).ok();
    assert_eq!(
        (&changed["authUrl"], &changed["aliases"], &changed["hasSecret"]),
        (&Value::Null, &json!([]), &json!(true))
    );
    for (member, value) in [("clientSecret", Value::Null), ("clients", json!([])), ("name", Value::Null)] {
        assert_eq!(admin.patch(&at, &json!({ member: value })).expect(422).places(), [format!("/{member}")]);
    }
    admin.delete(&at).expect(204);
    admin.get(&at).expect(404);
}

#[test]
fn all_faults_of_a_partner_are_told_at_once() {
    let service = Service::start();
    let admin = service.admin();
    let places = |body: Value| admin.post(PATH, &body).expect(422).places();
    assert_eq!(places(json!({})), ["/baseUrl", "/name"]);
    let faulty = json!({
        "name": "", "baseUrl": "ftp://a.example", "authUrl": "https://a.example/?x", "clientSecret": "", "colour": 1,
        "aliases": [{ "theirs": "a" }], "plainHttp": "no",
    });
    let all = ["/aliases/0/ours", "/authUrl", "/baseUrl", "/clientSecret", "/colour", "/name", "/plainHttp"];
    assert_eq!(places(faulty), all);
    let plain = json!({ "name": "A", "baseUrl": "http://a.example", "clientSecret": "x" });
    assert_eq!(places(plain), ["/baseUrl", "/clientId"]);
    let twice = json!([{ "theirs": "urn:a:1", "ours": "x" }, { "theirs": "URN:a:1", "ours": "y" }]);
    assert_eq!(places(json!({ "name": "A", "baseUrl": "https://a.example", "aliases": twice })), ["/aliases/1/theirs"]);
}

#[test]
fn a_footprint_is_private_until_it_is_shared() {
    let service = Service::start();
    let admin = service.admin();
    let [one, other] = ["One", "Other"].map(|name| added(&admin, name));
    let [first, second] = [&one, &other].map(|partner| calling(&service, partner));
    let id = footprint(&admin);
    let nobody = "00000000-0000-4000-8000-000000000000";
    let expect = |client: &Client, is_shared: bool| {
        for version in [2, 3] {
            let all = listed(client, &format!("/{version}/footprints"));
            assert_eq!(all, if is_shared { vec![id.clone()] } else { Vec::new() });
            let got = client.get(&format!("/{version}/footprints/{id}"));
            if is_shared {
                drop(got.expect(200));
            } else {
                is_refused(&got);
            }
            client.get(&format!("/{version}/footprints/{nobody}")).expect(404);
        }
    };
    let at = format!("/v1/footprint/{id}/sharing");
    assert_eq!(admin.get(&at).ok(), json!({ "all": false, "partners": [] }));
    for client in [&first, &second] {
        expect(client, false);
    }
    assert_eq!(share(&admin, &id, &json!({ "partners": [one] })), json!({ "all": false, "partners": [one] }));
    expect(&first, true);
    expect(&second, false);
    share(&admin, &id, &json!({ "all": true }));
    expect(&second, true);
    share(&admin, &id, &json!({}));
    expect(&first, false);
    let own = service.caller("footprint:read");
    assert_eq!(listed(&own, "/3/footprints"), [id]);
}

#[test]
fn a_partner_finds_footprints_by_its_own_product_ids_and_is_shown_them_beside_ours() {
    let service = Service::start();
    let admin = service.admin();
    let partner = added(&admin, "Buyer");
    let client = calling(&service, &partner);
    let id = footprint(&admin);
    share(&admin, &id, &json!({ "partners": [partner] }));
    let ours = client.get(&format!("/3/footprints/{id}")).ok()["data"]["productIds"].clone();
    let aliases = json!([{ "theirs": "urn:buyer:part:7", "ours": ours[0] }, { "theirs": "part 8", "ours": ours[0] }]);
    admin.patch(&format!("{PATH}/{partner}"), &json!({ "aliases": aliases })).expect(200);
    let mut both = ours.clone();
    both.as_array_mut().unwrap().push(json!("urn:buyer:part:7"));
    for path in [
        "/3/footprints?productId=URN:buyer:part:7",
        "/2/footprints?$filter=productIds/any(p:(p%20eq%20'urn:buyer:part:7'))",
    ] {
        let found = client.get(path).ok()["data"].clone();
        assert_eq!((&found[0]["id"], &found[0]["productIds"]), (&json!(id), &both), "{path}");
    }
    assert_eq!(client.get(&format!("/2/footprints/{id}")).ok()["data"]["productIds"], both);
    // Nobody else knows it by that name.
    assert_eq!(admin.get("/3/footprints?productId=urn:buyer:part:7").ok()["data"], json!([]));
    assert_eq!(admin.get(&format!("/3/footprints/{id}")).ok()["data"]["productIds"], ours);
}

#[test]
fn a_walk_with_a_limit_gives_a_partner_what_is_shared_and_nothing_else() {
    let service = Service::start();
    let admin = service.admin();
    let partner = added(&admin, "One");
    let client = calling(&service, &partner);
    let all: Vec<_> = (0..7).map(|_| admin.post("/v1/footprint", &v3()).uuid()).collect();
    let shared: Vec<_> = all.iter().step_by(2).cloned().collect();
    for id in &shared {
        share(&admin, id, &json!({ "partners": [partner] }));
    }
    let mut found = Vec::new();
    let mut at = Some("/3/footprints?limit=1".to_owned());
    while let Some(path) = at {
        let answer = client.get(&path).expect(200);
        let ids = answer.json();
        found.extend(ids["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()));
        at = answer.header("link").map(|link| link[1..link.find('>').unwrap()].to_owned());
    }
    assert_eq!(found, shared);
}

#[test]
fn the_list_of_the_interface_and_records_are_closed_to_partners() {
    let service = Service::start();
    let admin = service.admin();
    let partner = added(&admin, "One");
    let client = calling(&service, &partner);
    let id = footprint(&admin);
    share(&admin, &id, &json!({ "all": true }));
    for path in [
        "/pact/2/footprints".to_owned(),
        "/pact/2/footprints?limit=1".to_owned(),
        format!("/v1/footprint/{id}"),
        PATH.to_owned(),
    ] {
        client.get(&path).expect(403);
    }
    service.caller("footprint:read").get("/pact/2/footprints").expect(200);
}

#[test]
fn earlier_credentials_serve_beside_new_ones_for_a_while() {
    let service = Service::start();
    let admin = service.admin();
    let partner = added(&admin, "One");
    let first = credentials(&admin, &partner);
    assert_eq!((&first["permissions"], &first["expires"]), (&json!(["footprint:read"]), &Value::Null));
    let second = credentials(&admin, &partner);
    for client in [&first, &second] {
        token::caller(&service, client).get("/3/footprints").expect(200);
    }
    let known = admin.get(&format!("{PATH}/{partner}")).ok();
    assert_eq!(known["clients"], json!([first["client_id"], second["client_id"]]));
    let at = |client: &Value| format!("/v1/client/{}", client["client_id"].as_str().unwrap());
    assert!(admin.get(&at(&first)).ok()["expires"].is_string());
    assert_eq!(admin.get(&at(&second)).ok()["expires"], Value::Null);
}

#[test]
fn with_a_partner_go_its_credentials_and_what_was_shared_with_it() {
    let service = Service::start();
    let admin = service.admin();
    let [one, other] = ["One", "Other"].map(|name| added(&admin, name));
    let new = credentials(&admin, &one);
    let client = token::caller(&service, &new);
    let [both, alone] = [&[one.clone(), other.clone()][..], std::slice::from_ref(&one)].map(|partners| {
        let id = footprint(&admin);
        share(&admin, &id, &json!({ "partners": partners }));
        id
    });
    admin.delete(&format!("{PATH}/{one}")).expect(204);
    let refused = client.get("/3/footprints");
    assert!(matches!(refused.status, 400 | 401), "{refused:?}");
    admin.get(&format!("/v1/client/{}", new["client_id"].as_str().unwrap())).expect(404);
    let sharing = |id: &str| admin.get(&format!("/v1/footprint/{id}/sharing")).ok();
    assert_eq!(sharing(&both), json!({ "all": false, "partners": [other] }));
    assert_eq!(sharing(&alone), json!({ "all": false, "partners": [] }));
}

#[test]
fn what_is_shared_with_nobody_known_is_refused_and_the_version_seen_is_compared() {
    let service = Service::start();
    let admin = service.admin();
    let partner = added(&admin, "One");
    let id = footprint(&admin);
    let at = format!("/v1/footprint/{id}/sharing");
    let nobody = "00000000-0000-7000-8000-000000000000";
    let refused = admin.put(&at, &json!({ "partners": [partner, nobody], "all": true, "some": 1 })).expect(422);
    assert_eq!(refused.places(), ["/partners", "/partners/1", "/some"]);
    let seen = admin.get(&at).expect(200).etag();
    share(&admin, &id, &json!({ "all": true }));
    admin.request("PUT", &at).header("If-Match", &seen).json(&json!({})).send().expect(412);
    admin.put(&format!("/v1/footprint/{nobody}/sharing"), &json!({})).expect(404);
}

#[test]
fn a_partners_client_is_given_no_more_than_reading() {
    let service = Service::start();
    let admin = service.admin();
    let partner = admin.post("/v1/partner", &json!({ "name": "A", "baseUrl": "https://a.example" })).uuid();
    let client = admin.post(&format!("/v1/partner/{partner}/client"), &Value::Null).ok();
    let path = format!("/v1/client/{}", client["uuid"].as_str().unwrap());
    for permissions in [json!(["admin"]), json!(["footprint:read", "activity:read"])] {
        let refused = admin.patch(&path, &json!({ "permissions": permissions })).expect(422);
        assert_eq!(refused.places(), ["/permissions"]);
    }
    admin.patch(&path, &json!({ "name": "Buyer's system", "permissions": ["footprint:read"] })).expect(200);
}

#[test]
fn a_partner_stays_heard_when_the_client_that_it_was_heard_by_is_gone() {
    let service = Service::start();
    let admin = service.admin();
    let partner = admin.post("/v1/partner", &json!({ "name": "A", "baseUrl": "https://a.example" })).uuid();
    let path = format!("/v1/partner/{partner}");
    let first = admin.post(&format!("{path}/client"), &Value::Null).ok();
    token::caller(&service, &first).get("/3/footprints").expect(200);
    let end = std::time::Instant::now() + std::time::Duration::from_mins(1);
    let mut heard = Value::Null;
    while heard.is_null() {
        assert!(std::time::Instant::now() < end, "not heard");
        std::thread::yield_now();
        heard = admin.get(&path).ok()["heard"].clone();
    }
    admin.post(&format!("{path}/client"), &Value::Null).expect(200);
    admin.delete(&format!("/v1/client/{}", first["uuid"].as_str().unwrap())).expect(204);
    assert_eq!(admin.get(&path).ok()["heard"], heard);
}
