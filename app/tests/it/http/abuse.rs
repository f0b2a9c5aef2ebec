//! An attack by many slow connections.

#![cfg(target_os = "linux")]

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use socket2::{Domain, Socket, Type};

use super::harness::Service;

/// Longer than it may take until the last of them is cut.
const PATIENCE: Duration = Duration::from_mins(1);
/// Slow connections, of which the service keeps fewer.
const SOCKETS: usize = 300;

/// A connection from another address of this machine than the tests' other clients have.
fn from_elsewhere(to: SocketAddr) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from(([127, 0, 0, 2], 0)).into()).unwrap();
    socket.connect(&to.into()).unwrap();
    let stream = TcpStream::from(socket);
    stream.set_nonblocking(true).unwrap();
    stream
}

/// Sends a byte; whether the connection is still open.
fn is_open(mut stream: &TcpStream) -> bool {
    let sent = stream.write(b"a");
    let mut block = [0; 4_096];
    match stream.read(&mut block) {
        Ok(read) => read > 0 && sent.is_ok(),
        Err(error) => error.kind() == ErrorKind::WouldBlock && sent.is_ok(),
    }
}

#[test]
fn slow_connections_keep_nobody_from_an_answer_and_are_all_cut() {
    let service = Service::with(|config| {
        config.limits.connections = 280;
        config.limits.connections_per_address = 250;
        config.limits.head_s = 1;
        config.limits.body_s = 2;
    });
    let (address, path) = (service.address(), service.base_path());
    let heads = [
        format!(
            "POST {path}/auth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9000\r\n\r\n"
        ),
        format!("POST {path}/v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n"),
        "GET /health/live HTTP/1.1\r\nX: ".to_owned(),
    ];
    let mut open: Vec<_> = (0..SOCKETS).map(|_| from_elsewhere(address)).collect();
    for (number, stream) in open.iter_mut().enumerate() {
        // One that the service has no slot for may be closed by now.
        let _ = stream.write_all(heads[number % heads.len()].as_bytes());
    }
    let start = Instant::now();
    while !open.is_empty() {
        assert!(start.elapsed() < PATIENCE, "{} slow connections are still open", open.len());
        service.anybody().outside("GET", "/health/live").send().expect(200);
        open.retain(is_open);
    }
}
