//! The service killed while it writes: what it acknowledged is there afterwards, and all of it adds up.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::run::{Place, Served};

const KILLS: usize = 50;
const WRITERS: usize = 4;

/// Writes until the service is gone; notes each syncId whose writing was acknowledged.
fn write_on(served: &str, header: &str, prefix: &str, acknowledged: &Mutex<BTreeSet<String>>, count: &AtomicUsize) {
    for number in 0.. {
        let sync_id = format!("{prefix}-{number}");
        let body = format!(
            r#"{{"name":"Diesel","syncId":"{sync_id}","startDate":"2025-03-{:02}","UpstreamCO2e":"{number}.125"}}"#,
            number % 28 + 1
        );
        match Served::post_to(served, "/v1/activity", &[header], &body) {
            Ok((201, _)) => {
                acknowledged.lock().unwrap().insert(sync_id);
                count.fetch_add(1, Ordering::SeqCst);
            }
            Ok((status, body)) => panic!("{status} {body}"),
            Err(_) => return,
        }
    }
}

#[test]
fn no_acknowledged_write_is_lost_when_the_service_is_killed_fifty_times() {
    let place = Place::new();
    let header = place.bearer("activity:write");
    let acknowledged = Mutex::new(BTreeSet::new());
    for kill in 0..KILLS {
        let served = place.serve();
        let base = served.base.clone();
        let count = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let (base, header, acknowledged, count) = (&base, &header, &acknowledged, &count);
                scope.spawn(move || write_on(base, header, &format!("{kill}-{writer}"), acknowledged, count));
            }
            // Killed after another number of writes each time, in the middle of those under way.
            let (wanted, patience) = (1 + kill * 7 % 23, Instant::now());
            while count.load(Ordering::SeqCst) < wanted {
                assert!(patience.elapsed() < Duration::from_mins(1), "only {count:?} of {wanted} writes");
                std::thread::yield_now();
            }
            drop(served);
        });
    }
    let verified = place.run(&["verify"]);
    assert_eq!(verified.status, 0, "{}{}", verified.stdout, verified.stderr);
    assert!(verified.stdout.starts_with("OK"), "{}", verified.stdout);
    let served = place.serve();
    let (status, rows) = served.get("/v1/activity", &[&header, "Accept: application/x-ndjson"]);
    assert_eq!(status, 200);
    let acknowledged = acknowledged.into_inner().unwrap();
    assert!(acknowledged.len() > KILLS);
    let lost: Vec<_> =
        acknowledged.iter().filter(|sync_id| !rows.contains(&format!(r#""syncId":"{sync_id}""#))).collect();
    assert!(lost.is_empty(), "lost: {lost:?}");
}
