//! What each permission is shown.

use super::emit;
use crate::http::harness::{Service, Value, json};

#[test]
fn the_permission_to_report_shows_all_but_the_activities() {
    let service = Service::start();
    let admin = service.admin();
    emit(&admin, &admin.scope("scope1"), "2025-01-01", "7");
    let mut full = admin.get("/v1/activity?date=2025").ok();
    assert_eq!(full["data"].as_array().unwrap().len(), 1);
    full["data"] = json!([]);
    assert_eq!(service.caller("activity:report").get("/v1/activity?date=2025").ok(), full);
    let page = service.caller("activity:report").get("/v1/activity?date=2025&page=1").ok();
    assert_eq!((&page["count"], &page["data"]), (&json!(1), &json!([])));
}

#[test]
fn the_permission_to_read_and_those_that_include_it_show_the_activities() {
    let service = Service::start();
    let admin = service.admin();
    emit(&admin, &admin.scope("scope1"), "2025-01-01", "7");
    for permissions in ["activity:read", "activity:write", "admin", "activity:report activity:read"] {
        let report: Value = service.caller(permissions).get("/v1/activity").ok();
        assert_eq!(report["data"].as_array().unwrap().len(), 1, "{permissions}");
    }
}

#[test]
fn without_either_there_is_no_report() {
    let service = Service::start();
    let others = "switch:write model:write footprint:write catalog:write";
    let answer = service.caller(others).get("/v1/activity");
    assert_eq!(answer.problem(), "403 missing-permission");
    assert!(answer.text().contains("activity:report"), "{}", answer.text());
    assert_eq!(
        answer.header("www-authenticate"),
        Some(r#"Bearer error="insufficient_scope", scope="activity:report""#)
    );
}

#[test]
fn tables_and_lines_need_the_permission_to_read() {
    let service = Service::start();
    for accept in ["text/csv", "application/x-ndjson"] {
        let ask = |permissions: &str| {
            service.caller(permissions).request("GET", "/v1/activity").header("Accept", accept).send()
        };
        ask("activity:read").expect(200);
        assert_eq!(ask("activity:report").problem(), "403 missing-permission", "{accept}");
    }
}

#[test]
fn a_permission_is_asked_for_before_the_query_is_judged() {
    let service = Service::start();
    assert_eq!(service.caller("catalog:read").get("/v1/activity?date=x").problem(), "403 missing-permission");
}
