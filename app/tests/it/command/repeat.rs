//! Requests with an `Idempotency-Key` that are sent again after the service was killed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::run::{Place, Served};

const KILLS: usize = 8;
const WRITERS: usize = 4;

const JSON: &str = "Content-Type: application/json";

/// A key that may do what these tests do, as a header.
fn key(place: &Place) -> String {
    place.bearer("activity:write,activity:read")
}

#[test]
fn a_repeat_after_a_restart_is_answered_as_the_first_time() {
    let place = Place::new();
    let key = key(&place);
    let headers = [key.as_str(), JSON, "Idempotency-Key: once"];
    let body = r#"{"name":"Diesel","startDate":"2025-03-01","UpstreamCO2e":"0.125"}"#;
    let served = place.serve();
    let first = served.ask("POST", "/v1/activity", &headers, body);
    assert_eq!(first.status, 201, "{first:?}");
    drop(served);
    let served = place.serve();
    let again = served.ask("POST", "/v1/activity", &headers, body);
    assert_eq!((again.status, again.etag(), &again.body), (201, first.etag(), &first.body));
    let other = served.ask("POST", "/v1/activity", &headers, &body.replace("0.125", "0.25"));
    assert_eq!((other.status, other.json()["type"].as_str()), (422, Some("/problems/idempotency-key-reused")));
    assert_eq!(served.ask("GET", "/v1/activity", &[&key], "").json()["count"], 1);
    drop(served);
    assert!(place.ok(&["verify"]).starts_with("OK"));
}

/// Sends requests until the service is gone: each is noted before it is sent.
fn write_on(base: &str, header: &str, prefix: &str, sent: &Mutex<Vec<String>>, answered: &AtomicUsize) {
    for number in 0.. {
        let name = format!("{prefix}-{number}");
        sent.lock().unwrap().push(name.clone());
        match send(base, header, &name) {
            Ok((201, _)) => drop(answered.fetch_add(1, Ordering::SeqCst)),
            Ok((status, body)) => panic!("{status} {body}"),
            Err(_) => return,
        }
    }
}

/// Records an activity of that name, under a key of the same name.
fn send(base: &str, header: &str, name: &str) -> std::io::Result<(u16, String)> {
    let body = format!(r#"{{"name":"{name}","startDate":"2025-03-01","UpstreamCO2e":"1"}}"#);
    Served::post_to(base, "/v1/activity", &[header, &format!("Idempotency-Key: {name}")], &body)
}

#[test]
fn whatever_was_under_way_when_the_service_was_killed_is_written_once_by_a_repeat() {
    let place = Place::new();
    let header = key(&place);
    let sent = Mutex::new(Vec::new());
    for kill in 0..KILLS {
        let served = place.serve();
        let (base, answered) = (served.base.clone(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let (base, header, sent, answered) = (&base, &header, &sent, &answered);
                scope.spawn(move || write_on(base, header, &format!("{kill}-{writer}"), sent, answered));
            }
            let (wanted, patience) = (1 + kill * 7 % 23, Instant::now());
            while answered.load(Ordering::SeqCst) < wanted {
                assert!(patience.elapsed() < Duration::from_mins(1), "only {answered:?} of {wanted} writes");
                std::thread::yield_now();
            }
            drop(served);
        });
    }
    let sent = sent.into_inner().unwrap();
    assert!(sent.len() > KILLS * WRITERS);
    let served = place.serve();
    for name in &sent {
        let (status, body) = send(&served.base, &header, name).unwrap();
        assert_eq!(status, 201, "{body}");
        assert!(body.contains(&format!(r#""name":"{name}""#)), "{body}");
    }
    assert_eq!(served.ask("GET", "/v1/activity", &[&header], "").json()["count"], sent.len());
}
