//! Requests that are sent again with the same `Idempotency-Key`: carried out once, answered as the first time.

use super::footprint::publish;
use super::harness::{Answer, Client, Service, Value, activity, json, to};

/// Sends a body under that key.
#[track_caller]
fn keyed(client: &Client, path: &str, key: &str, body: &Value) -> Answer {
    client.request("POST", path).header("Idempotency-Key", key).json(body).send()
}

/// What belongs to the answer and not to the request: status, `Location`, `ETag`, `Content-Type` and body.
fn told(answer: &Answer) -> (u16, [Option<String>; 3], String) {
    let header = |name| answer.header(name).map(str::to_owned);
    (answer.status, ["location", "etag", "content-type"].map(header), answer.text().to_owned())
}

/// A body for each collection, and its path; what they refer to is made before.
fn bodies(admin: &Client) -> Vec<(String, Value)> {
    let product = admin.priced("kg", "2", "1");
    let other = admin.product("kg");
    let factor = json!({ "unit": "kg", "upstream": "3", "validFrom": "2025-01-01", "source": "Table" });
    let wrong = admin.post(&format!("/v1/product/{other}/factor"), &factor).uuid();
    let model = admin.post("/v1/model", &json!({ "name": "Box", "unit": "piece" })).uuid();
    let input = json!({ "name": "Sheet", "material": to(&product), "quantity": "2", "unit": "kg" });
    let correction = json!({ "unit": "kg", "upstream": "4", "source": "Table" });
    let renamed = admin.org("Jane Doe", None);
    admin.patch(&format!("/v1/org/{renamed}"), &json!({ "name": "Works" })).expect(200);
    let closed = admin.post("/v1/period", &json!({ "first": "2020-01-01", "last": "2020-12-31" })).uuid();
    vec![
        ("/v1/activity".to_owned(), activity(json!({ "product": to(&product), "quantity": "3", "unit": "kg" }))),
        ("/v1/scope".to_owned(), json!({ "name": "Scope 1", "kind": "scope1" })),
        ("/v1/org".to_owned(), json!({ "name": "North" })),
        ("/v1/taxonomy".to_owned(), json!({ "name": "Heating" })),
        ("/v1/product".to_owned(), json!({ "name": "Gas", "unit": "kWh" })),
        (
            format!("/v1/product/{other}/factor"),
            json!({
                "unit": "kg", "upstream": "9", "validFrom": "2026-01-01", "source": "Table",
            }),
        ),
        (format!("/v1/product/{other}/factor/{wrong}/correction"), correction),
        ("/v1/model".to_owned(), json!({ "name": "Crate", "unit": "piece" })),
        (format!("/v1/model/{model}/input"), input),
        ("/v1/switch".to_owned(), json!({ "name": "Wall" })),
        ("/v1/footprint".to_owned(), json!({ "companyName": "A" })),
        ("/v1/recalculation".to_owned(), json!({ "of": "incomplete" })),
        ("/v1/change/blank".to_owned(), json!({ "kind": "org", "uuid": renamed, "reason": "asked to be forgotten" })),
        ("/v1/exclusion".to_owned(), json!({ "category": 14, "firstYear": 2024, "reason": "There are no franchises" })),
        (format!("{}/footprint", publish::model(admin)), publish::said()),
        ("/v1/partner".to_owned(), json!({ "name": "Alloys", "baseUrl": "https://pact.example.com" })),
        (format!("/v1/period/{closed}/reopen"), json!({ "reason": "a meter was read wrongly" })),
    ]
}

#[test]
fn a_request_that_is_sent_again_is_carried_out_once_and_answered_as_the_first_time() {
    let service = Service::start();
    let admin = service.admin();
    for (path, body) in bodies(&admin) {
        let first = keyed(&admin, &path, "once", &body);
        assert!(matches!(first.status, 200 | 201), "{path}: {first:?}");
        let again = keyed(&admin, &path, "once", &body);
        assert_eq!(told(&again), told(&first), "{path}");
    }
    let records = [("activity", 1), ("scope", 1), ("product", 4), ("model", 3), ("switch", 1), ("footprint", 2)];
    for (path, count) in records.into_iter().chain([("exclusion", 1), ("partner", 1)]) {
        assert_eq!(admin.get(&format!("/v1/{path}")).ok()["count"], count, "{path}");
    }
}

#[test]
fn the_answer_stays_what_it_was_when_the_record_changes_or_goes() {
    let service = Service::start();
    let admin = service.admin();
    let first = keyed(&admin, "/v1/switch", "k", &json!({ "name": "Wall" })).expect(201);
    let one = first.header("location").unwrap().to_owned();
    assert_eq!(admin.get(&one).etag(), first.etag());
    admin.patch(&one, &json!({ "name": "Door" })).expect(200);
    assert_eq!(told(&keyed(&admin, "/v1/switch", "k", &json!({ "name": "Wall" }))), told(&first));
    admin.delete(&one).expect(204);
    assert_eq!(told(&keyed(&admin, "/v1/switch", "k", &json!({ "name": "Wall" }))), told(&first));
    assert_eq!(admin.get("/v1/switch").ok()["count"], 0);
}

#[test]
fn another_body_or_query_under_the_same_key_is_refused() {
    let service = Service::start();
    let admin = service.admin();
    keyed(&admin, "/v1/org", "k", &json!({ "name": "North" })).expect(201);
    let other = keyed(&admin, "/v1/org", "k", &json!({ "name": "South" }));
    assert_eq!(other.problem(), "422 idempotency-key-reused");
    // Whatever else is wrong with it.
    assert_eq!(keyed(&admin, "/v1/org", "k", &json!({})).problem(), "422 idempotency-key-reused");
    assert_eq!(admin.get("/v1/org").ok()["count"], 1);
    keyed(&admin, "/v1/recalculation", "k", &json!({})).expect(200);
    let preview = keyed(&admin, "/v1/recalculation?dryRun=false", "k", &json!({}));
    assert_eq!(preview.problem(), "422 idempotency-key-reused");
}

#[test]
fn a_key_is_its_senders_and_its_addresss_own() {
    let service = Service::start();
    let (one, other) = (service.admin(), service.admin());
    let body = json!({ "name": "North" });
    let uuids: Vec<_> = [(&one, "/v1/org"), (&other, "/v1/org"), (&one, "/v1/taxonomy"), (&one, "/v1/org")]
        .map(|(client, path)| keyed(client, path, "k", &body).uuid())
        .into();
    assert_eq!(uuids[3], uuids[0]);
    assert!(uuids[0] != uuids[1] && uuids[0] != uuids[2]);
    assert_ne!(keyed(&one, "/v1/org", "l", &body).uuid(), uuids[0], "another key");
}

#[test]
fn a_key_of_one_company_is_none_of_another() {
    let service = Service::of(tonne::config::Mode::Path, |_| {});
    let (one, other) = (service.admin(), service.company("another-one").admin());
    let body = json!({ "name": "North" });
    assert_ne!(keyed(&one, "/v1/org", "k", &body).uuid(), keyed(&other, "/v1/org", "k", &body).uuid());
}

#[test]
fn what_was_refused_is_not_kept() {
    let service = Service::start();
    let admin = service.admin();
    let body = json!({ "name": "North", "syncId": "north", "parent": { "syncId": "group" } });
    assert_eq!(keyed(&admin, "/v1/org", "k", &body).problem(), "422 invalid-input /parent/syncId");
    assert_eq!(service.caller("catalog:read").request("POST", "/v1/org").json(&body).send().status, 403);
    admin.post("/v1/org", &json!({ "name": "Group", "syncId": "group" })).expect(201);
    let made = keyed(&admin, "/v1/org", "k", &body).uuid();
    assert_eq!(keyed(&admin, "/v1/org", "k", &body).uuid(), made);
    // Under another key the record is in the way.
    assert_eq!(keyed(&admin, "/v1/org", "l", &body).problem(), "409 conflict /syncId");
}

#[test]
fn a_key_is_1_to_255_visible_ascii_characters_sent_once() {
    let service = Service::start();
    let admin = service.admin();
    let body = json!({ "name": "North" });
    let (longest, longer) = ("k".repeat(255), "k".repeat(256));
    for good in ["a", "\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", longest.as_str()] {
        let uuid = keyed(&admin, "/v1/org", good, &body).uuid();
        assert_eq!(keyed(&admin, "/v1/org", good, &body).uuid(), uuid);
    }
    for bad in ["", "a b", "caf\u{e9}", longer.as_str()] {
        let refused = keyed(&admin, "/v1/org", bad, &body);
        assert_eq!(refused.problem(), "400 malformed-request Idempotency-Key", "{bad}");
    }
    let twice = admin.request("POST", "/v1/org").header("Idempotency-Key", "a").header("idempotency-key", "b");
    assert_eq!(twice.json(&body).send().problem(), "400 malformed-request Idempotency-Key");
    // Together with what is wrong with the body.
    assert_eq!(keyed(&admin, "/v1/org", "a b", &json!({})).problem(), "400 malformed-request /name Idempotency-Key");
}

#[test]
fn of_many_that_are_sent_at_the_same_time_one_is_carried_out() {
    let service = Service::start();
    let admin = service.admin();
    let body = activity(json!({ "UpstreamCO2e": "2.5" }));
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let sent: Vec<_> = (0..8).map(|_| scope.spawn(|| keyed(&admin, "/v1/activity", "at-once", &body))).collect();
        sent.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let first = keyed(&admin, "/v1/activity", "at-once", &body).expect(201);
    for answer in &answers {
        match answer.status {
            201 => assert_eq!(told(answer), told(&first)),
            _ => assert_eq!(answer.problem(), "409 conflict"),
        }
    }
    assert!(answers.iter().any(|answer| answer.status == 201));
    assert_eq!(admin.get("/v1/activity").ok()["count"], 1);
}

#[test]
fn a_recalculation_is_written_once_and_previewed_each_time() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.product("kg");
    let burnt = || admin.activity(json!({ "product": to(&product), "quantity": "10", "unit": "kg" }));
    burnt();
    admin.factor(&product, "kg", [json!("2"), json!(null)], "2020-01-01");
    let preview = || keyed(&admin, "/v1/recalculation?dryRun=true", "p", &json!({})).ok();
    assert_eq!(preview()["changed"], 1);
    let first = keyed(&admin, "/v1/recalculation", "r", &json!({})).expect(200);
    assert_eq!((first.json()["changed"].clone(), first.json()["CO2eAfter"].clone()), (json!(1), json!("20")));
    assert_eq!(preview()["changed"], 0, "a preview is of today");
    assert_eq!(told(&keyed(&admin, "/v1/recalculation", "r", &json!({}))), told(&first));
}

#[test]
fn a_secret_is_shown_once_and_a_repeat_names_what_was_made() {
    let service = Service::start();
    let admin = service.admin();
    let body = json!({ "name": "Dashboard", "permissions": ["activity:read"] });
    for (path, member) in [("/v1/key", "key"), ("/v1/client", "client")] {
        let made = keyed(&admin, path, "k", &body).created();
        let uuid = made["uuid"].as_str().unwrap();
        let again = keyed(&admin, path, "k", &body);
        assert_eq!(again.problem(), "409 conflict");
        let detail = again.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(&format!("the {member} {uuid}")), "{detail}");
        let other = json!({ "name": "Other", "permissions": ["activity:read"] });
        assert_eq!(keyed(&admin, path, "k", &other).problem(), "422 idempotency-key-reused");
        assert_eq!(keyed(&admin, path, "l", &other).status, 201);
    }
    let client = admin.get("/v1/client").ok()["data"][0]["uuid"].as_str().unwrap().to_owned();
    let partner = admin.post("/v1/partner", &json!({ "name": "Alloys", "baseUrl": "https://pact.example.com" })).uuid();
    // Both take no body and are answered 200.
    let paths = [format!("/v1/client/{client}/secret"), format!("/v1/partner/{partner}/client")];
    for path in &paths {
        let send = || admin.request("POST", path).header("Idempotency-Key", "r").send();
        let first = send().ok();
        let again = send();
        assert_eq!(again.problem(), "409 conflict", "{path}");
        assert!(again.text().contains(first["uuid"].as_str().unwrap()), "{path}: {again:?}");
        assert!(first["client_secret"].is_string() && !again.text().contains("client_secret"), "{path}");
    }
    let partner = admin.get(&format!("/v1/partner/{partner}")).ok();
    assert_eq!(partner["clients"].as_array().unwrap().len(), 1);
}

#[test]
fn the_document_names_the_header_on_every_post_of_a_tenants_data_but_rows() {
    let document: Value = serde_json::from_str(&super::harness::DOCUMENT.to_string()).unwrap();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let Some(post) = methods.get("post").filter(|_| path.starts_with("/v1/")) else { continue };
        let names: Vec<_> = post["parameters"].as_array().into_iter().flatten().map(|one| &one["name"]).collect();
        // Rows are told apart by their syncId, and sending what waits is the same however often it is asked for.
        if ["/v1/activity/batch", "/v1/partner/{uuid}/retry"].contains(&path.as_str()) {
            assert!(!names.contains(&&json!("Idempotency-Key")), "{path}");
            continue;
        }
        assert!(names.contains(&&json!("Idempotency-Key")), "{path}");
        assert!(post["responses"].get("409").is_some(), "{path}");
    }
}
