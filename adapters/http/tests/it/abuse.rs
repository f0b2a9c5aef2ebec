//! What a client may cost that takes its time, sends too much, or sends what is no request.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use tonne_http::{Limits, Service, Settings};

use crate::fake::{self, Activities};
use crate::server::{PATIENCE, Server, blocking, drain, one_answer_to_end};

const FORM: &str = "Host: x\r\nContent-Type: application/x-www-form-urlencoded\r\n";
const LIVE: &str = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";
/// So long no limit is in these tests but those that they are about.
const SHORT: Duration = Duration::from_millis(200);

fn server(limits: Limits) -> Server {
    Server::start(Activities::default(), limits)
}

/// What comes of those bytes until the connection ends.
async fn exchange(server: &Server, bytes: &[u8]) -> String {
    let mut stream = server.connect();
    let _ = stream.write_all(bytes);
    blocking(move || drain(stream)).await
}

/// Sends a byte at a time until the connection takes no more, and gives what was answered.
fn trickle(mut stream: TcpStream, byte: &[u8]) -> String {
    let start = Instant::now();
    stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let (mut answer, mut block) = (Vec::new(), [0; 4_096]);
    loop {
        assert!(start.elapsed() < PATIENCE, "it was not cut: {}", String::from_utf8_lossy(&answer));
        let sent = stream.write_all(byte);
        match stream.read(&mut block) {
            Ok(0) => break,
            Ok(read) => answer.extend_from_slice(&block[..read]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) && sent.is_ok() => {}
            Err(_) => break,
        }
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// Reads one answer with a body that the connection stays open after.
fn one_answer(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let mut byte = [0];
    while !answer.ends_with(b"}") {
        assert_eq!(stream.read(&mut byte).unwrap(), 1, "{}", String::from_utf8_lossy(&answer));
        answer.push(byte[0]);
    }
    String::from_utf8(answer).unwrap()
}

#[actix_web::test]
async fn a_body_that_pauses_too_long_is_answered_and_closed() {
    let server = server(Limits { body_silence: SHORT, ..Limits::default() });
    let request = format!("POST /api/auth/token HTTP/1.1\r\n{FORM}Content-Length: 50\r\n\r\ngrant");
    let text = exchange(&server, request.as_bytes()).await;
    assert!(text.starts_with("HTTP/1.1 408") && text.contains("invalid_request"), "{text}");
}

#[actix_web::test]
async fn a_body_that_trickles_is_cut_at_its_deadline() {
    let server = server(Limits { body: SHORT, ..Limits::default() });
    for framing in ["Content-Length: 100000", "Transfer-Encoding: chunked"] {
        let mut stream = server.connect();
        let head = format!("POST /api/auth/token HTTP/1.1\r\n{FORM}{framing}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let byte: &[u8] = if framing.starts_with('C') { b"a" } else { b"1\r\na\r\n" };
        let text = blocking(move || trickle(stream, byte)).await;
        assert!(text.starts_with("HTTP/1.1 408") && text.contains("did not arrive within"), "{framing}: {text}");
    }
}

#[actix_web::test]
async fn a_head_that_does_not_end_is_cut() {
    let server = server(Limits { head: SHORT, ..Limits::default() });
    let mut stream = server.connect();
    stream.write_all(b"GET /api/v1/unit HTTP/1.1\r\nHost: x\r\nX: ").unwrap();
    let text = blocking(move || trickle(stream, b"x")).await;
    assert!(text.starts_with("HTTP/1.1 408") && text.contains("/problems/request-timeout"), "{text}");
}

#[actix_web::test]
async fn a_connection_that_sends_nothing_is_cut() {
    let server = server(Limits { head: SHORT, ..Limits::default() });
    let mut stream = server.connect();
    let end = blocking(move || {
        let mut block = [0; 4_096];
        loop {
            match stream.read(&mut block) {
                Ok(1..) => {}
                end => return end,
            }
        }
    });
    let end = end.await;
    let is_cut = |error: &std::io::Error| !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
    assert!(end.as_ref().map_or_else(is_cut, |read| *read == 0), "{end:?}");
}

#[actix_web::test]
async fn the_head_of_a_later_request_is_cut_too() {
    let server = server(Limits { head: SHORT, ..Limits::default() });
    let mut stream = server.connect();
    stream.write_all(LIVE.as_bytes()).unwrap();
    let rest = blocking(move || {
        assert!(one_answer(&mut stream).starts_with("HTTP/1.1 200"));
        stream.write_all(b"GET /health/live HTTP/1.1\r\nHost: x\r\nX: ").unwrap();
        trickle(stream, b"x")
    });
    assert_eq!(rest.await, "");
}

#[actix_web::test]
async fn a_head_of_which_a_part_came_with_the_request_before_is_cut_too() {
    let server = server(Limits { head: SHORT, keep_alive: SHORT, ..Limits::default() });
    let text = exchange(&server, format!("{LIVE}GET /health/live HTTP/1.1\r\nX: ").as_bytes()).await;
    assert!(text.starts_with("HTTP/1.1 200") && text.ends_with('}'), "{text}");
}

#[actix_web::test]
async fn a_chunked_body_without_end_is_cut_after_its_request_was_refused() {
    let server = server(Limits { head: SHORT, ..Limits::default() });
    for path in ["/api/v1/unit", "/api/nothing"] {
        let mut stream = server.connect();
        stream
            .write_all(format!("POST {path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n").as_bytes())
            .unwrap();
        let text = blocking(move || trickle(stream, b"1\r\na\r\n")).await;
        assert!(text.starts_with("HTTP/1.1 40"), "{path}: {text}");
    }
}

#[actix_web::test]
async fn a_connection_lives_on_after_a_refused_body_that_was_read() {
    let server = server(Limits { head: SHORT, drain_bytes: 0, ..Limits::default() });
    let mut stream = server.connect();
    let body = r#"{"name":"A","name":"A"}"#;
    let head = "Host: x\r\nAuthorization: Bearer admin\r\nContent-Type: application/json";
    let wrong = format!("POST /api/v1/switch HTTP/1.1\r\n{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let answers = blocking(move || {
        stream.write_all(wrong.as_bytes()).unwrap();
        let first = one_answer_to_end(&mut stream);
        // Nothing comes, not even an end, for longer than a head or the rest of a body may take.
        stream.set_read_timeout(Some(SHORT * 3)).unwrap();
        let silent = stream.read(&mut [0]).unwrap_err();
        assert!(matches!(silent.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{silent}");
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(LIVE.as_bytes()).unwrap();
        (first, one_answer(&mut stream))
    });
    let (first, second) = answers.await;
    assert!(first.starts_with("HTTP/1.1 400") && second.starts_with("HTTP/1.1 200"), "{first} {second}");
}

#[actix_web::test]
async fn a_refusal_whose_body_nobody_read_says_that_the_connection_closes() {
    let server = server(Limits::default());
    let mut stream = server.connect();
    let refused = "POST /api/v1/switch HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    let answer = blocking(move || {
        stream.write_all(refused.as_bytes()).unwrap();
        one_answer_to_end(&mut stream)
    });
    let answer = answer.await;
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    assert!(answer.to_ascii_lowercase().contains("\r\nconnection: close\r\n"), "{answer}");
}

#[actix_web::test]
async fn an_address_has_so_many_connections_and_gets_others_back() {
    let server = server(Limits { connections_per_address: 3, ..Limits::default() });
    let address = server.address;
    // A slot is free again once the service has seen that its connection ended.
    let answered = move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let _ = stream.write_all(b"GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        drain(stream)
    };
    let held = blocking(move || {
        let mut held: Vec<_> = (0..3).map(|_| TcpStream::connect(address).unwrap()).collect();
        for stream in &mut held {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            stream.write_all(LIVE.as_bytes()).unwrap();
            assert!(one_answer(stream).starts_with("HTTP/1.1 200"));
        }
        held
    });
    let held = held.await;
    let refused = blocking(answered).await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("/problems/busy"), "{refused}");
    drop(held);
    blocking(move || {
        let start = Instant::now();
        while !answered().starts_with("HTTP/1.1 200") {
            assert!(start.elapsed() < PATIENCE, "no slot became free");
        }
    })
    .await;
}

#[actix_web::test]
async fn a_refused_connection_reads_why_though_it_sent_a_long_request() {
    let server = server(Limits { connections_per_address: 0, ..Limits::default() });
    let request = format!("GET /health/live HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "x".repeat(32 << 10));
    for _ in 0..20 {
        let answer = exchange(&server, request.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("/problems/busy"), "{answer:?}");
        assert!(answer.ends_with('}'), "{answer:?}");
    }
}

#[actix_web::test]
async fn what_is_no_request_behind_one_is_answered_with_a_problem_too() {
    let server = server(Limits::default());
    for _ in 0..5 {
        let text = exchange(&server, format!("{LIVE}nonsense\r\n\r\n").as_bytes()).await;
        let (first, second) = text.split_once("HTTP/1.1 400 Bad Request\r\n").unwrap_or_else(|| panic!("{text}"));
        assert!(first.starts_with("HTTP/1.1 200") && first.ends_with('}'), "{first}");
        let (head, body) = second.split_once("\r\n\r\n").unwrap();
        assert!(head.contains("content-type: application/problem+json"), "{head}");
        assert!(body.contains("/problems/malformed-request"), "{body}");
    }
}

#[actix_web::test]
async fn a_trusted_proxy_has_as_many_connections_as_there_are() {
    let limits = Limits { connections_per_address: 1, ..Limits::default() };
    let settings = Settings { trusted_proxies: vec!["127.0.0.1/32".parse().unwrap()], ..fake::settings(limits) };
    let server = Server::of(Service::new(fake::areas(Activities::default()), settings));
    let mut held: Vec<_> = (0..3).map(|_| server.connect()).collect();
    let answers = blocking(move || {
        let answer = |stream: &mut TcpStream| {
            stream.write_all(LIVE.as_bytes()).unwrap();
            one_answer(stream)
        };
        held.iter_mut().map(answer).collect::<Vec<_>>()
    });
    assert!(answers.await.iter().all(|answer| answer.starts_with("HTTP/1.1 200")));
}

#[actix_web::test]
async fn what_is_no_request_is_answered_with_a_problem() {
    let server = server(Limits::default());
    let long = format!("GET /health/live HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(200 << 10));
    for (bytes, status, name) in [
        ("\0\0\0\r\n\r\n", "400 Bad Request", "malformed-request"),
        ("GET /health/live HTTP/9.9\r\n\r\n", "400 Bad Request", "malformed-request"),
        (
            "POST /api/v1/switch HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
            "400 Bad Request",
            "malformed-request",
        ),
        (long.as_str(), "431 Request Header Fields Too Large", "head-too-large"),
    ] {
        let text = exchange(&server, bytes.as_bytes()).await;
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text}"));
        assert!(head.starts_with(&format!("HTTP/1.1 {status}")), "{head}");
        assert!(head.contains("content-type: application/problem+json"), "{head}");
        assert!(head.contains(&format!("content-length: {}", body.len())), "{head}");
        assert!(body.contains(&format!("/problems/{name}")), "{body}");
    }
}

#[actix_web::test]
async fn where_it_listens_everywhere_addresses_are_those_that_the_client_named() {
    let settings = Settings { public_url: None, ..fake::settings(Limits::default()) };
    let server = Server::everywhere(Service::new(fake::areas(Activities::default()), settings));
    for (host, origin) in [
        ("carbon.example.com:8443", "http://carbon.example.com:8443".to_owned()),
        ("a/b", format!("http://{}", server.address)),
    ] {
        let path = "/api/.well-known/openid-configuration";
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let text = exchange(&server, request.as_bytes()).await;
        assert!(text.contains(&format!(r#""issuer":"{origin}/api""#)), "{text}");
        let body = r#"{"name":"A"}"#;
        let head = format!("Host: {host}\r\nAuthorization: Bearer admin\r\nConnection: close");
        let form = format!("Content-Type: application/json\r\nContent-Length: {}", body.len());
        let request = format!("POST /api/v1/switch HTTP/1.1\r\n{head}\r\n{form}\r\n\r\n{body}");
        let text = exchange(&server, request.as_bytes()).await;
        let (head, _) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 201"), "{text}");
        assert!(head.contains(&format!("location: {origin}/api/v1/switch/")), "{head}");
    }
}
