//! What the log says of requests that were not answered as they asked.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

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
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).with_ansi(false).without_time().finish();
    let guard = tracing::subscriber::set_default(subscriber);
    for bearer in bearers {
        let headers = [("authorization", format!("Bearer {bearer}"))];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        let answer = send_to(service, "GET", "/api/v1/switch", &headers, "").await;
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
async fn a_wrong_request_is_not_logged() {
    assert_eq!(logged(&service(), &["expired", "unknown"]).await, Vec::<String>::new());
}
