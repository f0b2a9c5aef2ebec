//! `tonne pact`: from the flags to the answer of a host, and the exit status.

mod link;
mod named;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use super::run::{Ended, Place};

/// A running service with a certificate, killed when it is dropped.
struct Host {
    child: Child,
    base: String,
}

impl Host {
    fn start(place: &Place) -> Self {
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        place.file("certificate.pem", &made.cert.pem());
        place.file("key.pem", &made.signing_key.serialize_pem());
        let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.env("TONNE_SERVER__TLS_CERTIFICATE", "certificate.pem").env("TONNE_SERVER__TLS_KEY", "key.pem");
        command.env("TONNE_LOG__LEVEL", "off");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { child, base: line.trim().rsplit(' ').next().unwrap().to_owned() }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pact(place: &Place, host: &Host, id: &str, arguments: &[&str]) -> Ended {
    let partner = ["--base-url", &host.base, "--client-id", id, "--client-secret-file", "secret"];
    place.run(&[&["pact"], arguments, &partner].concat())
}

#[test]
fn a_host_is_tested_and_pulled_from_with_a_secret_in_a_file_and_certificates_in_another() {
    let place = Place::new();
    let host = Host::start(&place);
    let client = place.json(&["client", "create", "--name", "Partner", "--permissions", "footprint:read"]);
    let (id, secret) = (client["client_id"].as_str().unwrap(), client["client_secret"].as_str().unwrap());
    place.file("secret", &format!("{secret}\n"));
    let trusted = ["--ca-file", "certificate.pem", "--private-addresses"];

    let one = pact(&place, &host, id, &[&["test", "--case", "1"], &trusted[..]].concat());
    assert_eq!(one.status, 0, "{}{}", one.stdout, one.stderr);
    assert!(one.stdout.contains("PACT 3.0.0: 1 passed, 0 failed, 0 not applicable"), "{}", one.stdout);
    let all = pact(&place, &host, id, &[&["test", "--pact", "2"], &trusted[..]].concat());
    assert_eq!(all.status, 1, "an empty host does not conform: {}", all.stdout);
    let json = pact(&place, &host, id, &[&["test", "--case", "8", "--json"], &trusted[..]].concat());
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((&json["conforms"], &json["cases"][0]["came"]), (&true.into(), &"404 NotFound".into()));
    assert_eq!(pact(&place, &host, id, &[&["test", "--case", "12"], &trusted[..]].concat()).status, 2);

    let pulled = pact(&place, &host, id, &[&["pull"], &trusted[..]].concat());
    assert_eq!((pulled.status, pulled.stdout.as_str()), (0, "0 footprints came\n"), "{}", pulled.stderr);

    let near = pact(&place, &host, id, &["pull", "--ca-file", "certificate.pem"]);
    assert_eq!(near.status, 1);
    assert!(near.stderr.contains("private addresses are not allowed for this partner"), "{}", near.stderr);
    for ended in [&one, &all, &near] {
        assert!(!ended.stdout.contains(secret) && !ended.stderr.contains(secret));
    }
}

#[test]
fn a_file_without_a_secret_is_wrong_use() {
    let place = Place::new();
    place.file("secret", "\n");
    let arguments = ["pact", "test", "--base-url", "https://a.example", "--client-id", "us", "--client-secret-file"];
    let empty = place.run(&[&arguments[..], &["secret"]].concat());
    assert_eq!(empty.status, 2);
    assert!(empty.stderr.contains("secret is empty: it must hold our secret at the host, alone"), "{}", empty.stderr);
    assert_eq!(place.run(&[&arguments[..], &["absent"]].concat()).status, 1);
}
