//! The list of footprints.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tonne_http::{Areas, Limits, Service};

use crate::api::{Answer, get, send_to};
use crate::fake::{self, Activities, Footprints};

/// Records of 1 MiB each: so many may be in memory at once.
const FEW: u32 = 8;

async fn ask(footprints: &Footprints, method: &str, path: &str) -> Answer {
    let areas = Areas { footprints: Arc::new(footprints.clone()), ..fake::areas(Activities::default()) };
    let service = Service::new(areas, fake::settings(Limits::default()));
    send_to(&service, method, path, &[("Authorization", "Bearer footprint:review")], "").await
}

fn numbers(answer: &Answer) -> Vec<u64> {
    answer.json()["data"].as_array().unwrap().iter().map(|one| one["id"].as_u64().unwrap()).collect()
}

#[actix_web::test]
async fn lists_of_any_length_hold_a_few_records_at_once() {
    for (path, expected) in [
        ("/api/pact/2/footprints", (1..=50).collect::<Vec<_>>()),
        ("/api/v1/footprint?pageSize=1000", (1..=50).collect()),
        ("/api/v1/footprint?pageSize=21&page=2", (22..=42).collect()),
        ("/api/v1/footprint?pageSize=21&page=4", Vec::new()),
    ] {
        let footprints = Footprints { count: 50, ..Footprints::default() };
        let answer = ask(&footprints, "GET", path).await;
        assert_eq!((answer.status, numbers(&answer)), (200, expected), "{path}");
        let most = footprints.most.load(Ordering::SeqCst);
        assert!((1..=FEW).contains(&most), "{path}: {most}");
    }
}

#[actix_web::test]
async fn a_page_tells_which_it_is_and_how_many_records_there_are() {
    let footprints = Footprints { count: 3, ..Footprints::default() };
    let answer = ask(&footprints, "GET", "/api/v1/footprint?pageSize=2&page=2").await;
    assert!(answer.text.starts_with(r#"{"count":3,"page":2,"pageSize":2,"data":[{"#), "{}", answer.text);
    let beyond = ask(&footprints, "GET", "/api/v1/footprint?page=9").await;
    assert_eq!(beyond.text, r#"{"count":3,"page":9,"pageSize":100,"data":[]}"#);
}

#[actix_web::test]
async fn the_head_of_a_list_reads_no_record_but_needs_the_permission() {
    for path in ["/api/pact/2/footprints", "/api/v1/footprint"] {
        let footprints = Footprints { count: 50, ..Footprints::default() };
        let head = ask(&footprints, "HEAD", path).await;
        assert_eq!((head.status, head.text.as_str(), footprints.most.load(Ordering::SeqCst)), (200, "", 0), "{path}");
        let service = fake::service(Activities::default(), Limits::default());
        let refused = send_to(&service, "HEAD", path, &[("Authorization", "Bearer switch:read")], "").await;
        assert_eq!(refused.status, 403, "{path}");
    }
}

#[actix_web::test]
async fn all_valid_footprints_are_listed_with_every_field() {
    let answer = get("/api/pact/2/footprints", "footprint:read").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let json = answer.json();
    let data = json["data"].as_array().unwrap();
    assert_eq!(data.iter().map(|one| one["id"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!((data[0].as_object().unwrap().len(), data[0]["pcf"].as_object().unwrap().len()), (19, 33));
    assert_eq!(data[2]["companyName"], "Company 3");
}

#[actix_web::test]
async fn listing_needs_the_permission() {
    let answer = get("/api/pact/2/footprints", "switch:read").await;
    assert_eq!((answer.status, answer.problem().as_str()), (403, "missing-permission"));
}
