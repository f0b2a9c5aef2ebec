//! The list of imports: who, when, of which file; and taking one back.

use domain::{Digest, Timestamp};
use serde_json::Value;

use super::super::run::Place;
use super::{ROWS, now, with_scopes};

/// What the command prints as JSON when that account runs it.
fn by(place: &Place, account: &str, arguments: &[&str]) -> Value {
    let mut command = place.command(&[arguments, &["--json"]].concat());
    let output = command.env("LOGNAME", account).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn an_import_is_listed_and_undone() {
    let place = with_scopes();
    place.file("rows.csv", ROWS);
    let before = now();
    let imported = by(&place, "ada", &["import", "activities", "rows.csv"]);
    let id = imported["import"].as_str().unwrap();
    let listed = place.json(&["import", "list"]);
    assert_eq!(listed[0]["actor"], "cli:ada");
    assert_eq!(listed[0]["sha256"], Digest::of(ROWS.as_bytes()).to_string());
    let created = Timestamp::parse(listed[0]["created"].as_str().unwrap()).unwrap().millis();
    assert!((before..=now()).contains(&created), "{listed}");
    assert_eq!(listed[0]["undoneBy"], Value::Null);
    assert_eq!((&listed[0]["uuid"], &listed[0]["name"]), (&id.into(), &"rows.csv".into()));
    assert_eq!((&listed[0]["state"], &listed[0]["counts"]["created"]), (&"done".into(), &3.into()));
    let undone = by(&place, "bob", &["import", "undo", id]);
    assert_eq!((&undone["actor"], &undone["undoneBy"]), (&"cli:ada".into(), &"cli:bob".into()));
    assert_eq!((&undone["state"], &undone["kept"]), (&"undone".into(), &0.into()));
    let who = undone["undoneBy"].as_str().unwrap();
    let (at, again) = (undone["updated"].as_str().unwrap(), place.ok(&["import", "undo", id]));
    assert_eq!(
        again,
        format!("rows.csv (import {id}) was undone already, at {at} by {who}; nothing was changed now\n")
    );
    assert_eq!(place.json(&["import", "undo", id]), undone);
    assert_eq!(place.json(&["import", "activities", "rows.csv", "--name", " June 2025 "])["created"], 3);
    assert_eq!(place.json(&["import", "list"])[0]["name"], "June 2025");
    let nameless = place.run(&["import", "activities", "rows.csv", "--name", " "]);
    assert!(nameless.status == 2 && nameless.stderr.contains("--name"), "{}", nameless.stderr);
    let unknown = place.run(&["import", "undo", "0193d3c5-0000-7000-8000-000000000002"]);
    assert!(unknown.status == 1 && unknown.stderr.contains("tonne import list"), "{}", unknown.stderr);
}
