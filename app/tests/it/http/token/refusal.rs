//! What the token endpoint refuses: the errors of RFC 6749, section 5.2.

use super::{ask, basic, client, of, text};
use crate::http::harness::{Answer, Service};

const GRANT: &str = "grant_type=client_credentials";

/// Checks what every refusal has, and gives its status and error.
#[track_caller]
fn refusal(answer: &Answer) -> (u16, String) {
    assert_eq!(answer.header("content-type"), Some("application/json"), "{answer:?}");
    assert_eq!(answer.header("cache-control"), Some("no-store"), "{answer:?}");
    let body = answer.json();
    assert_eq!(body.as_object().unwrap().len(), 2, "{body}");
    assert!(!text(&body, "error_description").is_empty());
    let challenge = answer.header("www-authenticate").is_some_and(|value| value.starts_with("Basic "));
    assert_eq!(challenge, answer.status == 401, "{answer:?}");
    (answer.status, text(&body, "error").to_owned())
}

#[test]
fn every_refusal_has_its_error() {
    let service = Service::start();
    let client = client(&service, &["activity:read"]);
    let (id, good) = (text(&client, "client_id"), of(&client));
    let secret = text(&client, "client_secret");
    let twice = format!("{GRANT}&client_id={id}&client_secret={secret}");
    for (form, status, error) in [
        ("", 400, "invalid_request"),
        ("grant_type=", 400, "invalid_request"),
        ("scope=activity%3Aread", 400, "invalid_request"),
        ("grant_type=client_credentials&grant_type=client_credentials", 400, "invalid_request"),
        ("grant_type=client_credentials&scope=a&scope=b", 400, "invalid_request"),
        ("grant_type=%FF", 400, "invalid_request"),
        ("grant_type=client_credentials&x=%zz", 400, "invalid_request"),
        (&twice, 400, "invalid_request"),
        ("grant_type=client_credentials&client_id=somebody", 400, "invalid_request"),
        ("grant_type=refresh_token", 400, "invalid_request"),
        ("grant_type=password&username=a&password=b", 400, "unsupported_grant_type"),
        ("grant_type=CLIENT_CREDENTIALS", 400, "unsupported_grant_type"),
        ("grant_type=authorization_code&code=x", 400, "unsupported_grant_type"),
        ("grant_type=client_credentials&scope=nothing", 400, "invalid_scope"),
        ("grant_type=client_credentials&scope=switch%3Aread+catalog%3Aread", 400, "invalid_scope"),
        ("grant_type=refresh_token&refresh_token=x", 400, "invalid_grant"),
        ("grant_type=refresh_token&refresh_token=tonnerefresh_x", 400, "invalid_grant"),
    ] {
        assert_eq!(refusal(&ask(&service, &good, form)), (status, error.to_owned()), "{form}");
    }
}

#[test]
fn credentials_that_stand_twice_are_refused() {
    let service = Service::start();
    let client = client(&service, &["activity:read"]);
    let request = service.anybody().request("POST", "/auth/token").header("Authorization", of(&client));
    let answer = request.header("Authorization", of(&client)).form(GRANT).send();
    assert_eq!(refusal(&answer), (400, "invalid_request".to_owned()));
    let (id, secret) = (text(&client, "client_id"), text(&client, "client_secret"));
    let form = format!("{GRANT}&client_secret={secret}");
    let answer = service.anybody().request("POST", "/auth/token").form(&form).send();
    assert_eq!(refusal(&answer), (400, "invalid_request".to_owned()), "a secret without its client");
    let answer = service.anybody().request("POST", "/auth/token").form(&format!("{form}&client_id={id}")).send();
    answer.expect(200);
}

#[test]
fn a_client_that_cannot_be_told_is_401_whatever_is_wrong_in_the_same_bytes() {
    let service = Service::start();
    let client = client(&service, &["activity:read"]);
    let (id, secret) = (text(&client, "client_id"), text(&client, "client_secret"));
    let key = service.key("admin");
    let post = |form: &str| service.anybody().request("POST", "/auth/token").form(form).send();
    let answers = [
        ask(&service, &basic(id, "wrong"), GRANT),
        ask(&service, &basic(id, ""), GRANT),
        ask(&service, &basic(id, &format!("{secret}x")), GRANT),
        ask(&service, &basic("0198c0de-0000-7000-8000-000000000000", secret), GRANT),
        ask(&service, &basic("nobody", secret), GRANT),
        ask(&service, &basic("", ""), GRANT),
        ask(&service, "Basic !!!", GRANT),
        ask(&service, "Basic", GRANT),
        ask(&service, &format!("Bearer {key}"), GRANT),
        ask(&service, &basic(id, "%zz"), GRANT),
        post(GRANT),
        post(&format!("{GRANT}&client_id={id}&client_secret=wrong")),
        post(&format!("{GRANT}&client_id={id}")),
    ];
    for answer in &answers {
        assert_eq!(refusal(answer), (401, "invalid_client".to_owned()));
        assert_eq!(answer.text(), answers[0].text());
    }
}

#[test]
fn ten_failures_a_minute_are_heard_of_a_pair_and_the_right_secret_always() {
    let service = Service::start();
    let one = client(&service, &["activity:read"]);
    let wrong = basic(text(&one, "client_id"), "wrong");
    for _ in 0..10 {
        assert_eq!(refusal(&ask(&service, &wrong, GRANT)).0, 401);
    }
    let answer = ask(&service, &wrong, GRANT);
    assert_eq!(refusal(&answer).0, 429);
    let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    let revoke = |authorization: &str| {
        let request = service.anybody().request("POST", "/auth/revoke").header("Authorization", authorization);
        request.form("token=x").send()
    };
    assert_eq!(refusal(&revoke(&wrong)).0, 429);
    ask(&service, &of(&one), GRANT).expect(200);
    revoke(&of(&one)).expect(200);
}

#[test]
fn a_success_takes_no_failure_back() {
    let service = Service::start();
    let client = client(&service, &["activity:read"]);
    let wrong = basic(text(&client, "client_id"), "wrong");
    for _ in 0..9 {
        assert_eq!(ask(&service, &wrong, GRANT).status, 401);
    }
    ask(&service, &of(&client), GRANT).expect(200);
    assert_eq!(ask(&service, &wrong, GRANT).status, 401);
    assert_eq!(ask(&service, &wrong, GRANT).status, 429);
}

#[test]
fn what_is_no_form_at_all_is_refused_in_the_form_of_rfc_6749_too() {
    let service = Service::start();
    let client = client(&service, &["activity:read"]);
    let request = |path: &str| service.anybody().request("POST", path).header("Authorization", of(&client));
    for path in ["/auth/token", "/auth/revoke"] {
        let long = format!("{GRANT}&x={}", "x".repeat(1 << 20));
        let get = service.anybody().get(path);
        assert_eq!(get.header("allow"), Some("POST"));
        for (status, answer) in [
            (415, request(path).json_text(r#"{"grant_type": "client_credentials"}"#).send()),
            (415, request(path).body(GRANT).send()),
            (405, get),
            (413, request(path).form(&long).send()),
            (400, request(&format!("{path}?grant_type=client_credentials")).form("").send()),
            (400, request(&format!("{path}?client_secret=x")).form(GRANT).send()),
        ] {
            assert_eq!((answer.status, answer.oauth_error().as_str()), (status, "invalid_request"), "{answer:?}");
        }
    }
}
