//! What is taken from partners, and what is refused.

use std::sync::Arc;

use domain::PartnerId;
use pact_client::{Client, Limits, Roots, SystemNetwork};
use ports::inbound::SupplierFactors as _;
use ports::partner_host::PartnerAddress;

use super::super::footprint::examples::{v3, with};
use super::{Answer, Host, NOWHERE, Value, event, json};

const NOBODY: &str = "00000000-0000-0000-0000-000000000000";

#[track_caller]
fn is_taken(answer: &Answer) {
    assert_eq!((answer.status, answer.text()), (200, ""), "{answer:?}");
}

/// One good event of each kind.
fn good(version: u8, source: &str) -> [Value; 4] {
    let asked = match version {
        2 => json!({ "pf": { "productIds": ["urn:pact:null"] }, "comment": "please" }),
        _ => json!({ "productId": ["urn:pact:null"], "status": "Active", "validOn": "2025-01-01T00:00:00Z" }),
    };
    let refusal = json!({ "requestEventId": "unknown/1", "error": { "code": "NotFound", "message": "no" } });
    [
        event(version, "created", "run/12", source, &asked),
        event(version, "rejected", "run/14.B", source, &refusal),
        event(version, "published", "run/15", source, &json!({ "pfIds": [NOBODY] })),
        event(version, "published", "run/15", source, &json!({ "pfIds": [NOBODY] })),
    ]
}

#[test]
fn cases_12_14_and_15_good_events_are_answered_200_with_an_empty_body_whatever_the_shape_of_their_source() {
    let host = Host::start();
    for version in [2, 3] {
        for source in
            [NOWHERE.to_owned(), format!("{NOWHERE}/{version}/events"), "//pact.example.com/sub/3/events".to_owned()]
        {
            for event in good(version, &source) {
                is_taken(&host.send(version, &event));
            }
        }
    }
    let plain = host.client.request("POST", "/3/events").json(&good(3, NOWHERE)[0]).send();
    is_taken(&plain);
}

#[test]
fn what_is_null_in_a_request_is_as_if_it_were_not_given() {
    let host = Host::start();
    let names =
        ["companyId", "classification", "geography", "status", "validOn", "validAfter", "validBefore", "comment"];
    let mut asked = json!({ "productId": ["urn:pact:null"] });
    for name in names {
        asked[name] = Value::Null;
    }
    is_taken(&host.send(3, &event(3, "created", "run/12", NOWHERE, &asked)));
    let part = json!({ "pf": { "productIds": ["urn:pact:null"], "companyIds": null, "pcf": null }, "comment": null });
    is_taken(&host.send(2, &event(2, "created", "run/13", NOWHERE, &part)));
    assert_eq!(host.deliveries().len(), 2);
}

#[test]
fn one_footprint_that_cannot_be_read_does_not_hold_up_the_answer() {
    let host = Host::start();
    let path = format!("/v1/partner/{}/request", host.partner);
    let state = |id: &Value| {
        let all = super::listed(&host.admin, &host.partner, "request");
        all.into_iter().find(|one| one["id"] == *id).unwrap()["state"].clone()
    };
    let asked = host.admin.post(&path, &json!({ "productIds": ["urn:a:1"] })).created()["id"].clone();
    let good = with(v3(), "/id", Some(json!("11111111-1111-4111-8111-111111111111")));
    let longer = with(v3(), "/id", Some(json!("22222222-2222-4222-8222-222222222222")));
    let longer = with(longer, "/pcf/fossilGhgEmissions", Some(json!("1.0000000000000000001")));
    let data = json!({ "requestEventId": asked, "pfs": [good, longer] });
    is_taken(&host.send(3, &event(3, "fulfilled", "run/1", NOWHERE, &data)));
    assert_eq!(state(&asked), "fulfilled");
    let (app, operator) = (host.service.app(), host.service.operator());
    let partner = PartnerId::new(host.partner.parse().unwrap());
    let at = PartnerAddress {
        base_url: NOWHERE.to_owned(),
        auth_url: None,
        client_id: String::new(),
        client_secret: String::new(),
        private_addresses: false,
        plain_http: false,
    };
    let client = Arc::new(Client::new(Arc::new(SystemNetwork), Roots::only([]).unwrap(), Limits::default()));
    let pulled = host
        .service
        .wait(async move { app.supplier_factors(client).pull_announced(&operator, partner, &at).await.unwrap() });
    assert_eq!((pulled.came, pulled.added, pulled.refused.len()), (2, 1, 1), "{pulled:?}");
    assert!(pulled.refused[0].reason.contains("/pcf/fossilGhgEmissions"), "{pulled:?}");
    // In version 2 an answer may have no footprint at all.
    let asked = host.admin.post(&path, &json!({ "productIds": ["urn:a:2"] })).created()["id"].clone();
    is_taken(&host.send(2, &event(2, "fulfilled", "run/2", NOWHERE, &json!({ "requestEventId": asked, "pfs": [] }))));
    assert_eq!(state(&asked), "fulfilled");
}

#[test]
fn an_event_that_is_sent_again_leads_to_nothing_more() {
    let host = Host::start();
    let [request, ..] = good(3, NOWHERE);
    for _ in 0..3 {
        is_taken(&host.send(3, &request));
    }
    let mut other = request.clone();
    other["source"] = json!("//pact.example.com/sub/3/events");
    is_taken(&host.send(3, &other));
    assert_eq!(host.deliveries().len(), 1);
    other["id"] = json!("run/13");
    is_taken(&host.send(3, &other));
    assert_eq!(host.deliveries().len(), 2);
}

#[test]
fn cases_40_and_v2_21_what_is_wrong_with_an_event_is_told_all_at_once() {
    let host = Host::start();
    for version in [2, 3] {
        let mut wrong = event(version, "published", "", "", &json!({ "pfIds": ["urn:gtin:4712345060507", NOBODY, 7] }));
        wrong["specversion"] = json!("0.3");
        wrong["time"] = json!("yesterday");
        let answer = host.send(version, &wrong);
        assert_eq!(answer.pact_error(), "400 BadRequest");
        let message = answer.json()["message"].as_str().unwrap().to_owned();
        for place in ["/specversion", "/id", "/source", "/time", "/data/pfIds/0", "/data/pfIds/2"] {
            assert!(message.contains(&format!("{place} ")), "{place}: {message}");
        }
        let urn = event(version, "published", "run/40", NOWHERE, &json!({ "pfIds": ["urn:gtin:4712345060507"] }));
        assert_eq!(host.send(version, &urn).pact_error(), "400 BadRequest");
    }
}

#[test]
fn an_event_that_is_not_of_its_version_is_refused() {
    let host = Host::start();
    let cases = [
        (json!({ "pf": { "productIds": [1] } }), 2, "created", "400 BadRequest"),
        (json!({ "pf": [] }), 2, "created", "400 BadRequest"),
        (json!({}), 2, "created", "400 BadRequest"),
        (json!({ "productIds": ["urn:a:b"] }), 3, "created", "400 BadRequest"),
        (json!({ "productId": { "a": 1 } }), 3, "created", "400 BadRequest"),
        (json!({ "validOn": "soon" }), 3, "created", "400 BadRequest"),
        (json!({ "productId": [null] }), 3, "created", "400 BadRequest"),
        (json!({ "requestEventId": "a", "pfs": [] }), 3, "fulfilled", "400 BadRequest"),
        (json!({ "requestEventId": "a", "pfs": [[]] }), 2, "fulfilled", "400 BadRequest"),
        (json!({ "requestEventId": "a", "pfs": [{ "id": 7 }] }), 3, "fulfilled", "400 BadRequest"),
        (json!({ "requestEventId": "a" }), 3, "rejected", "400 BadRequest"),
        (json!({ "error": { "code": "a", "message": "b" } }), 3, "rejected", "400 BadRequest"),
        (json!({ "pfIds": [] }), 2, "published", "400 BadRequest"),
        (json!([]), 3, "published", "400 BadRequest"),
        (json!({}), 3, "cancelled", "400 NotImplemented"),
    ];
    for (data, version, kind, expected) in cases {
        let answer = host.send(version, &event(version, kind, "a", NOWHERE, &data));
        assert_eq!(answer.pact_error(), expected, "{kind} {data}");
    }
    let of_the_other = event(3, "published", "a", NOWHERE, &json!({ "pfIds": [NOBODY] }));
    assert_eq!(host.send(2, &of_the_other).pact_error(), "400 NotImplemented");
    for body in ["", "{", "[]", "null", r#"{"id":"a","id":"b"}"#, "\u{feff}{}"] {
        let request = host.client.request("POST", "/3/events").header("Content-Type", "application/json").body(body);
        assert_eq!(request.send().pact_error(), "400 BadRequest", "{body:?}");
    }
    assert_eq!(host.deliveries(), [] as [Value; 0]);
}

#[test]
fn events_are_taken_from_partners_alone_and_from_their_own_address() {
    let host = Host::start();
    let [request, ..] = good(3, NOWHERE);
    for source in ["https://evil.example.com", "http://pact.example.com/sub", "//pact.example.com/sub2"] {
        let mut event = request.clone();
        event["source"] = json!(source);
        let answer = host.send(3, &event);
        assert_eq!(answer.pact_error(), "400 BadRequest", "{source}");
        assert!(answer.text().contains("/source"), "{answer:?}");
    }
    for permissions in ["footprint:read", "admin"] {
        let own = host.service.caller(permissions);
        assert_eq!(own.post("/3/events", &request).pact_error(), "403 AccessDenied", "{permissions}");
    }
    assert_eq!(host.service.anybody().with_key("garbage").post("/3/events", &request).pact_error(), "401 BadRequest");
    assert_eq!(host.service.anybody().with_key("garbage").post("/2/events", &request).pact_error(), "400 BadRequest");
    host.admin.delete(&format!("/v1/partner/{}", host.partner)).expect(204);
    super::until("the partner may still call", || (host.send(3, &request).status != 200).then_some(()));
}

#[test]
fn what_is_no_event_is_told_in_the_form_of_pact() {
    let host = Host::start();
    for version in [2, 3] {
        let path = format!("/{version}/events");
        for method in ["GET", "PUT", "DELETE"] {
            assert_eq!(host.client.request(method, &path).send().pact_error(), "405 BadRequest", "{method}");
        }
        let text = host.client.request("POST", &path).header("Content-Type", "text/plain").body("{}");
        assert_eq!(text.send().pact_error(), "415 BadRequest");
        let large = host.client.request("POST", &path).json_text(&format!("\"{}\"", "a".repeat(2 << 20)));
        assert_eq!(large.send().pact_error(), "413 BadRequest");
    }
}
