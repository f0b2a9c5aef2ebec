//! Verification.

use std::fs;

use super::run::Place;

/// The content of the files of the store, and of their logs where those hold anything.
fn content(place: &Place) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for name in ["directory.db", "directory.db-wal", "tenants/main.db", "tenants/main.db-wal"] {
        let content = fs::read(place.path().join("tonne-data").join(name)).unwrap_or_default();
        if !content.is_empty() {
            files.push((name.to_owned(), content));
        }
    }
    files
}

#[test]
fn a_fresh_store_is_ok_and_an_absent_one_is_not_made() {
    let place = Place::new();
    let absent = place.run(&["verify"]);
    assert_eq!(absent.status, 1);
    assert!(absent.stderr.starts_with("error: there is no store in ./tonne-data"), "{}", absent.stderr);
    assert!(place.path().read_dir().unwrap().next().is_none());
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    assert!(place.ok(&["verify"]).starts_with("OK: "));
    assert_eq!(place.json(&["verify"])["ok"], true);
}

#[test]
fn a_store_is_ok_beside_the_service_that_serves_it() {
    let place = Place::new();
    let _served = place.serve();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    assert!(place.ok(&["verify"]).starts_with("OK: "));
}

#[test]
fn no_byte_of_the_store_changes_even_where_a_service_was_killed() {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let before = content(&place);
    place.ok(&["verify"]);
    assert!(content(&place) == before);
    let served = place.serve();
    place.ok(&["key", "create", "--name", "k", "--permissions", "admin"]);
    drop(served);
    let before = content(&place);
    assert!(before.iter().any(|(name, _)| name == "directory.db-wal"), "something is in a log");
    place.ok(&["verify"]);
    assert!(content(&place) == before);
}

#[test]
fn what_is_no_store_or_absent_is_refused_and_left_so() {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let (file, log) = ("tonne-data/tenants/main.db", "tonne-data/tenants/main.db-wal");
    let _ = fs::remove_file(place.path().join(log));
    place.file(file, "a note");
    let before = content(&place);
    let ended = place.run(&["verify"]);
    assert_eq!(ended.status, 1);
    assert!(
        ended.stderr.starts_with("error: ./tonne-data/tenants/main.db is not a file of Tonne's"),
        "{}",
        ended.stderr
    );
    assert!(content(&place) == before);
    fs::remove_file(place.path().join(file)).unwrap();
    let ended = place.run(&["verify"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("there is no store to verify"), "{}", ended.stderr);
    assert!(!place.path().join(file).exists());
}

#[test]
fn one_letter_changed_in_the_file_is_found_and_the_record_is_named() {
    let place = Place::new();
    place.file("rows.csv", "syncId,name,startDate,UpstreamCO2e\na-1,Unmistakable,2025-01-31,1\n");
    place.ok(&["import", "activities", "rows.csv"]);
    let path = place.path().join("tonne-data/tenants/main.db");
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(12).position(|window| window == b"Unmistakable").unwrap();
    bytes[at] = b'u';
    fs::write(&path, bytes).unwrap();
    let ended = place.run(&["verify"]);
    assert_eq!(ended.status, 1);
    let told = format!("{}{}", ended.stdout, ended.stderr);
    assert!(told.contains("activity ") && told.contains("digest"), "{told}");
    assert!(!told.contains("OK"), "{told}");
}
