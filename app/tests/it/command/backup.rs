//! Backups: made beside a service that writes, restored into an empty place, and what is worth nothing afterwards.

mod epoch;
mod made;
mod restore;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::run::{Place, Served};

fn key(place: &Place, permissions: &str) -> String {
    let key = place.json(&["key", "create", "--name", "ERP import", "--permissions", permissions]);
    format!("Authorization: Bearer {}", key["key"].as_str().unwrap())
}

/// An activity of that number.
fn activity(number: usize) -> String {
    format!(
        r#"{{"name":"Diesel","syncId":"a{number}","startDate":"2025-03-{:02}","UpstreamCO2e":"0.125"}}"#,
        number % 28 + 1
    )
}

/// Adds activities until it is told to end; how many were acknowledged is counted.
fn write_on(base: &str, key: &str, end: &AtomicBool, count: &AtomicUsize) {
    for number in 0.. {
        if end.load(Ordering::SeqCst) {
            return;
        }
        let (status, body) = Served::post_to(base, "/v1/activity", &[key], &activity(number)).unwrap();
        assert_eq!(status, 201, "{body}");
        count.fetch_add(1, Ordering::SeqCst);
    }
}

/// Ends the writers when it is dropped.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Makes backups in a folder while activities are added at that base address: each with how many were acknowledged before it
/// and after it.
pub(super) fn made_beside_writes(
    (base, key): (&str, &str),
    (folder, backups): (&Path, usize),
    back_up: impl Fn(&str),
) -> Vec<(PathBuf, usize, usize)> {
    let (end, written) = (AtomicBool::new(false), AtomicUsize::new(0));
    let mut made = Vec::new();
    std::thread::scope(|scope| {
        // Also when something below fails, which would else be waited for without end.
        let ends = Ends(&end);
        scope.spawn(|| write_on(base, key, &end, &written));
        for number in 0..backups {
            let (patience, wanted) = (Instant::now(), written.load(Ordering::SeqCst) + 3);
            while written.load(Ordering::SeqCst) < wanted {
                assert!(patience.elapsed() < Duration::from_mins(1), "nothing is written any more");
                std::thread::yield_now();
            }
            let before = written.load(Ordering::SeqCst);
            let file = folder.join(format!("{number}.backup"));
            back_up(file.to_str().unwrap());
            made.push((file, before, written.load(Ordering::SeqCst)));
        }
        drop(ends);
    });
    made
}

fn restored(backup: &Path, flags: &[&str]) -> (Place, serde_json::Value) {
    let place = Place::new();
    let told = place.json(&[&["restore", backup.to_str().unwrap()], flags].concat());
    (place, told)
}

/// The lines of a company's change chain, without what an export says of the whole.
fn chain(place: &Place) -> Vec<String> {
    let export = place.ok(&["export", "--to", "-"]);
    export.lines().filter(|line| line.contains(r#""kind":"change""#)).map(str::to_owned).collect()
}

fn count(place: &Place) -> u64 {
    place.json(&["report"])["count"].as_u64().unwrap()
}
