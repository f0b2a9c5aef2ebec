//! The token endpoints.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::api::{Answer, send};

const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

/// `us:er` and the secret, percent-encoded.
fn basic() -> String {
    format!("Basic {}", STANDARD.encode("us%3Aer:s%3Ae%25c"))
}

async fn token(authorization: Option<&str>, form: &str) -> Answer {
    let mut headers = vec![FORM];
    headers.extend(authorization.map(|value| ("Authorization", value)));
    send("POST", "/api/auth/token", &headers, form).await
}

#[actix_web::test]
async fn client_credentials_get_a_token_that_no_cache_keeps() {
    for (authorization, form) in [
        (Some(basic()), "grant_type=client_credentials&audience=x"),
        (None, "grant_type=client_credentials&client_id=us%3Aer&client_secret=s%3Ae%25c"),
        (Some(basic().replace("Basic", "bAsIc")), "grant_type=refresh_token&refresh_token=live"),
    ] {
        let answer = token(authorization.as_deref(), form).await;
        assert_eq!((answer.status, answer.header("cache-control")), (200, Some("no-store")), "{answer:?}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(answer.text, @r#"{"access_token":"access of https://carbon.example.com/api","refresh_token":"refresh","token_type":"Bearer","scope":"activity:read","expires_in":3600}"#);
        }
    }
}

#[actix_web::test]
async fn refusals_are_those_of_rfc_6749() {
    let ok = basic();
    let wrong = format!("Basic {}", STANDARD.encode("us%3Aer:wrong"));
    let locked = format!("Basic {}", STANDARD.encode("locked:x"));
    let grant = "grant_type=client_credentials";
    for (authorization, form, status, error) in [
        (Some(&ok), "", 400, "invalid_request"),
        (Some(&ok), "grant_type=", 400, "invalid_request"),
        (Some(&ok), "grant_type=password", 400, "unsupported_grant_type"),
        (Some(&ok), "grant_type=client_credentials&grant_type=client_credentials", 400, "invalid_request"),
        (Some(&ok), "grant_type=client_credentials&client_secret=x", 400, "invalid_request"),
        (Some(&ok), "grant_type=client_credentials&client_id=other", 400, "invalid_request"),
        (Some(&ok), "grant_type=client_credentials&scope=nothing", 400, "invalid_scope"),
        (Some(&ok), "grant_type=refresh_token", 400, "invalid_request"),
        (Some(&ok), "grant_type=refresh_token&refresh_token=dead", 400, "invalid_grant"),
        (Some(&wrong), grant, 401, "invalid_client"),
        (Some(&"Bearer x".to_owned()), grant, 401, "invalid_client"),
        (None, grant, 401, "invalid_client"),
        (Some(&locked), grant, 429, "invalid_client"),
    ] {
        let answer = token(authorization.map(String::as_str), form).await;
        assert_eq!((answer.status, answer.json()["error"].as_str()), (status, Some(error)), "{form}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("www-authenticate").is_some_and(|value| value.starts_with("Basic ")), status == 401);
        assert_eq!(answer.header("retry-after").is_some(), status == 429);
    }
}

#[actix_web::test]
async fn an_unknown_client_and_a_wrong_secret_are_the_same_bytes() {
    let ask = async |pair: &str| {
        let authorization = format!("Basic {}", STANDARD.encode(pair));
        token(Some(&authorization), "grant_type=client_credentials").await.text
    };
    assert_eq!(ask("us%3Aer:wrong").await, ask("nobody:x").await);
}

#[actix_web::test]
async fn every_error_has_the_form_and_a_code_of_rfc_6749() {
    let authorization = basic();
    let known = ("Authorization", authorization.as_str());
    let long = "x".repeat((1 << 20) + 1);
    let query = format!("?x={}", "a".repeat(8192));
    let json = ("Content-Type", "application/json");
    for endpoint in ["/api/auth/token", "/api/auth/revoke"] {
        for (method, more, headers, body, status, error) in [
            ("POST", "", vec![known, json], "{}", 415, "invalid_request"),
            ("POST", "", vec![known], "token=x", 415, "invalid_request"),
            ("POST", "", vec![known, FORM], long.as_str(), 413, "invalid_request"),
            ("POST", "?client_id=x", vec![known, FORM], "token=x", 400, "invalid_request"),
            ("POST", "?token=x", vec![known, FORM], "token=x", 400, "invalid_request"),
            ("POST", query.as_str(), vec![known, FORM], "token=x", 414, "invalid_request"),
            ("POST", "", vec![known, FORM, ("Accept", "image/png")], "token=x", 406, "invalid_request"),
            ("GET", "", vec![known], "", 405, "invalid_request"),
        ] {
            let answer = send(method, &format!("{endpoint}{more}"), &headers, body).await;
            assert_eq!((answer.status, answer.json()["error"].as_str()), (status, Some(error)), "{answer:?}");
            assert!(answer.json()["error_description"].as_str().is_some_and(|text| !text.is_empty()), "{answer:?}");
            assert_eq!(answer.header("content-type"), Some("application/json"), "{answer:?}");
            assert_eq!(answer.header("cache-control"), Some("no-store"), "{answer:?}");
            assert_eq!(answer.header("allow"), (status == 405).then_some("POST"), "{answer:?}");
        }
    }
}

#[actix_web::test]
async fn an_unknown_outcome_is_said_in_the_form_of_rfc_6749() {
    let authorization = format!("Basic {}", STANDARD.encode("adrift:x"));
    let headers = [FORM, ("Authorization", authorization.as_str())];
    for (endpoint, form) in [("token", "grant_type=client_credentials"), ("revoke", "token=x")] {
        let answer = send("POST", &format!("/api/auth/{endpoint}"), &headers, form).await;
        assert_eq!((answer.status, answer.header("cache-control")), (503, Some("no-store")), "{answer:?}");
        let said = answer.json();
        assert_eq!(said["error"], "server_error");
        let description = said["error_description"].as_str().unwrap();
        assert!(description.starts_with("The outcome is unknown: ") && description.contains("Ask again"), "{said}");
    }
}

#[actix_web::test]
async fn revoking_answers_200_for_any_token_of_a_known_client() {
    let authorization = basic();
    let headers = [FORM, ("Authorization", authorization.as_str())];
    assert_eq!(send("POST", "/api/auth/revoke", &headers, "token=anything").await.status, 200);
    assert_eq!(send("POST", "/api/auth/revoke", &headers, "").await.status, 400);
    assert_eq!(send("POST", "/api/auth/revoke", &[FORM], "token=x").await.status, 401);
}

#[actix_web::test]
async fn discovery_names_the_public_addresses_and_the_keys() {
    for name in ["openid-configuration", "oauth-authorization-server"] {
        let json = send("GET", &format!("/api/.well-known/{name}"), &[], "").await.json();
        assert_eq!(json["issuer"], "https://carbon.example.com/api");
        assert_eq!(json["token_endpoint"], "https://carbon.example.com/api/auth/token");
    }
    let keys = send("GET", "/api/.well-known/jwks.json", &[], "").await;
    insta::assert_snapshot!(keys.text, @r#"{"keys":[{"kty":"OKP","crv":"Ed25519","use":"sig","alg":"EdDSA","kid":"k1","x":"__________________________________________8"}]}"#);
}
