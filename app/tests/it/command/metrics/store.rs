//! What is measured of a store while it is written to.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Measured;
use crate::command::run::Place;

#[test]
fn changes_that_are_written_are_counted_as_writers_until_they_end() {
    let place = Place::new();
    let key = place.bearer("admin");
    let service = Measured::start(&place);
    let is_seen = AtomicBool::new(false);
    let headers = [key.as_str(), "Content-Type: text/csv"];
    let rows = format!("name,startDate\n{}", "Van,2025-01-01\n".repeat(20_000));
    std::thread::scope(|scope| {
        let importing = scope.spawn(|| {
            let began = Instant::now();
            while !is_seen.load(Ordering::Relaxed) && began.elapsed() < Duration::from_mins(1) {
                let answer = service.base.ask("POST", "/v1/activity/batch?again=true", &headers, &rows);
                assert_eq!(answer.status, 200, "{}", answer.body);
            }
        });
        while !importing.is_finished() {
            if service.page().value("tonne_store_writers") > 0 {
                is_seen.store(true, Ordering::Relaxed);
            }
        }
        importing.join().unwrap();
    });
    assert!(is_seen.load(Ordering::Relaxed), "no import was ever seen as it was written");
    assert_eq!(service.page().value("tonne_store_writers"), 0);
}

#[test]
fn a_change_waits_for_its_turn_and_grows_the_log() {
    let place = Place::new();
    let key = place.bearer("admin");
    let service = Measured::start(&place);
    let headers = [key.as_str(), "Content-Type: application/json"];
    assert_eq!(service.base.ask("POST", "/v1/org", &headers, r#"{"name": "A"}"#).status, 201);
    // The first look at the page: sizes are looked up again only after a while.
    let page = service.page();
    assert!(page.value("tonne_store_write_wait_seconds_count") >= 1, "{}", page.0);
    assert!(page.value("tonne_store_log_bytes") > 0, "{}", page.0);
}
