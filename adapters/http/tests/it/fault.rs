//! What is wrong with a request: all of it at once, each fault with its place and a code.

use serde_json::Value;

use crate::api::{Answer, send};

/// The places and codes of a problem's faults.
fn faults(answer: &Answer) -> Vec<String> {
    let json = answer.json();
    let codes = json["errors"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap());
    answer.places().into_iter().zip(codes).map(|(place, code)| format!("{place} {code}")).collect()
}

async fn write(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut all = vec![("Authorization", "Bearer admin"), ("Content-Type", "application/json")];
    all.extend(headers);
    send(method, &format!("/api{path}"), &all, body).await
}

#[actix_web::test]
async fn path_query_headers_and_body_are_judged_together() {
    let body = r#"{"name": 7, "unit": "ton", "block": {}, "colour": "red", "CO2e": "1"}"#;
    let headers = [("If-Match", "7"), ("If-None-Match", "*")];
    let answer = write("PATCH", "/v1/model/x/input/y?page=1&colour=red", &headers, body).await;
    assert_eq!((answer.status, answer.problem().as_str()), (400, "malformed-request"));
    let expected = [
        "uuid invalid",
        "id invalid",
        "If-None-Match mismatch",
        "If-Match invalid",
        "page unknown",
        "colour unknown",
        "/name type",
        "/unit invalid",
        "/block/name required",
        "/CO2e read_only",
        "/colour unknown",
    ];
    assert_eq!(faults(&answer), expected);
}

#[actix_web::test]
async fn a_parameter_that_is_not_known_hides_no_fault_of_the_body() {
    let answer = write("POST", "/v1/switch?colour=red", &[], r#"{"unit": "ton"}"#).await;
    assert_eq!((answer.status, answer.problem().as_str()), (400, "invalid-parameters"));
    assert_eq!(faults(&answer), ["colour unknown", "/name required", "/unit invalid"]);
}

#[actix_web::test]
async fn every_doubled_member_is_named_beside_what_is_wrong_with_the_head() {
    let body = r#"{"name": "A", "name": "B", "name": "C", "org": {"uuid": 1, "uuid": 2}}"#;
    let answer = write("PATCH", "/v1/switch/x", &[], body).await;
    assert_eq!((answer.status, answer.problem().as_str()), (400, "malformed-request"));
    assert_eq!(faults(&answer), ["uuid invalid", "/name repeated", "/org/uuid repeated"]);
}

#[actix_web::test]
async fn a_hundred_faults_are_named_and_the_others_counted() {
    let query: Vec<_> = (0..90).map(|number| format!("p{number}=1")).collect();
    let body: Vec<_> = (0..60).map(|number| format!(r#""m{number}": 1"#)).collect();
    let answer =
        write("POST", &format!("/v1/switch?{}", query.join("&")), &[], &format!("{{{}}}", body.join(","))).await;
    let json = answer.json();
    assert_eq!((json["errors"].as_array().unwrap().len(), &json["moreErrors"]), (100, &Value::from(51)));
    let few = write("POST", "/v1/switch?x=1", &[], "{}").await.json();
    assert_eq!((few["errors"].as_array().unwrap().len(), &few["moreErrors"]), (2, &Value::Null));
}

#[actix_web::test]
async fn an_answer_to_thousands_of_faults_stays_small() {
    let many = "a&b&".repeat(2_000);
    let answer = write("GET", &format!("/v1/switch?{many}"), &[], "").await;
    assert!(answer.status == 400 && answer.text.len() < 64 << 10, "{} {}", answer.status, answer.text.len());
}

#[actix_web::test]
async fn a_permission_is_asked_for_before_anything_else_is_judged() {
    let headers = [("Authorization", "Bearer switch:read"), ("Content-Type", "application/json")];
    let answer = send("PATCH", "/api/v1/switch/x?colour=red", &headers, "{").await;
    assert_eq!((answer.status, answer.problem().as_str()), (403, "missing-permission"));
}
