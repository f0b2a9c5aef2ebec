//! Revocation (RFC 7009).

use super::{ask, client, of, text};
use crate::http::harness::{Answer, Service, Value};

fn pair(service: &Service, client: &Value) -> Value {
    ask(service, &of(client), "grant_type=client_credentials").ok()
}

fn revoke(service: &Service, client: &Value, form: &str) -> Answer {
    service.anybody().request("POST", "/auth/revoke").header("Authorization", of(client)).form(form).send()
}

fn reads(service: &Service, token: &Value) -> u16 {
    service.anybody().with_key(text(token, "access_token")).get("/v1/activity").status
}

fn renews(service: &Service, client: &Value, token: &Value) -> u16 {
    let refresh = text(token, "refresh_token");
    ask(service, &of(client), &format!("grant_type=refresh_token&refresh_token={refresh}")).status
}

#[test]
fn a_revoked_access_token_is_worth_nothing_at_once_and_its_refresh_token_still_is() {
    let service = Service::start();
    let client = client(&service, &["activity:read"]);
    let token = pair(&service, &client);
    assert_eq!(reads(&service, &token), 200);
    let answer = revoke(&service, &client, &format!("token={}", text(&token, "access_token"))).expect(200);
    assert_eq!((answer.text(), answer.header("cache-control")), ("", Some("no-store")));
    assert_eq!(reads(&service, &token), 401);
    assert_eq!(renews(&service, &client, &token), 200);
}

#[test]
fn a_revoked_refresh_token_ends_its_family() {
    let service = Service::start();
    let client = client(&service, &["activity:read"]);
    let (token, other) = (pair(&service, &client), pair(&service, &client));
    assert_eq!(reads(&service, &token), 200);
    let form = format!("token={}&token_type_hint=access_token", text(&token, "refresh_token"));
    revoke(&service, &client, &form).expect(200);
    assert_eq!((reads(&service, &token), renews(&service, &client, &token)), (401, 400));
    assert_eq!((reads(&service, &other), renews(&service, &client, &other)), (200, 200));
}

#[test]
fn what_is_no_token_of_the_client_is_200_and_changes_nothing() {
    let service = Service::start();
    let (owner, other) = (client(&service, &["activity:read"]), client(&service, &["admin"]));
    let token = pair(&service, &owner);
    let key = service.key("activity:read");
    for (client, form) in [
        (&owner, "token=nonsense".to_owned()),
        (&owner, format!("token={key}")),
        (&owner, format!("token={}x", text(&token, "access_token"))),
        (&other, format!("token={}", text(&token, "access_token"))),
        (&other, format!("token={}", text(&token, "refresh_token"))),
    ] {
        revoke(&service, client, &form).expect(200);
    }
    assert_eq!((reads(&service, &token), renews(&service, &owner, &token)), (200, 200));
    service.anybody().with_key(&key).get("/v1/activity").expect(200);
}

#[test]
fn revoking_needs_a_token_and_a_client() {
    let service = Service::start();
    let client = client(&service, &["activity:read"]);
    for form in ["", "token=", "token_type_hint=access_token", "token=a&token=b"] {
        let answer = revoke(&service, &client, form);
        assert_eq!((answer.status, answer.json()["error"].as_str()), (400, Some("invalid_request")), "{form}");
    }
    let nobody = service.anybody().request("POST", "/auth/revoke").form("token=x").send();
    assert_eq!((nobody.status, nobody.json()["error"].as_str()), (401, Some("invalid_client")));
}
