//! Verification.

use std::fs;

use super::run::{Place, Served};

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

#[test]
fn an_older_file_that_was_put_back_beside_a_newer_log_is_found_and_is_sound_without_that_log() {
    let place = Place::new();
    let add = |numbers: std::ops::Range<usize>| {
        let rows = numbers.map(|number| format!("a{number},Diesel,2025-03-01,0.125\n")).collect::<Vec<_>>().concat();
        place.file("rows.csv", &format!("syncId,name,startDate,UpstreamCO2e\n{rows}"));
        place.ok(&["import", "activities", "rows.csv"]);
    };
    let key = place.bearer("activity:write");
    let data = |name: &str| place.path().join("tonne-data/tenants").join(name);
    add(0..2_000);
    let older = fs::read(data("main.db")).unwrap();
    add(2_000..4_000);
    let served = place.serve();
    let one = r#"{"name": "Diesel", "startDate": "2025-03-01"}"#;
    assert_eq!(Served::post_to(&served.base, "/v1/activity", &[&key], one).unwrap().0, 201);
    // As a crash leaves it: what was written last is in the log, what was before in the file alone.
    drop(served);
    assert!(fs::metadata(data("main.db-wal")).unwrap().len() > 0);

    fs::write(data("main.db"), &older).unwrap();
    let ended = place.run(&["verify"]);
    assert_eq!(ended.status, 1, "{}", ended.stdout);
    assert!(ended.stdout.contains("main: ") && ended.stdout.contains("DAMAGED: "), "{}{}", ended.stdout, ended.stderr);

    for rest in ["main.db-wal", "main.db-shm"] {
        let _ = fs::remove_file(data(rest));
    }
    assert!(place.ok(&["verify"]).starts_with("OK: "));
    assert_eq!(place.json(&["report"])["count"], 2_000);
}

#[test]
fn a_head_that_was_kept_elsewhere_fits_the_store_that_goes_on_and_no_other() {
    let place = Place::new();
    assert!(place.ok(&["import", "catalog", "--standard", "ghg-protocol"]).contains("scope"));
    let pinned = place.ok(&["head"]).trim().to_owned();
    assert_eq!(place.json(&["head"])["head"], pinned.as_str());
    fs::write(place.path().join("a.csv"), "name,startDate,UpstreamCO2e\nDiesel,2025-01-01,1\n").unwrap();
    place.ok(&["import", "activities", "a.csv"]);
    let later = place.ok(&["head"]).trim().to_owned();
    assert_ne!(pinned, later);
    let number = pinned.split('.').nth(1).unwrap();
    assert_eq!(place.ok(&["head", "--at", number]).trim(), pinned);
    assert!(place.ok(&["verify", "--head", &pinned, "--head", &later]).starts_with("OK: "));

    // Another store with as many changes, sound in itself.
    let other = Place::new();
    other.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    assert!(other.ok(&["verify"]).starts_with("OK: "));
    let altered = other.run(&["verify", "--head", &pinned]);
    assert_eq!(altered.status, 1);
    assert!(
        altered.stdout.contains(&format!("main: change {number}: was pinned with the digest")),
        "{}",
        altered.stdout
    );
    let cut = other.run(&["verify", "--head", &later]);
    assert_eq!(cut.status, 1);
    assert!(cut.stdout.contains("was pinned, and the chain of changes ends before it"), "{}", cut.stdout);
}

#[test]
fn a_head_that_is_none_or_of_no_certain_company_is_wrong_use() {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let head = place.ok(&["head"]).trim().to_owned();
    let wrong = place.run(&["verify", "--head", &head[..head.len() - 1]]);
    assert!(wrong.status == 2 && wrong.stderr.contains("EPOCH.NUMBER.DIGEST"), "{}", wrong.stderr);
    place.ok(&["tenant", "create", "--name", "Second", "second"]);
    let several = place.run(&["verify", "--head", &head]);
    assert!(several.status == 2 && several.stderr.contains("--tenant"), "{}", several.stderr);
    assert!(place.ok(&["--tenant", "main", "verify", "--head", &head]).starts_with("OK: "));
    let absent = place.run(&["--tenant", "main", "head", "--at", "99"]);
    assert!(absent.status == 1 && absent.stderr.contains("there is no change 99"), "{}", absent.stderr);
}
