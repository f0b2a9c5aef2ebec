//! `DELETE /v1/activity/{uuid}`.

use crate::http::harness::{Service, activity, json};

#[test]
fn what_was_removed_is_gone_from_everywhere() {
    let service = Service::start();
    let admin = service.admin();
    let uuid = admin.activity(json!({ "DownstreamCO2e": "7", "syncId": "a-1" }));
    let answer = admin.delete(&format!("/v1/activity/{uuid}")).expect(204);
    assert!(answer.body.is_empty());
    assert_eq!(admin.get(&format!("/v1/activity/{uuid}")).problem(), "404 not-found");
    assert_eq!(admin.delete(&format!("/v1/activity/{uuid}")).problem(), "404 not-found");
    let report = admin.get("/v1/activity").ok();
    assert_eq!((&report["count"], &report["uncategorizedCO2e"]), (&json!(0), &json!("0")));
    admin.post("/v1/activity", &activity(json!({ "syncId": "a-1" }))).created();
}

#[test]
fn removing_needs_the_permission_to_write() {
    let service = Service::start();
    let path = format!("/v1/activity/{}", service.admin().activity(json!({})));
    assert_eq!(service.caller("activity:read").delete(&path).problem(), "403 missing-permission");
    service.caller("activity:write").delete(&path).expect(204);
}

#[test]
fn removing_what_has_changed_since_is_refused() {
    let service = Service::start();
    let admin = service.admin();
    let path = format!("/v1/activity/{}", admin.activity(json!({})));
    let seen = admin.get(&path).etag();
    admin.patch(&path, &json!({ "name": "Other" })).ok();
    let answer = admin.request("DELETE", &path).header("If-Match", &seen).send();
    assert_eq!(answer.problem(), "412 stale");
    let seen = admin.get(&path).etag();
    admin.request("DELETE", &path).header("If-Match", &seen).send().expect(204);
}
