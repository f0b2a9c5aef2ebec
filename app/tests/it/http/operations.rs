//! Every operation that the OpenAPI document names: who may call it without credentials, and what else all of them
//! have in common.

mod answers;
pub(super) mod anything;
mod examples;
mod members;
mod page;
mod shown;

use std::collections::{BTreeMap, BTreeSet};

use super::harness::{Client, Request, Service, Value, with_factor};

/// What is for everybody, and nothing else. The first two ask for a client's own credentials.
const PUBLIC: [(&str, &str); 7] = [
    ("POST", "/auth/revoke"),
    ("POST", "/auth/token"),
    ("GET", "/.well-known/jwks.json"),
    ("GET", "/.well-known/oauth-authorization-server"),
    ("GET", "/.well-known/openid-configuration"),
    ("GET", "/docs"),
    ("GET", "/openapi.json"),
];

/// Method and path of every operation, with an identifier that nobody has in the path.
fn operations(service: &Service) -> BTreeSet<(String, String)> {
    let document = service.anybody().get("/openapi.json").ok();
    let nobody = "0198c0de-0000-7000-8000-000000000000";
    let path = |path: &str| with_factor(path).replace("{uuid}", nobody).replace("{id}", nobody);
    let methods = |item: &Value| item.as_object().unwrap().keys().map(|key| key.to_uppercase()).collect::<Vec<_>>();
    let paths = document["paths"].as_object().unwrap().iter();
    paths.flat_map(|(at, item)| methods(item).into_iter().map(move |method| (method, path(at)))).collect()
}

pub(super) fn is_public(method: &str, path: &str) -> bool {
    PUBLIC.contains(&(method, path))
}

/// Checks what each operation that is not for everybody answers to a request made of it.
fn check(request: impl Fn(&Client, &str, &str) -> Request, challenge: &str) {
    let service = Service::start();
    let mut checked = 0;
    for (method, path) in operations(&service) {
        if is_public(&method, &path) {
            continue;
        }
        let answer = request(&service.anybody(), &method, &path).send();
        if path.starts_with("/2/") || path.starts_with("/3/") {
            // Version 2 of PACT calls a token that is not valid a bad request.
            let status = if path.starts_with("/2/") && challenge.contains("invalid_token") { 400 } else { 401 };
            assert_eq!(answer.pact_error(), format!("{status} BadRequest"), "{method} {path}");
        } else {
            assert_eq!(answer.problem(), "401 unauthenticated", "{method} {path}");
        }
        assert_eq!(answer.header("www-authenticate"), Some(challenge), "{method} {path}");
        checked += 1;
    }
    assert!(checked > 60, "{checked}");
}

#[test]
fn the_document_says_which_operations_are_for_everybody_and_these_are_all() {
    let service = Service::start();
    let document = service.anybody().get("/openapi.json").ok();
    let mut open = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if !operation["security"].to_string().contains("bearer") {
                open.insert((method.to_uppercase(), path.clone()));
            }
        }
    }
    assert_eq!(open, PUBLIC.iter().map(|(method, path)| ((*method).to_owned(), (*path).to_owned())).collect());
}

#[test]
fn every_other_operation_asks_for_credentials() {
    check(Client::request, "Bearer");
}

#[test]
fn credentials_are_asked_for_before_anything_else_is_judged() {
    check(
        |anybody, method, path| {
            let path = path.replace("0198c0de", "x");
            anybody.request(method, &format!("{path}?unknown=1")).header("Accept", "image/png").json_text("{")
        },
        "Bearer",
    );
}

#[test]
fn a_key_or_token_that_nobody_gave_is_refused_everywhere() {
    let invalid = r#"Bearer error="invalid_token""#;
    check(|anybody, method, path| anybody.with_key("tonne_AAAA").request(method, path), invalid);
    check(|anybody, method, path| anybody.with_key("eyJhbGciOiJub25lIn0.e30.").request(method, path), invalid);
    check(|anybody, method, path| anybody.request(method, path).header("Authorization", "Basic YTpi"), "Bearer");
}

#[test]
fn what_is_for_everybody_answers_without_credentials_and_with_wrong_ones() {
    let service = Service::start();
    for (method, path) in PUBLIC {
        for client in [service.anybody(), service.anybody().with_key("tonne_AAAA")] {
            let answer = client.request(method, path).send();
            if method == "GET" {
                answer.expect(200);
            } else {
                assert_ne!(answer.header("www-authenticate").map(|value| &value[..6]), Some("Bearer"), "{path}");
            }
        }
    }
}

#[test]
fn wherever_get_is_head_gives_the_same_head() {
    let service = Service::start();
    let admin = service.admin();
    for (_, path) in operations(&service).iter().filter(|(method, _)| method == "GET") {
        let (get, head) = (admin.get(path), admin.request("HEAD", path).send());
        assert_eq!((head.status, head.body.len()), (get.status, 0), "{path}");
        for header in ["content-type", "etag", "cache-control", "vary"] {
            assert_eq!(head.header(header), get.header(header), "{path}: {header}");
        }
    }
}

#[test]
fn other_methods_are_refused_with_those_there_are() {
    let service = Service::start();
    let mut paths: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (method, path) in operations(&service) {
        paths.entry(path).or_default().insert(method);
    }
    for (path, mut allowed) in paths {
        if allowed.contains("GET") {
            allowed.insert("HEAD".to_owned());
        }
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PURGE"] {
            if allowed.contains(method) {
                continue;
            }
            let answer = service.admin().request(method, &path).send();
            if path.starts_with("/auth/") {
                assert_eq!((answer.status, answer.oauth_error().as_str()), (405, "invalid_request"), "{method} {path}");
            } else if path.starts_with("/2/") || path.starts_with("/3/") {
                assert_eq!(answer.pact_error(), "405 BadRequest", "{method} {path}");
            } else {
                assert_eq!(answer.problem(), "405 method-not-allowed", "{method} {path}");
            }
            let named: BTreeSet<_> = answer.header("allow").unwrap().split(", ").map(str::to_owned).collect();
            assert_eq!(named, allowed, "{method} {path}");
        }
    }
}

#[test]
fn elsewhere_there_is_nothing() {
    let service = Service::start();
    let base = service.base_path();
    let below = ["", "/", "/v1", "/v1/activities", "/v1/activity/"].map(|path| format!("{base}{path}"));
    let beside = ["/", "/metrics", "/health", "/x", "/x/api/v1/unit", "/x/api/openapi.json"].map(str::to_owned);
    for path in &below.into_iter().chain(beside).collect::<Vec<_>>() {
        for client in [service.admin(), service.anybody()] {
            assert_eq!(client.outside("GET", path).send().problem(), "404 not-found", "{path}");
            assert_eq!(client.outside("POST", path).json_text("{}").send().problem(), "404 not-found", "{path}");
        }
    }
}

#[test]
fn every_answer_names_its_request_and_is_safe_in_a_browser() {
    let service = Service::start();
    let (admin, anybody) = (service.admin(), service.anybody());
    let mut statuses = BTreeSet::new();
    let nowhere = [("GET".to_owned(), "/v1/nothing".to_owned()), ("PURGE".to_owned(), "/v1/unit".to_owned())];
    for (method, path) in operations(&service).into_iter().chain(nowhere) {
        for client in [&admin, &anybody] {
            let own = format!("{}-{}", method.to_lowercase(), statuses.len());
            let request = client.request(&method, &path).header("X-Request-Id", &own);
            let answer =
                if matches!(method.as_str(), "GET" | "DELETE") { request } else { request.json_text("{}") }.send();
            statuses.insert(answer.status);
            assert_eq!(answer.header("x-request-id"), Some(own.as_str()), "{method} {path}: {answer:?}");
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{method} {path}");
            assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{method} {path}");
            assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{method} {path}");
            let policy = answer.header("content-security-policy").unwrap_or_default();
            assert!(policy.starts_with("default-src 'none'"), "{method} {path}: {policy}");
            let kept = answer.header("cache-control").unwrap_or_default();
            let is_public = method == "GET" && is_public(&method, &path);
            assert_eq!(kept.starts_with("public"), is_public, "{method} {path}: {kept}");
            assert!(is_public || kept == "no-store" || kept == "private, no-cache", "{method} {path}: {kept}");
        }
    }
    assert!([200, 401, 404, 405, 415, 422].iter().all(|status| statuses.contains(status)), "{statuses:?}");
    let one = admin.get("/v1/unit").header("x-request-id").unwrap().to_owned();
    let other = admin.get("/v1/unit").header("x-request-id").unwrap().to_owned();
    assert!(one.len() > 8 && one != other, "{one} {other}");
    for bad in ["<b>", "two words", &"x".repeat(129)] {
        let answer = admin.request("GET", "/v1/unit").header("X-Request-Id", bad).send();
        assert_ne!(answer.header("x-request-id"), Some(bad));
    }
}

#[test]
fn the_document_is_the_one_that_is_kept_with_the_code() {
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/openapi.json");
    let kept = std::fs::read_to_string(kept).expect("docs/openapi.json; `cargo xtask openapi` writes it");
    let service = Service::start();
    let served = service.anybody().get("/openapi.json").expect(200);
    let served = served.text().replace(&format!("\": \"{}", service.base_path()), "\": \"/api");
    assert!(served.trim_end() == kept.trim_end(), "they differ; `cargo xtask openapi` writes it anew");
}
