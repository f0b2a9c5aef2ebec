//! Slots of streams: who has to wait for one and who never does.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tonne_http::Limits;

use crate::fake::Activities;
use crate::server::{Server, blocking, drain, one_answer_to_end, until};

/// A request that needs no slot and leaves its connection open.
const LIVE: &[u8] = b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";

/// A server whose streams have no end, and are neither cut nor spooled because nobody reads them.
fn endless(limits: &Limits) -> (Server, crate::fake::Held) {
    let long = Duration::from_mins(10);
    let limits = Limits { stream_silence: long, stream_patience: long, ..limits.clone() };
    let activities = Activities { batches: 1_000_000, ..Activities::default() };
    let held = activities.held.clone();
    (Server::start(activities, limits), held)
}

/// The whole answer to a GET by whoever holds that permission.
async fn get(server: &Server, path: &str, permission: &str) -> String {
    get_as(server, path, permission, "*/*").await
}

/// The same in that form.
async fn get_as(server: &Server, path: &str, permission: &str, form: &str) -> String {
    let mut stream = server.connect();
    let head = format!("Host: x\r\nAuthorization: Bearer {permission}\r\nAccept: {form}\r\nConnection: close");
    stream.write_all(format!("GET {path} HTTP/1.1\r\n{head}\r\n\r\n").as_bytes()).unwrap();
    blocking(move || drain(stream)).await
}

#[actix_web::test]
async fn pages_and_totals_wait_for_no_slot() {
    let (server, held) = endless(&Limits { streams: 1, ..Limits::default() });
    let _stream = server.ask("GET");
    until(|| held.load(Ordering::SeqCst) == 1).await;
    for (path, permission) in [
        ("/v1/footprint?pageSize=1", "footprint:review"),
        ("/v1/activity?page=1", "activity:read"),
        ("/v1/activity", "activity:report"),
        ("/v1/activity?date=2025", "activity:report"),
        ("/v1/report?by=month,scope", "activity:report"),
        ("/v1/report?by=org", "activity:report"),
    ] {
        let text = get(&server, &format!("/api{path}"), permission).await;
        assert!(text.starts_with("HTTP/1.1 200"), "{path}: {text}");
    }
}

#[actix_web::test]
async fn a_breakdown_that_takes_as_long_as_a_stream_counts_as_one() {
    let (server, held) = endless(&Limits { streams: 1, ..Limits::default() });
    let stream = server.ask("GET");
    until(|| held.load(Ordering::SeqCst) == 1).await;
    let long = ["by=product", "by=day", "by=month,product", "by=scope&incomplete=true"];
    for query in long {
        let text = get(&server, &format!("/api/v1/report?{query}"), "activity:read").await.to_lowercase();
        assert!(text.starts_with("http/1.1 503") && text.contains("retry-after: 1"), "{query}: {text}");
    }
    drop(stream);
    until(|| held.load(Ordering::SeqCst) == 0).await;
    for query in long {
        let text = get(&server, &format!("/api/v1/report?{query}"), "activity:read").await;
        assert!(text.starts_with("HTTP/1.1 200"), "{query}: {text}");
    }
}

#[actix_web::test]
async fn a_table_of_all_that_a_list_has_counts_as_a_stream_and_one_of_a_page_does_not() {
    let (server, held) = endless(&Limits { streams: 1, ..Limits::default() });
    let stream = server.ask("GET");
    until(|| held.load(Ordering::SeqCst) == 1).await;
    let lists = [
        ("/api/v1/factor", "catalog:read"),
        ("/api/v1/period", "activity:report"),
        ("/api/v1/import", "activity:read"),
    ];
    for (path, permission) in lists {
        let text = get_as(&server, path, permission, "text/csv").await.to_lowercase();
        assert!(text.starts_with("http/1.1 503") && text.contains("retry-after: 1"), "{path}: {text}");
        let text = get_as(&server, &format!("{path}?page=1"), permission, "text/csv").await;
        assert!(text.starts_with("HTTP/1.1 200"), "{path}: {text}");
    }
    drop(stream);
    until(|| held.load(Ordering::SeqCst) == 0).await;
    for (path, permission) in lists {
        let text = get_as(&server, path, permission, "text/csv").await;
        assert!(text.starts_with("HTTP/1.1 200"), "{path}: {text}");
    }
}

#[actix_web::test]
async fn one_credential_has_two_streams() {
    let (server, held) = endless(&Limits::default());
    let streams = [server.ask("GET"), server.ask("GET")];
    until(|| held.load(Ordering::SeqCst) == 2).await;
    let third = server.ask("GET");
    let text = blocking(move || drain(third)).await;
    assert!(text.starts_with("HTTP/1.1 503"), "{text}");
    drop(streams);
}

#[actix_web::test]
async fn streams_beyond_the_slots_are_all_refused_while_others_are_answered() {
    let (server, held) = endless(&Limits { streams: 1, ..Limits::default() });
    let _stream = server.ask("GET");
    until(|| held.load(Ordering::SeqCst) == 1).await;
    let waiting: Vec<_> = (0..50).map(|_| server.ask("GET")).collect();
    let live = get(&server, "/health/live", "activity:read").await;
    assert!(live.starts_with("HTTP/1.1 200"), "{live}");
    let answers = blocking(|| waiting.into_iter().map(drain).collect::<Vec<_>>()).await;
    for answer in answers {
        let answer = answer.to_lowercase();
        assert!(answer.starts_with("http/1.1 503") && answer.contains("\r\nretry-after: 1\r\n"), "{answer}");
    }
    assert_eq!(held.load(Ordering::SeqCst), 1, "none of them holds a snapshot");
}

#[actix_web::test]
async fn refusals_and_the_sign_of_life_come_while_every_slot_is_taken_and_others_wait_for_one() {
    let (server, held) = endless(&Limits { streams: 2, ..Limits::default() });
    let _streams = [server.ask("GET"), server.ask("GET")];
    until(|| held.load(Ordering::SeqCst) == 2).await;
    let waiting: Vec<_> = (0..20).map(|_| server.ask("GET")).collect();
    for (path, permission, status) in [
        ("/health/live", "activity:read", 200),
        ("/api/v1/activity?page=1", "nobody", 401),
        ("/api/v1/activity?page=1", "switch:read", 403),
        ("/api/nothing", "activity:read", 404),
    ] {
        let answer = get(&server, path, permission).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{path}: {answer}");
        assert_eq!(held.load(Ordering::SeqCst), 2, "{path}: it waited for a slot");
    }
    let answers = blocking(|| waiting.into_iter().map(drain).collect::<Vec<_>>()).await;
    assert!(answers.iter().all(|answer| answer.starts_with("HTTP/1.1 503")), "{answers:?}");
    assert_eq!(held.load(Ordering::SeqCst), 2, "one of them waited until a slot was free");
}

#[actix_web::test]
async fn connections_beyond_the_cap_are_refused_while_those_below_it_go_on() {
    let (server, held) = endless(&Limits { streams: 2, connections_per_address: 3, ..Limits::default() });
    let _streams = [server.ask("GET"), server.ask("GET")];
    until(|| held.load(Ordering::SeqCst) == 2).await;
    let mut own = server.connect();
    own.write_all(LIVE).unwrap();
    let mut own = blocking(move || {
        assert!(one_answer_to_end(&mut own).starts_with("HTTP/1.1 200"));
        own
    })
    .await;
    let other = |_| {
        let mut other = server.connect();
        // It may be refused before it has said a word.
        let _ = other.write_all(LIVE);
        other
    };
    let others: Vec<_> = (0..10).map(other).collect();
    let answers = blocking(move || {
        let answer = |other: TcpStream| {
            let refused = drain(other);
            own.write_all(LIVE).unwrap();
            (refused, one_answer_to_end(&mut own))
        };
        others.into_iter().map(answer).collect::<Vec<_>>()
    });
    for (refused, own) in answers.await {
        assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("/problems/busy"), "{refused}");
        assert!(own.starts_with("HTTP/1.1 200"), "{own}");
    }
    assert_eq!(held.load(Ordering::SeqCst), 2, "the streams go on");
}

#[actix_web::test]
async fn a_stream_that_is_read_on_and_on_is_cut_at_its_deadline() {
    let (server, held) = endless(&Limits { stream: Duration::from_millis(300), ..Limits::default() });
    let mut stream = server.ask("GET");
    let read = blocking(move || {
        let (mut block, mut end) = (vec![0; 1 << 16], Vec::new());
        loop {
            match std::io::Read::read(&mut stream, &mut block) {
                Ok(read @ 1..) => end = block[..read].to_vec(),
                last => return (last.map_err(|error| error.kind()), end),
            }
        }
    });
    let (last, end) = read.await;
    let has_waited = matches!(last, Err(std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut));
    assert!(!has_waited, "the connection stayed open");
    assert!(!end.ends_with(b"0\r\n\r\n"), "it looks whole");
    until(|| held.load(Ordering::SeqCst) == 0).await;
}
