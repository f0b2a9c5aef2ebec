//! Restoring: into an empty place alone, the whole of a backup or nothing of it.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::process::Stdio;

use super::super::run::{Ended, Place, Served};
use super::{activity, chain, count, key, restored};

#[test]
fn a_restore_never_touches_a_store_that_is_there() {
    let source = Place::new();
    source.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    source.ok(&["backup", "--to", "a.backup"]);
    let before = chain(&source);
    for arguments in [&["restore", "a.backup"][..], &["restore", "a.backup", "--revoke-credentials"]] {
        let Ended { status, stderr, .. } = source.run(arguments);
        assert_eq!(status, 1);
        assert!(stderr.contains("there is a store in ./tonne-data already"), "{stderr}");
    }
    // Only the directory is gone: what is left is a store still.
    fs::rename(source.path().join("tonne-data/directory.db"), source.path().join("aside")).unwrap();
    assert_eq!(source.run(&["restore", "a.backup"]).status, 1);
    fs::rename(source.path().join("aside"), source.path().join("tonne-data/directory.db")).unwrap();
    assert_eq!(chain(&source), before);
    let served = source.serve();
    let ended = source.run(&["restore", "a.backup"]);
    assert!(ended.status == 1 && ended.stderr.contains("is served by another process"), "{}", ended.stderr);
    drop(served);
    let ended = source.run(&["backup", "--to", "a.backup"]);
    assert!(ended.status == 1 && ended.stderr.contains("--force replaces it"), "{}", ended.stderr);
    source.ok(&["backup", "--to", "a.backup", "--force"]);
}

/// The names of a tar archive's members, each with the place of its content.
fn members(archive: &[u8]) -> Vec<(&str, Range<usize>)> {
    let (mut members, mut at) = (Vec::new(), 0);
    // A header is a block of 512 bytes; one of zeros alone ends the archive.
    while archive[at] != 0 {
        let text =
            |from: usize, to: usize| str::from_utf8(&archive[at + from..at + to]).unwrap().trim_end_matches('\0');
        let size = usize::from_str_radix(text(124, 135), 8).unwrap();
        members.push((text(0, 100), at + 512..at + 512 + size));
        at += 512 + size.next_multiple_of(512);
    }
    members
}

#[test]
fn a_backup_that_was_changed_or_cut_off_is_refused_and_leaves_nothing() {
    let source = Place::new();
    source.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    source.ok(&["backup", "--to", "a.backup"]);
    let whole = fs::read(source.path().join("a.backup")).unwrap();
    let changed = |at: usize| {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        changed
    };
    let members = members(&whole);
    let names: Vec<_> = members.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["tenants/main.db", "directory.db", "manifest.json", "SHA256SUMS"]);
    let wrong = [whole[..whole.len() / 2].to_vec(), whole[..512].to_vec(), Vec::new(), b"{}".to_vec()];
    // A bit of each member is another.
    let changed = members.iter().map(|(_, content)| changed(content.start + content.len() / 2));
    for (number, content) in wrong.into_iter().chain(changed).enumerate() {
        let place = Place::new();
        let path = place.path().join("b.backup");
        fs::write(&path, content).unwrap();
        let ended = place.run(&["restore", "b.backup"]);
        assert_eq!(ended.status, 1, "{number}: {}", ended.stdout);
        assert!(ended.stderr.contains("nothing was restored"), "{number}: {}", ended.stderr);
        assert_eq!(place.run(&["report"]).status, 1, "{number}: there is no store");
        fs::write(&path, &whole).unwrap();
        place.ok(&["restore", "b.backup"]);
    }
}

#[test]
fn a_log_that_was_left_is_not_taken_for_a_restored_files() {
    let source = Place::new();
    let (key, served) = (key(&source, "activity:write"), source.serve());
    let add = |numbers: std::ops::Range<usize>| {
        for number in numbers {
            assert_eq!(Served::post_to(&served.base, "/v1/activity", &[&key], &activity(number)).unwrap().0, 201);
        }
    };
    add(0..20);
    source.ok(&["backup", "--to", "a.backup"]);
    add(20..40);
    // As a crash leaves it: the newest writes are in the log.
    drop(served);
    let data = source.path().join("tonne-data");
    let log = fs::read(data.join("tenants/main.db-wal")).unwrap();
    assert!(log.len() > 1_000, "the log holds the newest writes");
    for file in [data.join("directory.db"), data.join("tenants/main.db")] {
        fs::remove_file(file).unwrap();
    }
    source.ok(&["restore", "a.backup"]);
    assert_eq!(count(&source), 20);
    assert!(source.ok(&["verify"]).starts_with("OK: "));
    let again = source.serve();
    assert_eq!(Served::post_to(&again.base, "/v1/activity", &[&key], &activity(99)).unwrap().0, 201);
}

#[test]
fn a_restore_that_was_broken_off_is_begun_again() {
    let source = Place::new();
    source.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    source.ok(&["backup", "--to", "a.backup"]);
    let (place, _) = restored(&source.path().join("a.backup"), &[]);
    let data = |name: &str| -> PathBuf { place.path().join("tonne-data").join(name) };
    // As it is before the last file is moved in.
    fs::remove_file(data("directory.db")).unwrap();
    let file = data("tenants/main.db").metadata().unwrap();
    let written = file.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
    fs::write(data("restore.unfinished"), format!("{}-{written}/main.db\n", file.len())).unwrap();
    assert_eq!(place.run(&["report"]).status, 1, "it is not taken for whole");
    place.ok(&["restore", source.path().join("a.backup").to_str().unwrap()]);
    assert!(!data("restore.unfinished").exists());
    assert!(place.ok(&["verify"]).starts_with("OK: "));
}

#[test]
fn a_restore_that_is_killed_leaves_nothing_that_is_taken_for_whole() {
    let source = Place::new();
    source.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    source.ok(&["backup", "--to", "a.backup"]);
    let (backup, place) = (source.path().join("a.backup"), Place::new());
    let data = place.path().join("tonne-data");
    let is_there = |what: &str| match what.strip_suffix('*') {
        Some(start) => data.read_dir().is_ok_and(|mut entries| {
            entries.any(|entry| entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with(start)))
        }),
        None => data.join(what).exists(),
    };
    let mut whole = 0;
    for seen in ["serve.lock", ".tonne-restore-*", "restore.unfinished", "tenants/main.db", "directory.db"] {
        let mut command = place.command(&["restore", backup.to_str().unwrap()]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while !is_there(seen) && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let _ = child.kill();
        child.wait().unwrap();
        if place.run(&["report"]).status == 0 {
            whole += 1;
            assert!(place.ok(&["verify"]).starts_with("OK: "), "killed when {seen} was there");
            fs::remove_dir_all(&data).unwrap();
        }
    }
    let again = place.run(&["restore", backup.to_str().unwrap()]);
    assert_eq!(again.status, 0, "after {whole} whole ones: {}", again.stderr);
    assert!(place.ok(&["verify"]).starts_with("OK: "));
    let left: Vec<_> = data.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with("restore")), "{left:?}");
}

#[test]
fn a_restore_removes_nothing_that_is_not_its_own() {
    let source = Place::new();
    source.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    source.ok(&["backup", "--to", "a.backup"]);
    source.ok(&["restore", "a.backup", "--data-dir", "tonne-data/restore-test"]);
    assert_eq!(source.run(&["restore", "a.backup"]).status, 1);
    assert!(source.ok(&["verify", "--data-dir", "tonne-data/restore-test"]).starts_with("OK: "));
    // A mark that was left in a store which is used since is no leave to remove its files.
    let mark = source.path().join("tonne-data/restore.unfinished");
    fs::write(&mark, "1-1/main.db\n").unwrap();
    fs::rename(source.path().join("tonne-data/directory.db"), source.path().join("aside")).unwrap();
    assert_eq!(source.run(&["restore", "a.backup"]).status, 1);
    fs::rename(source.path().join("aside"), source.path().join("tonne-data/directory.db")).unwrap();
    assert!(source.ok(&["verify"]).starts_with("OK: "));
    source.ok(&["key", "list"]);
    assert!(!mark.exists(), "whoever opens the store removes it");
}

#[cfg(unix)]
#[test]
fn a_service_whose_file_was_replaced_acknowledges_nothing_more_and_says_why() {
    let source = Place::new();
    let (key, served) = (key(&source, "activity:write"), source.serve());
    let add = |number| Served::post_to(&served.base, "/v1/activity", &[&key], &activity(number)).unwrap().0;
    assert_eq!(add(1), 201);
    source.ok(&["backup", "--to", "a.backup"]);
    let (place, _) = restored(&source.path().join("a.backup"), &[]);
    let file = source.path().join("tonne-data/tenants/main.db");
    fs::rename(&file, source.path().join("aside.db")).unwrap();
    fs::copy(place.path().join("tonne-data/tenants/main.db"), &file).unwrap();
    assert_eq!(add(2), 500);
    assert_eq!(served.get("/v1/activity?page=1", &[&key]).0, 500, "it answers from neither file");
    fs::rename(source.path().join("aside.db"), &file).unwrap();
    assert_eq!(add(3), 201, "it is the same file again");
    let log = served.log();
    assert!(log.contains("main.db was moved, removed or replaced while it was open"), "{log}");
}
