//! What is called done is on the disk: the syncs that the program asks the system for, in their order among its writes.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::run::{Place, Served};

const SOURCE: &str = include_str!("synced.c");

/// A place where writes and syncs are noted.
struct Noted {
    place: Place,
    folder: PathBuf,
}

impl Noted {
    fn new() -> Self {
        let place = Place::new();
        let folder = place.path().canonicalize().unwrap();
        let (source, library) = (place.file("notes/synced.c", SOURCE), folder.join("notes/synced.so"));
        let mut compiler = Command::new("cc");
        compiler.args(["-O1", "-fPIC", "-shared", "-o"]).arg(library).arg(source).arg("-ldl");
        assert!(compiler.status().unwrap().success());
        Self { place, folder }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.place.command(arguments);
        command.env("LD_PRELOAD", self.folder.join("notes/synced.so"));
        command.env("NOTED_FOLDER", &self.folder).env("NOTED_IN", self.folder.join("notes/done"));
        command
    }

    /// What a run of the program did, which must end well.
    fn run(&self, arguments: &[&str]) -> Done {
        let before = self.done().0.len();
        let output = self.command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        self.since(before)
    }

    /// What was done until now.
    fn done(&self) -> Done {
        let text = fs::read_to_string(self.folder.join("notes/done")).unwrap_or_default();
        let read = |line: &str| line.split_once(' ').map(|(what, path)| (what.to_owned(), path.to_owned()));
        Done(text.lines().filter_map(read).collect())
    }

    fn since(&self, before: usize) -> Done {
        Done(self.done().0.split_off(before))
    }
}

/// `write` or `sync`, and of which file, in their order.
#[derive(Debug)]
struct Done(Vec<(String, String)>);

impl Done {
    fn first(&self, what: &str, end: &str) -> Option<usize> {
        self.0.iter().position(|(done, path)| done == what && path.ends_with(end))
    }

    fn last(&self, what: &str, end: &str) -> Option<usize> {
        self.0.iter().rposition(|(done, path)| done == what && path.ends_with(end))
    }

    /// The files that were written, of those that `is_meant` takes.
    fn written(&self, is_meant: impl Fn(&str) -> bool) -> BTreeSet<&str> {
        let written = self.0.iter().filter(|(done, path)| done == "write" && is_meant(path));
        written.map(|(_, path)| path.as_str()).collect()
    }

    /// Fails unless there are such files, and each was synced after it was written last.
    #[track_caller]
    fn must_be_synced(&self, is_meant: impl Fn(&str) -> bool) {
        let written = self.written(is_meant);
        assert!(!written.is_empty(), "nothing was written: {self:?}");
        for file in written {
            assert!(self.last("write", file) < self.last("sync", file), "{file} was not synced at its end: {self:?}");
        }
    }
}

#[test]
fn what_a_service_acknowledges_was_synced_before() {
    let noted = Noted::new();
    let key = noted.place.bearer("admin");
    let served = Served::start(noted.command(&["serve", "--listen", "127.0.0.1:0"]));
    let (json, lines) = ("Content-Type: application/json", "Content-Type: application/x-ndjson");
    let one = r#"{"name": "Diesel", "startDate": "2025-03-01"}"#;
    let rows = format!("{one}\n{one}\n");
    for (path, media, body, log) in [
        ("/v1/activity", json, one, "tenants/main.db-wal"),
        ("/v1/activity/batch", lines, rows.as_str(), "tenants/main.db-wal"),
        ("/v1/activity/batch?atomic=true&again=true", lines, rows.as_str(), "tenants/main.db-wal"),
        ("/v1/key", json, r#"{"name": "a", "permissions": ["activity:read"]}"#, "directory.db-wal"),
    ] {
        let before = noted.done().0.len();
        let answer = served.ask("POST", path, &[&key, media], body);
        assert!((200..300).contains(&answer.status), "{path}: {answer:?}");
        let since = noted.since(before);
        let written = since.first("write", log);
        assert!(written.is_some() && written < since.last("sync", log), "{path}: {since:?}");
    }
}

#[test]
fn an_import_ends_with_all_its_files_synced() {
    let noted = Noted::new();
    let rows = (0..2_000).map(|number| format!("a{number},Diesel,2025-03-01,0.125\n")).collect::<Vec<_>>().concat();
    noted.place.file("rows.csv", &format!("syncId,name,startDate,UpstreamCO2e\n{rows}"));
    let plain: &[&str] = &[];
    for flags in [plain, &["--atomic"]] {
        let done = noted.run(&[&["import", "activities", "rows.csv"], flags].concat());
        done.must_be_synced(|path| ["db", "db-wal"].contains(&path.rsplit('.').next().unwrap()));
        let csv = rows.replace("0.125", "0.25");
        noted.place.file("rows.csv", &format!("syncId,name,startDate,UpstreamCO2e\n{csv}"));
    }
}

#[test]
fn backups_exports_and_restores_end_with_their_files_and_folders_synced() {
    let noted = Noted::new();
    noted.place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let folder = noted.folder.to_str().unwrap();
    // Written beside its place, under another name.
    let is_beside = |path: &str| path.rsplit_once('/').is_some_and(|(parent, _)| parent == folder);
    for arguments in [["backup", "--to", "a.backup"], ["export", "--to", "a.tonne"]] {
        let done = noted.run(&arguments);
        done.must_be_synced(is_beside);
        let written = done.written(is_beside);
        let last = written.into_iter().filter_map(|file| done.last("sync", file)).max();
        assert!(last < done.last("sync", folder), "the folder was not synced behind its file: {done:?}");
    }

    let done = noted.run(&["restore", "a.backup", "--data-dir", "restored"]);
    for file in ["/directory.db", "/tenants/main.db"] {
        let (written, synced) = (done.last("write", file), done.last("sync", file));
        assert!(written.is_some() && written < synced, "{file}: {done:?}");
        assert!(synced < done.last("sync", "/restored"), "{file}: the folder was not synced behind it: {done:?}");
    }
}
