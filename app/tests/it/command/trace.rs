//! Traces that a service sends to a collector.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use super::run::{Place, Served};

/// What a collector got: path and body of each request. It answers each, and is there until the test ends.
fn collector() -> (String, Receiver<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (got, gets) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let (mut path, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                stream.read_line(&mut line).unwrap();
                let line = line.trim_end().to_ascii_lowercase();
                if path.is_empty() {
                    path = line.split(' ').nth(1).unwrap().to_owned();
                }
                if let Some(bytes) = line.strip_prefix("content-length: ") {
                    length = bytes.parse().unwrap();
                }
                if line.is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            // Before the answer, after which the service may end and be looked at.
            if got.send((path, body)).is_err() {
                return;
            }
            stream.get_mut().write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").unwrap();
        }
    });
    (address, gets)
}

/// Whether the bytes are in the body.
fn holds(body: &[u8], bytes: &[u8]) -> bool {
    body.windows(bytes.len()).any(|window| window == bytes)
}

#[cfg(unix)]
#[test]
fn a_request_is_a_span_in_the_trace_that_its_sender_names_with_the_store_below_it() {
    let place = Place::new();
    let (address, gets) = collector();
    place.file("tonne.toml", &format!("[trace]\nendpoint = \"{address}\"\n"));
    let key = place.json(&["key", "create", "--name", "a", "--permissions", "admin"]);
    let secret = key["key"].as_str().unwrap();
    let key = format!("Authorization: Bearer {secret}");
    let served = place.serve_with(&["--config", "tonne.toml"]);
    let parent = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    assert_eq!(served.get("/v1/scope", &[&key, parent]).0, 200);
    assert_eq!(served.terminate(), Some(0));
    let requests: Vec<_> = gets.try_iter().collect();
    assert!(requests.iter().all(|(path, _)| path == "/v1/traces"), "{requests:?}");
    let spans: Vec<u8> = requests.into_iter().flat_map(|(_, body)| body).collect();
    assert!(holds(&spans, b"GET /api/v1/scope") && holds(&spans, b"store.read"));
    let trace = [0x0a, 0xf7, 0x65, 0x19, 0x16, 0xcd, 0x43, 0xdd, 0x84, 0x48, 0xeb, 0x21, 0x1c, 0x80, 0x31, 0x9c];
    let caller = [0xb7, 0xad, 0x6b, 0x71, 0x69, 0x20, 0x33, 0x31];
    assert!(holds(&spans, &trace) && holds(&spans, &caller), "the span belongs to the trace of its sender");
    assert!(!holds(&spans, secret.as_bytes()), "no secret is sent");
    assert!(!holds(&spans, b"A request"), "what is logged stays in the log");
}

#[cfg(unix)]
#[test]
fn the_variables_of_opentelemetry_name_a_collector_too() {
    for (variable, path) in [("OTEL_EXPORTER_OTLP_ENDPOINT", ""), ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "/v1/traces")]
    {
        let place = Place::new();
        let (address, gets) = collector();
        let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.env(variable, format!("{address}{path}")).env("OTEL_SERVICE_NAME", "carbon");
        let served = Served::start(command);
        assert_eq!(served.get("/v1/scope", &[]).0, 401);
        assert_eq!(served.terminate(), Some(0));
        let requests: Vec<_> = gets.try_iter().collect();
        assert!(
            !requests.is_empty() && requests.iter().all(|(path, _)| path == "/v1/traces"),
            "{variable}: {requests:?}"
        );
        let is_ours = |body: &[u8]| holds(body, b"GET /api/v1/scope") && holds(body, b"carbon");
        assert!(requests.iter().any(|(_, body)| is_ours(body)), "{variable}");
    }
}

#[cfg(unix)]
#[test]
fn without_an_endpoint_for_traces_nothing_is_sent_and_the_log_does_not_speak_of_them() {
    let place = Place::new();
    let (address, gets) = collector();
    let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", " ").env("OTEL_SERVICE_NAME", "carbon");
    command.env("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", &address).env("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", &address);
    let served = Served::start(command);
    let parent = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    assert_eq!(served.get("/v1/scope", &[parent]).0, 401);
    let log = served.log();
    assert_eq!(gets.try_iter().count(), 0);
    assert!(!log.contains("trace"), "{log}");
}

#[test]
fn an_endpoint_that_cannot_be_spoken_to_is_refused_at_the_start() {
    let place = Place::new();
    place.file("tonne.toml", "[trace]\nendpoint = \"https://collector.example\"\n");
    let ended = place.run(&["serve", "--listen", "127.0.0.1:0", "--config", "tonne.toml"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("begins with http://"), "{}", ended.stderr);
}

#[cfg(unix)]
#[test]
fn a_collector_that_is_away_holds_up_nobody() {
    let place = Place::new();
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    place.file("tonne.toml", &format!("[trace]\nendpoint = \"http://{gone}\"\n"));
    let served = place.serve_with(&["--config", "tonne.toml"]);
    assert_eq!(served.get("/v1/scope", &[]).0, 401);
    let log = served.log();
    assert_eq!(log.matches("traces were not sent and are lost").count(), 1, "{log}");
}
