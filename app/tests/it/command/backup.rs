//! Backups: made beside a service that writes, restored into an empty place, and what is worth nothing afterwards.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::run::{Ended, Place, Served};
use crate::http::footprint::examples;

const JSON: &str = "Content-Type: application/json";

fn key(place: &Place, permissions: &str) -> String {
    let key = place.json(&["key", "create", "--name", "ERP import", "--permissions", permissions]);
    format!("Authorization: Bearer {}", key["key"].as_str().unwrap())
}

/// An activity of that number.
pub(super) fn activity(number: usize) -> String {
    format!(
        r#"{{"name":"Diesel","syncId":"a{number}","startDate":"2025-03-{:02}","UpstreamCO2e":"0.125"}}"#,
        number % 28 + 1
    )
}

/// Adds activities until it is told to end; how many were acknowledged is counted.
pub(super) fn write_on(base: &str, key: &str, end: &AtomicBool, count: &AtomicUsize) {
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
pub(super) struct Ends<'a>(pub(super) &'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

fn restored(backup: &std::path::Path, flags: &[&str]) -> (Place, serde_json::Value) {
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

#[test]
fn backups_beside_a_service_that_writes_verify_and_are_a_prefix_of_the_ledger() {
    const BACKUPS: usize = 20;
    let source = Place::new();
    let key = key(&source, "activity:write");
    let served = source.serve();
    let (end, written) = (AtomicBool::new(false), AtomicUsize::new(0));
    let mut made = Vec::new();
    std::thread::scope(|scope| {
        // Also when something below fails, which would else be waited for without end.
        let ends = Ends(&end);
        scope.spawn(|| write_on(&served.base, &key, &end, &written));
        for number in 0..BACKUPS {
            let patience = Instant::now();
            let wanted = written.load(Ordering::SeqCst) + 3;
            while written.load(Ordering::SeqCst) < wanted {
                assert!(patience.elapsed() < Duration::from_mins(1), "nothing is written any more");
                std::thread::yield_now();
            }
            let before = written.load(Ordering::SeqCst);
            let file = source.path().join(format!("{number}.backup"));
            source.ok(&["backup", "--to", file.to_str().unwrap()]);
            made.push((file, before, written.load(Ordering::SeqCst)));
        }
        drop(ends);
    });
    let all = chain(&source);
    for (file, before, after) in made {
        let (place, _) = restored(&file, &[]);
        assert!(place.ok(&["verify"]).starts_with("OK: "));
        let there = usize::try_from(count(&place)).unwrap();
        assert!(
            (before..=after + 1).contains(&there),
            "{there} activities where {before} to {after} were acknowledged"
        );
        let kept = chain(&place);
        assert!(kept.len() == there && all.starts_with(&kept), "the chain of {} changes is no prefix", kept.len());
    }
}

#[test]
fn no_tag_of_before_a_restore_matches_what_is_written_after_it() {
    let source = Place::new();
    let (key, served) = (key(&source, "admin"), source.serve());
    let made = served.ask("POST", "/v1/activity", &[&key, JSON], &activity(1)).json();
    let path = format!("/v1/activity/{}", made["uuid"].as_str().unwrap());
    source.ok(&["backup", "--to", "a.backup"]);
    let patched = |served: &Served, name: &str| {
        let patched = served.ask("PATCH", &path, &[&key, JSON], &format!(r#"{{"name":"{name}"}}"#));
        assert_eq!(patched.status, 200, "{patched:?}");
    };
    patched(&served, "lost");
    let of = |served: &Served| {
        let report = served.ask("GET", "/v1/activity?date=2025", &[&key], "").etag().to_owned();
        (served.ask("GET", &path, &[&key], "").etag().to_owned(), report)
    };
    let (record, report) = of(&served);
    drop(served);

    let (place, _) = restored(&source.path().join("a.backup"), &[]);
    let served = place.serve();
    // The same number of changes, with other content.
    patched(&served, "kept");
    let stale = format!("If-Match: {record}");
    let answer = served.ask("PATCH", &path, &[&key, JSON, &stale], r#"{"name":"over it"}"#);
    assert_eq!(answer.status, 412, "{answer:?}");
    let known = |path: &str, tag: &str| served.ask("GET", path, &[&key, &format!("If-None-Match: {tag}")], "").status;
    assert_eq!((known(&path, &record), known("/v1/activity?date=2025", &report)), (200, 200));
    let (record, report) = of(&served);
    assert_eq!((known(&path, &record), known("/v1/activity?date=2025", &report)), (304, 304));
    let fresh = format!("If-Match: {record}");
    assert_eq!(served.ask("PATCH", &path, &[&key, JSON, &fresh], r#"{"name":"after it"}"#).status, 200);
}

#[test]
fn a_mark_of_before_a_restore_is_gone_after_it() {
    let source = Place::new();
    let (key, served) = (key(&source, "activity:write"), source.serve());
    let add = |served: &Served, number| {
        assert_eq!(served.ask("POST", "/v1/activity", &[&key, JSON], &activity(number)).status, 201);
    };
    let newest = |served: &Served| {
        let page = served.ask("GET", "/v1/change", &[&key], "").json();
        page["newest"].as_str().unwrap().to_owned()
    };
    add(&served, 1);
    source.ok(&["backup", "--to", "a.backup"]);
    add(&served, 2);
    let mark = newest(&served);
    drop(served);

    let (place, _) = restored(&source.path().join("a.backup"), &[]);
    let served = place.serve();
    // As many changes as there were, the last of them another one.
    add(&served, 3);
    let after = |mark: &str| served.ask("GET", &format!("/v1/change?after={mark}"), &[&key], "");
    let gone = after(&mark);
    assert_eq!(gone.status, 410, "{gone:?}");
    let newest = newest(&served);
    assert!(gone.body.contains("/problems/history-replaced") && gone.body.contains(&newest), "{gone:?}");
    assert_eq!(after(&newest).json()["data"], serde_json::json!([]));
}

/// A token of a new client.
fn token(place: &Place, served: &Served) -> String {
    let client = place.json(&["client", "create", "--name", "c", "--permissions", "catalog:read"]);
    let (id, secret) = (client["client_id"].as_str().unwrap(), client["client_secret"].as_str().unwrap());
    let basic = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, format!("{id}:{secret}"));
    let headers =
        [format!("Authorization: Basic {basic}"), "Content-Type: application/x-www-form-urlencoded".to_owned()];
    let headers = [headers[0].as_str(), headers[1].as_str()];
    let patience = Instant::now();
    loop {
        let answer = served.ask("POST", "/auth/token", &headers, "grant_type=client_credentials");
        if answer.status == 200 {
            return format!("Authorization: Bearer {}", answer.json()["access_token"].as_str().unwrap());
        }
        assert!(patience.elapsed() < Duration::from_mins(1), "{answer:?}");
    }
}

#[test]
fn tokens_end_with_a_restore_and_credentials_are_listed_or_removed() {
    let source = Place::new();
    let (key, served) = (key(&source, "catalog:read"), source.serve());
    let token = token(&source, &served);
    assert_eq!(served.get("/v1/unit", &[&token]).0, 200);
    source.ok(&["user", "add", "ana", "--role", "viewer"]);
    let made = source.json(&["backup", "--to", "a.backup", "--with-secrets"]);
    let (made, backup) = (made["created"].as_str().unwrap(), source.path().join("a.backup"));

    let (place, told) = restored(&backup, &[]);
    assert_eq!((told["keys"].as_array().unwrap().len(), told["clients"].as_array().unwrap().len()), (1, 1));
    assert_eq!(told["keys"][0]["name"], "ERP import");
    assert_eq!((&told["revoked"], &told["backedUp"]), (&false.into(), &made.into()));
    let served = place.serve();
    assert_eq!(served.get("/v1/unit", &[&token]).0, 401, "its signing key went");
    assert_eq!(served.get("/v1/unit", &[&key]).0, 200);

    let (place, told) = restored(&backup, &["--revoke-credentials"]);
    assert_eq!(told["revoked"], true);
    let served = place.serve();
    assert_eq!(served.get("/v1/unit", &[&key]).0, 401);
    assert_eq!(place.ok(&["key", "list"]).matches("ERP import").count(), 0);
    assert!(place.ok(&["user", "list"]).contains("ana"));
    assert!(place.ok(&["verify"]).starts_with("OK: "));
    let words = Place::new().ok(&["restore", backup.to_str().unwrap()]);
    assert!(
        words.contains("4 keys, clients and users are good as they were then") && words.contains("ERP import"),
        "{words}"
    );
    assert!(words.contains(&format!("as of {made}; what was written later is gone")), "{words}");
}

#[test]
fn the_secret_is_in_a_backup_only_where_that_was_asked_for() {
    let source = Place::new();
    source.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    source.ok(&["signing-key", "rotate"]);
    let secret = fs::read(source.path().join("tonne-data/secret.key")).unwrap();
    let holds = |name: &str, flags: &[&str]| {
        source.ok(&[&["backup", "--to", name], flags].concat());
        let backup = fs::read(source.path().join(name)).unwrap();
        backup.windows(secret.len()).any(|window| window == secret)
    };
    assert!(!holds("without.backup", &[]));
    assert!(holds("with.backup", &["--with-secrets"]));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(source.path().join("without.backup")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

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

#[test]
fn a_new_epoch_needs_no_secret() {
    let source = Place::new();
    source.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    source.ok(&["signing-key", "rotate"]);
    fs::remove_file(source.path().join("tonne-data/secret.key")).unwrap();
    source.ok(&["epoch", "renew"]);
    assert!(!source.path().join("tonne-data/secret.key").exists());
    drop(source.serve());
}

#[test]
fn a_backup_is_not_written_into_the_data_folder() {
    let source = Place::new();
    source.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    for name in ["tonne-data/directory.db", "tonne-data/tenants/new.db", "tonne-data/a.tar"] {
        let ended = source.run(&["backup", "--to", name, "--force"]);
        assert!(ended.status == 1 && ended.stderr.contains("is in the data folder"), "{name}: {}", ended.stderr);
    }
    assert!(source.ok(&["verify"]).starts_with("OK: "));
}

#[test]
fn a_damaged_store_is_not_backed_up() {
    let source = Place::new();
    source.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let file = source.path().join("tonne-data/tenants/main.db");
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.windows(9).position(|window| window == b"Purchased").unwrap();
    bytes[at] = b'Q';
    fs::write(&file, bytes).unwrap();
    let ended = source.run(&["backup", "--to", "a.backup"]);
    assert_eq!(ended.status, 1);
    assert!(
        ended.stderr.contains("main is damaged") && ended.stderr.contains("`tonne verify` lists"),
        "{}",
        ended.stderr
    );
    assert!(!source.path().join("a.backup").exists());
    let left = source.path().read_dir().unwrap().count();
    assert_eq!(left, 1, "nothing is left beside the data");
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

#[test]
fn a_link_of_a_list_of_footprints_ends_with_its_epoch() {
    let source = Place::new();
    let (key, served) = (key(&source, "admin"), source.serve());
    for _ in 0..3 {
        let made = served.ask("POST", "/v1/footprint", &[&key, JSON], &examples::v2().to_string());
        assert_eq!(made.status, 201, "{}", made.body);
    }
    let link = |path: &str| {
        let part = served.ask("GET", path, &[&key], "");
        let link = part.header("link").unwrap().split(['<', '>']).nth(1).unwrap();
        let link = link.strip_prefix(&served.base).unwrap().to_owned();
        assert_eq!(served.ask("GET", &link, &[&key], "").status, 200, "{link}");
        link
    };
    let (own, partners) = (link("/pact/2/footprints?limit=1"), link("/2/footprints?limit=1"));
    source.ok(&["epoch", "renew"]);
    let begun = Instant::now();
    while served.ask("GET", &own, &[&key], "").status == 200 {
        assert!(begun.elapsed() < Duration::from_mins(1), "the link is good still");
    }
    // Numbers may be given again in the new epoch: the rest of the old list could leave some out.
    let refused = served.ask("GET", &own, &[&key], "");
    assert!(refused.status == 410 && refused.body.contains("ask from the beginning"), "{}", refused.body);
    let refused = served.ask("GET", &partners, &[&key], "");
    assert!(refused.status == 400 && refused.body.contains("ask from the beginning"), "{}", refused.body);
    assert_eq!(served.ask("GET", "/pact/2/footprints?limit=1", &[&key], "").status, 200);
}

#[test]
fn a_new_epoch_ends_tokens_and_tags_beside_a_running_service() {
    let source = Place::new();
    let (key, served) = (key(&source, "admin"), source.serve());
    let made = served.ask("POST", "/v1/activity", &[&key, JSON], &activity(1));
    let path = format!("/v1/activity/{}", made.json()["uuid"].as_str().unwrap());
    let (tag, token) = (made.etag().to_owned(), token(&source, &served));
    assert!(source.ok(&["epoch", "renew"]).starts_with("the company main: a new epoch has begun"));
    let begun = Instant::now();
    while served.get("/v1/unit", &[&token]).0 == 200 {
        assert!(begun.elapsed() < Duration::from_mins(1), "the token is good still");
    }
    let stale = format!("If-Match: {tag}");
    assert_eq!(served.ask("PATCH", &path, &[&key, JSON, &stale], r#"{"name":"b"}"#).status, 412);
    assert!(source.ok(&["verify"]).starts_with("OK: "));
    let absent = Place::new();
    assert_eq!(absent.run(&["epoch", "renew"]).status, 1);
}
