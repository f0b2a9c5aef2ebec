//! How many requests a credential may make, and what answers say of it.

use tonne_http::Limits;

use crate::api::{Answer, send_to};
use crate::fake::{self, Activities, SWITCH};

/// Asks that often, for those addresses by turns.
async fn ask(most: u32, paths: &[&str]) -> Vec<Answer> {
    let limits = Limits { requests_per_minute: most, ..Limits::default() };
    let service = fake::service(Activities::default(), limits);
    let mut answers = Vec::new();
    for path in paths {
        answers.push(send_to(&service, "GET", path, &[("Authorization", "Bearer switch:read")], "").await);
    }
    answers
}

/// How many requests the answer says are left.
fn left(answer: &Answer) -> &str {
    let (name, rest) = answer.header("ratelimit").unwrap().split_once(";r=").unwrap();
    let (left, seconds) = rest.split_once(";t=").unwrap();
    assert_eq!(name, r#""default""#);
    assert!((1..=60).contains(&seconds.parse::<u32>().unwrap()), "{seconds}");
    left
}

#[actix_web::test]
async fn every_answer_to_a_credential_says_how_many_requests_are_left() {
    let known = format!("/api/v1/switch/{SWITCH}");
    let answers = ask(4, &[&known, "/api/v1/unit", "/api/v1/switch/nonsense", "/api/v1/switch?x=1"]).await;
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [200, 403, 400, 400]);
    assert_eq!(answers.iter().map(left).collect::<Vec<_>>(), ["3", "2", "1", "0"]);
    assert!(answers.iter().all(|answer| answer.header("ratelimit-policy") == Some(r#""default";q=4;w=60"#)));
}

#[actix_web::test]
async fn a_request_too_many_is_429_and_says_when_to_come_back() {
    let answers = ask(1, &["/api/v1/switch", "/api/v1/switch"]).await;
    let refused = &answers[1];
    assert_eq!((refused.status, refused.problem().as_str(), left(refused)), (429, "too-many-requests", "0"));
    let wait: u32 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
}

#[actix_web::test]
async fn the_token_endpoints_count_for_the_client_once_its_secret_was_right() {
    let service = fake::service(Activities::default(), Limits { requests_per_minute: 2, ..Limits::default() });
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    let ask = async |path: &str, secret: &str, rest: &str| {
        let body = format!("{rest}&client_id=us%3Aer&client_secret={secret}");
        send_to(&service, "POST", path, &[form], &body).await
    };
    let right = "s%3Ae%25c";
    let wrong = ask("/api/auth/token", "wrong", "grant_type=client_credentials").await;
    assert_eq!((wrong.status, wrong.header("ratelimit")), (401, None));
    let granted = ask("/api/auth/token", right, "grant_type=client_credentials").await;
    assert_eq!((granted.status, left(&granted)), (200, "1"));
    let revoked = ask("/api/auth/revoke", right, "token=x").await;
    assert_eq!((revoked.status, left(&revoked)), (200, "0"));
    for (path, rest) in [("/api/auth/token", "grant_type=client_credentials"), ("/api/auth/revoke", "token=x")] {
        let refused = ask(path, right, rest).await;
        assert_eq!((refused.status, left(&refused)), (429, "0"), "{refused:?}");
        assert_eq!(refused.json()["error"], "temporarily_unavailable");
        assert_eq!(refused.header("ratelimit-policy"), Some(r#""default";q=2;w=60"#));
        assert!((1..=60).contains(&refused.header("retry-after").unwrap().parse::<u32>().unwrap()));
    }
}

#[actix_web::test]
async fn with_0_there_is_no_limit_and_no_header() {
    for answer in ask(0, &[format!("/api/v1/switch/{SWITCH}").as_str(); 20]).await {
        assert_eq!((answer.status, answer.header("ratelimit")), (200, None));
        assert_eq!(answer.header("ratelimit-policy"), None);
    }
}

#[actix_web::test]
async fn without_valid_credentials_nothing_is_counted() {
    let service = fake::service(Activities::default(), Limits { requests_per_minute: 1, ..Limits::default() });
    for _ in 0..3 {
        for headers in [&[][..], &[("Authorization", "Bearer nonsense")]] {
            let answer = send_to(&service, "GET", "/api/v1/switch", headers, "").await;
            assert_eq!((answer.status, answer.header("ratelimit")), (401, None));
        }
        assert_eq!(send_to(&service, "GET", "/health/live", &[], "").await.status, 200);
    }
}
