//! Problems: every refusal has the same shape, says what to do, and says nothing of the inside.

use crate::api::{get, get_with, send};
use crate::fake::SWITCH;

#[actix_web::test]
async fn a_problem_has_every_member_and_the_request_id() {
    let answer = get_with("/api/v1/activity?page=0&sope=1", "activity:read", &[("X-Request-Id", "abc-1")]).await;
    assert_eq!(answer.header("x-request-id"), Some("abc-1"));
    insta::assert_snapshot!(answer.text, @r#"{"type":"/problems/invalid-parameters","title":"Parameters are wrong","status":400,"detail":"Mend the parameters that errors names.","instance":"abc-1","errors":[{"parameter":"page","code":"invalid","detail":"is not a whole number from 1 to 2147483647"},{"parameter":"sope","code":"unknown","detail":"is not known here; did you mean scope?"}]}"#);
}

#[actix_web::test]
async fn every_answer_has_an_id_and_the_safe_headers() {
    for path in ["/api/v1/unit", "/api/nothing", "/nothing", "/health/live", "/problems/stale", "/api/docs"] {
        let answer = get(path, "catalog:read").await;
        assert!(answer.header("x-request-id").is_some_and(|id| id.len() > 16), "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert!(answer.header("cache-control").is_some(), "{path}");
    }
}

#[actix_web::test]
async fn credentials_are_asked_for_before_anything_else() {
    for (method, path) in [("GET", "/api/v1/unit?x=1"), ("GET", "/api/v1/switch/none"), ("HEAD", "/api/v1/activity")] {
        let answer = send(method, path, &[("Accept", "image/png")], "").await;
        assert_eq!((answer.status, answer.header("www-authenticate")), (401, Some("Bearer")), "{method} {path}");
    }
}

#[actix_web::test]
async fn a_token_that_is_not_valid_says_so_and_one_that_is_too_narrow_what_it_lacks() {
    for token in ["nonsense", "expired"] {
        let answer = get("/api/v1/unit", token).await;
        assert_eq!((answer.status, answer.problem().as_str()), (401, "unauthenticated"));
        assert_eq!(answer.header("www-authenticate"), Some(r#"Bearer error="invalid_token""#));
    }
    let answer = get("/api/v1/unit", "switch:read").await;
    assert_eq!((answer.status, answer.problem().as_str()), (403, "missing-permission"));
    assert!(answer.json()["detail"].as_str().unwrap().contains("catalog:read"));
}

#[actix_web::test]
async fn what_is_not_there_is_404_and_what_is_not_allowed_405_with_the_methods_that_are() {
    for path in ["/", "/api", "/api/", "/api/v1/units", "/api/v1/unit/", "/problems/none", "/health"] {
        let answer = send("GET", path, &[], "").await;
        assert_eq!((answer.status, answer.problem().as_str()), (404, "not-found"), "{path}");
    }
    for method in ["DELETE", "POST", "OPTIONS", "PROPFIND"] {
        let answer = send(method, "/api/v1/unit", &[], "").await;
        assert_eq!((answer.status, answer.header("allow")), (405, Some("GET, HEAD")), "{method}");
        assert_eq!(answer.problem(), "method-not-allowed");
    }
}

#[actix_web::test]
async fn an_accept_that_nothing_fits_is_406() {
    let answer = get_with("/api/v1/unit", "catalog:read", &[("Accept", "text/html, image/*")]).await;
    assert_eq!((answer.status, answer.problem().as_str()), (406, "not-acceptable"));
}

#[actix_web::test]
async fn a_segment_that_is_no_uuid_is_400() {
    let answer = get("/api/v1/switch/42", "switch:read").await;
    assert_eq!((answer.status, answer.problem().as_str()), (400, "malformed-request"));
    let upper = get(&format!("/api/v1/switch/{}", SWITCH.to_uppercase()), "switch:read").await;
    assert_eq!(upper.status, 200);
}

#[actix_web::test]
async fn credentials_in_the_query_are_refused_everywhere() {
    for path in ["/api/v1/unit?access_token=x", "/api/openapi.json?API_KEY=x", "/api/nothing?client_secret=x"] {
        let answer = send("GET", path, &[], "").await;
        assert_eq!((answer.status, answer.problem().as_str()), (400, "invalid-parameters"), "{path}");
        assert!(!answer.text.contains("=x"), "{path}");
    }
}

#[actix_web::test]
async fn a_query_may_have_8_kib() {
    let answer = get(&format!("/api/v1/unit?x={}", "a".repeat(8191)), "catalog:read").await;
    assert_eq!((answer.status, answer.problem().as_str()), (414, "query-too-long"));
}

#[actix_web::test]
async fn a_parameter_where_there_are_none_is_refused() {
    for path in ["/api/v1/unit?page=1", "/api/openapi.json?x"] {
        let answer = get(path, "admin").await;
        assert_eq!((answer.status, answer.places().len()), (400, 1), "{path}");
    }
}

#[actix_web::test]
async fn a_failure_says_nothing_of_the_inside_and_a_busy_service_when_to_come_back() {
    let answer = get("/api/v1/unit", "broken").await;
    assert_eq!((answer.status, answer.problem().as_str()), (500, "internal-error"));
    assert!(!answer.text.contains("select") && !answer.text.contains("/var"), "{}", answer.text);
    let answer = get("/api/v1/unit", "busy").await;
    assert_eq!((answer.status, answer.problem().as_str()), (503, "busy"));
    assert_eq!(answer.header("retry-after"), Some("1"));
}

#[actix_web::test]
async fn a_panic_is_a_failure_like_any_other() {
    let answer = get("/api/v1/unit", "panic").await;
    assert_eq!((answer.status, answer.problem().as_str()), (500, "internal-error"));
    assert!(answer.header("x-request-id").is_some() && !answer.text.contains("/var"), "{}", answer.text);
}

#[actix_web::test]
async fn below_the_paths_of_pact_failures_and_panics_have_its_form_and_say_nothing_of_the_inside() {
    let nobody = "00000000-0000-0000-0000-000000000000";
    for version in [2, 3] {
        for path in ["footprints".to_owned(), format!("footprints/{nobody}")] {
            for (token, status) in [("broken", 500), ("panic", 500), ("busy", 503)] {
                let answer = get(&format!("/api/{version}/{path}"), token).await;
                let told = (answer.status, answer.header("content-type"), answer.json()["code"].clone());
                assert_eq!(
                    told,
                    (status, Some("application/json"), "InternalError".into()),
                    "{version} {path} {token}"
                );
                assert!(!answer.text.contains("select") && !answer.text.contains("/var"), "{}", answer.text);
                assert!(answer.json()["message"].as_str().is_some_and(|message| !message.is_empty()));
                assert!(answer.header("x-request-id").is_some());
                assert_eq!(answer.header("retry-after"), (token == "busy").then_some("1"), "{version} {path} {token}");
            }
        }
    }
}

#[actix_web::test]
async fn every_type_has_its_page() {
    for name in ["malformed-request", "stale", "invalid-input", "busy"] {
        let answer = send("GET", &format!("/problems/{name}"), &[("Accept", "text/html")], "").await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/html; charset=utf-8")));
    }
}
