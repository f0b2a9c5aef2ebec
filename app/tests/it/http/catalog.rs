//! What every collection of records promises: adding, reading, listing, changing and removing them.

mod race;

use super::harness::{Client, Service, Value, json};
use super::problem::{no_names, no_sync_ids, refuses};

const NOBODY: &str = "0198c0de-0000-7000-8000-000000000000";

/// The collections, each with what a new record of it must have.
fn collections() -> [(&'static str, Value); 6] {
    [
        ("/v1/scope", json!({ "name": "A", "kind": "scope1" })),
        ("/v1/org", json!({ "name": "A" })),
        ("/v1/taxonomy", json!({ "name": "A" })),
        ("/v1/product", json!({ "name": "A", "unit": "kg" })),
        ("/v1/model", json!({ "name": "A", "unit": "kg" })),
        ("/v1/switch", json!({ "name": "A" })),
    ]
}

/// The same record under a syncId.
fn synced(body: &Value, sync_id: &str) -> Value {
    let mut body = body.clone();
    body["syncId"] = json!(sync_id);
    body
}

/// The names on a page.
fn names(client: &Client, path: &str) -> Vec<String> {
    let page = client.get(path).ok();
    page["data"].as_array().unwrap().iter().map(|record| record["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_new_record_answers_201_with_its_address_and_reads_there_as_it_was_answered() {
    let service = Service::start();
    let admin = service.admin();
    for (path, body) in collections() {
        let made = admin.post(path, &body).expect(201);
        let record = made.json();
        let uuid = record["uuid"].as_str().unwrap();
        assert_eq!(made.header("location"), Some(format!("{}{path}/{uuid}", service.base()).as_str()));
        assert_eq!((&uuid[14..15], uuid.to_lowercase().as_str()), ("7", uuid), "{path}");
        let read = admin.get(made.header("location").unwrap()).expect(200);
        assert_eq!((read.text(), read.etag()), (made.text(), made.etag()), "{path}");
        assert_eq!(admin.get(&format!("{path}/{}", uuid.to_uppercase())).expect(200).text(), made.text());
        assert_eq!(admin.get(path).ok()["data"][0], record, "{path}");
        for member in ["created", "updated"] {
            let time = record[member].as_str().unwrap();
            assert!(time.len() == 24 && time.ends_with('Z') && time.as_bytes()[19] == b'.', "{path}: {time}");
        }
        assert_eq!(record["syncId"], Value::Null, "{path}");
    }
}

#[test]
fn a_removed_record_is_gone() {
    let service = Service::start();
    let admin = service.admin();
    for (path, body) in collections() {
        let one = format!("{path}/{}", admin.post(path, &body).uuid());
        let removed = admin.delete(&one).expect(204);
        assert_eq!(removed.body, b"", "{path}");
        for answer in [admin.get(&one), admin.delete(&one), admin.patch(&one, &json!({ "name": "B" }))] {
            assert_eq!(answer.problem(), "404 not-found", "{path}");
        }
        assert_eq!(admin.get(path).ok()["count"], 0, "{path}");
    }
}

#[test]
fn a_record_that_never_was_is_404_and_what_is_no_uuid_400() {
    let service = Service::start();
    let admin = service.admin();
    for (path, _) in collections() {
        for (id, problem) in [
            (NOBODY, "404 not-found"),
            ("42", "400 malformed-request uuid"),
            (&NOBODY.replace('-', ""), "400 malformed-request uuid"),
            (&format!("{{{NOBODY}}}").replace('{', "%7B").replace('}', "%7D"), "400 malformed-request uuid"),
            (&format!("urn:uuid:{NOBODY}"), "400 malformed-request uuid"),
        ] {
            let one = format!("{path}/{id}");
            for answer in [admin.get(&one), admin.delete(&one), admin.patch(&one, &json!({ "name": "B" }))] {
                assert_eq!(answer.problem(), problem, "{one}");
            }
        }
    }
}

#[test]
fn a_change_leaves_what_it_does_not_name() {
    let service = Service::start();
    let admin = service.admin();
    for (path, body) in collections() {
        let made = admin.post(path, &synced(&body, "a")).expect(201);
        let one = format!("{path}/{}", made.json()["uuid"].as_str().unwrap());
        let same = admin.patch(&one, &json!({ "name": "A" })).expect(200);
        assert_eq!((same.text(), same.etag()), (made.text(), made.etag()), "{path}: nothing changed");
        let changed = admin.patch(&one, &json!({ "name": " B " })).expect(200);
        assert_ne!(changed.etag(), made.etag());
        let (mut before, after) = (made.json(), changed.json());
        assert!(after["updated"].as_str() >= before["updated"].as_str(), "{path}");
        before["updated"] = after["updated"].clone();
        before["name"] = json!("B");
        assert_eq!(after, before, "{path}");
        assert_eq!(admin.patch(&one, &json!({ "syncId": null })).ok()["syncId"], Value::Null, "{path}");
        assert_eq!(admin.patch(&one, &json!({ "name": null })).problem(), "422 invalid-input /name", "{path}");
    }
}

#[test]
fn a_change_of_what_was_changed_meanwhile_is_412() {
    let service = Service::start();
    let admin = service.admin();
    for (path, body) in collections() {
        let made = admin.post(path, &body).expect(201);
        let one = format!("{path}/{}", made.json()["uuid"].as_str().unwrap());
        let change = |tag: &str, name: &str| {
            admin.request("PATCH", &one).header("If-Match", tag).json(&json!({ "name": name })).send()
        };
        change(&made.etag(), "B").expect(200);
        assert_eq!(change(&made.etag(), "C").problem(), "412 stale", "{path}");
        assert_eq!(admin.request("DELETE", &one).header("If-Match", made.etag()).send().problem(), "412 stale");
        assert_eq!(admin.get(&one).ok()["name"], "B");
        change("*", "D").expect(200);
        admin.request("DELETE", &one).header("If-Match", admin.get(&one).etag()).send().expect(204);
    }
}

#[test]
fn a_reader_who_has_the_record_already_gets_no_body() {
    let service = Service::start();
    let admin = service.admin();
    for (path, body) in collections() {
        let made = admin.post(path, &body).expect(201);
        let one = format!("{path}/{}", made.json()["uuid"].as_str().unwrap());
        let read = |tag: &str| admin.request("GET", &one).header("If-None-Match", tag).send();
        for tag in
            [made.etag(), format!("W/{}", made.etag()), format!("\"00000000.1-0\", {}", made.etag()), "*".to_owned()]
        {
            let answer = read(&tag).expect(304);
            assert_eq!((answer.body.len(), answer.etag()), (0, made.etag()), "{path}: {tag}");
        }
        read("\"00000000.1-0000000000000000\"").expect(200);
        assert_eq!(read("1-0").problem(), "400 malformed-request If-None-Match", "{path}");
        let head = admin.request("HEAD", &one).send();
        assert_eq!((head.status, head.body.len(), head.etag()), (200, 0, made.etag()), "{path}");
    }
}

#[test]
fn a_name_is_1_to_255_characters_and_need_not_be_the_only_one() {
    let service = Service::start();
    let admin = service.admin();
    for (path, body) in collections() {
        refuses(|body| admin.post(path, body), &body, &[("/name", no_names()), ("/syncId", no_sync_ids())]);
        let one = format!("{path}/{}", admin.post(path, &body).uuid());
        refuses(|body| admin.patch(&one, body), &json!({}), &[("/name", no_names()), ("/syncId", no_sync_ids())]);
        let long = "ä".repeat(255);
        for _ in 0..2 {
            let mut body = synced(&body, "x");
            body["syncId"] = Value::Null;
            body["name"] = json!(format!("  {long}\u{a0}"));
            assert_eq!(admin.post(path, &body).created()["name"], long, "{path}");
        }
    }
}

#[test]
fn members_that_are_read_only_or_unknown_are_named() {
    let service = Service::start();
    let admin = service.admin();
    for (path, body) in collections() {
        let made = admin.post(path, &body).created();
        let one = format!("{path}/{}", made["uuid"].as_str().unwrap());
        let mut again = body.clone();
        for member in ["uuid", "created", "updated"] {
            again[member] = made[member].clone();
        }
        again["nmae"] = json!("A");
        let places = "422 invalid-input /created /nmae /updated /uuid";
        assert_eq!(admin.post(path, &again).problem(), places, "{path}");
        assert_eq!(admin.patch(&one, &again).problem(), places, "{path}");
        assert!(admin.patch(&one, &again).text().contains("did you mean name?"), "{path}");
    }
}

#[test]
fn a_sync_id_belongs_to_one_record_of_its_kind_and_finds_it() {
    let service = Service::start();
    let admin = service.admin();
    for (path, body) in collections() {
        let holder = admin.post(path, &synced(&body, "ERP 7/ä")).uuid();
        let other = admin.post(path, &synced(&body, "erp 7/ä")).uuid();
        let second = admin.post(path, &synced(&body, "ERP 7/ä"));
        let taken = admin.patch(&format!("{path}/{other}"), &json!({ "syncId": "ERP 7/ä" }));
        for answer in [second, taken] {
            assert_eq!(answer.problem(), "409 conflict /syncId", "{path}");
            assert!(answer.text().contains(&holder), "{path}: {}", answer.text());
        }
        let found = admin.get(&format!("{path}?syncId=ERP+7%2F%C3%A4")).ok();
        assert_eq!((&found["count"], &found["data"][0]["uuid"]), (&json!(1), &json!(holder)), "{path}");
        let none = admin.get(&format!("{path}?syncId=nobody")).ok();
        assert_eq!((&none["count"], &none["data"]), (&json!(0), &json!([])), "{path}");
        admin.delete(&format!("{path}/{holder}")).expect(204);
        admin.post(path, &synced(&body, "ERP 7/ä")).expect(201);
    }
}

#[test]
fn pages_hold_what_is_asked_and_count_everything() {
    let service = Service::start();
    let admin = service.admin();
    for (path, mut body) in collections() {
        for name in ["1", "2", "3"] {
            body["name"] = json!(name);
            admin.post(path, &body).expect(201);
        }
        let whole = admin.get(path).ok();
        assert_eq!([&whole["count"], &whole["page"], &whole["pageSize"]], [3, 1, 100], "{path}");
        assert_eq!(names(&admin, path), ["1", "2", "3"], "{path}");
        assert_eq!(names(&admin, &format!("{path}?pageSize=2")), ["1", "2"], "{path}");
        assert_eq!(names(&admin, &format!("{path}?pageSize=2&page=2")), ["3"], "{path}");
        let past = admin.get(&format!("{path}?page=2147483647&pageSize=1000")).ok();
        assert_eq!([&past["count"], &past["page"], &past["pageSize"]], [3, 2_147_483_647, 1000], "{path}");
        assert_eq!(past["data"], json!([]), "{path}");
    }
}

#[test]
fn parameters_that_are_wrong_are_all_named() {
    let service = Service::start();
    let admin = service.admin();
    for (path, _) in collections() {
        for (query, places) in [
            ("page=0&pageSize=0", "page pageSize"),
            ("page=-1", "page"),
            ("page=1.0", "page"),
            ("page=%2B1", "page"),
            ("page=x", "page"),
            ("page=", "page"),
            ("page", "page"),
            ("page=2147483648", "page"),
            ("page=1&page=1", "page"),
            ("pageSize=1001", "pageSize"),
            ("pageSize=1000&pageSize=1000", "pageSize"),
            ("syncId=", "syncId"),
            ("syncId=a&syncId=b", "syncId"),
            ("syncId=%FF", "syncId"),
            ("pagesize=2", "pagesize"),
            ("offset=2&page=0", "offset page"),
        ] {
            let answer = admin.get(&format!("{path}?{query}"));
            assert_eq!(answer.problem(), format!("400 invalid-parameters {places}"), "{path}?{query}");
        }
        assert!(admin.get(&format!("{path}?pagesize=2")).text().contains("did you mean pageSize?"), "{path}");
        assert_eq!(admin.get(&format!("{path}/{NOBODY}?page=1")).problem(), "400 invalid-parameters page", "{path}");
    }
}
