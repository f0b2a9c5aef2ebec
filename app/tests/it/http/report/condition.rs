//! The tag of a report, and its headers for caches.

use std::collections::HashSet;

use crate::http::harness::{Answer, Client, Service, json};

fn ask(client: &Client, query: &str, headers: &[(&str, &str)]) -> Answer {
    let request = client.request("GET", &format!("/v1/activity?{query}"));
    headers.iter().fold(request, |request, (name, value)| request.header(name, value)).send()
}

#[test]
fn the_tag_is_weak_and_caches_must_ask() {
    let service = Service::start();
    let answer = service.admin().get("/v1/activity").expect(200);
    assert!(answer.etag().starts_with("W/\""), "{}", answer.etag());
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    assert_eq!(answer.header("vary"), Some("Authorization, Accept, Accept-Encoding"));
}

#[test]
fn a_reader_that_has_it_already_gets_304_until_something_changes() {
    let service = Service::start();
    let admin = service.admin();
    admin.activity(json!({}));
    for query in ["date=2025", "page=1"] {
        let tag = ask(&admin, query, &[]).etag();
        for known in [tag.as_str(), "*", &format!("\"x\", {tag}")] {
            let answer = ask(&admin, query, &[("If-None-Match", known)]);
            assert_eq!((answer.status, answer.body.len(), answer.etag()), (304, 0, tag.clone()), "{known}");
            assert_eq!(answer.header("vary"), Some("Authorization, Accept, Accept-Encoding"));
        }
        admin.activity(json!({}));
        let answer = ask(&admin, query, &[("If-None-Match", &tag)]).expect(200);
        assert_ne!(answer.etag(), tag);
    }
}

#[test]
fn a_change_of_a_name_changes_the_tag() {
    let service = Service::start();
    let admin = service.admin();
    let org = admin.org("Works", None);
    let tag = ask(&admin, "", &[]).etag();
    admin.patch(&format!("/v1/org/{org}"), &json!({ "name": "New works" })).ok();
    assert_eq!(ask(&admin, "", &[("If-None-Match", &tag)]).status, 200);
}

#[test]
fn the_tag_differs_by_permission_form_and_query() {
    let service = Service::start();
    let (admin, reporter) = (service.admin(), service.caller("activity:report"));
    let tags = [
        ask(&admin, "", &[]),
        ask(&admin, "date=2025", &[]),
        ask(&admin, "", &[("Accept", "text/csv")]),
        ask(&admin, "", &[("Accept", "application/x-ndjson")]),
        ask(&reporter, "", &[]),
    ];
    let different: HashSet<_> = tags.iter().map(Answer::etag).collect();
    assert_eq!(different.len(), tags.len());
    assert_eq!(ask(&service.caller("activity:read"), "", &[]).etag(), tags[0].etag(), "the same of another reader");
}

#[test]
fn a_known_tag_hides_no_fault_and_no_lack_of_permission() {
    let service = Service::start();
    let tag = service.admin().get("/v1/activity").etag();
    for known in [tag.as_str(), "*"] {
        let headers = [("If-None-Match", known)];
        assert_eq!(ask(&service.caller("catalog:read"), "", &headers).problem(), "403 missing-permission");
        assert_eq!(ask(&service.admin(), "date=x", &headers).problem(), "400 invalid-parameters date");
        let unknown = "org=00000000-0000-4000-8000-000000000000";
        assert_eq!(ask(&service.admin(), unknown, &headers).problem(), "400 invalid-parameters org");
        let table = [("If-None-Match", known), ("Accept", "text/csv")];
        assert_eq!(ask(&service.caller("activity:report"), "", &table).problem(), "403 missing-permission");
    }
}

#[test]
fn if_match_never_matches_a_weak_tag() {
    let service = Service::start();
    let admin = service.admin();
    let tag = admin.get("/v1/activity").etag();
    assert_eq!(ask(&admin, "", &[("If-Match", &tag)]).problem(), "412 stale");
}
