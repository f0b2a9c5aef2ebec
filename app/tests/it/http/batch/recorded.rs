//! What an import keeps of itself: who, when, of which body.

use std::time::SystemTime;

use domain::{Digest, Timestamp};

use super::super::harness::{Service, json};
use super::{NDJSON, rows, send};

/// Milliseconds since 1970.
#[expect(clippy::disallowed_methods, reason = "the program reads the same clock")]
fn now() -> i64 {
    let elapsed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    i64::try_from(elapsed.as_millis()).unwrap()
}

#[test]
fn an_import_says_who_sent_which_body_when() {
    let service = Service::start();
    let admin = service.admin();
    let key = admin.post("/v1/key", &json!({ "name": "ERP", "permissions": ["activity:write"] })).created();
    let erp = admin.with_key(key["key"].as_str().unwrap());
    let (body, before) = (rows(3, "1"), now());
    let sent = send(&erp, "?name=June", NDJSON, body.clone()).ok();
    let import = admin.get(&format!("/v1/import/{}", sent["import"].as_str().unwrap())).ok();
    assert_eq!(import["name"], "June");
    assert_eq!(import["actor"], format!("key:{}", key["uuid"].as_str().unwrap()));
    assert_eq!(import["sha256"], Digest::of(body.as_bytes()).to_string());
    let created = Timestamp::parse(import["created"].as_str().unwrap()).unwrap().millis();
    assert!((before..=now()).contains(&created), "{import}");
    assert_eq!(admin.get("/v1/import").ok()["data"][0], import);
}
