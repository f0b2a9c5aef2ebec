//! What HTTP clients expect of any service: compression, other origins, preferences.

use std::io::Read as _;

use super::harness::{Answer, Service, json};

const APP: &str = "https://app.example.com";

/// The answer to a request with those headers, compared with no description: what is asked here is asked of every address.
fn exchange(service: &Service, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let (key, base) = (service.key("admin"), service.base_path());
    let request = format!(
        "{method} {base}{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n",
        body.len(),
    );
    let more = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect::<Vec<_>>().concat();
    service.anybody().raw(format!("{request}{more}\r\n{body}").as_bytes())
}

/// What the body of an answer in that coding says.
fn inflated(coding: &str, body: &[u8]) -> Vec<u8> {
    let mut inflated = Vec::new();
    match coding {
        "gzip" => flate2::read::GzDecoder::new(body).read_to_end(&mut inflated).unwrap(),
        "br" => brotli::Decompressor::new(body, 4_096).read_to_end(&mut inflated).unwrap(),
        other => panic!("{other} is no coding of ours"),
    };
    inflated
}

#[test]
fn answers_and_streams_are_compressed_where_the_client_takes_that_and_say_the_same() {
    let service = Service::start();
    let rows = "Van,2025-01-01,7\n".repeat(3_000);
    let batch = service.admin().request("POST", "/v1/activity/batch").header("Content-Type", "text/csv");
    batch.body(format!("name,startDate,UpstreamCO2e\n{rows}")).send().ok();
    for (path, accept) in [("/v1/unit", "application/json"), ("/v1/activity?date=2025", "text/csv")] {
        let plain = exchange(&service, "GET", path, &[("Accept", accept)], "");
        assert_eq!((plain.status, plain.header("content-encoding")), (200, None), "{path}");
        assert!(plain.whole && plain.body.len() > 20_000, "{path}: {} bytes", plain.body.len());
        for coding in ["gzip", "br"] {
            let asked = [("Accept", accept), ("Accept-Encoding", coding)];
            let answer = exchange(&service, "GET", path, &asked, "");
            assert_eq!((answer.status, answer.header("content-encoding")), (200, Some(coding)), "{path}");
            assert!(answer.whole && answer.body.len() < plain.body.len(), "{path}: {} bytes", answer.body.len());
            assert!(inflated(coding, &answer.body) == plain.body, "{path}: {coding} says something else");
        }
    }
}

#[test]
fn every_answer_says_that_it_has_other_encodings_and_one_that_none_fits_says_what_to_ask_for() {
    let service = Service::start();
    for path in ["/v1/unit", "/v1/report", "/v1/nothing", "/openapi.json"] {
        for coding in ["gzip", "identity"] {
            let answer = exchange(&service, "GET", path, &[("Accept-Encoding", coding)], "");
            let vary = answer.header("vary").unwrap_or_default().to_lowercase();
            assert_eq!(vary.matches("accept-encoding").count(), 1, "{path} {coding}: {vary}");
        }
    }
    for coding in ["identity;q=0", "*;q=0", "zstd, identity;q=0"] {
        let refused = exchange(&service, "GET", "/v1/unit", &[("Accept-Encoding", coding)], "");
        assert_eq!(refused.status, 406, "{coding}: {}", refused.text());
        assert!(refused.text().contains("accept gzip, br or identity"), "{coding}: {}", refused.text());
    }
}

#[test]
fn pages_of_listed_origins_alone_may_read_answers() {
    let service = Service::with(|config| {
        config.server.cors_origins = vec![tonne::config::PublicOrigin::parse(APP).unwrap()];
    });
    let asked = [("Origin", APP), ("Access-Control-Request-Method", "PATCH")];
    let preflight = exchange(&service, "OPTIONS", "/v1/org", &asked, "");
    assert_eq!((preflight.status, preflight.header("access-control-allow-origin")), (204, Some(APP)));
    assert!(preflight.header("access-control-allow-headers").unwrap().contains("Authorization"));
    for (path, status) in [("/v1/org", 200), ("/v1/nothing", 404)] {
        let answer = exchange(&service, "GET", path, &[("Origin", APP)], "");
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (status, Some(APP)), "{path}");
        assert!(answer.header("access-control-allow-credentials").is_none());
    }
    for origin in ["https://app.example.com.evil.example", "null", "http://app.example.com"] {
        let answer = exchange(&service, "GET", "/v1/org", &[("Origin", origin)], "");
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, None), "{origin}");
        let asked = [("Origin", origin), ("Access-Control-Request-Method", "PATCH")];
        assert_eq!(exchange(&service, "OPTIONS", "/v1/org", &asked, "").status, 405, "{origin}");
    }
}

#[test]
fn a_writer_may_want_no_record_back_but_never_loses_a_secret() {
    let service = Service::start();
    let prefer = [("Prefer", "respond-async, return=minimal")];
    let added = exchange(&service, "POST", "/v1/org", &prefer, &json!({ "name": "A" }).to_string());
    assert_eq!((added.status, added.body.len(), added.header("preference-applied")), (201, 0, Some("return=minimal")));
    let uuid = added.header("location").unwrap().rsplit('/').next().unwrap().to_owned();
    assert!(added.header("etag").is_some());
    let patched = exchange(&service, "PATCH", &format!("/v1/org/{uuid}"), &prefer, r#"{"name": "B"}"#);
    assert_eq!((patched.status, patched.body.len()), (204, 0));
    assert_eq!(service.admin().get(&format!("/v1/org/{uuid}")).ok()["name"], "B");
    let key = json!({ "name": "k", "permissions": ["activity:read"] }).to_string();
    let shown = exchange(&service, "POST", "/v1/key", &prefer, &key);
    assert!(shown.status == 201 && shown.text().contains("tonne_"), "{}", shown.text());
}
