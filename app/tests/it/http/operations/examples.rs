//! The examples of the OpenAPI document: each is a request that its operation accepts, and with them every operation
//! succeeds once. That the answers are those described is checked of every answer that a test gets.

use super::anything::{imported, is_of_pact, partner, recalculated};
use crate::http::footprint::examples::v3;
use crate::http::harness::{Answer, Client, DOCUMENT, Service, Value, json, to, with_factor};
use crate::http::token;

/// Whose records other examples refer to by their syncId, and periods, of which the base year is one.
pub(super) const FIRST: [&str; 6] = ["/v1/product", "/v1/org", "/v1/scope", "/v1/taxonomy", "/v1/model", "/v1/period"];

/// The example of a body, and its media type.
pub(super) fn example(path: &str, method: &str) -> Option<(&'static str, &'static Value)> {
    let (media, content) = DOCUMENT["paths"][path][method]["requestBody"]["content"].as_object()?.iter().next()?;
    Some((media, content.get("example").unwrap_or_else(|| panic!("{method} {path} has no example"))))
}

/// A record made from the example of its collection, without the syncId, which is another record's.
fn record(admin: &Client, collection: &str) -> String {
    if collection == "/v1/import" {
        return format!("{collection}/{}", imported(admin));
    }
    if collection == "/v1/recalculation" {
        return format!("{collection}/{}", recalculated(admin));
    }
    if collection == "/2/footprints" || collection == "/3/footprints" {
        // Only what is valid is shown there.
        return format!("{collection}/{}", admin.post("/v1/footprint", &v3()).uuid());
    }
    let (_, example) = example(collection, "post").unwrap();
    let mut body = example.clone();
    body.as_object_mut().unwrap().remove("syncId");
    if collection == "/v1/period" {
        // The same days are closed once.
        let closed = admin.get(collection).ok()["count"].as_u64().unwrap();
        (body["first"], body["last"]) =
            (json!(format!("{}-01-01", 1000 + closed)), json!(format!("{}-12-31", 1000 + closed)));
    }
    if collection == "/v1/exclusion" {
        // The same is left out once in a year.
        let year = 1900 + admin.get(collection).ok()["count"].as_u64().unwrap();
        (body["firstYear"], body["lastYear"]) = (json!(year), json!(year));
    }
    let at = place(admin, collection);
    let made = admin.post(&at, &body);
    let uuid = if collection.ends_with("/request") { made.id() } else { made.uuid() };
    format!("{at}/{uuid}")
}

/// The path with new records in the place of its variable segments.
pub(super) fn place(admin: &Client, path: &str) -> String {
    let path = &with_factor(path);
    match path.rfind("/{") {
        None => path.to_owned(),
        Some(split) => {
            let rest = path[split + 1..].split_once('/').map(|(_, rest)| format!("/{rest}")).unwrap_or_default();
            let record = record(admin, &path[..split]);
            if path == "/v1/model/{uuid}/footprint" {
                // A model without inputs has none.
                let material = admin.priced("kg", "1", "2");
                let input = json!({ "name": "Input", "material": to(&material), "quantity": 1, "unit": "kg" });
                admin.post(&format!("{record}/input"), &input).expect(201);
            }
            if path == "/v1/partner/{uuid}/delivery" {
                let (_, request) = example("/v1/partner/{uuid}/request", "post").unwrap();
                admin.post(&format!("{record}/request"), request).expect(201);
            }
            format!("{record}{rest}")
        }
    }
}

/// An activity that was another before.
pub(super) fn changed(admin: &Client) -> String {
    let activity = record(admin, "/v1/activity");
    admin.patch(&activity, &json!({ "description": "Another" })).expect(200);
    activity.rsplit('/').next().unwrap().to_owned()
}

/// Asks for an operation with its example.
pub(super) fn send(service: &Service, method: &str, path: &str) -> Answer {
    let admin = service.admin();
    let at = place(&admin, path);
    let by = if is_of_pact(path) && method == "post" { partner(service) } else { admin.clone() };
    let request = by.request(&method.to_uppercase(), &at);
    match example(path, method) {
        None => request.send(),
        Some((media, rows)) if media == "application/x-ndjson" => {
            request.header("Content-Type", media).body(rows.as_str().unwrap()).send()
        }
        Some((media, body)) if media.ends_with("json") => {
            let mut body = body.clone();
            if path == "/v1/change/blank" {
                body["uuid"] = json!(changed(&admin));
            }
            request.header("Content-Type", media).body(body.to_string()).send()
        }
        Some((media, form)) => {
            let client = admin.post("/v1/client", &json!({ "name": "ERP", "permissions": ["admin"] })).created();
            let login = token::basic(client["client_id"].as_str().unwrap(), client["client_secret"].as_str().unwrap());
            let fields = form.as_object().unwrap().iter();
            let fields: Vec<_> = fields.map(|(name, value)| format!("{name}={}", value.as_str().unwrap())).collect();
            let request = service.anybody().request("POST", path).header("Authorization", login);
            request.header("Content-Type", media).body(fields.join("&")).send()
        }
    }
}

#[test]
fn every_example_is_accepted_and_every_operation_succeeds_with_it() {
    let service = Service::start();
    for collection in FIRST {
        let (_, body) = example(collection, "post").unwrap();
        service.admin().post(collection, body).expect(201);
    }
    let mut checked = 0;
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            if method == "post" && FIRST.contains(&path.as_str()) {
                continue;
            }
            let answer = send(&service, method, path);
            assert!((200..300).contains(&answer.status), "{method} {path}: {answer:?}");
            checked += 1;
        }
    }
    assert!(checked > 60, "{checked}");
}

#[test]
fn every_example_is_what_its_schema_describes() {
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Some((media, body)) = example(path, method) else { continue };
            let schema = &operation["requestBody"]["content"][media]["schema"];
            let found = crate::http::harness::differences(&DOCUMENT, schema, body);
            assert!(found.is_empty(), "{method} {path}: {found:#?}");
        }
    }
}
