//! What a request may cost, and what of it is refused before it is understood.

use super::harness::{Answer, Request, Service, activity, json};

/// A body of exactly that many bytes that makes an activity.
fn of_length(bytes: usize) -> Vec<u8> {
    let mut body = activity(json!({})).to_string().into_bytes();
    body.resize(bytes, b' ');
    body
}

/// The body in chunks, so that its length is not announced.
fn chunked(request: Request, body: &[u8]) -> Answer {
    let mut framed = Vec::new();
    for chunk in body.chunks(10_000) {
        framed.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        framed.extend_from_slice(chunk);
        framed.extend_from_slice(b"\r\n");
    }
    framed.extend_from_slice(b"0\r\n\r\n");
    request.header("Transfer-Encoding", "chunked").header("Content-Type", "application/json").body(framed).send()
}

#[test]
fn a_body_has_at_most_1_mib() {
    let service = Service::start();
    let post = || service.admin().request("POST", "/v1/activity");
    let plain = |bytes| post().header("Content-Type", "application/json").body(of_length(bytes)).send();
    plain(1 << 20).expect(201);
    chunked(post(), &of_length(1 << 20)).expect(201);
    assert_eq!(plain((1 << 20) + 1).problem(), "413 too-large");
    assert_eq!(chunked(post(), &of_length((1 << 20) + 1)).problem(), "413 too-large");
    assert_eq!(service.admin().get("/v1/activity").ok()["count"], 2);
}

#[test]
fn limits_are_those_of_the_configuration() {
    let service = Service::with(|config| {
        config.limits.body_bytes = 2_000;
        config.limits.query_bytes = 300;
        config.limits.json_depth = 4;
    });
    let admin = service.admin();
    let post = |body: Vec<u8>| {
        admin.request("POST", "/v1/activity").header("Content-Type", "application/json").body(body).send()
    };
    post(of_length(2_000)).expect(201);
    assert_eq!(post(of_length(2_001)).problem(), "413 too-large");
    assert_eq!(admin.get(&format!("/v1/unit?{}", "a".repeat(301))).problem(), "414 query-too-long");
    assert_eq!(post(br#"{"name": [[[[1]]]]}"#.to_vec()).problem(), "400 malformed-request /name/0/0/0");
}

#[test]
fn a_credential_has_so_many_requests_in_a_minute_and_each_answer_says_how_many_are_left() {
    let service = Service::with(|config| config.limits.requests_per_minute = 2);
    let (one, other) = (service.admin(), service.admin());
    assert_eq!(one.get("/v1/unit").expect(200).header("ratelimit-policy"), Some(r#""default";q=2;w=60"#));
    one.get("/v1/unit").expect(200);
    let refused = one.get("/v1/unit");
    assert_eq!(refused.problem(), "429 too-many-requests");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    other.get("/v1/unit").expect(200);
}

#[test]
fn a_body_is_at_most_32_deep() {
    let service = Service::start();
    let deep = |depth: usize| {
        let body = format!(r#"{{"name": {}1{}}}"#, "[".repeat(depth - 1), "]".repeat(depth - 1));
        service.admin().request("POST", "/v1/activity").json_text(&body).send()
    };
    assert_eq!(deep(32).problem(), "422 invalid-input /name /startDate");
    assert_eq!(deep(33).status, 400);
    assert_eq!(deep(100_000).status, 400);
}

#[test]
fn a_query_has_at_most_8_kib() {
    let service = Service::start();
    let admin = service.admin();
    let query = |last: &str| format!("list={}{last}", "scope,".repeat(1_364));
    let (longest, longer) = (query("org"), query("orgs"));
    assert_eq!((longest.len(), longer.len()), (8_192, 8_193));
    let report = admin.get(&format!("/v1/activity?{longest}")).ok();
    assert_eq!(report["queryString"], longest);
    assert_eq!(admin.get(&format!("/v1/activity?{longer}")).problem(), "414 query-too-long");
}

#[test]
fn a_body_says_that_it_is_json_in_utf_8() {
    let service = Service::start();
    let post = |headers: &[(&str, &str)]| {
        let request = service.admin().request("POST", "/v1/activity").body(activity(json!({})).to_string());
        headers.iter().fold(request, |request, (name, value)| request.header(name, value)).send()
    };
    for kind in ["application/json", "Application/JSON", "application/json; charset=UTF-8", "application/ld+json"] {
        post(&[("Content-Type", kind)]).expect(201);
    }
    for kind in [
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=latin1",
        "application/merge-patch+json",
        "application/jsonx",
    ] {
        assert_eq!(post(&[("Content-Type", kind)]).problem(), "415 unsupported-media-type", "{kind}");
    }
    assert_eq!(post(&[]).problem(), "415 unsupported-media-type");
    let packed = [("Content-Type", "application/json"), ("Content-Encoding", "gzip")];
    assert_eq!(post(&packed).problem(), "415 unsupported-media-type");
    let twice = [("Content-Type", "application/json"), ("Content-Type", "text/plain")];
    assert_eq!(post(&twice).problem(), "415 unsupported-media-type");
}

#[test]
fn what_is_no_json_is_refused() {
    let service = Service::start();
    let post = |body: &[u8]| {
        let request = service.admin().request("POST", "/v1/activity").header("Content-Type", "application/json");
        request.body(body).send()
    };
    for body in [
        b"".as_slice(),
        b" ",
        b"{",
        b"{'name': 'A'}",
        b"{\"name\": \"A\",}",
        b"{\"name\": NaN}",
        b"{\"quantity\": 01}",
        b"{\"quantity\": .5}",
        b"{\"quantity\": +1}",
        b"{\"quantity\": 1.}",
        b"{\"name\": \"\xff\"}",
        b"{\"name\": \"\\ud800\"}",
        b"{\"name\": \"a\nb\"}",
        b"{} {}",
        b"\xef\xbb\xbf{}",
    ] {
        let answer = post(body);
        assert!(answer.problem().starts_with("400 malformed-request"), "{}: {answer:?}", String::from_utf8_lossy(body));
    }
}

#[test]
fn a_member_stands_once() {
    let service = Service::start();
    for (body, place) in [
        (r#"{"name": "A", "startDate": "2025-01-01", "name": "A"}"#, "/name"),
        (r#"{"name": "A", "org": {"uuid": "x", "uuid": "y"}}"#, "/org/uuid"),
        (r#"{"name": "A", "n\u0061me": "B"}"#, "/name"),
        (r#"{"x": {"a/b": 1, "a/b": 2}}"#, "/x/a~1b"),
    ] {
        let answer = service.admin().request("POST", "/v1/activity").json_text(body).send();
        assert_eq!(answer.problem(), format!("400 malformed-request {place}"), "{body}");
    }
}

#[test]
fn credentials_in_the_query_are_refused_wherever_they_stand() {
    let service = Service::start();
    let key = service.key("admin");
    let names =
        ["access_token", "token", "api_key", "key", "client_secret", "refresh_token", "password", "Access_Token"];
    for name in names {
        for path in ["/v1/activity", "/v1/unit", "/openapi.json", "/nothing"] {
            for client in [service.admin(), service.anybody()] {
                let answer = client.get(&format!("{path}?{name}={key}"));
                assert_eq!(answer.problem(), format!("400 invalid-parameters {name}"), "{path}");
                assert!(!answer.text().contains(&key), "a problem never repeats them");
            }
        }
    }
}

#[test]
fn authorization_stands_once() {
    let service = Service::start();
    let answer = service.admin().request("GET", "/v1/unit").header("Authorization", "Bearer x").send();
    assert_eq!(answer.problem(), "400 malformed-request");
}

#[test]
fn a_refused_body_does_not_become_the_next_request() {
    let service = Service::start();
    let base = service.base_path();
    let inner = format!("GET {base}/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n");
    let request = format!(
        "POST {base}/v1/activity HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: text/plain\r\n\
         Content-Length: {}\r\n\r\n{inner}",
        service.key("admin"),
        inner.len()
    );
    let answer = service.anybody().raw(request.as_bytes());
    assert_eq!(answer.status, 415);
    assert!(!answer.text().contains("openapi"), "{answer:?}");
}

#[test]
fn what_is_no_http_is_answered_with_a_problem_and_the_connection_ends() {
    let service = Service::start();
    let unit = format!("GET {}/v1/unit", service.base_path());
    for request in [
        format!("{unit}\r\n\r\n"),
        format!("{unit} HTTP/9.9\r\n\r\n"),
        "\0\0\0\0\r\n\r\n".to_owned(),
        "GET  HTTP/1.1\r\n\r\n".to_owned(),
    ] {
        // What follows on the connection is never taken for a request of its own.
        let answer = service.anybody().raw(format!("{request}{unit} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes());
        assert_eq!(answer.problem(), "400 malformed-request", "{request:?}");
    }
    service.admin().get("/v1/unit").expect(200);
}
