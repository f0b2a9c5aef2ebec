//! Members of bodies: an operation reads those that the OpenAPI document describes, and refuses any other.

use std::collections::BTreeSet;

use super::anything::{filled, is_of_pact, records};
use crate::http::harness::{Answer, DOCUMENT, Service, Value, json, resolved};

/// The names of all members that the document describes anywhere.
fn names() -> BTreeSet<&'static str> {
    let schemas = DOCUMENT["components"]["schemas"].as_object().unwrap().values();
    let members = schemas.filter_map(|schema| schema["properties"].as_object());
    members.flat_map(|members| members.keys().map(String::as_str)).collect()
}

/// The schema of the members of an object that a member may be.
fn inner(schema: &'static Value) -> Option<&'static Value> {
    let one_of = schema["oneOf"].as_array().and_then(|some| some.iter().find(|one| one["type"] != "null"));
    let schema = resolved(&DOCUMENT, one_of.unwrap_or(schema));
    schema.get("properties").map(|_| schema)
}

/// Whether the answer says that there is no such member, or that it is not for bodies to give.
fn is_refused(answer: &Answer, pointer: &str) -> bool {
    let refused = ["unknown", "read_only"].map(Value::from);
    let body = if answer.body.is_empty() { Value::Null } else { answer.json() };
    let mut errors = body["errors"].as_array().into_iter().flatten();
    errors.any(|error| error["pointer"] == pointer && refused.contains(&error["code"]))
}

/// Checks the members of an object in a body, and of the objects in it; `wrap` makes a body of the object.
fn check(
    send: &impl Fn(&Value) -> Answer,
    what: &str,
    schema: &'static Value,
    at: &str,
    wrap: &dyn Fn(Value) -> Value,
) {
    let members = schema["properties"].as_object().unwrap();
    for name in names() {
        let pointer = format!("{at}/{name}");
        // What nobody knows is refused, so that nothing is written.
        let mut object = json!({ name: [], "no such member": 0 });
        // A record that is written back says `supplied`, and may have what answers have.
        if at.is_empty() && members.contains_key("supplied") && name != "supplied" {
            object["supplied"] = json!([]);
        }
        let answer = send(&wrap(object));
        let described = members.contains_key(name);
        assert_eq!(is_refused(&answer, &pointer), !described, "{what}: {pointer}: {answer:?}");
    }
    for (name, member) in members {
        if let Some(schema) = inner(member) {
            let wrap = |object: Value| wrap(json!({ name: object }));
            check(send, what, schema, &format!("{at}/{name}"), &wrap);
        }
    }
}

#[test]
fn every_member_that_is_described_is_read_and_every_other_is_refused() {
    let service = Service::start();
    let admin = service.admin();
    let records = records(&admin);
    let mut checked = 0;
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            // Events have members of their senders' own too (CloudEvents 1.0, extension attributes).
            if is_of_pact(path) {
                continue;
            }
            let Some(content) = operation["requestBody"]["content"].as_object() else { continue };
            let (media, content) = content.iter().next().unwrap();
            let Some(schema) = inner(&content["schema"]).filter(|_| media.ends_with("json")) else { continue };
            let at = filled(path, &records);
            let send = |body: &Value| admin.request(&method.to_uppercase(), &at).json(body).send();
            check(&send, &format!("{method} {path}"), schema, "", &|object| object);
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}
