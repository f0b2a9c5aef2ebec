//! Where tokens are asked for, and how long they are used.

use std::sync::atomic::{AtomicU32, Ordering};

use domain::footprint::Edition;
use ports::partner_host::{HostError, PartnerHost as _};

use crate::host::{Got, Host, Reply, json, reply};

const LIST: &str = r#"{"data":[]}"#;

/// A host that gives tokens numbered from 1, which last so long, and whose list takes those that `good` says.
async fn counting(lasts: &'static str, good: fn(u32) -> bool) -> Host {
    let given = AtomicU32::new(0);
    Host::start(move |request: &Got| -> Reply {
        match request.line.as_str() {
            "GET /api/.well-known/openid-configuration" => json(404, ""),
            "POST /api/auth/token" => {
                let number = given.fetch_add(1, Ordering::SeqCst) + 1;
                json(200, &format!(r#"{{"access_token":"t{number}","token_type":"Bearer"{lasts}}}"#))
            }
            _ => {
                let token = request.header("authorization").unwrap().strip_prefix("Bearer t").unwrap();
                if good(token.parse().unwrap()) { json(200, LIST) } else { json(401, r#"{"code":"TokenExpired"}"#) }
            }
        }
    })
    .await
}

fn asked(host: &Host) -> usize {
    host.lines().iter().filter(|line| *line == "POST /api/auth/token").count()
}

#[tokio::test]
async fn the_address_of_the_discovery_document_counts_and_credentials_are_encoded() {
    let host = Host::start(|request| match request.line.as_str() {
        "GET /api/.well-known/openid-configuration" => {
            let host = request.header("host").unwrap();
            json(200, &format!(r#"{{"issuer":"x","token_endpoint":"https://{host}/elsewhere/token?a=b"}}"#))
        }
        "POST /elsewhere/token?a=b" => json(200, r#"{"access_token":"t","token_type":"Bearer"}"#),
        _ => json(200, LIST),
    })
    .await;
    host.client.list(&host.at, Edition::V3, "").await.unwrap();
    let got = host.got();
    assert_eq!(got[1].line, "POST /elsewhere/token?a=b");
    assert_eq!(got[1].body, "grant_type=client_credentials");
    // us%3Aat+them:a+secret%2Fof%2Bours%25
    let basic = "Basic dXMlM0FhdCt0aGVtOmErc2VjcmV0JTJGb2YlMkJvdXJzJTI1";
    assert_eq!(got[1].header("authorization"), Some(basic));
}

#[tokio::test]
async fn a_page_in_the_place_of_the_discovery_document_is_none() {
    for document in ["<!doctype html><html></html>", "{}", r#"{"token_endpoint":1}"#, "", "[]"] {
        let host = Host::start(move |request| match request.line.as_str() {
            "GET /api/.well-known/openid-configuration" => reply(200, &["Content-Type: text/html"], document),
            "POST /api/auth/token" => json(200, r#"{"access_token":"t","token_type":"Bearer"}"#),
            _ => json(200, LIST),
        })
        .await;
        host.client.list(&host.at, Edition::V3, "").await.unwrap();
        assert_eq!(host.lines()[1], "POST /api/auth/token", "{document}");
    }
}

#[tokio::test]
async fn a_token_address_that_is_not_https_gets_no_secret() {
    let document = r#"{"token_endpoint":"http://partner.example/auth/token"}"#;
    let host = Host::start(move |_| json(200, document)).await;
    let refused = host.client.list(&host.at, Edition::V3, "").await.unwrap_err();
    assert!(matches!(refused, HostError::NotAllowed(_)), "{refused}");
    assert_eq!(host.lines().len(), 1);
}

#[tokio::test]
async fn a_token_address_at_another_host_is_not_called_in_our_own_network() {
    let document = r#"{"token_endpoint":"https://other.example/auth/token"}"#;
    let mut host = Host::start(move |_| json(200, document)).await;
    host.at.private_addresses = true;
    host.network.leads_to([vec!["10.0.0.7".parse().unwrap()]]);
    let refused = host.client.list(&host.at, Edition::V3, "").await.unwrap_err();
    assert!(matches!(&refused, HostError::NotAllowed(told) if told.contains("10.0.0.7")), "{refused}");
    assert_eq!(host.lines().len(), 1);
}

#[tokio::test]
async fn a_token_is_used_until_shortly_before_it_runs_out() {
    for (lasts, expected) in
        [(r#","expires_in":3600"#, 1), ("", 1), (r#","expires_in":30"#, 3), (r#","expires_in":0"#, 3)]
    {
        let host = counting(lasts, |_| true).await;
        for _ in 0..3 {
            host.client.list(&host.at, Edition::V3, "").await.unwrap();
        }
        assert_eq!(asked(&host), expected, "{lasts}");
    }
}

#[tokio::test]
async fn a_token_that_is_refused_is_asked_for_again_once() {
    let host = counting("", |number| number > 1).await;
    host.client.list(&host.at, Edition::V3, "").await.unwrap();
    host.client.list(&host.at, Edition::V3, "").await.unwrap();
    assert_eq!(asked(&host), 2, "the second one is kept");

    let host = counting("", |_| false).await;
    let refused = host.client.list(&host.at, Edition::V3, "").await.unwrap_err();
    assert!(matches!(refused, HostError::Status { status: 401, .. }), "{refused}");
    assert_eq!(asked(&host), 2);
}

#[tokio::test]
async fn a_host_of_version_2_that_forgot_a_kept_token_says_so_with_400() {
    // The first token is forgotten after one call; every call with `bad` in it is wrong whatever its token.
    let (given, calls) = (AtomicU32::new(0), AtomicU32::new(0));
    let host = Host::start(move |request: &Got| -> Reply {
        match request.line.as_str() {
            "GET /api/.well-known/openid-configuration" => json(404, ""),
            "POST /api/auth/token" => {
                let number = given.fetch_add(1, Ordering::SeqCst) + 1;
                json(200, &format!(r#"{{"access_token":"t{number}","token_type":"Bearer"}}"#))
            }
            line => {
                let is_forgotten = request.header("authorization") == Some("Bearer t1");
                let is_late = calls.fetch_add(1, Ordering::SeqCst) > 0;
                let is_good = !(line.contains("bad") || is_forgotten && is_late);
                if is_good { json(200, LIST) } else { json(400, r#"{"code":"BadRequest","message":"no"}"#) }
            }
        }
    })
    .await;
    let is_400 = |refused: &HostError| matches!(refused, HostError::Status { status: 400, .. });
    host.client.list(&host.at, Edition::V2, "").await.unwrap();
    assert_eq!(asked(&host), 1);
    let refused = host.client.list(&host.at, Edition::V3, "").await.unwrap_err();
    assert!(is_400(&refused), "{refused}");
    assert_eq!(asked(&host), 1, "a host of version 3 answers 401");
    host.client.send(&host.at, Edition::V2, "{}").await.unwrap();
    assert_eq!(host.got().last().unwrap().header("authorization"), Some("Bearer t2"));
    host.client.list(&host.at, Edition::V2, "").await.unwrap();
    let (tokens, before) = (asked(&host), host.lines().len());
    let refused = host.client.list(&host.at, Edition::V2, "bad").await.unwrap_err();
    assert!(is_400(&refused), "{refused}");
    assert_eq!((asked(&host), host.lines().len()), (tokens + 1, before + 4), "once more, with a new token");
}

#[tokio::test]
async fn a_400_to_a_new_token_is_the_answer() {
    let host = Host::start(|request| match request.line.as_str() {
        "GET /api/.well-known/openid-configuration" => json(404, ""),
        "POST /api/auth/token" => json(200, r#"{"access_token":"t","token_type":"Bearer"}"#),
        _ => json(400, r#"{"code":"BadRequest","message":"no"}"#),
    })
    .await;
    host.client.list(&host.at, Edition::V2, "").await.unwrap_err();
    assert_eq!(host.lines().len(), 3);
}

#[tokio::test]
async fn another_secret_gets_another_token() {
    let mut host = counting("", |_| true).await;
    host.client.list(&host.at, Edition::V3, "").await.unwrap();
    host.at.client_secret = "rotated".to_owned();
    host.client.list(&host.at, Edition::V3, "").await.unwrap();
    assert_eq!(asked(&host), 2);
}

#[tokio::test]
async fn answers_that_are_no_token_are_told_without_what_may_be_secret() {
    let answers = [
        (401, r#"{"error":"invalid_client","error_description":"no a secret/of+ours%"}"#, "invalid_client: no ***"),
        (400, r#"{"error":"invalid_scope"}"#, "invalid_scope"),
        (200, r#"{"token_type":"Bearer"}"#, "not of the form of RFC 6749"),
        (200, r#"{"access_token":"t","access_token":"s3cret","token_type":"Bearer"}"#, "not of the form of RFC 6749"),
        (200, r#"{"access_token":"s3cret","token_type":"Bearer","expires_in":"soon"}"#, "not of the form of RFC 6749"),
        (200, "<html>s3cret</html>", "not of the form of RFC 6749"),
        (500, "<html>s3cret</html>", "500"),
        (302, "", "302"),
    ];
    for (status, body, expected) in answers {
        let host = Host::start(move |request| match request.line.as_str() {
            "GET /api/.well-known/openid-configuration" => json(404, ""),
            _ => json(status, body),
        })
        .await;
        let refused = host.client.list(&host.at, Edition::V3, "").await.unwrap_err();
        let HostError::NoToken(told) = &refused else { panic!("{body}: {refused}") };
        assert!(told.contains(expected) && !told.contains("s3cret") && !told.contains("ours"), "{body}: {told}");
        assert_eq!(host.lines().len(), 2);
    }
}

#[tokio::test]
async fn the_address_of_tokens_may_be_another_than_that_of_the_lists() {
    let mut host = Host::start(|request| match request.line.as_str() {
        "GET /login/.well-known/openid-configuration" => json(404, ""),
        "POST /login/auth/token" => json(200, r#"{"access_token":"t","token_type":"Bearer"}"#),
        "GET /api/2/footprints" => json(200, LIST),
        other => panic!("{other}"),
    })
    .await;
    host.at.auth_url = Some(host.at.base_url.replace("/api", "/login/"));
    host.client.list(&host.at, Edition::V2, "").await.unwrap();
}
