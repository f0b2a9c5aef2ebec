//! Several companies behind one service: each at its own address, and nothing crosses between them.

mod address;
mod isolation;

use super::harness::{Client, Request, Service, Value};
use tonne::config::Mode;

/// An identifier that nobody has.
const NOBODY: &str = "0198c0de-0000-7000-8000-000000000000";

/// A service whose companies are distinguished by a segment of the path.
fn by_path() -> Service {
    Service::of(Mode::Path, |_| {})
}

/// A request that names itself, so that two answers can be the same bytes.
fn named(client: &Client, method: &str, path: &str) -> Request {
    client.request(method, path).header("X-Request-Id", "one")
}

/// Method, path as it is documented, and what the document says, of every operation.
fn documented(service: &Service) -> Vec<(String, String, Value)> {
    let document = service.anybody().get("/openapi.json").ok();
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            all.push((method.to_uppercase(), path.clone(), operation.clone()));
        }
    }
    assert!(all.len() > 60, "{}", all.len());
    all
}
