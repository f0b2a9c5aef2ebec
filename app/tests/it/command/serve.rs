//! The service as a process.

use std::io::{Read as _, Write as _};

use super::run::Place;

const OPERATING: &str = include_str!("../../../../docs/operating.md");

#[test]
fn a_key_made_beside_the_service_is_good_at_once_and_worth_nothing_once_revoked() {
    let place = Place::new();
    let served = place.serve();
    let made = place.json(&["key", "create", "--name", "a", "--permissions", "activity:read"]);
    let header = format!("Authorization: Bearer {}", made["key"].as_str().unwrap());
    let (status, body) = served.get("/v1/activity", &[&header]);
    assert_eq!(status, 200, "{body}");
    assert_eq!(served.get("/v1/activity", &[]).0, 401);
    assert_eq!(served.get("/pact/2/footprints", &[&header]).0, 403);
    place.ok(&["key", "revoke", made["uuid"].as_str().unwrap()]);
    let revoked = std::time::Instant::now();
    let within = std::time::Duration::from_mins(1);
    while served.get("/v1/activity", &[&header]).0 == 200 {
        assert!(revoked.elapsed() < within, "still good after {within:?}");
    }
}

#[test]
fn a_second_service_on_the_same_data_is_refused_in_a_clear_line() {
    let place = Place::new();
    let _served = place.serve();
    let second = place.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.status, 1);
    assert!(second.stderr.contains("is served by another process"), "{}", second.stderr);
    assert_eq!(second.stdout, "");
}

#[test]
fn an_address_that_is_taken_is_refused_with_the_way_to_mend_it() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let ended = Place::new().run(&["serve", "--listen", &taken.local_addr().unwrap().to_string()]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("cannot listen on") && ended.stderr.contains("--listen"), "{}", ended.stderr);
}

#[cfg(unix)]
#[test]
fn it_ends_well_when_it_is_asked_to_and_can_be_started_again() {
    let place = Place::new();
    assert_eq!(place.serve().terminate(), Some(0));
    assert_eq!(place.serve().terminate(), Some(0));
}

#[test]
fn a_file_that_is_no_store_is_refused_and_left_as_it_is() {
    for name in ["tonne-data/directory.db", "tonne-data/tenants/main.db"] {
        let place = Place::new();
        place.ok(&["key", "create", "--name", "k", "--permissions", "admin"]);
        let garbage = "these are no records, but somebody may want them";
        let path = place.file(name, garbage);
        let ended = place.run(&["serve", "--listen", "127.0.0.1:0"]);
        assert_eq!(ended.status, 1, "{name}");
        assert!(ended.stderr.contains("it was left as it is"), "{}", ended.stderr);
        assert_eq!(std::fs::read_to_string(path).unwrap(), garbage);
    }
}

/// An empty file of SQLite's that says it is a store of that kind and format.
fn file_of_format(kind: u8, format: u32) -> Vec<u8> {
    let mut bytes = vec![0; 4096];
    bytes[..16].copy_from_slice(b"SQLite format 3\0");
    bytes[16..24].copy_from_slice(&[16, 0, 1, 1, 0, 64, 32, 32]); // pages of 4096 bytes, a rollback journal
    bytes[27] = 1; // changes of the file
    bytes[31] = 1; // pages of the file
    bytes[47] = 4; // format of the schema
    bytes[59] = 1; // texts are UTF-8
    bytes[60..64].copy_from_slice(&format.to_be_bytes());
    bytes[68..72].copy_from_slice(&[b'T', b'N', b'N', kind]);
    bytes[95] = 1;
    bytes[100..108].copy_from_slice(&[13, 0, 0, 0, 0, 16, 0, 0]); // a leaf without cells
    bytes
}

#[test]
fn a_store_of_a_later_version_is_refused_and_left_as_it_is() {
    for (name, kind) in [("tonne-data/directory.db", b'D'), ("tonne-data/tenants/main.db", b'E')] {
        let place = Place::new();
        place.ok(&["key", "create", "--name", "k", "--permissions", "admin"]);
        let path = place.path().join(name);
        let later = file_of_format(kind, 99);
        std::fs::write(&path, &later).unwrap();
        let ended = place.run(&["serve", "--listen", "127.0.0.1:0"]);
        assert_eq!(ended.status, 1, "{name}");
        let (_, said) = ended.stderr.split_once(" has format 99").unwrap_or_else(|| panic!("{}", ended.stderr));
        let said = said.lines().next().unwrap();
        assert!(said.ends_with("run the later version"), "{said}");
        let printed = format!(" has format 9{said}\n");
        assert!(OPERATING.contains(&printed), "docs/operating.md does not print {printed}");
        assert!(std::fs::read(&path).unwrap() == later, "{name} was changed");
    }
}

#[test]
fn a_secret_that_does_not_open_the_signing_key_is_told_at_the_start() {
    let place = Place::new();
    place.ok(&["key", "create", "--name", "k", "--permissions", "admin"]);
    place.ok(&["signing-key", "rotate"]);
    let other = "YW5vdGhlciBzZWNyZXQgYW5vdGhlciBzZWNyZXQgYW5vdGhlcg==";
    let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
    let output = command.env("TONNE_SECRETS__KEY", other).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr.contains("`tonne signing-key rotate`") && !stderr.contains(other), "{stderr}");
    assert_eq!(output.stdout, b"", "it is not said to be ready");
}

#[cfg(unix)]
#[test]
fn what_is_no_request_leaves_few_lines_in_the_log_each_with_its_sender_and_an_id() {
    let place = Place::new();
    let served = place.serve();
    let address = served.base.strip_prefix("http://").unwrap().split_once('/').unwrap().0.to_owned();
    let begun = std::time::Instant::now();
    for _ in 0..50 {
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        stream.write_all(b"\x16\x03\x01 this is no request\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        // It may be closed with bytes of ours unread.
        let _ = stream.read_to_end(&mut answer);
    }
    let seconds = usize::try_from(begun.elapsed().as_secs()).unwrap();
    let log = served.log();
    assert!(!log.contains("ERROR"), "{log}");
    let lines: Vec<_> = log.lines().filter(|line| line.contains("is no request")).collect();
    assert!((1..=seconds + 2).contains(&lines.len()), "{} lines in {seconds} s: {log}", lines.len());
    for line in lines {
        assert!(line.contains("127.0.0.1:") && line.contains("request.id"), "{line}");
    }
}
