//! What systemd is told of the service.

use std::io::{BufRead as _, BufReader};
use std::os::unix::net::UnixDatagram;
use std::process::Stdio;
use std::time::Duration;

use super::run::{Base, Place, end};

/// The next thing that the service says of itself.
fn told(socket: &UnixDatagram) -> String {
    let mut bytes = [0; 256];
    let length = socket.recv(&mut bytes).expect("the service says nothing");
    String::from_utf8(bytes[..length].to_vec()).unwrap().trim().to_owned()
}

fn socket(place: &Place) -> UnixDatagram {
    let socket = UnixDatagram::bind(place.path().join("notify")).unwrap();
    socket.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    socket
}

#[test]
fn systemd_is_told_that_it_is_ready_when_it_answers_and_that_it_stops() {
    let place = Place::new();
    let socket = socket(&place);
    let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env("NOTIFY_SOCKET", place.path().join("notify")).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    assert_eq!(told(&socket), "READY=1");
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let base = line.trim().rsplit(' ').next().unwrap();
    assert_eq!(Base::new(base).get("/v1/activity", &[]).0, 401);
    end(&child);
    assert_eq!(told(&socket), "STOPPING=1");
    assert!(child.wait().unwrap().success());
}

#[test]
fn systemd_is_not_told_that_a_service_is_ready_that_cannot_start() {
    let place = Place::new();
    let socket = socket(&place);
    place.file("key.pem", "no key");
    let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env("NOTIFY_SOCKET", place.path().join("notify"));
    command.env("TONNE_SERVER__TLS_CERTIFICATE", "key.pem").env("TONNE_SERVER__TLS_KEY", "key.pem");
    assert_eq!(command.output().unwrap().status.code(), Some(1));
    socket.set_nonblocking(true).unwrap();
    assert!(socket.recv(&mut [0; 256]).is_err(), "it said something");
}
