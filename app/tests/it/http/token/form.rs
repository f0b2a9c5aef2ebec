//! The token endpoint's form, made up and damaged: the answer is a token or an error of RFC 6749, whatever was sent.

use super::{client, of};
use crate::fuzz::check;
use crate::http::harness::Service;

const ERRORS: [&str; 8] = [
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "invalid_scope",
    "unauthorized_client",
    "unsupported_grant_type",
    "temporarily_unavailable",
    "server_error",
];
const SAMPLES: [&str; 5] = [
    "grant_type=client_credentials",
    "grant_type=client_credentials&scope=activity%3Aread+switch:write",
    "grant_type=refresh_token&refresh_token=abc",
    "grant_type=%63lient_credentials&audience=x&resource=%F0%9F%98%80",
    "client_id=a&client_secret=b&grant_type=client_credentials",
];

#[test]
fn a_form_is_answered_with_a_token_or_an_error_of_the_standard() {
    let service = Service::start();
    let authorization = of(&client(&service, &["activity:read"]));
    let words =
        ["&", "=", "%", "%00", "%zz", "+", "grant_type=", "scope=", "client_secret=", "refresh_token=", "\r\n", "\0"];
    check("token-form", &SAMPLES.map(|text| text.as_bytes().to_vec()), &words, |input| {
        let form = String::from_utf8_lossy(input);
        let request = service.anybody().request("POST", "/auth/token").header("Authorization", &authorization);
        let answer = request.form(&form).send();
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{answer:?}");
        let json = answer.json();
        if answer.status == 200 {
            assert!(json["access_token"].is_string() && json["token_type"] == "Bearer", "{json}");
            assert!(form.contains("grant") || form.contains('%'), "a token for {form:?}");
            return "a token".to_owned();
        }
        let error = json["error"].as_str().unwrap_or_default().to_owned();
        assert!((400..500).contains(&answer.status) && ERRORS.contains(&error.as_str()), "{answer:?}");
        assert!(json["error_description"].as_str().is_some_and(|words| !words.is_empty()), "{json}");
        format!("{error} {}", json["error_description"])
    });
}
