//! Addresses: whose they are, whose credentials count there, and what comes and goes with a company.

use ports::store::StoreError;
use tonne::config::{Domain, Mode, PublicOrigin};

use super::{NOBODY, by_path, documented, named};
use crate::http::harness::{Client, Company, Service, Value, json, with_factor};
use crate::http::operations::is_public;
use crate::http::token::basic;

/// A key of the right form that nobody was given.
const STRANGER: &str = "tonne_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// An access token of a new client of the company.
fn token(company: &Company<'_>) -> String {
    let client = company.admin().post("/v1/client", &json!({ "name": "A", "permissions": ["admin"] })).created();
    let authorization = basic(client["client_id"].as_str().unwrap(), client["client_secret"].as_str().unwrap());
    let asked = company.anybody().request("POST", "/auth/token").header("Authorization", authorization);
    let token = asked.form("grant_type=client_credentials").send().ok();
    token["access_token"].as_str().unwrap().to_owned()
}

fn below(path: &str) -> String {
    with_factor(path).replace("{uuid}", NOBODY).replace("{id}", NOBODY)
}

#[test]
fn one_companys_credentials_are_worth_nothing_at_anothers_address() {
    let service = by_path();
    let other = service.company("other");
    let (key, token) = (service.key("admin"), token(&service.own()));
    let there = other.anybody();
    for (method, path, _) in documented(&service) {
        if is_public(&method, &path) {
            continue;
        }
        let ask = |key: &str| named(&there.with_key(key), &method, &below(&path)).send();
        let unknown = ask(STRANGER);
        match path.get(..3) {
            Some("/2/") => assert_eq!(unknown.pact_error(), "400 BadRequest", "{method} {path}"),
            Some("/3/") => assert_eq!(unknown.pact_error(), "401 BadRequest", "{method} {path}"),
            _ => assert_eq!(unknown.problem(), "401 unauthenticated", "{method} {path}"),
        }
        for known in [&key, &token] {
            assert_eq!(ask(known).all(), unknown.all(), "{method} {path}");
        }
    }
    for known in [&key, &token] {
        service.anybody().with_key(known).get("/v1/unit").expect(200);
    }
}

#[test]
fn one_companys_clients_get_and_revoke_no_tokens_at_anothers_address() {
    let service = by_path();
    let (mine, other) = (service.admin(), service.company("other"));
    let client = mine.post("/v1/client", &json!({ "name": "A", "permissions": ["admin"] })).created();
    let authorization = basic(client["client_id"].as_str().unwrap(), client["client_secret"].as_str().unwrap());
    let unknown = basic(NOBODY, client["client_secret"].as_str().unwrap());
    let at = |client: &Client, path: &str, authorization: &str, form: &str| {
        named(client, "POST", path).header("Authorization", authorization).form(form).send()
    };
    for (path, form) in [("/auth/token", "grant_type=client_credentials"), ("/auth/revoke", "token=x")] {
        let got = at(&other.anybody(), path, &authorization, form);
        assert_eq!(got.status, 401, "{path}: {got:?}");
        assert_eq!(got.all(), at(&other.anybody(), path, &unknown, form).all(), "{path}");
    }
    at(&service.anybody(), "/auth/token", &authorization, "grant_type=client_credentials").expect(200);
}

#[test]
fn at_the_address_of_no_company_there_is_nothing() {
    let service = by_path();
    let admin = service.admin();
    for (method, path, _) in documented(&service) {
        // Below /2 and /3 errors have the form of PACT, whosever address it is.
        let nowhere = match path.get(..3) {
            Some(edition @ ("/2/" | "/3/")) => format!("/nobody/api{edition}nothing"),
            _ => "/nothing".to_owned(),
        };
        let nothing = admin.outside(&method, &nowhere).header("X-Request-Id", "one").send();
        assert_eq!(nothing.status, 404);
        for slug in ["none", "API", "-", "login"] {
            let at = format!("/{slug}/api{}", below(&path));
            let answer = admin.outside(&method, &at).header("X-Request-Id", "one").send();
            assert_eq!(answer.all(), nothing.all(), "{method} {at}");
        }
    }
}

#[test]
fn a_company_that_comes_is_served_and_one_that_goes_is_not() {
    let service = by_path();
    let other = service.company("other");
    let (admin, token) = (other.admin(), token(&other));
    let key = other.key("admin");
    admin.post("/v1/org", &json!({ "name": "Works", "syncId": "works" })).created();
    let nothing = admin.outside("GET", "/nothing").header("X-Request-Id", "one").send();

    let (app, tenant) = (service.app(), other.tenant.clone());
    service.wait(async move {
        assert!(app.stop_tenant(&tenant).await.unwrap());
        assert!(matches!(app.erase_tenant(&tenant, 0).await, Err(StoreError::Stale)));
        app.erase_tenant(&tenant, 1).await.unwrap();
    });
    assert_eq!(named(&admin, "GET", "/v1/org").send().all(), nothing.all());
    service.admin().get("/v1/org").expect(200);

    let again = service.company("other");
    assert_ne!(again.tenant.id, other.tenant.id);
    for dead in [&key, &token] {
        assert_eq!(again.anybody().with_key(dead).get("/v1/org").problem(), "401 unauthenticated");
    }
    let admin = again.admin();
    assert_eq!(admin.get("/v1/org").ok()["count"], 0);
    assert_eq!(admin.get("/v1/key").ok()["count"], 1, "its own, new one");
    admin.post("/v1/org", &json!({ "name": "Works", "syncId": "works" })).created();
}

#[test]
fn by_host_each_company_has_a_name_of_its_own() {
    let domain = || Domain::parse("localhost").unwrap();
    for (public_url, base) in
        [(None, "https://acme.localhost/api"), (Some("http://localhost:81"), "http://acme.localhost:81/api")]
    {
        let service = Service::of(Mode::Host(domain()), move |config| {
            config.server.public_url = public_url.map(|url| PublicOrigin::parse(url).unwrap());
        });
        let (mine, other) = (service.admin(), service.company("other"));
        let made = mine.post("/v1/org", &json!({ "name": "Works" })).expect(201);
        let uuid = made.json()["uuid"].as_str().unwrap().to_owned();
        assert_eq!(made.header("location"), Some(format!("{base}/v1/org/{uuid}").as_str()));
        assert_eq!(mine.get("/.well-known/openid-configuration").ok()["issuer"], base);
        assert_eq!(mine.get("/openapi.json").ok()["servers"][0]["url"], "/api");
        assert_eq!(other.admin().get("/v1/org").ok()["count"], 0);
        assert_eq!(other.admin().get(&format!("/v1/org/{uuid}")).problem(), "404 not-found");
        let stranger = other.anybody().with_key(&service.key("admin"));
        assert_eq!(stranger.get("/v1/org").problem(), "401 unauthenticated");
        let token = token(&service.own());
        mine.with_key(&token).get("/v1/org").expect(200);
        assert_eq!(other.anybody().with_key(&token).get("/v1/org").problem(), "401 unauthenticated");
        for host in ["none.localhost", "localhost", "acme.example.com"] {
            let elsewhere = mine.at_host(host);
            assert_eq!(elsewhere.get("/v1/org").problem(), "404 not-found", "{host}");
        }
        mine.at_host("ACME.localhost:80").get("/v1/org").expect(200);
        let ready: Value = mine.outside("GET", "/health/ready").send().ok();
        assert_eq!(ready["status"], "ok");
    }
}
