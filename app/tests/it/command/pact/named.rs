//! Calls to a partner that is named, with what is kept of it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::process::Stdio;

use serde_json::json;

use super::super::run::{Ended, Place};
use super::Host;

/// Adds a partner at that address, in the store in `own`.
fn add(place: &Place, name: &str, base: &str, client: &str) -> String {
    let flags = ["--base-url", base, "--client-id", client, "--client-secret-file", "secret", "--private-addresses"];
    let plain: &[&str] = if base.starts_with("http://") { &["--plain-http"] } else { &[] };
    let added = own(place, &[&["partner", "add", "--name", name], &flags[..], plain, &["--json"]].concat());
    assert_eq!(added.status, 0, "{}", added.stderr);
    let added: serde_json::Value = serde_json::from_str(&added.stdout).unwrap();
    added["uuid"].as_str().unwrap().to_owned()
}

fn own(place: &Place, arguments: &[&str]) -> Ended {
    place.run(&[&["--data-dir", "own"], arguments].concat())
}

/// A place with a store in `own`.
fn place() -> Place {
    let place = Place::new();
    place.file("scopes.toml", "[[scope]]\nsyncId = \"scope-3\"\nname = \"Scope 3\"\nkind = \"scope3\"\n");
    place.file("secret", "hush hush\n");
    assert_eq!(own(&place, &["import", "catalog", "scopes.toml"]).status, 0);
    place
}

#[test]
fn a_partner_is_tested_and_pulled_from_by_its_name_or_id_with_what_is_kept_of_it() {
    let place = place();
    let host = Host::start(&place);
    let client = place.json(&["client", "create", "--name", "Us", "--permissions", "footprint:read"]);
    place.file("secret", client["client_secret"].as_str().unwrap());
    let id = add(&place, "Alloys", &host.base, client["client_id"].as_str().unwrap());
    for partner in ["Alloys", "alloys", &id] {
        let tested = own(&place, &["pact", "test", partner, "--case", "1", "--ca-file", "certificate.pem"]);
        assert_eq!(tested.status, 0, "{partner}: {}{}", tested.stdout, tested.stderr);
        let pulled = own(&place, &["pact", "pull", partner, "--ca-file", "certificate.pem"]);
        assert_eq!((pulled.status, pulled.stdout.as_str()), (0, "0 footprints came\n"), "{}", pulled.stderr);
    }
    let listed = own(&place, &["partner", "list", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed.stdout).unwrap();
    assert!(listed[0]["called"].is_string() && listed[0]["heard"].is_null(), "{listed}");
}

#[test]
fn a_partner_and_flags_are_not_given_together_and_one_of_them_is() {
    let place = place();
    add(&place, "Alloys", "https://pact.example.com", "us");
    for command in ["pull", "test"] {
        let wrong = |arguments: &[&str]| {
            let ended = own(&place, &[&["pact", command], arguments].concat());
            assert_eq!(ended.status, 2, "{arguments:?}: {}", ended.stderr);
            ended.stderr
        };
        let both = wrong(&["Alloys", "--plain-http", "--base-url", "https://pact.example.com"]);
        assert!(both.contains("not both: without --base-url, --plain-http it is called with what is kept"), "{both}");
        let neither = wrong(&[]);
        assert!(neither.contains("or give --base-url, --client-id, --client-secret-file\n"), "{neither}");
        let half = wrong(&["--client-id", "us"]);
        assert!(half.contains("or give --base-url, --client-secret-file too"), "{half}");
        let unknown = wrong(&["Works"]);
        assert!(unknown.contains("there is no partner \"Works\"; `tonne partner list` shows"), "{unknown}");
        let gone = wrong(&["01a1b2c3-0000-7000-8000-000000000000"]);
        assert!(gone.contains("there is no partner"), "{gone}");
    }
    let other = add(&place, "alloys", "https://other.example.com", "us");
    let several = own(&place, &["pact", "pull", "Alloys"]);
    assert!(several.status == 2 && several.stderr.contains(&other), "{}", several.stderr);
}

#[test]
fn a_partner_without_our_credentials_is_told_to_lack_them() {
    let place = place();
    let add = own(&place, &["partner", "add", "--name", "Bare", "--base-url", "https://pact.example.com"]);
    assert_eq!(add.status, 0, "{}", add.stderr);
    let pulled = own(&place, &["pact", "pull", "Bare"]);
    assert_eq!(pulled.status, 1);
    assert!(pulled.stderr.contains("cannot be called without credentials"), "{}", pulled.stderr);
}

#[test]
fn a_partner_that_was_changed_or_removed_meanwhile_is_told_with_what_its_host_answered() {
    let place = place();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/api", listener.local_addr().unwrap());
    let id = add(&place, "Alloys", &base, "us");
    let own_service = place.serve_with(&["--data-dir", "own"]);
    let key = own(&place, &["key", "create", "--name", "A", "--permissions", "admin", "--json"]);
    let key: serde_json::Value = serde_json::from_str(&key.stdout).unwrap();
    let bearer = format!("Authorization: Bearer {}", key["key"].as_str().unwrap());
    let headers = [bearer.as_str(), "Content-Type: application/json"];
    let path = format!("/v1/partner/{id}");

    // The host refuses the secret, after `meanwhile`.
    let pulled = |meanwhile: &dyn Fn()| {
        let mut command = place.command(&["--data-dir", "own", "pact", "pull", "Alloys"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let waited = std::thread::scope(|scope| {
            let waited = scope.spawn(move || child.wait_with_output().unwrap());
            let mut is_first = true;
            // No discovery, then no token.
            for status in ["404 Not Found", "401 Unauthorized"] {
                let (mut stream, _) = listener.accept().unwrap();
                let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
                while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
                if std::mem::take(&mut is_first) {
                    meanwhile();
                }
                let body = r#"{"error":"invalid_client"}"#;
                let head =
                    format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}", body.len());
                stream.write_all(format!("{head}\r\nConnection: close\r\n\r\n{body}").as_bytes()).unwrap();
            }
            waited.join().unwrap()
        });
        assert_eq!(waited.status.code(), Some(1));
        String::from_utf8(waited.stderr).unwrap()
    };
    let plain = pulled(&|| {});
    assert!(plain.contains("the partner Alloys") && plain.contains("invalid_client"), "{plain}");
    let changed = pulled(&|| {
        let body = json!({ "clientSecret": "another" }).to_string();
        assert_eq!(own_service.ask("PATCH", &path, &headers, &body).status, 200);
    });
    assert!(changed.contains("the partner Alloys was changed while its host was called"), "{changed}");
    assert!(changed.contains("invalid_client"), "{changed}");
    let removed = pulled(&|| assert_eq!(own_service.ask("DELETE", &path, &headers, "").status, 204));
    assert!(removed.contains("the partner Alloys was removed while its host was called"), "{removed}");
    let gone = own(&place, &["pact", "pull", "Alloys"]);
    assert!(gone.status == 2 && gone.stderr.contains("there is no partner \"Alloys\""), "{}", gone.stderr);
}
