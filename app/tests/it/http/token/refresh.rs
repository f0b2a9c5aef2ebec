//! Refresh tokens: each is good once, and one that is used again ends its family.

use super::{ask, client, of, text};
use crate::http::harness::{Answer, Service, Value, json};

/// A first pair of tokens.
fn first(service: &Service, client: &Value) -> Value {
    ask(service, &of(client), "grant_type=client_credentials").ok()
}

/// Asks for a pair in place of that one.
fn renew(service: &Service, client: &Value, token: &Value, more: &str) -> Answer {
    let refresh = text(token, "refresh_token");
    ask(service, &of(client), &format!("grant_type=refresh_token&refresh_token={refresh}{more}"))
}

/// The status of reading activities with a pair's access token.
fn reads(service: &Service, token: &Value) -> u16 {
    service.anybody().with_key(text(token, "access_token")).get("/v1/activity").status
}

#[test]
fn a_refresh_token_gives_a_new_pair() {
    let service = Service::start();
    let client = client(&service, &["activity:read"]);
    let old = first(&service, &client);
    let answer = renew(&service, &client, &old, "").expect(200);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let new = answer.json();
    for member in ["access_token", "refresh_token"] {
        assert_ne!(new[member], old[member]);
    }
    assert_eq!(
        [&new["scope"], &new["token_type"], &new["expires_in"]],
        [&old["scope"], &json!("Bearer"), &json!(3600)]
    );
    assert_eq!((reads(&service, &old), reads(&service, &new)), (200, 200));
    renew(&service, &client, &new, "").expect(200);
}

#[test]
fn a_dead_one_revokes_its_family_and_every_access_token_given_with_it() {
    let service = Service::start();
    let client = client(&service, &["activity:read"]);
    let other_family = first(&service, &client);
    let stolen = first(&service, &client);
    let second = renew(&service, &client, &stolen, "").ok();
    let third = renew(&service, &client, &second, "").ok();
    for token in [&stolen, &second, &third] {
        assert_eq!(reads(&service, token), 200);
    }
    assert_eq!(renew(&service, &client, &stolen, "").json()["error"], "invalid_grant");
    for token in [&stolen, &second, &third] {
        assert_eq!(reads(&service, token), 401);
        let refused = renew(&service, &client, token, "");
        assert_eq!((refused.status, refused.json()["error"].as_str()), (400, Some("invalid_grant")));
    }
    assert_eq!(reads(&service, &other_family), 200);
    renew(&service, &client, &other_family, "").expect(200);
}

#[test]
fn a_refresh_token_is_worth_nothing_to_another_client() {
    let service = Service::start();
    let (owner, thief) = (client(&service, &["activity:read"]), client(&service, &["admin"]));
    let token = first(&service, &owner);
    let refused = renew(&service, &thief, &token, "");
    assert_eq!((refused.status, refused.json()["error"].as_str()), (400, Some("invalid_grant")));
    renew(&service, &owner, &token, "").expect(200);
    let access = text(&token, "access_token");
    let form = format!("grant_type=refresh_token&refresh_token={access}");
    assert_eq!(ask(&service, &of(&owner), &form).json()["error"], "invalid_grant");
}

#[test]
fn a_renewal_may_narrow_the_scope_for_its_access_token_and_never_widens_it() {
    let service = Service::start();
    let client = client(&service, &["activity:read", "switch:read"]);
    let form = "grant_type=client_credentials&scope=activity%3Aread";
    let token = ask(&service, &of(&client), form).ok();
    let narrow = renew(&service, &client, &token, "&scope=activity%3Areport").ok();
    assert_eq!(narrow["scope"], "activity:report");
    let wide = renew(&service, &client, &narrow, "&scope=activity%3Aread+switch%3Aread").ok();
    assert_eq!(wide["scope"], "activity:report activity:read");
    let refused = renew(&service, &client, &wide, "&scope=switch%3Aread");
    assert_eq!((refused.status, refused.json()["error"].as_str()), (400, Some("invalid_scope")));
    renew(&service, &client, &wide, "").expect(200);
}

#[test]
fn a_renewal_gives_no_more_than_the_client_holds_by_then() {
    let service = Service::start();
    let client = client(&service, &["activity:read", "switch:read"]);
    let token = first(&service, &client);
    let one = format!("/v1/client/{}", text(&client, "uuid"));
    service.admin().patch(&one, &json!({ "permissions": ["switch:write"] })).expect(200);
    assert_eq!(renew(&service, &client, &token, "").ok()["scope"], "switch:read");
}
