//! Lists, records and events, as a host that keeps to the standard answers them.

use domain::footprint::Edition;
use ports::partner_host::{HostError, PartnerHost as _};

use crate::host::{Host, json, reply, with_token};

#[tokio::test]
async fn a_list_is_followed_to_its_end_with_one_token() {
    let host = Host::start(|request| {
        with_token(request, |request| match request.line.as_str() {
            "GET /api/3/footprints?limit=1" => {
                let host = request.header("host").unwrap();
                let links = format!("Link: <https://{host}/api/3/footprints?limit=1&next=a%2Bb>; rel=\"next\"");
                reply(200, &[&links], r#"{"data":[{"id":"1"}]}"#)
            }
            "GET /api/3/footprints?limit=1&next=a%2Bb" => json(200, r#"{"data":[]}"#),
            other => panic!("{other}"),
        })
    })
    .await;
    let first = host.client.list(&host.at, Edition::V3, "limit=1").await.unwrap();
    assert_eq!(first.body, r#"{"data":[{"id":"1"}]}"#);
    let rest = host.client.next(&host.at, &first.next.unwrap()).await.unwrap();
    assert_eq!((rest.body.as_str(), rest.next), (r#"{"data":[]}"#, None));
    assert_eq!(host.lines().len(), 4, "discovery, token, two parts: {:?}", host.lines());
    let got = host.got();
    assert_eq!(got[3].header("authorization"), Some("Bearer t0ken"));
    assert_eq!(got[3].header("accept-encoding"), Some("identity"));
}

#[tokio::test]
async fn a_record_is_asked_for_by_its_id() {
    let host = Host::start(|request| with_token(request, |_| json(200, r#"{"data":{}}"#))).await;
    let id = "b6d5ef9e-3f3c-4f4e-8b9b-6f1d9a2c3b4d";
    assert_eq!(host.client.footprint(&host.at, Edition::V2, id).await.unwrap(), r#"{"data":{}}"#);
    assert_eq!(host.lines()[2], format!("GET /api/2/footprints/{id}"));
}

#[tokio::test]
async fn an_id_that_would_lead_elsewhere_is_not_sent() {
    let host = Host::start(|_| unreachable!()).await;
    for id in ["", "../../admin", "a?b", "a%2Fb"] {
        let refused = host.client.footprint(&host.at, Edition::V2, id).await.unwrap_err();
        assert!(matches!(refused, HostError::NotAllowed(_)), "{id}: {refused}");
    }
}

#[tokio::test]
async fn an_event_is_posted_as_cloud_event_and_any_2xx_takes_it() {
    let host = Host::start(|request| with_token(request, |_| reply(202, &[], ""))).await;
    host.client.send(&host.at, Edition::V3, r#"{"id":"1"}"#).await.unwrap();
    let got = host.got();
    assert_eq!((got[2].line.as_str(), got[2].body.as_str()), ("POST /api/3/events", r#"{"id":"1"}"#));
    assert_eq!(got[2].header("content-type"), Some("application/cloudevents+json; charset=UTF-8"));
}

#[tokio::test]
async fn an_error_comes_with_its_status_code_and_message() {
    let error = r#"{"code":"AccessDenied","message":"not\nfor you, t0ken"}"#;
    let host = Host::start(move |request| with_token(request, |_| json(403, error))).await;
    let refused = host.client.list(&host.at, Edition::V2, "").await.unwrap_err();
    let expected = HostError::Status {
        status: 403,
        code: Some("AccessDenied".to_owned()),
        message: "not for you, ***".to_owned(),
    };
    assert_eq!(refused, expected, "and the token that the host repeats is not shown");
}
