//! `/auth/token` and `/auth/revoke`: tokens for clients (RFC 6749, RFC 7009).

mod form;
mod refresh;
mod refusal;
mod revoke;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::harness::{Answer, Client, Service, Value, json};

/// A client's `Authorization` with its id and secret as they are.
pub(super) fn basic(id: &str, secret: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")))
}

/// Asks the token endpoint.
pub(super) fn ask(service: &Service, authorization: &str, form: &str) -> Answer {
    service.anybody().request("POST", "/auth/token").header("Authorization", authorization).form(form).send()
}

/// Somebody with a new token of a client that was just made.
pub(super) fn caller(service: &Service, client: &Value) -> Client {
    let token = ask(service, &of(client), "grant_type=client_credentials").ok();
    service.anybody().with_key(token["access_token"].as_str().unwrap())
}

/// A new client with these permissions, as it was answered.
fn client(service: &Service, permissions: &[&str]) -> Value {
    service.admin().post("/v1/client", &json!({ "name": "ERP", "permissions": permissions })).created()
}

/// The `Authorization` of a client that was just made.
fn of(client: &Value) -> String {
    basic(client["client_id"].as_str().unwrap(), client["client_secret"].as_str().unwrap())
}

/// What a member of a token holds.
fn text<'a>(token: &'a Value, member: &str) -> &'a str {
    token[member].as_str().unwrap_or_else(|| panic!("no {member}: {token}"))
}

#[test]
fn a_client_gets_a_token_that_no_cache_keeps() {
    let service = Service::start();
    let client = client(&service, &["activity:read", "switch:write"]);
    let answer = ask(&service, &of(&client), "grant_type=client_credentials").expect(200);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let token = answer.json();
    let expected = json!({
        "access_token": token["access_token"],
        "refresh_token": token["refresh_token"],
        "token_type": "Bearer",
        "scope": "activity:report activity:read switch:read switch:write",
        "expires_in": 3600,
    });
    assert_eq!(token, expected);
    assert_eq!(text(&token, "access_token").split('.').count(), 3);
    assert!(text(&token, "refresh_token").len() >= 43);
    let again = ask(&service, &of(&client), "grant_type=client_credentials").ok();
    for member in ["access_token", "refresh_token"] {
        assert_ne!(again[member], token[member]);
    }
}

#[test]
fn a_token_may_do_what_it_was_given_for_and_nothing_else() {
    let service = Service::start();
    let client = client(&service, &["activity:read", "switch:write"]);
    let caller = caller(&service, &client);
    caller.get("/v1/activity").expect(200);
    caller.post("/v1/switch", &json!({ "name": "A" })).expect(201);
    assert_eq!(caller.post("/v1/activity", &json!({})).problem(), "403 missing-permission");
    assert_eq!(caller.get("/v1/model").problem(), "403 missing-permission");
    assert_eq!(caller.get("/v1/client").problem(), "403 missing-permission");
}

#[test]
fn pacts_own_word_for_reading_footprints_is_a_scope() {
    let service = Service::start();
    let client = client(&service, &["footprint:read", "activity:read"]);
    let form = "grant_type=client_credentials&scope=footprint:list";
    let token = ask(&service, &of(&client), form).ok();
    assert_eq!(token["scope"], "footprint:read");
    let caller = service.anybody().with_key(text(&token, "access_token"));
    caller.get("/3/footprints").expect(200);
    caller.get("/v1/activity").expect(403);
}

#[test]
fn what_is_asked_and_held_is_granted_and_unknown_words_are_ignored() {
    let service = Service::start();
    let client = client(&service, &["activity:read", "switch:write"]);
    for (asked, granted) in [
        ("activity:read", "activity:report activity:read"),
        ("activity:report", "activity:report"),
        ("switch:read", "switch:read"),
        ("activity:write switch:read openid", "activity:report activity:read switch:read"),
        ("admin", "activity:report activity:read switch:read switch:write"),
        ("", "activity:report activity:read switch:read switch:write"),
    ] {
        let form = format!("grant_type=client_credentials&scope={}", asked.replace(' ', "+"));
        let token = ask(&service, &of(&client), &form).ok();
        assert_eq!(token["scope"], granted, "{asked}");
        let caller = service.anybody().with_key(text(&token, "access_token"));
        let may = |permission: &str| granted.split(' ').any(|word| word == permission);
        assert_eq!(caller.get("/v1/switch").status, if may("switch:read") { 200 } else { 403 }, "{asked}");
        assert_eq!(caller.get("/v1/activity").status, if may("activity:report") { 200 } else { 403 }, "{asked}");
    }
}

#[test]
fn credentials_come_percent_encoded_in_the_header_or_in_the_form() {
    let service = Service::start();
    let client = client(&service, &["activity:read"]);
    let (id, secret) = (text(&client, "client_id"), text(&client, "client_secret"));
    let encode = |text: &str| text.replace('-', "%2D").replace('_', "%5f").replace('a', "%61");
    let grant = "grant_type=client_credentials";
    ask(&service, &basic(&encode(id), &encode(secret)), grant).expect(200);
    ask(&service, &of(&client).replace("Basic", "bASIC"), grant).expect(200);
    ask(&service, &of(&client), &format!("{grant}&client_id={id}")).expect(200);
    ask(&service, &of(&client), &format!("{grant}&audience=x&resource=https%3A%2F%2Fa.example&x=")).expect(200);
    let form = format!("client_id={}&client_secret={}&{grant}", encode(id), encode(secret));
    service.anybody().request("POST", "/auth/token").form(&form).send().expect(200);
}

#[test]
fn a_token_never_outlives_its_client() {
    let service = Service::start();
    let client = client(&service, &["activity:read"]);
    let created = domain::Timestamp::parse(text(&client, "created")).unwrap();
    let expires = domain::Timestamp::from_millis(created.millis() + 600_000).unwrap().to_string();
    let one = format!("/v1/client/{}", text(&client, "uuid"));
    service.admin().patch(&one, &json!({ "expires": expires })).expect(200);
    let left = ask(&service, &of(&client), "grant_type=client_credentials").ok()["expires_in"].as_u64().unwrap();
    assert!((500..=600).contains(&left), "{left}");
}

#[test]
fn a_token_that_ran_out_is_worth_nothing() {
    let service = Service::with(|config| config.tokens.access_lifetime_s = 1);
    let client = client(&service, &["activity:read"]);
    let token = ask(&service, &of(&client), "grant_type=client_credentials").ok();
    assert!(token["expires_in"].as_u64().unwrap() <= 1, "{token}");
    let caller = service.anybody().with_key(text(&token, "access_token"));
    let patience = std::time::Instant::now();
    let refused = loop {
        let answer = caller.get("/v1/activity");
        if answer.status != 200 {
            break answer;
        }
        assert!(patience.elapsed().as_secs() < 30, "still good");
    };
    assert_eq!(refused.problem(), "401 unauthenticated");
    assert_eq!(refused.header("www-authenticate"), Some(r#"Bearer error="invalid_token""#));
    let refresh = format!("grant_type=refresh_token&refresh_token={}", text(&token, "refresh_token"));
    ask(&service, &of(&client), &refresh).expect(200);
}
