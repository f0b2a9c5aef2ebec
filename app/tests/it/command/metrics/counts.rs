//! Each figure says what it claims to.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::page::{Measured, Page};
use crate::command::run::Place;

/// The figures of series on a page.
fn figures<const N: usize>(page: &Page, series: [&str; N]) -> [u64; N] {
    series.map(|series| page.value(series))
}

/// A service and the header of a key that may do everything.
fn service(place: &Place) -> (Measured, String) {
    let key = place.bearer("admin");
    (Measured::start(place), key)
}

const BATCH: &str = "syncId,name,startDate\na,One,2025-01-01\nb,Two,2025-01-02\nc,,2025-01-03\n";

#[test]
fn requests_are_counted_by_route_method_and_status_and_never_by_path() {
    let place = Place::new();
    let (service, key) = service(&place);
    for _ in 0..3 {
        assert_eq!(service.base.get("/v1/scope", &[&key]).0, 200);
    }
    service.base.get("/v1/scope", &[]);
    service.base.get("/v1/activity/0198c0de-0000-7000-8000-000000000000", &[&key]);
    service.base.get("/nothing/here", &[&key]);
    service.base.ask("BREW", "/v1/scope", &[&key], "");
    let page = service.page();
    let series = |labels: &str| page.value(&format!("tonne_http_requests_total{{{labels}}}"));
    assert_eq!(series(r#"route="/api/v1/scope",method="GET",status="200""#), 3, "{}", page.0);
    assert_eq!(series(r#"route="/api/v1/scope",method="GET",status="401""#), 1);
    assert_eq!(series(r#"route="/api/v1/activity/{uuid}",method="GET",status="404""#), 1);
    assert_eq!(series(r#"route="unmatched",method="GET",status="404""#), 1);
    assert_eq!(series(r#"route="/api/v1/scope",method="other",status="405""#), 1);
    let durations = r#"tonne_http_request_duration_seconds_count{route="/api/v1/scope",method="GET"}"#;
    assert_eq!(page.value(durations), 4);
    assert!(!page.0.contains("nothing/here") && !page.0.contains("0198c0de") && !page.0.contains("BREW"), "{}", page.0);
    assert!(!page.0.contains(r#"tenant=""#), "no company is named unless it is asked for");
}

#[test]
fn companies_are_named_where_that_is_asked_for() {
    let place = Place::new();
    let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env("TONNE_METRICS__TENANTS", "true");
    let service = Measured::of(command);
    service.base.get("/v1/scope", &[]);
    assert_eq!(service.page().value(r#"tonne_tenant_requests_total{tenant="main",status="401"}"#), 1);
}

#[test]
fn an_import_moves_the_figures_of_imports_and_of_writes() {
    let place = Place::new();
    let (service, key) = service(&place);
    let headers = [key.as_str(), "Content-Type: text/csv"];
    let answer = service.base.ask("POST", "/v1/activity/batch", &headers, BATCH);
    assert_eq!(answer.status, 200, "{}", answer.body);
    let page = service.page();
    let rows = ["created", "updated", "unchanged", "rejected"];
    let rows = rows.map(|outcome| page.value(&format!(r#"tonne_import_rows_total{{outcome="{outcome}"}}"#)));
    assert_eq!(rows, [2, 0, 0, 1]);
    assert_eq!(page.value(r#"tonne_imports_total{outcome="done"}"#), 1);
    let written = page.value(r#"tonne_store_writes_total{outcome="done"}"#);
    assert!(written >= 1, "{}", page.0);
    assert_eq!(page.value("tonne_store_writers"), 0);
    let again = service.base.ask("POST", "/v1/activity/batch?dryRun=true", &headers, BATCH);
    assert_eq!(again.status, 200, "{}", again.body);
    let after = service.page();
    assert_eq!(after.value(r#"tonne_imports_total{outcome="done"}"#), 1, "a dry run is no import");
    assert_eq!(after.value(r#"tonne_store_writes_total{outcome="done"}"#), written);
}

#[test]
fn a_change_a_refused_one_and_a_report_move_their_figures() {
    let place = Place::new();
    let (service, key) = service(&place);
    let headers = [key.as_str(), "Content-Type: application/json"];
    let series = [
        r#"tonne_store_writes_total{outcome="done"}"#,
        r#"tonne_store_writes_total{outcome="conflict"}"#,
        "tonne_store_commit_group_size_count",
        "tonne_store_write_duration_seconds_count",
    ];
    let before = figures(&service.page(), series);
    let product = r#"{"name": "Power", "unit": "kWh", "syncId": "p"}"#;
    assert_eq!(service.base.ask("POST", "/v1/product", &headers, product).status, 201);
    let after = figures(&service.page(), series);
    assert_eq!([after[0] - before[0], after[2] - before[2], after[3] - before[3]], [1; 3]);
    assert_eq!(service.base.ask("POST", "/v1/product", &headers, product).status, 409);
    let refused = figures(&service.page(), series);
    assert_eq!(refused[0], after[0], "what was refused is not done");
    assert_eq!(service.base.get("/v1/activity?date=2025", &[&key]).0, 200);
    let page = service.page();
    assert_eq!(page.value(r#"tonne_read_model_builds_total{kind="anew"}"#), 1, "{}", page.0);
    assert_eq!(page.value("tonne_read_models"), 1);
    let one = r#"{"name": "One", "startDate": "2025-01-01"}"#;
    assert_eq!(service.base.ask("POST", "/v1/activity", &headers, one).status, 201);
    assert_eq!(service.base.get("/v1/activity?date=2025", &[&key]).0, 200);
    let page = service.page();
    assert_eq!(page.value(r#"tonne_read_model_builds_total{kind="advanced"}"#), 1, "{}", page.0);
    assert!(page.value("tonne_read_model_bytes") > 0);
}

#[test]
fn streams_sizes_refused_credentials_and_the_process_are_on_the_page() {
    let place = Place::new();
    let (service, key) = service(&place);
    let (status, body) = service.base.get("/v1/activity", &[&key, "Accept: application/x-ndjson"]);
    assert_eq!(status, 200, "{body}");
    service.base.get("/v1/scope", &["Authorization: Bearer tonne_wrong"]);
    let page = service.page();
    assert_eq!(page.value("tonne_http_streams_begun_total"), 1, "{}", page.0);
    assert_eq!(page.value("tonne_http_streams"), 0);
    assert_eq!(page.value(r#"tonne_security_events_total{event="credential_refused"}"#), 1);
    assert_eq!(page.value("tonne_tenants"), 1);
    assert!(page.value("tonne_store_data_bytes") >= 8_192, "two files of at least a page each: {}", page.0);
    assert!(page.value("tonne_store_disk_free_bytes") > 0);
    let started = std::time::Instant::now();
    while service.page().value(r#"tonne_sweeps_total{outcome="done"}"#) != 1 {
        assert!(started.elapsed().as_secs() < 60, "there is one sweep at the start");
    }
    #[cfg(target_os = "linux")]
    assert!(
        page.value("process_resident_memory_bytes") > 1_000_000 && page.value("process_open_fds") > 3,
        "{}",
        page.0
    );
}

#[test]
fn the_listener_has_nothing_but_the_page_and_stands_silent_clients() {
    let place = Place::new();
    let (service, key) = service(&place);
    for (method, path, status) in [("GET", "/", "404"), ("GET", "/api/v1/scope", "404"), ("POST", "/metrics", "405")] {
        let (head, _) = service.ask(method, path);
        assert!(head.starts_with(&format!("HTTP/1.1 {status}")), "{method} {path}: {head}");
    }
    let silent: Vec<_> = (0..40)
        .filter_map(|_| {
            let mut stream = TcpStream::connect(&service.address).ok()?;
            let _ = stream.write_all(b"GET /metrics HTTP/1.1\r\n");
            Some(stream)
        })
        .collect();
    assert_eq!(service.base.get("/v1/scope", &[&key]).0, 200, "the service does not mind");
    drop(silent);
    let begun = Instant::now();
    // The listener sees one after the other that they are gone.
    while !service.try_ask("GET", "/metrics").is_ok_and(|(head, _)| head.starts_with("HTTP/1.1 200 ")) {
        assert!(begun.elapsed() < Duration::from_mins(1), "silent clients that are gone keep others out");
        std::thread::yield_now();
    }
    assert_eq!(service.base.get("/metrics", &[&key]).0, 404, "the page is at its own address alone");
}
