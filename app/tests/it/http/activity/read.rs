//! `GET /v1/activity/{uuid}`.

use crate::http::harness::{Service, json};

#[test]
fn reading_one_needs_the_permission_to_read() {
    let service = Service::start();
    let uuid = service.admin().activity(json!({}));
    let path = format!("/v1/activity/{uuid}");
    for permissions in ["activity:read", "activity:write", "admin"] {
        assert_eq!(service.caller(permissions).get(&path).ok()["uuid"], uuid, "{permissions}");
    }
    for permissions in ["activity:report", "catalog:write", "switch:read"] {
        let answer = service.caller(permissions).get(&path);
        assert_eq!(answer.problem(), "403 missing-permission", "{permissions}");
        assert!(answer.text().contains("activity:read"), "{}", answer.text());
    }
}

#[test]
fn one_that_is_not_there_is_not_found() {
    let service = Service::start();
    let admin = service.admin();
    let path = "/v1/activity/00000000-0000-4000-8000-000000000000";
    assert_eq!(admin.get(path).problem(), "404 not-found");
    assert_eq!(admin.patch(path, &json!({})).problem(), "404 not-found");
    assert_eq!(admin.delete(path).problem(), "404 not-found");
}

#[test]
fn it_takes_no_parameters() {
    let service = Service::start();
    let uuid = service.admin().activity(json!({}));
    let answer = service.admin().get(&format!("/v1/activity/{uuid}?fields=name"));
    assert_eq!(answer.problem(), "400 invalid-parameters fields");
}

#[test]
fn it_is_json_and_nothing_else() {
    let service = Service::start();
    let path = format!("/v1/activity/{}", service.admin().activity(json!({})));
    let accepting = |accept: &str| service.admin().request("GET", &path).header("Accept", accept).send();
    for accept in ["application/json", "*/*", "application/*", "text/csv, */*;q=0.1"] {
        assert_eq!(accepting(accept).expect(200).header("content-type"), Some("application/json"), "{accept}");
    }
    assert_eq!(accepting("text/csv").problem(), "406 not-acceptable");
}

#[test]
fn head_gives_the_head_alone() {
    let service = Service::start();
    let path = format!("/v1/activity/{}", service.admin().activity(json!({})));
    let read = service.admin().get(&path).expect(200);
    let head = service.admin().request("HEAD", &path).send();
    assert_eq!((head.status, head.body.len(), head.etag()), (200, 0, read.etag()));
    assert_eq!(head.header("content-length"), Some(read.body.len().to_string().as_str()));
}
