//! Whatever is sent, the answer is one that was meant: no operation fails, and none takes what it cannot keep.

use std::collections::BTreeMap;

use crate::http::footprint::examples::v3;
use crate::http::harness::{Answer, Client, Service, Value, json, to, with_factor};
use crate::http::token;

/// One record of each collection: the path of the collection and the uuid of the record.
pub(in crate::http) fn records(admin: &Client) -> BTreeMap<&'static str, String> {
    let product = admin.priced("kg", "1", "2");
    let factor = admin.factor(&product, "kg", [json!("1"), Value::Null], "2030-01-01");
    let scope = admin.scope("scope1");
    let model = admin.post("/v1/model", &json!({ "name": "Model", "unit": "kg" })).uuid();
    let input = json!({ "name": "Input", "material": to(&product), "quantity": 1, "unit": "kg" });
    let input = admin.post(&format!("/v1/model/{model}/input"), &input).uuid();
    let credential = json!({ "name": "A", "permissions": ["catalog:read"] });
    let partner = admin.post("/v1/partner", &json!({ "name": "Partner", "baseUrl": "https://a.example" })).uuid();
    let asked = json!({ "productIds": ["urn:gtin:4712345060507"] });
    let activity = json!({ "quantity": 1, "unit": "kg", "product": to(&product), "scope": to(&scope) });
    BTreeMap::from([
        ("/v1/activity", admin.activity(activity)),
        ("/v1/import", imported(admin)),
        ("/v1/recalculation", recalculated(admin)),
        (
            "/v1/exclusion",
            admin.post("/v1/exclusion", &json!({ "category": 14, "firstYear": 2025, "reason": "None" })).uuid(),
        ),
        ("/v1/partner", partner.clone()),
        ("/v1/partner/{uuid}/request", admin.post(&format!("/v1/partner/{partner}/request"), &asked).id()),
        ("/2/footprints", admin.post("/v1/footprint", &v3()).uuid()),
        ("/3/footprints", admin.post("/v1/footprint", &v3()).uuid()),
        ("/v1/footprint", admin.post("/v1/footprint", &json!({ "companyName": "Works" })).uuid()),
        ("/v1/client", admin.post("/v1/client", &credential).uuid()),
        ("/v1/key", admin.post("/v1/key", &credential).uuid()),
        ("/v1/model", model),
        ("/v1/model/{uuid}/input", input),
        ("/v1/org", admin.org("Org", None)),
        ("/v1/period", admin.post("/v1/period", &json!({ "first": "1990-01-01", "last": "1990-12-31" })).uuid()),
        ("/v1/product", product),
        ("/v1/product/{uuid}/factor", factor),
        ("/v1/scope", scope),
        ("/v1/switch", admin.post("/v1/switch", &json!({ "name": "Switch", "unit": "kg" })).uuid()),
        ("/v1/taxonomy", admin.taxonomy("Taxonomy", None)),
    ])
}

/// Whether the path is of those that partners call.
pub(super) fn is_of_pact(path: &str) -> bool {
    path.starts_with("/2/") || path.starts_with("/3/")
}

/// A partner's own client, for the events that nobody else may send.
pub(super) fn partner(service: &Service) -> Client {
    let admin = service.admin();
    let partner = admin.post("/v1/partner", &json!({ "name": "A", "baseUrl": "https://pact.example.com" })).uuid();
    let credentials = admin.post(&format!("/v1/partner/{partner}/client"), &Value::Null).ok();
    token::caller(service, &credentials)
}

/// The import of one activity.
pub(super) fn imported(admin: &Client) -> String {
    let row = r#"{"name":"A","startDate":"2025-01-01","UpstreamCO2e":"1"}"#;
    let sent = admin.request("POST", "/v1/activity/batch?again=true").header("Content-Type", "application/x-ndjson");
    sent.body(row).send().ok()["import"].as_str().unwrap().to_owned()
}

/// The recalculation of one activity that had no factor.
pub(super) fn recalculated(admin: &Client) -> String {
    let product = admin.product("kg");
    admin.activity(json!({ "product": to(&product), "quantity": 1, "unit": "kg" }));
    admin.factor(&product, "kg", [json!("1"), Value::Null], "2000-01-01");
    admin.post("/v1/recalculation", &json!({})).ok()["uuid"].as_str().unwrap().to_owned()
}

/// The path with records in the place of its variable segments.
pub(super) fn filled(path: &str, records: &BTreeMap<&'static str, String>) -> String {
    let mut at = with_factor(path);
    for (collection, uuid) in records {
        let one = if collection.contains("{uuid}") { "{id}" } else { "{uuid}" };
        if path.starts_with(&format!("{collection}/{one}")) {
            at = at.replacen(one, uuid, 1);
        }
    }
    assert!(!at.contains('{'), "there is no record of {path}");
    at
}

/// What nobody should send.
fn values() -> Vec<Value> {
    let numbers = "[0, -0, -1, 1e400, 1e-400, 18446744073709551616, 99999999999999999999.999999999999999999, 1e40]";
    let texts = [
        "",
        " ",
        "\0",
        "\u{feff}\u{202e}",
        "ä".repeat(300).as_str(),
        "0198c0de-0000-7000-8000-000000000000",
        "9999-12-31",
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59.999999999-23:59",
        "-99999999999999999999.999999999999999999",
        "1e40",
        "kg",
        "EUR",
        "scope3",
        "A1-A3",
        "https://example.com/%00",
        "'; DROP TABLE activity; --",
        "../../etc/passwd",
        "admin",
    ]
    .map(Value::from);
    let others =
        json!([null, true, [], {}, [[]], [null], [{}], ["admin"], { "uuid": null }, { "syncId": "" }, { "name": "B" }]);
    let numbers: Vec<Box<serde_json::value::RawValue>> = serde_json::from_str(numbers).unwrap();
    let numbers = numbers.iter().map(|raw| json!({ "raw": raw.get() }));
    numbers.chain(texts).chain(others.as_array().unwrap().clone()).collect()
}

/// The text of a value; a number stands as the text of its digits, which [`Value`] could not keep.
fn text(value: &Value) -> String {
    value["raw"].as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Checks that the answer is one that the operation can mean. That it is one that the document describes is checked of
/// every answer.
#[track_caller]
fn check(answer: &Answer, request: &str) {
    assert!(answer.status < 500, "{request}: {answer:?}");
    assert!(answer.whole, "{request}: {answer:?}");
    if answer.status >= 400 && request.contains("/auth/") {
        assert!(!answer.oauth_error().is_empty(), "{request}");
    } else if answer.status >= 400 && request.split(' ').any(is_of_pact) {
        assert!(!answer.pact_error().is_empty(), "{request}");
    } else if answer.status >= 400 {
        assert!(!answer.problem().is_empty(), "{request}");
    }
    for inside in ["panicked", "SELECT", "rusqlite", "sqlite", "/tmp/", ".rs:"] {
        assert!(!answer.text().contains(inside), "{request} reveals the inside: {answer:?}");
    }
}

/// The members of the body that the operation documents.
fn members(document: &Value, operation: &Value) -> Option<Vec<String>> {
    let (_, content) = operation["requestBody"]["content"].as_object()?.iter().next()?;
    let mut schema = &content["schema"];
    if let Some(reference) = schema["$ref"].as_str() {
        schema = document.pointer(reference.trim_start_matches('#')).unwrap();
    }
    Some(schema["properties"].as_object().map(|members| members.keys().cloned().collect()).unwrap_or_default())
}

#[test]
fn no_body_makes_an_operation_fail() {
    let service = Service::start();
    let admin = service.admin();
    let partner = partner(&service);
    let records = records(&admin);
    let document = admin.get("/openapi.json").ok();
    let mut checked = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        let at = filled(path, &records);
        for (method, operation) in item.as_object().unwrap() {
            let Some(members) = members(&document, operation) else { continue };
            if path.starts_with("/auth/") {
                continue;
            }
            let by = if is_of_pact(path) { &partner } else { &admin };
            for value in values() {
                let value = text(&value);
                let all: Vec<_> = members.iter().map(|member| format!("{member:?}: {value}")).collect();
                for body in [format!("{{{}}}", all.join(", ")), value] {
                    let answer = by.request(&method.to_uppercase(), &at).json_text(&body).send();
                    check(&answer, &format!("{method} {at} {body}"));
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 1_000, "{checked}");
    admin.get("/v1/activity").ok();
}

#[test]
fn no_query_makes_an_operation_fail() {
    let service = Service::start();
    let admin = service.admin();
    records(&admin);
    let values = [
        "",
        "0",
        "1",
        "-1",
        "99999999999999999999",
        "%00",
        "%FF",
        "%",
        "%F0%9F%8C%8D",
        "0001",
        "9999-12-31",
        "a'b",
        "0198c0de-0000-7000-8000-000000000000",
        "scope,org,taxonomy",
        "daily",
        "t",
        "*",
    ];
    let document = admin.get("/openapi.json").ok();
    for (path, item) in document["paths"].as_object().unwrap() {
        let names = item["get"]["parameters"].as_array().into_iter().flatten();
        let names: Vec<_> = names.filter(|one| one["in"] == "query").map(|one| one["name"].as_str().unwrap()).collect();
        for value in values {
            for name in &names {
                let at = format!("{path}?{name}={value}");
                check(&admin.get(&with_factor(&at).replace("{uuid}", "0198c0de-0000-7000-8000-000000000000")), &at);
            }
            let at =
                path.replace("{uuid}", value).replace("{id}", value).replace("{set}", value).replace("{cell}", value);
            check(&admin.get(&at), &at);
        }
    }
}
