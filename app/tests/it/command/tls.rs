//! The service with a certificate of its own, and whether it is well.

use std::io::{BufRead as _, BufReader, Lines};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

use super::run::{Ended, Place};

/// Files of a certificate, and the variables that name them.
struct Files<'a>(&'a Place);

impl<'a> Files<'a> {
    fn new(place: &'a Place) -> Self {
        let files = Self(place);
        files.renew();
        files
    }

    /// Puts a new pair in place of what is there.
    fn renew(&self) {
        let made = rcgen::generate_simple_self_signed(["carbon.example".to_owned()]).unwrap();
        self.0.file("certificate.pem", &made.cert.pem());
        self.0.file("key.pem", &made.signing_key.serialize_pem());
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.0.command(arguments);
        command.env("TONNE_SERVER__TLS_CERTIFICATE", "certificate.pem").env("TONNE_SERVER__TLS_KEY", "key.pem");
        command
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

/// A running service, killed when it is dropped.
struct Served {
    child: Child,
    address: String,
    log: Lines<BufReader<ChildStderr>>,
    _stdout: BufReader<ChildStdout>,
}

impl Served {
    fn start(files: &Files<'_>) -> Self {
        let mut command = files.command(&["serve", "--listen", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (mut line, mut stdout) = (String::new(), BufReader::new(child.stdout.take().unwrap()));
        stdout.read_line(&mut line).unwrap();
        let base = line.trim().rsplit(' ').next().unwrap().to_owned();
        let address = base.strip_prefix("https://").and_then(|rest| rest.strip_suffix("/api"));
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        let log = BufReader::new(child.stderr.take().unwrap()).lines();
        Self { child, address, log, _stdout: stdout }
    }

    /// Waits for a line of the log with that in it.
    fn logs(&mut self, text: &str) -> String {
        self.log.by_ref().map(Result::unwrap).find(|line| line.contains(text)).unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_serves_over_tls_and_takes_a_renewed_certificate_over() {
    let place = Place::new();
    let files = Files::new(&place);
    let mut served = Served::start(&files);
    let address = served.address.clone();
    let health = ["health", "--listen", &address];
    assert_eq!(files.run(&health), (0, format!("the service at {address} is ready\n"), String::new()));
    assert_eq!(place.run(&health).status, 1, "without TLS there is no answer");

    place.file("key.pem", "no key");
    let line = served.logs("the new certificate cannot be used");
    assert!(line.contains("ERROR") && line.contains("key.pem holds no private key"), "{line}");
    assert_eq!(files.run(&health).0, 0);
    files.renew();
    served.logs("the certificate was replaced");
    assert_eq!(files.run(&health).0, 0);
}

#[test]
fn files_that_are_no_certificate_with_its_key_keep_it_from_starting() {
    let place = Place::new();
    let files = Files::new(&place);
    place.file("key.pem", "no key");
    let (status, stdout, stderr) = files.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!((status, stdout.as_str()), (1, ""), "{stderr}");
    assert!(stderr.contains("server.tls_key") && stderr.contains("key.pem holds no private key in PEM"), "{stderr}");
}

#[test]
fn a_certificate_without_its_key_is_wrong_use() {
    let place = Place::new();
    let output = place.command(&["config"]).env("TONNE_SERVER__TLS_CERTIFICATE", "a.pem").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("server.tls_certificate is given without server.tls_key"), "{stderr}");
}

#[test]
fn health_fails_where_nothing_answers_and_where_the_port_is_not_known() {
    let place = Place::new();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let ended: Ended = place.run(&["health", "--listen", &nobody.to_string()]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains(&format!("the service at {nobody} does not answer")), "{}", ended.stderr);
    assert_eq!(place.run(&["health", "--listen", "127.0.0.1:0"]).status, 2);
}
