//! What a refused request costs: nothing of its body is waited for, little of it is read, and its answer is small.

use std::io::Write as _;

use tonne_http::{Limits, Service};

use crate::fake::{self, Activities};
use crate::server::{Server, blocking, drain, one_answer_to_end};

fn service() -> Service {
    fake::service(Activities::default(), Limits::default())
}

#[actix_web::test]
async fn who_lacks_the_permission_is_refused_before_a_byte_of_the_body_is_read() {
    let server = Server::of(service());
    for (path, held, media) in [
        ("/v1/switch", "activity:read", "application/json"),
        ("/v1/activity/batch", "switch:read", "text/csv"),
        ("/v1/activity/batch", "activity:read", "application/x-ndjson"),
        ("/v1/footprint", "footprint:read", "application/json"),
    ] {
        let mut stream = server.connect();
        let head =
            format!("Host: x\r\nAuthorization: Bearer {held}\r\nContent-Type: {media}\r\nContent-Length: 100000");
        stream.write_all(format!("POST /api{path} HTTP/1.1\r\n{head}\r\n\r\n").as_bytes()).unwrap();
        let answer = blocking(move || one_answer_to_end(&mut stream)).await;
        assert!(
            answer.starts_with("HTTP/1.1 403") && answer.contains("/problems/missing-permission"),
            "{path}: {answer}"
        );
        assert!(answer.to_ascii_lowercase().contains("\r\nconnection: close\r\n"), "{path}: {answer}");
    }
}

/// How much of a body a server takes whose request it refuses.
async fn taken_of(server: &Server, head: String) -> usize {
    let mut stream = server.connect_with_small_buffers();
    blocking(move || {
        stream.write_all(head.as_bytes()).unwrap();
        let (block, mut taken) = (vec![b' '; 1 << 12], 0);
        while taken < MOST && stream.write_all(&block).is_ok() {
            taken += block.len();
        }
        taken
    })
    .await
}

/// So many bytes each body has at least.
const MOST: usize = 300 << 20;

#[actix_web::test]
async fn the_body_of_a_refused_request_is_read_little_further_than_the_limit() {
    let server = Server::with_small_buffers(service());
    for (request, credential) in [
        ("POST /api/v1/switch", ""),
        ("POST /api/nothing", "Authorization: Bearer admin\r\n"),
        ("PUT /api/v1/unit", "Authorization: Bearer admin\r\n"),
        ("POST /api/v1/switch", "Authorization: Bearer admin\r\n"),
        ("POST /api/v1/activity/batch", "Authorization: Bearer switch:read\r\n"),
        ("POST /api/auth/token", ""),
    ] {
        for framing in [format!("Content-Length: {MOST}"), "Transfer-Encoding: chunked".to_owned()] {
            // One chunk that is as long as the whole.
            let chunk = if framing.starts_with('T') { format!("{MOST:x}\r\n") } else { String::new() };
            let head = format!("Host: x\r\n{credential}Content-Type: application/json\r\n{framing}");
            let taken = taken_of(&server, format!("{request} HTTP/1.1\r\n{head}\r\n\r\n{chunk}")).await;
            // Where the length is not said, a body is read until it is longer than a body may be.
            let allowed = Limits::default().drain_bytes;
            let reads_body =
                framing.starts_with('T') && credential.ends_with("admin\r\n") && request.ends_with("switch");
            let most = if reads_body { Limits::default().body_bytes } else { 0 } + 8 * allowed;
            assert!(taken <= most, "{request}, {framing}: {taken} bytes were taken");
        }
    }
}

#[actix_web::test]
async fn a_request_full_of_faults_that_nobody_may_make_is_answered_in_few_words() {
    let server = Server::of(service());
    let names = |separator: &str| ["key", separator].concat().repeat(8_000 / (3 + separator.len()));
    for (request, status) in [
        // Credentials in an address are refused before anybody is asked for one.
        (format!("GET /api/v1/switch?{}", names("&")), 400),
        (format!("GET /api/v1/activity?{}", "a&b&".repeat(2_000)), 401),
        (format!("POST /api/auth/token?{}", "a&b&".repeat(2_000)), 400),
    ] {
        let mut stream = server.connect();
        let form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0";
        stream
            .write_all(format!("{request} HTTP/1.1\r\nHost: x\r\n{form}\r\nConnection: close\r\n\r\n").as_bytes())
            .unwrap();
        let answer = blocking(move || drain(stream)).await;
        let request = &request[..30];
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{request}: {answer}");
        assert!(answer.len() < 2_048, "{request}: {} bytes", answer.len());
    }
}

#[actix_web::test]
async fn a_request_full_of_faults_that_somebody_may_make_names_the_first_hundred() {
    let query: Vec<_> = (0..1_000).map(|number| format!("k{number}")).collect();
    let query = query.join("&");
    let answer = crate::api::get(&format!("/api/v1/switch?{query}"), "switch:read").await;
    assert_eq!(answer.status, 400);
    assert!(answer.places().len() <= 101, "{}", answer.places().len());
    assert!(answer.text.len() < 32 << 10, "{} bytes", answer.text.len());
}
