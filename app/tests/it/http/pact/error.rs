//! What is refused below the paths of PACT, in its own form.

use domain::Timestamp;

use super::{Host, Service, json};

const NOBODY: &str = "00000000-0000-0000-0000-000000000000";

#[test]
fn a_key_that_has_run_out_is_told_as_expired_in_both_versions() {
    let host = Host::start();
    let admin = host.service.admin();
    let key = admin.post("/v1/key", &json!({ "name": "A", "permissions": ["footprint:read"] })).created();
    let now = Timestamp::parse(key["created"].as_str().unwrap()).unwrap();
    let expires = Timestamp::from_millis(now.millis() + 1_200).unwrap().to_string();
    admin.patch(&format!("/v1/key/{}", key["uuid"].as_str().unwrap()), &json!({ "expires": expires })).expect(200);
    let caller = host.service.anybody().with_key(key["key"].as_str().unwrap());
    let patience = std::time::Instant::now();
    while caller.get("/3/footprints").status == 200 {
        assert!(patience.elapsed().as_secs() < 30, "still good after {expires}");
    }
    let nobody = "00000000-0000-0000-0000-000000000000";
    for path in ["/2/footprints".to_owned(), "/3/footprints".to_owned(), format!("/3/footprints/{nobody}")] {
        assert_eq!(caller.get(&path).pact_error(), "401 TokenExpired", "{path}");
    }
}

#[test]
fn an_access_token_that_has_run_out_is_told_as_expired_by_every_action_of_both_versions() {
    let service = Service::with(|config| config.tokens.access_lifetime_s = 1);
    let made = json!({ "name": "A", "permissions": ["footprint:read"] });
    let client = service.admin().post("/v1/client", &made).created();
    let caller = super::super::token::caller(&service, &client);
    let patience = std::time::Instant::now();
    while caller.get("/3/footprints").status == 200 {
        assert!(patience.elapsed().as_secs() < 30, "still good");
    }
    for version in [2, 3] {
        for path in [format!("/{version}/footprints"), format!("/{version}/footprints/{NOBODY}")] {
            assert_eq!(caller.get(&path).pact_error(), "401 TokenExpired", "{path}");
        }
        let event = caller.post(&format!("/{version}/events"), &json!({}));
        assert_eq!(event.pact_error(), "401 TokenExpired", "{version}");
    }
}

#[test]
fn who_sends_no_token_is_asked_for_one() {
    let host = Host::start();
    for path in ["/2/footprints", "/3/footprints"] {
        let answer = host.service.anybody().get(path);
        assert_eq!(answer.pact_error(), "401 BadRequest", "{path}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    }
}

#[test]
fn who_lacks_the_permission_is_denied() {
    let host = Host::start();
    for path in ["/2/footprints", "/3/footprints"] {
        assert_eq!(host.service.caller("activity:read").get(path).pact_error(), "403 AccessDenied", "{path}");
    }
}

#[test]
fn what_there_is_not_below_the_paths_of_pact_is_told_in_its_form() {
    let host = Host::start();
    for path in ["/3", "/3/", "/3/footprint", "/3/footprints/", "/3/nothing/at/all"] {
        assert_eq!(host.client.get(path).pact_error(), "404 NotFound", "{path}");
    }
    assert_eq!(host.client.get("/2/nothing").pact_error(), "404 NoSuchFootprint");
    assert_eq!(host.client.get("/4/footprints").problem(), "404 not-found");
    assert_eq!(host.client.get("/pact/3/footprints").problem(), "404 not-found");
    assert_eq!(host.client.get("/pact/2/footprints/1").problem(), "404 not-found");
}

#[test]
fn other_methods_are_refused_with_those_there_are() {
    let host = Host::start();
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let answer = host.client.request(method, "/3/footprints").json(&json!({})).send();
        assert_eq!((answer.pact_error().as_str(), answer.header("allow")), ("405 BadRequest", Some("GET, HEAD")));
    }
}

#[test]
fn an_id_that_is_no_uuid_is_a_bad_request() {
    let host = Host::start();
    for version in [2, 3] {
        assert_eq!(host.client.get(&format!("/{version}/footprints/urn:gtin:1")).pact_error(), "400 BadRequest");
    }
}

#[test]
fn all_that_is_wrong_with_a_query_is_told_at_once() {
    let host = Host::start();
    let answer = host.client.get("/3/footprints?limit=none&prodctId=1&validOn=soon");
    assert_eq!(answer.pact_error(), "400 BadRequest");
    let message = answer.json()["message"].as_str().unwrap().to_owned();
    for part in ["limit is not a whole number", "prodctId is not known here; did you mean productId?"] {
        assert!(message.contains(part), "{message}");
    }
    let message = host.client.get("/3/footprints?validOn=soon&validAfter=later").json()["message"].to_string();
    assert!(message.contains("validOn") && message.contains("validAfter"), "{message}");
}

#[test]
fn a_limit_is_a_number_from_1_and_a_large_one_is_taken() {
    let host = Host::start();
    for limit in ["0", "-1", "1.5", "ten"] {
        assert_eq!(host.client.get(&format!("/3/footprints?limit={limit}")).pact_error(), "400 BadRequest", "{limit}");
    }
    for limit in ["", "4", "1000", "1001", "99999999999999999999999999"] {
        assert_eq!(host.list(&format!("/3/footprints?limit={limit}")).len(), 4, "{limit}");
    }
}

#[test]
fn a_filter_of_version_2_that_is_not_answered_says_so() {
    let host = Host::start();
    let ask = |filter: &str| host.client.get(&format!("/2/footprints?$filter={}", super::encoded(filter))).pact_error();
    assert_eq!(ask("companyName eq 'Works'"), "400 NotImplemented");
    assert_eq!(ask("created ge '2025-01-01T00:00:00Z' or updated ge '2025-01-01T00:00:00Z'"), "400 NotImplemented");
    assert_eq!(ask("created ge 5"), "400 BadRequest");
    assert_eq!(host.list("/2/footprints?$filter=").len(), 4);
    assert_eq!(host.client.get("/3/footprints?$filter=x").pact_error(), "400 BadRequest");
}

#[test]
fn a_record_that_an_edition_hides_is_not_got_from_it() {
    let host = Host::start();
    let all = host.service.admin().get("/v1/footprint").ok();
    let path = |version: u8, number: usize| {
        format!("/{version}/footprints/{}", all["data"][number - 1]["uuid"].as_str().unwrap())
    };
    // The fourth lacks its mass, the fifth is a piece, the sixth is a draft.
    host.client.get(&path(2, 4)).expect(200);
    assert_eq!(host.client.get(&path(3, 4)).pact_error(), "404 NotFound");
    host.client.get(&path(3, 5)).expect(200);
    assert_eq!(host.client.get(&path(2, 5)).pact_error(), "404 NoSuchFootprint");
    for version in [2, 3] {
        assert_eq!(host.service.admin().get(&path(version, 6)).status, 404);
    }
}

#[test]
fn a_token_that_is_not_valid_is_refused() {
    let host = Host::start();
    let stranger = host.service.anybody().with_key("garbage");
    for (version, expected) in [(2, "400 BadRequest"), (3, "401 BadRequest")] {
        for path in [format!("/{version}/footprints"), format!("/{version}/footprints/{NOBODY}")] {
            let answer = stranger.get(&path);
            assert_eq!(answer.pact_error(), expected, "{path}");
            assert_eq!(answer.header("www-authenticate"), Some(r#"Bearer error="invalid_token""#), "{path}");
        }
    }
}
