//! A store of which a part is gone: nothing is made in its place. And what a clean end leaves.

use std::fs;
use std::path::PathBuf;

use super::run::{Ended, Place};

/// A place with some records and a signing key.
fn filled() -> Place {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    place.ok(&["signing-key", "rotate"]);
    place
}

fn data(place: &Place, name: &str) -> PathBuf {
    place.path().join("tonne-data").join(name)
}

/// Both a command and the service must fail in one way, and make nothing.
fn refused(place: &Place, gone: &str, told: &str) {
    let length = || fs::metadata(data(place, gone)).map(|metadata| metadata.len()).ok();
    let before = length();
    for arguments in [&["report"][..], &["key", "list"], &["serve", "--listen", "127.0.0.1:0"]] {
        if gone == "secret.key" && arguments == ["report"] {
            // It signs nothing.
            assert_eq!(place.run(arguments).status, 0);
            continue;
        }
        let Ended { status, stdout, stderr } = place.run(arguments);
        assert_eq!((status, stdout.as_str()), (1, ""), "{gone}, {arguments:?}: {stderr}");
        assert!(stderr.contains(told), "{gone}, {arguments:?}: {stderr}");
        assert_eq!(length(), before, "{gone}, {arguments:?}");
    }
}

#[test]
fn a_part_that_is_gone_is_not_made_anew() {
    let restore = "is missing or empty, though this folder holds a company; restore it from a backup";
    for (name, told) in [("tenants/main.db", restore), ("directory.db", restore), ("secret.key", "is missing, and")] {
        let place = filled();
        let aside = place.path().join("aside");
        fs::rename(data(&place, name), &aside).unwrap();
        refused(&place, name, told);
        if name != "secret.key" {
            fs::write(data(&place, name), "").unwrap();
            refused(&place, name, told);
        }
        fs::rename(&aside, data(&place, name)).unwrap();
        assert!(place.ok(&["verify"]).starts_with("OK: "));
        place.ok(&["report"]);
    }
}

#[test]
fn the_file_of_another_installation_is_refused() {
    let (place, other) = (filled(), filled());
    fs::copy(data(&other, "tenants/main.db"), data(&place, "tenants/main.db")).unwrap();
    let ended = place.run(&["report"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("holds the records of another company"), "{}", ended.stderr);
    let verified = place.run(&["verify"]);
    assert_eq!(verified.status, 1);
    assert!(verified.stdout.contains("main: head: the records are those of another company"), "{}", verified.stdout);
}

#[test]
fn a_directory_of_another_installation_does_not_take_over_records() {
    let (place, other) = (filled(), Place::new());
    // As a crash would leave it before the tenant has an entry.
    fs::create_dir_all(data(&other, "tenants")).unwrap();
    drop(sqlite_directory(&other));
    fs::copy(data(&other, "directory.db"), data(&place, "directory.db")).unwrap();
    assert_eq!(place.run(&["report"]).status, 1);
    let ended = place.run(&["key", "create", "--name", "k", "--permissions", "admin"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("directory.db knows no such company"), "{}", ended.stderr);
}

/// A directory without any tenant.
fn sqlite_directory(place: &Place) -> sqlite::SqliteDirectory {
    use std::sync::Arc;

    use tonne::clock::SystemClock;

    use tonne::id_source::SystemIds;

    let options = sqlite::Options::new(Arc::new(SystemClock), Arc::new(SystemIds::new()));
    sqlite::SqliteDirectory::open(&data(place, ""), options).unwrap()
}

#[cfg(unix)]
#[test]
fn a_service_whose_directory_was_replaced_or_removed_acknowledges_nothing_more_and_says_why() {
    for is_replaced in [true, false] {
        let place = filled();
        let key = place.bearer("admin");
        let served = place.serve();
        let add = || {
            let body = r#"{"name": "a", "permissions": ["activity:read"]}"#;
            served.ask("POST", "/v1/key", &[&key, "Content-Type: application/json"], body).status
        };
        assert_eq!(add(), 201);
        let (file, aside) = (data(&place, "directory.db"), place.path().join("aside"));
        fs::rename(&file, &aside).unwrap();
        if is_replaced {
            fs::copy(&aside, &file).unwrap();
        }
        assert_eq!(add(), 500, "replaced: {is_replaced}");
        fs::rename(&aside, &file).unwrap();
        assert_eq!(add(), 201, "it is the same file again");
        let log = served.log();
        assert!(log.contains("directory.db was moved, removed or replaced while it was open"), "{log}");
        assert_eq!(place.json(&["key", "list"]).as_array().unwrap().len(), 3);
    }
}

#[test]
fn another_signing_key_makes_up_for_a_lost_secret() {
    let place = filled();
    fs::remove_file(data(&place, "secret.key")).unwrap();
    place.ok(&["signing-key", "rotate"]);
    assert!(data(&place, "secret.key").is_file());
    // The service starts only with a secret that opens the key it signs with.
    drop(place.serve());
}

#[cfg(unix)]
#[test]
fn after_a_clean_end_the_files_are_whole_without_their_logs() {
    let place = filled();
    let left = |name: &str| data(&place, name).exists();
    for _ in 0..2 {
        for name in ["directory.db-wal", "directory.db-shm", "tenants/main.db-wal", "tenants/main.db-shm"] {
            assert!(!left(name), "{name} is left");
        }
        let served = place.serve();
        place.ok(&["key", "create", "--name", "a", "--permissions", "admin"]);
        assert_eq!(served.get("/v1/activity", &[]).0, 401);
        assert!(left("directory.db-wal"));
        assert_eq!(served.terminate(), Some(0));
    }
    assert_eq!(place.json(&["key", "list"]).as_array().unwrap().len(), 2);
}

#[test]
fn commands_that_are_first_at_the_same_time_make_one_store() {
    for _ in 0..5 {
        let place = Place::new();
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| place.ok(&["key", "create", "--name", "a", "--permissions", "admin"]));
            }
        });
        assert_eq!(place.json(&["key", "list"]).as_array().unwrap().len(), 6);
        assert!(place.ok(&["verify"]).starts_with("OK: "));
    }
}
