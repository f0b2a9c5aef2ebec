//! A company asks, with credentials that may do everything in it, for what is another's: it gets what it gets for what
//! does not exist, byte for byte.

use super::{NOBODY, by_path, documented, named};
use crate::http::harness::{Client, Value, json, to};
use crate::http::operations::anything::records;

/// Makes the body of a request that refers to a record.
type Body<'a> = Box<dyn Fn(&str) -> Value + 'a>;

/// The path with the records of a company in it, if it has some for it: those of the collection that it is below.
fn at(path: &str, records: &std::collections::BTreeMap<&'static str, String>) -> Option<(String, Vec<String>)> {
    if !path.contains('{') {
        return None;
    }
    let parent = records.keys().filter(|name| !name.contains('{') && path.starts_with(&format!("{name}/"))).max()?;
    let (mut at, mut used) = (path.replacen("{uuid}", &records[parent], 1), vec![records[parent].clone()]);
    if at.contains("{id}") {
        let child = records.iter().find(|(name, _)| path.starts_with(&format!("{name}/{{id}}")))?;
        at = at.replacen("{id}", child.1, 1);
        used.push(child.1.clone());
    }
    Some((at, used))
}

/// What is sent to an operation that takes a body.
fn bodies(method: &str) -> Vec<Value> {
    match method {
        "GET" | "HEAD" | "DELETE" => vec![Value::Null],
        _ => vec![
            json!({}),
            json!([]),
            json!({ "name": "B" }),
            json!({ "status": "Deprecated" }),
            json!({ "name": "B", "quantity": 1, "unit": "kg" }),
            json!({ "unit": "kg", "upstream": "1", "validFrom": "2031-01-01", "source": "S" }),
        ],
    }
}

fn send(client: &Client, method: &str, path: &str, body: &Value) -> (u16, Vec<(String, String)>, String) {
    let request = named(client, method, path);
    let kind = if method == "PATCH" { "application/merge-patch+json" } else { "application/json" };
    let request = if body.is_null() { request } else { request.header("Content-Type", kind).body(body.to_string()) };
    request.send().all()
}

/// Everything that a company can read, with its bytes but for when a key was last used.
fn everything(client: &Client, paths: &[String]) -> Vec<(String, u16, String)> {
    let read = |path: &String| {
        let answer = named(client, "GET", path).send();
        let text = answer.text().split("\"lastUsed\":").enumerate();
        let text =
            text.map(|(n, part)| if n == 0 { part } else { part.split_once([',', '}']).map_or(part, |(_, p)| p) });
        (path.clone(), answer.status, text.collect::<String>())
    };
    paths.iter().map(read).collect()
}

#[test]
fn a_thing_of_another_company_is_a_thing_that_does_not_exist_for_every_operation() {
    let service = by_path();
    let (mine, other) = (service.admin(), service.company("other").admin());
    let theirs = records(&other);
    records(&mine);
    let operations = documented(&service);
    let mut read = Vec::new();
    let mut checked = 0;
    for (method, path, _) in &operations {
        let Some((at, _)) = at(path, &theirs) else {
            // Published factors are of no company.
            let is_of_none = path.contains("footprint") || path.contains("{set}");
            assert!(!path.contains('{') || is_of_none, "{path}: no record to ask for");
            continue;
        };
        // What became of events to partners changes by itself.
        if method == "GET" && !path.ends_with("/delivery") {
            read.push(at);
        }
    }
    let before = everything(&other, &read);
    for (method, path, _) in &operations {
        let Some((at, used)) = at(path, &theirs) else { continue };
        let nowhere = used.iter().fold(at.clone(), |path, uuid| path.replace(uuid, NOBODY));
        for body in bodies(method) {
            let (got, expected) = (send(&mine, method, &at, &body), send(&mine, method, &nowhere, &body));
            let got = (got.0, got.1, used.iter().fold(got.2, |text, uuid| text.replace(uuid, NOBODY)));
            assert_eq!(got, expected, "{method} {path} {body}");
            assert!(got.0 >= 400 || method == "GET", "{method} {path} {body}: {got:?}");
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
    assert_eq!(everything(&other, &read), before, "nothing of theirs changed");
}

#[test]
fn a_footprint_of_another_company_does_not_exist() {
    let service = by_path();
    let (mine, other) = (service.admin(), service.company("other").admin());
    let footprint = other.post("/v1/footprint", &json!({ "companyName": "Theirs" })).created();
    let uuid = footprint["uuid"].as_str().unwrap();
    for (method, body) in [("GET", Value::Null), ("PATCH", json!({ "status": "Deprecated" })), ("DELETE", Value::Null)]
    {
        let (got, expected) = (
            send(&mine, method, &format!("/v1/footprint/{uuid}"), &body),
            send(&mine, method, &format!("/v1/footprint/{NOBODY}"), &body),
        );
        assert_eq!(got, expected, "{method}");
        assert_eq!(got.0, 404, "{method}");
    }
    assert_eq!(mine.post("/v1/footprint", &json!({ "companyName": "Mine" })).created()["id"], footprint["id"]);
}

#[test]
fn a_reference_to_another_companys_record_leads_nowhere() {
    let service = by_path();
    let (mine, other) = (service.admin(), service.company("other").admin());
    let theirs = records(&other);
    let own = records(&mine);
    let get = |name: &str| theirs[name].as_str();
    let synced = other.post("/v1/org", &json!({ "name": "Org", "syncId": "org-1" })).uuid();
    let model = &own["/v1/model"];
    let switch = &own["/v1/switch"];
    let input = |material: &str| json!({ "name": "I", "material": to(material), "quantity": 1, "unit": "kg" });
    let activity = |member: &str, uuid: &str| json!({ "name": "A", "startDate": "2025-01-01", member: to(uuid) });
    let sources = format!("/v1/switch/{switch}/sources");
    let cases: Vec<(&str, String, &str, Body<'_>)> = vec![
        ("POST", "/v1/org".into(), get("/v1/org"), Box::new(|uuid| json!({ "name": "A", "parent": to(uuid) }))),
        (
            "POST",
            "/v1/taxonomy".into(),
            get("/v1/taxonomy"),
            Box::new(|uuid| json!({ "name": "A", "parent": to(uuid) })),
        ),
        (
            "POST",
            "/v1/scope".into(),
            get("/v1/scope"),
            Box::new(|uuid| json!({ "name": "A", "kind": "scope1", "parent": to(uuid) })),
        ),
        ("POST", "/v1/activity".into(), get("/v1/org"), Box::new(|uuid| activity("org", uuid))),
        ("POST", "/v1/activity".into(), get("/v1/scope"), Box::new(|uuid| activity("scope", uuid))),
        ("POST", "/v1/activity".into(), get("/v1/taxonomy"), Box::new(|uuid| activity("taxonomy", uuid))),
        ("POST", "/v1/activity".into(), get("/v1/product"), Box::new(|uuid| activity("product", uuid))),
        ("POST", format!("/v1/model/{model}/input"), get("/v1/product"), Box::new(|uuid| input(uuid))),
        ("PUT", sources, get("/v1/model"), Box::new(|uuid| json!([to(uuid)]))),
        (
            "PATCH",
            format!("/v1/org/{}", own["/v1/org"]),
            get("/v1/org"),
            Box::new(|uuid| json!({ "parent": to(uuid) })),
        ),
        (
            "PATCH",
            format!("/v1/activity/{}", own["/v1/activity"]),
            get("/v1/org"),
            Box::new(|uuid| json!({ "org": to(uuid) })),
        ),
    ];
    for (method, path, uuid, body) in &cases {
        let (got, expected) = (send(&mine, method, path, &body(uuid)), send(&mine, method, path, &body(NOBODY)));
        let got = (got.0, got.1, got.2.replace(uuid, NOBODY));
        assert_eq!(got, expected, "{method} {path}");
        assert_eq!(got.0, 422, "{method} {path}: {got:?}");
    }
    let by_sync_id = |sync_id: &str| json!({ "name": "A", "parent": { "syncId": sync_id } });
    let got = send(&mine, "POST", "/v1/org", &by_sync_id("org-1"));
    let expected = send(&mine, "POST", "/v1/org", &by_sync_id("org-2"));
    assert_eq!((got.0, got.2.replace("org-1", "org-2")), (422, expected.2));
    for (parameter, uuid) in [("org", synced.as_str()), ("scope", get("/v1/scope")), ("taxonomy", get("/v1/taxonomy"))]
    {
        let ask = |uuid: &str| send(&mine, "GET", &format!("/v1/activity?{parameter}={uuid}"), &Value::Null);
        let (got, expected) = (ask(uuid), ask(NOBODY));
        assert_eq!((got.0, got.2.replace(uuid, NOBODY)), (400, expected.2), "{parameter}");
    }
    assert_eq!(mine.get("/v1/org?syncId=org-1").ok()["count"], 0);
}

#[test]
fn what_a_company_writes_changes_no_answer_that_another_gets() {
    let service = by_path();
    let (mine, company) = (service.admin(), service.company("other"));
    records(&mine);
    let paths: Vec<_> = documented(&service)
        .into_iter()
        .filter(|(method, path, _)| method == "GET" && !path.contains('{'))
        .map(|(_, path, _)| path)
        .collect();
    let before = everything(&mine, &paths);
    let other = company.admin();
    records(&other);
    other.post("/v1/footprint", &json!({ "companyName": "Theirs" })).created();
    assert_eq!(everything(&mine, &paths), before);
}

#[test]
fn companies_have_names_and_sync_ids_of_their_own() {
    let service = by_path();
    let clients = [service.admin(), service.company("other").admin()];
    for client in &clients {
        let record = |name: &str| json!({ "name": name, "syncId": "one" });
        client.post("/v1/org", &record("Works")).created();
        client.post("/v1/taxonomy", &json!({ "name": "Energy", "slug": "energy", "syncId": "one" })).created();
        client.post("/v1/product", &json!({ "name": "Power", "unit": "kWh", "syncId": "one" })).created();
        let body = json!({ "name": "A", "startDate": "2025-01-01", "syncId": "one", "org": { "syncId": "one" } });
        client.post("/v1/activity", &body).created();
        client.post("/v1/switch", &json!({ "name": "S", "unit": "kg", "syncId": "one" })).created();
    }
    for client in &clients {
        assert_eq!(client.get("/v1/activity").ok()["count"], 1);
        assert_eq!(client.get("/v1/org?syncId=one").ok()["count"], 1);
        let again = client.post("/v1/org", &json!({ "name": "Other", "syncId": "one" }));
        assert_eq!(again.status, 409);
    }
}
