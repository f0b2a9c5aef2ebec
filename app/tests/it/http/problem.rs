//! Problems: every refusal has its kind, its page and its places; and what every test of a body's members needs.

mod permission;

use super::harness::{Answer, Service, Value, json, to};

/// Expects that the body is refused without each of those members, and with null in its place.
#[track_caller]
pub(super) fn requires(send: impl Fn(&Value) -> Answer, good: &Value, members: &[&str]) {
    for member in members {
        for wrong in [None, Some(Value::Null)] {
            let mut body = good.clone();
            body.as_object_mut().unwrap().remove(*member);
            if let Some(wrong) = wrong {
                body[member] = wrong;
            }
            let answer = send(&body);
            assert_eq!(answer.status, 422, "{body}");
            assert_eq!(answer.problem(), format!("422 invalid-input /{member}"), "{body}");
        }
    }
}

/// Expects that the body is refused with each of those values: the first segment of a place is the member that is
/// wrong, the place is where the answer must find the fault.
#[track_caller]
pub(super) fn refuses(send: impl Fn(&Value) -> Answer, good: &Value, cases: &[(&str, Value)]) {
    for (place, values) in cases {
        let member = place.split('/').nth(1).unwrap();
        for wrong in values.as_array().unwrap() {
            let mut body = good.clone();
            body[member] = wrong.clone();
            let answer = send(&body);
            assert_eq!(answer.status, 422, "{member}: {wrong}: {}", answer.text());
            assert_eq!(answer.problem(), format!("422 invalid-input {place}"), "{member}: {wrong}");
        }
    }
}

/// What is no name: of another type, empty, with control characters, too long.
pub(super) fn no_names() -> Value {
    json!([7, true, ["a"], {}, "", " ", "a\nb", "\u{0}", "ä".repeat(256)])
}

/// What is no syncId.
pub(super) fn no_sync_ids() -> Value {
    json!([7, true, ["a"], {}, "", "a\tb", "x".repeat(256)])
}

/// What is no amount.
pub(super) fn no_amounts() -> Value {
    let (twenty_one, nineteen, long) = ("1".repeat(21), format!("0.{:01$}1", 0, 18), "1".repeat(65));
    json!([true, ["1"], {}, "", " 1", "1,5", "1.", "NaN", "0x1", "1e41", twenty_one, nineteen, long])
}

/// What is no unit: nothing, ambiguous, misspelt.
pub(super) fn no_units() -> Value {
    json!([7, {}, "", "KG", "ton", "gallon", "MBtu", "T", "Sm3", "furlong", "x".repeat(1000)])
}

/// What is no date.
pub(super) fn no_dates() -> Value {
    json!([2025, {}, "", "2025", "2025-1-1", "2025-02-29", "2025-01-01T00:00:00Z", "01.02.2025", "٢٠٢٥-01-01"])
}

/// What names no record, and where: in the wrong form, or by an identifier that nobody has.
#[track_caller]
pub(super) fn refuses_references(send: impl Fn(&Value) -> Answer, good: &Value, member: &str) {
    let nobody = "0198c0de-0000-7000-8000-000000000000";
    let place = |below: &str| format!("/{member}{below}");
    let cases = [
        (place(""), json!([7, "x", nobody, [], {}, { "uuid": nobody, "syncId": "x" }, { "name": "x" }])),
        (place("/uuid"), json!([to(nobody), to("x"), { "uuid": 7 }, to(&nobody.replace('-', ""))])),
        (place("/syncId"), json!([{ "syncId": "nobody's" }, { "syncId": "" }, { "syncId": 7 }])),
        (place("/id"), json!([{ "uuid": nobody, "id": 1 }])),
    ];
    for (place, values) in cases {
        refuses(&send, good, &[(&place, values)]);
    }
}

#[test]
fn every_kind_of_refusal_links_to_a_page_that_explains_it() {
    let service = Service::start();
    let admin = service.admin();
    let body = json!({ "name": "A" });
    let org = admin.post("/v1/org", &body).uuid();
    let path = format!("/v1/org/{org}");
    let tag = r#""99-0""#;
    let switch = admin.post("/v1/switch", &json!({ "name": "A", "syncId": "a" }));
    switch.expect(201);
    let answers = [
        (400, "malformed-request", admin.request("POST", "/v1/org").json_text("{").send()),
        (400, "invalid-parameters", admin.get("/v1/org?page=0")),
        (401, "unauthenticated", service.anybody().get("/v1/org")),
        (403, "missing-permission", service.caller("switch:read").get("/v1/org")),
        (404, "not-found", admin.get("/v1/orgs")),
        (405, "method-not-allowed", admin.put(&path, &body)),
        (406, "not-acceptable", admin.request("GET", "/v1/org").header("Accept", "image/png").send()),
        (409, "conflict", admin.post("/v1/switch", &json!({ "name": "B", "syncId": "a" }))),
        (412, "stale", admin.request("PATCH", &path).header("If-Match", tag).json(&body).send()),
        (413, "too-large", admin.post("/v1/org", &json!({ "name": "x".repeat(1 << 20) }))),
        (414, "query-too-long", admin.get(&format!("/v1/org?x={}", "a".repeat(8192)))),
        (415, "unsupported-media-type", admin.request("POST", "/v1/org").body("name=A").send()),
        (422, "invalid-input", admin.post("/v1/org", &json!({}))),
    ];
    for (status, name, answer) in answers {
        assert_eq!(answer.problem().split(' ').take(2).collect::<Vec<_>>().join(" "), format!("{status} {name}"));
        let problem = answer.json();
        let page = service.anybody().outside("GET", problem["type"].as_str().unwrap()).send().expect(200);
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        assert!(page.text().contains(problem["title"].as_str().unwrap()), "{name}: {}", page.text());
    }
    assert_eq!(service.anybody().outside("GET", "/problems/nothing").send().problem(), "404 not-found");
}

#[test]
fn every_fault_of_a_body_is_told_at_once() {
    let service = Service::start();
    let admin = service.admin();
    let body = json!({ "nam": "A", "uuid": "x", "syncId": "", "parent": {}, "kind": "scope4", "category": 16 });
    let answer = admin.post("/v1/scope", &body);
    assert_eq!(answer.problem(), "422 invalid-input /category /kind /nam /name /parent /syncId /uuid");
    assert!(answer.text().contains("did you mean name?"), "{}", answer.text());
}

#[test]
fn what_cannot_be_read_is_malformed_and_what_stands_twice_is_refused() {
    let service = Service::start();
    let admin = service.admin();
    let deep = format!("{}1{}", r#"{"a":"#.repeat(33), "}".repeat(33));
    for body in ["", "{", "nope", "{\"name\": \"A\",}", "{\"name\": \"\\ud800\"}", "\u{feff}{}", "{} {}", &deep] {
        let answer = admin.request("POST", "/v1/org").json_text(body).send();
        assert_eq!((answer.status, answer.problem().contains("malformed-request")), (400, true), "{body:?}");
    }
    let answer =
        admin.request("POST", "/v1/org").json_text(r#"{"name": "A", "parent": {"uuid": 1, "uuid": 2}}"#).send();
    assert_eq!(answer.problem(), "400 malformed-request /parent/uuid");
    assert!(answer.text().contains("The body cannot be read: /parent/uuid stands twice in the same object."));
    for body in ["null", "[]", "7", "\"A\"", "true"] {
        let answer = admin.request("POST", "/v1/org").json_text(body).send();
        assert_eq!(answer.problem(), "422 invalid-input (all)", "{body}");
    }
}
