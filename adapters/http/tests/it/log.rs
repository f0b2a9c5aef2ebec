//! What the log says of requests that were not answered as they asked.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use ports::credential::Secret;
use ports::inbound::NewKey;
use tonne_http::{Limits, Service};
use tracing_subscriber::fmt::MakeWriter;

use crate::api::send_to;
use crate::fake::{self, Activities};

/// Lines that were logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// What is logged while requests with those credentials are answered, one after the other.
async fn logged(service: &Service, bearers: &[&str]) -> Vec<String> {
    logged_of(service, bearers, "/api/v1/switch").await
}

/// The same of another address.
async fn logged_of(service: &Service, bearers: &[&str], path: &str) -> Vec<String> {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).with_ansi(false).without_time().finish();
    let guard = tracing::subscriber::set_default(subscriber);
    for bearer in bearers {
        let headers = [("authorization", format!("Bearer {bearer}"))];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        let answer = send_to(service, "GET", path, &headers, "").await;
        assert!(!answer.text.contains("/var/lib"), "{}", answer.text);
    }
    drop(guard);
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    text.lines().filter(|line| line.contains("GET /api/v1/switch")).map(str::to_owned).collect()
}

fn service() -> Service {
    fake::service(Activities::default(), Limits::default())
}

#[actix_web::test]
async fn why_a_service_is_busy_is_logged_once_for_all_requests_of_a_second() {
    let lines = logged(&service(), &["busy", "busy", "busy"]).await;
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("WARN"), "{lines:?}");
    assert!(lines[0].contains("/var/lib/keys is locked"), "{lines:?}");
}

#[actix_web::test]
async fn each_failure_is_logged_with_its_cause_also_while_the_service_is_busy() {
    let lines = logged(&service(), &["busy", "broken", "busy", "broken"]).await;
    let errors: Vec<_> = lines.iter().filter(|line| line.contains("ERROR")).collect();
    assert_eq!(errors.len(), 2, "{lines:?}");
    assert!(errors.iter().all(|line| line.contains("select * from /var/lib/keys")), "{lines:?}");
}

#[actix_web::test]
async fn the_line_of_a_failure_names_the_credential() {
    let activities = Activities { batches: 20, fails_after: Some(0), ..Activities::default() };
    let service = fake::service(activities, Limits::default());
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_writer(log.clone()).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let headers = [("Authorization", "Bearer activity:report,activity:read"), ("Accept", "application/x-ndjson")];
    let answer = send_to(&service, "GET", "/api/v1/activity", &headers, "").await;
    drop(guard);
    assert_eq!(answer.status, 500, "{}", answer.text);
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let line = text.lines().find(|line| line.contains("disk on fire")).unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!((&line["credential"], &line["span"]["credential"]), (&"key:test".into(), &"key:test".into()), "{line}");
}

/// Method, path, headers and body of a request.
type Request<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)], &'a str);

/// What is logged under the target of security events while those requests are answered.
async fn security(service: &Service, requests: &[Request<'_>]) -> Vec<String> {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).with_ansi(false).without_time().finish();
    let guard = tracing::subscriber::set_default(subscriber);
    for (method, path, headers, body) in requests {
        send_to(service, method, path, headers, body).await;
    }
    drop(guard);
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    text.lines().filter(|line| line.contains("tonne::security")).map(str::to_owned).collect()
}

#[actix_web::test]
async fn a_refused_credential_and_a_missing_permission_are_security_events() {
    let id = ("X-Request-Id", "request-7");
    let lines = security(
        &service(),
        &[
            ("GET", "/api/v1/switch", &[("Authorization", "Bearer hush"), id], ""),
            ("GET", "/api/v1/switch", &[("Authorization", "Bearer unit:read"), id], ""),
            ("GET", "/api/v1/switch", &[("Authorization", "Bearer catalog:read"), id], ""),
            ("GET", "/api/v1/switch", &[id], ""),
            ("GET", "/api/v1/switch", &[("Authorization", "Bearer switch:read"), id], ""),
        ],
    )
    .await;
    assert_eq!(lines.len(), 3, "{lines:#?}");
    for (line, event, who) in [
        (&lines[0], "credential_refused", "unknown"),
        (&lines[1], "credential_refused", "unknown"),
        (&lines[2], "permission_missing", "key:test"),
    ] {
        for part in [event, who, "192.0.2.1", "request-7", "GET /api/v1/switch", "WARN"] {
            assert!(line.contains(part), "{part}: {line}");
        }
        assert!(!line.contains("hush"), "{line}");
    }
}

#[actix_web::test]
async fn what_the_token_endpoints_refuse_is_a_security_event_that_tells_no_secret() {
    const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");
    let grant = "grant_type=client_credentials";
    let wrong = format!("{grant}&client_id=0198c0de-0000-7000-8000-000000000000&client_secret=hush");
    let misplaced = format!("{grant}&client_id=tonnesecret_hush&client_secret=hush");
    let locked = format!("{grant}&client_id=locked&client_secret=hush");
    let reused = "grant_type=refresh_token&refresh_token=reused&client_id=us%3Aer&client_secret=s%3Ae%25c";
    let revoked = "token=hush&client_id=us%3Aer&client_secret=s%3Ae%25c";
    let lines = security(
        &service(),
        &[
            ("POST", "/api/auth/token", &[FORM], wrong.as_str()),
            ("POST", "/api/auth/token", &[FORM], misplaced.as_str()),
            ("POST", "/api/auth/token", &[FORM], locked.as_str()),
            ("POST", "/api/auth/token", &[FORM], reused),
            ("POST", "/api/auth/revoke", &[FORM], revoked),
        ],
    )
    .await;
    let events = ["secret_wrong", "secret_wrong", "locked_out", "refresh_token_reused", "token_revoked"];
    assert_eq!(lines.len(), events.len(), "{lines:#?}");
    assert!(lines.iter().zip(events).all(|(line, event)| line.contains(event)), "{lines:#?}");
    assert!(lines[0].contains("client:0198c0de-0000-7000-8000-000000000000"), "{}", lines[0]);
    assert!(lines[4].contains("INFO"), "{}", lines[4]);
    assert!(lines.iter().all(|line| !line.contains("hush")), "{lines:#?}");
}

#[actix_web::test]
async fn a_change_of_a_credentials_permissions_is_a_security_event() {
    let (id, json) = (("X-Request-Id", "request-7"), ("Content-Type", "application/json"));
    let path = format!("/api/v1/key/{}", fake::KEY);
    let (admin, other) = (("Authorization", "Bearer admin"), ("Authorization", "Bearer switch:write"));
    let lines = security(
        &service(),
        &[
            ("PATCH", &path, &[admin, id, json], r#"{"permissions": ["admin"]}"#),
            ("PATCH", &path, &[admin, json], r#"{"permissions": ["nonsense"]}"#),
            ("GET", "/api/v1/key", &[admin], ""),
            ("PATCH", &path, &[other, json], r#"{"permissions": ["admin"]}"#),
        ],
    )
    .await;
    assert_eq!(lines.len(), 2, "{lines:#?}");
    for part in ["credential_changed", "key:test", "192.0.2.1", "request-7", &format!("PATCH {path}"), "INFO"] {
        assert!(lines[0].contains(part), "{part}: {}", lines[0]);
    }
    assert!(lines[1].contains("permission_missing"), "{}", lines[1]);
}

#[test]
fn what_is_shown_once_is_not_printed_by_debug() {
    let secret = Secret("tonne_hush".to_owned());
    let printed = [
        format!("{secret:?}"),
        format!("{:#?}", NewKey { view: fake::key(), secret }),
        format!("{:?}", fake::new_client()),
    ];
    for text in printed {
        assert!(text.contains("***") && !text.contains("hush") && !text.contains(fake::SECRET), "{text}");
    }
}

#[actix_web::test]
async fn security_events_of_an_address_are_ten_a_minute() {
    let refused: Request<'_> = ("GET", "/api/v1/switch", &[("Authorization", "Bearer hush")], "");
    assert_eq!(security(&service(), &[refused; 25]).await.len(), 10);
}

#[actix_web::test]
async fn what_is_wrong_with_a_request_is_not_logged() {
    assert_eq!(logged_of(&service(), &["switch:read"], "/api/v1/switch?nonsense=1").await, Vec::<String>::new());
}

#[actix_web::test]
async fn the_line_of_an_answer_names_route_credential_status_and_bytes_and_no_secret() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_writer(log.clone());
    let guard = tracing::subscriber::set_default(subscriber.with_max_level(tracing::Level::DEBUG).finish());
    let headers = [("Authorization", "Bearer switch:read"), ("X-Request-Id", "request-7")];
    let answer = send_to(&service(), "GET", "/api/v1/switch?pageSize=5", &headers, "").await;
    send_to(&service(), "GET", "/api/v1/nothing", &[("Authorization", "Bearer hush")], "").await;
    drop(guard);
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lines: Vec<_> = lines.iter().filter(|line| line["message"] == "Answered.").collect();
    assert_eq!(lines.len(), 2, "{text}");
    for (member, value) in [
        ("request.id", serde_json::json!("request-7")),
        ("credential", serde_json::json!("key:test")),
        ("method", serde_json::json!("GET")),
        ("route", serde_json::json!("/api/v1/switch")),
        ("path", serde_json::json!("/api/v1/switch")),
        ("status", serde_json::json!(answer.status)),
        ("bytes", serde_json::json!(answer.text.len())),
    ] {
        assert_eq!(lines[0][member], value, "{member}: {}", lines[0]);
    }
    assert!(lines[0]["duration_ms"].is_u64(), "{}", lines[0]);
    assert_eq!((&lines[1]["route"], &lines[1]["credential"]), (&"unmatched".into(), &serde_json::Value::Null));
    assert!(!text.contains("hush") && !text.contains("pageSize"), "{text}");
}
