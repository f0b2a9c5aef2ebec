//! Several callers at the same time.

use std::sync::Barrier;
use std::thread;

use crate::http::harness::{Answer, Client, Service, activity, json};

const CALLERS: usize = 6;

/// The statuses of the same request, made by several callers at once, in order.
fn at_once(admin: &Client, request: impl Fn(&Client) -> Answer + Sync) -> Vec<u16> {
    let ready = Barrier::new(CALLERS);
    let (ready, request) = (&ready, &request);
    let mut statuses: Vec<_> = thread::scope(|threads| {
        let callers: Vec<_> = (0..CALLERS)
            .map(|_| {
                threads.spawn(move || {
                    ready.wait();
                    request(admin).status
                })
            })
            .collect();
        callers.into_iter().map(|caller| caller.join().unwrap()).collect()
    });
    statuses.sort_unstable();
    statuses
}

#[test]
fn of_changes_to_what_all_have_seen_one_is_made() {
    let service = Service::start();
    let admin = service.admin();
    let path = format!("/v1/activity/{}", admin.activity(json!({})));
    let seen = admin.get(&path).etag();
    let statuses = at_once(&admin, |caller| {
        let name = format!("{:?}", thread::current().id());
        caller.request("PATCH", &path).header("If-Match", &seen).json(&json!({ "name": name })).send()
    });
    assert_eq!(statuses, [200, 412, 412, 412, 412, 412]);
}

#[test]
fn of_records_with_the_same_sync_id_one_is_made() {
    let service = Service::start();
    let admin = service.admin();
    let body = activity(json!({ "syncId": "a-1", "DownstreamCO2e": "1" }));
    assert_eq!(at_once(&admin, |caller| caller.post("/v1/activity", &body)), [201, 409, 409, 409, 409, 409]);
    let report = admin.get("/v1/activity").ok();
    assert_eq!((&report["count"], &report["uncategorizedCO2e"]), (&json!(1), &json!("1")));
}

#[test]
fn of_removals_one_is_made() {
    let service = Service::start();
    let admin = service.admin();
    let path = format!("/v1/activity/{}", admin.activity(json!({})));
    assert_eq!(at_once(&admin, |caller| caller.delete(&path)), [204, 404, 404, 404, 404, 404]);
}

#[test]
fn whatever_was_acknowledged_is_in_the_next_report() {
    let service = Service::start();
    let admin = service.admin();
    let statuses = at_once(&admin, |caller| {
        for _ in 0..10 {
            caller.activity(json!({ "DownstreamCO2e": "0.1" }));
        }
        caller.get("/v1/activity?date=2025-01-01").expect(200)
    });
    assert_eq!(statuses, [200; CALLERS]);
    let report = admin.get("/v1/activity").ok();
    assert_eq!((&report["count"], &report["uncategorizedCO2e"]), (&json!(60), &json!("6")));
}
