//! The activities of a report: their order, all of them or a page.

use super::report;
use crate::http::harness::{Answer, Client, Service, Value, json};

/// What identifies each activity, in order.
fn uuids(report: &Value) -> Vec<&str> {
    report["data"].as_array().unwrap().iter().map(|one| one["uuid"].as_str().unwrap()).collect()
}

/// Activities of several days, recorded in an order that is not theirs.
fn fill(admin: &Client) {
    for day in ["2025-03-01", "2024-01-01", "2025-01-01", "2025-03-01", "2024-01-01", "2025-02-01", "2025-03-01"] {
        admin.activity(json!({ "startDate": day, "DownstreamCO2e": "1" }));
    }
}

#[test]
fn activities_are_ordered_by_day_then_uuid() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    admin.activity(json!({ "startDate": "2025-01-01T00:30:00+13:00" }));
    let report = report(&admin, "");
    let order: Vec<_> = report["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["startDate"].as_str().unwrap()[..10].to_owned(), one["uuid"].as_str().unwrap()))
        .collect();
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!(order.len(), 8);
}

#[test]
fn pages_are_parts_of_the_whole() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    let whole = report(&admin, "");
    for size in [1, 2, 3, 7, 100] {
        let mut together = Vec::new();
        for number in 1..=(7 + size - 1) / size {
            let page = report(&admin, &format!("page={number}&pageSize={size}"));
            assert_eq!(
                (&page["count"], &page["uncategorizedCO2e"]),
                (&json!(7), &json!("7")),
                "totals are of the whole"
            );
            together.extend(uuids(&page).into_iter().map(str::to_owned));
        }
        assert_eq!(together, uuids(&whole), "pages of {size}");
    }
}

/// Where the link of that relation leads, below the base address.
pub(super) fn linked(answer: &Answer, relation: &str) -> Option<String> {
    let mut links = answer.header("link")?.split(", ");
    let link = links.find_map(|link| link.strip_suffix(&format!(">; rel=\"{relation}\"")))?;
    Some(link[link.find("/v1/")?..].to_owned())
}

#[test]
fn links_lead_through_all_activities_and_back() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    let whole = report(&admin, "");
    for size in [1, 2, 3] {
        let (mut there, mut path) = (Vec::new(), Some(format!("/v1/activity?limit={size}")));
        while let Some(next) = path {
            let answer = admin.get(&next).expect(200);
            path = linked(&answer, "next");
            there.push(answer);
        }
        let together: Vec<Value> =
            there.iter().flat_map(|one| one.json()["data"].as_array().unwrap().clone()).collect();
        assert_eq!(json!(together), whole["data"], "steps of {size}");
        let mut path = linked(there.last().unwrap(), "prev");
        for expected in there.iter().rev().skip(1) {
            let answer = admin.get(&path.unwrap()).expect(200);
            assert_eq!(answer.json()["data"], expected.json()["data"]);
            assert_eq!(linked(&answer, "next"), linked(expected, "next"));
            path = linked(&answer, "prev");
        }
        assert_eq!(path, None);
    }
}

#[test]
fn past_the_end_there_is_nothing_but_the_true_count() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    for page in ["page=8&pageSize=1", "page=2", "page=2147483647&pageSize=1000"] {
        let page = report(&admin, page);
        assert_eq!((&page["count"], &page["data"]), (&json!(7), &json!([])));
    }
}

#[test]
fn a_page_has_100_activities_unless_told_otherwise() {
    let service = Service::start();
    let admin = service.admin();
    let caller = service.operator();
    service.import(caller, super::form::lines(120));
    assert_eq!(uuids(&report(&admin, "page=1")).len(), 100);
    assert_eq!(uuids(&report(&admin, "page=2")).len(), 20);
    assert_eq!(uuids(&report(&admin, "pageSize=110")).len(), 110);
}

#[test]
fn without_a_page_all_activities_come_however_many() {
    let service = Service::start();
    let admin = service.admin();
    let caller = service.operator();
    service.import(caller, super::form::lines(2_001));
    let answer = admin.get("/v1/activity").expect(200);
    assert_eq!(answer.header("transfer-encoding"), Some("chunked"));
    let report = answer.json();
    assert_eq!(report["count"], 2_001);
    let mut uuids = uuids(&report);
    uuids.sort_unstable();
    uuids.dedup();
    assert_eq!(uuids.len(), 2_001);
}

#[test]
fn head_gives_the_head_alone() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    for query in ["", "page=1"] {
        let get = admin.get(&format!("/v1/activity?{query}")).expect(200);
        let head = admin.request("HEAD", &format!("/v1/activity?{query}")).send();
        assert_eq!((head.status, head.body.len(), head.etag()), (200, 0, get.etag()), "{query}");
        assert_eq!(head.header("content-type"), get.header("content-type"));
    }
}
