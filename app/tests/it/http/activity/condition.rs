//! `ETag`, `If-Match` and `If-None-Match` of a single activity.

use crate::http::harness::{Answer, Service, json};

/// An activity, its path and its tag.
fn activity(service: &Service) -> (String, String) {
    let admin = service.admin();
    let path = format!("/v1/activity/{}", admin.activity(json!({})));
    let tag = admin.get(&path).etag();
    (path, tag)
}

fn get(service: &Service, path: &str, header: &str, value: &str) -> Answer {
    service.admin().request("GET", path).header(header, value).send()
}

fn patch(service: &Service, path: &str, seen: &str) -> Answer {
    service.admin().request("PATCH", path).header("If-Match", seen).json(&json!({ "name": "Other" })).send()
}

#[test]
fn the_tag_is_strong_and_changes_with_the_record() {
    let service = Service::start();
    let (path, tag) = activity(&service);
    assert!(tag.starts_with('"') && tag.ends_with('"'), "{tag}");
    assert_eq!(service.admin().get(&path).etag(), tag);
    let changed = service.admin().patch(&path, &json!({ "name": "Other" })).expect(200);
    assert_ne!(changed.etag(), tag);
    assert_eq!(service.admin().get(&path).etag(), changed.etag());
}

#[test]
fn a_reader_that_has_it_already_gets_304_without_a_body() {
    let service = Service::start();
    let (path, tag) = activity(&service);
    for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
        let answer = get(&service, &path, "If-None-Match", &known);
        assert_eq!((answer.status, answer.body.len(), answer.etag()), (304, 0, tag.clone()), "{known}");
    }
    get(&service, &path, "If-None-Match", "\"other\"").expect(200);
}

#[test]
fn a_reader_sees_that_a_name_beside_the_record_changed() {
    let service = Service::start();
    let admin = service.admin();
    let org = admin.org("Works", None);
    let path = format!("/v1/activity/{}", admin.activity(json!({ "org": { "uuid": org } })));
    let tag = admin.get(&path).etag();
    admin.patch(&format!("/v1/org/{org}"), &json!({ "name": "New works" })).ok();
    let answer = get(&service, &path, "If-None-Match", &tag);
    assert_eq!(answer.clone().ok()["org"]["name"], "New works");
    assert_ne!(answer.etag(), tag);
    patch(&service, &path, &tag).expect(200);
}

#[test]
fn a_change_is_made_to_the_record_that_was_seen() {
    let service = Service::start();
    let (path, tag) = activity(&service);
    let changed = patch(&service, &path, &tag).expect(200).etag();
    let stale = patch(&service, &path, &tag);
    assert_eq!(
        (stale.problem().as_str(), stale.etag()),
        ("412 stale", changed.clone()),
        "it says what to repeat it with"
    );
    let remove = service.admin().request("DELETE", &path).header("If-Match", &tag).send();
    assert_eq!((remove.problem().as_str(), remove.etag()), ("412 stale", changed.clone()));
    let read = get(&service, &path, "If-Match", &tag);
    assert_eq!((read.problem().as_str(), read.etag()), ("412 stale", changed.clone()));
    patch(&service, &path, &format!("{tag}, {changed}")).expect(200);
    patch(&service, &path, "*").expect(200);
}

#[test]
fn a_weak_or_foreign_tag_matches_no_record() {
    let service = Service::start();
    let (path, tag) = activity(&service);
    for seen in [format!("W/{tag}"), "\"x\"".to_owned(), "\"99-0\"".to_owned(), "\"\"".to_owned()] {
        assert_eq!(patch(&service, &path, &seen).problem(), "412 stale", "{seen}");
    }
    assert_eq!(get(&service, &path, "If-Match", "\"99-0\"").problem(), "412 stale");
    get(&service, &path, "If-Match", &tag).expect(200);
}

#[test]
fn a_condition_that_cannot_be_read_is_refused() {
    let service = Service::start();
    let (path, _) = activity(&service);
    for wrong in ["x", "", "\"a", "7", "*, \"a\""] {
        assert_eq!(patch(&service, &path, wrong).problem(), "400 malformed-request If-Match", "{wrong}");
        let answer = get(&service, &path, "If-None-Match", wrong);
        assert_eq!(answer.problem(), "400 malformed-request If-None-Match", "{wrong}");
    }
}

#[test]
fn if_match_of_a_record_that_is_not_there_is_not_found() {
    let service = Service::start();
    let path = "/v1/activity/00000000-0000-4000-8000-000000000000";
    assert_eq!(patch(&service, path, "*").problem(), "404 not-found");
}

#[test]
fn if_none_match_is_for_reading_alone() {
    let service = Service::start();
    let (path, _) = activity(&service);
    for method in ["PATCH", "DELETE"] {
        let answer = service.admin().request(method, &path).header("If-None-Match", "*").json(&json!({})).send();
        assert_eq!(answer.problem(), "400 malformed-request If-None-Match", "{method}");
    }
}
