//! Whose address it is: by a segment of the path, or by the name of the host.

use tonne_http::{Limits, Service, Settings, Tenancy};

use crate::api::{Answer, send_to};
use crate::fake::{self, Activities};

fn service(tenancy: Tenancy, public_url: Option<&str>, trusted: &[&str]) -> Service {
    let settings = Settings {
        tenancy,
        public_url: public_url.map(str::to_owned),
        trusted_proxies: trusted.iter().map(|network| network.parse().unwrap()).collect(),
        ..fake::settings(Limits::default())
    };
    Service::new(fake::areas(Activities::default()), settings)
}

fn by_path() -> Service {
    service(Tenancy::Path, Some("https://carbon.example.com"), &[])
}

fn by_host(public_url: Option<&str>, trusted: &[&str]) -> Service {
    service(Tenancy::Host { domain: "example.com".to_owned() }, public_url, trusted)
}

async fn get(service: &Service, path: &str, headers: &[(&str, &str)]) -> Answer {
    send_to(service, "GET", path, headers, "").await
}

/// All of an answer, which the request id is given to.
async fn whole(service: &Service, path: &str, host: &str) -> Answer {
    get(service, path, &[("Host", host), ("X-Request-Id", "one")]).await
}

async fn issuer(service: &Service, path: &str, headers: &[(&str, &str)]) -> String {
    let answer = get(service, &format!("{path}/.well-known/openid-configuration"), headers).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["issuer"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn in_path_mode_a_tenants_addresses_begin_with_its_slug() {
    let service = by_path();
    assert_eq!(issuer(&service, "/acme/api", &[]).await, "https://carbon.example.com/acme/api");
    let document = get(&service, "/acme/api/openapi.json", &[]).await.json();
    assert_eq!(document["servers"][0]["url"], "/acme/api");
    let page = get(&service, "/acme/api/docs", &[("Accept", "text/html")]).await.text;
    assert!(page.contains("href=\"/acme/api/openapi.json\"") && page.contains("data-base=\"/acme/api\""));
    assert_eq!(get(&service, "/problems/busy", &[]).await.status, 200);
    assert_eq!(get(&service, "/health/ready", &[]).await.status, 200);
}

#[actix_web::test]
async fn in_host_mode_a_tenants_addresses_have_its_name_before_the_domain() {
    for (public_url, expected) in [
        (None, "https://acme.example.com/api"),
        (Some("https://example.com"), "https://acme.example.com/api"),
        (Some("http://example.com:8080"), "http://acme.example.com:8080/api"),
    ] {
        let service = by_host(public_url, &[]);
        for host in ["acme.example.com", "Acme.EXAMPLE.com:8080"] {
            assert_eq!(issuer(&service, "/api", &[("Host", host)]).await, expected, "{host}");
        }
    }
}

#[actix_web::test]
async fn a_trusted_proxys_host_counts_before_the_requests_own() {
    let forwarded =
        [("Host", "main.example.com"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "acme.example.com")];
    let acme = "https://acme.example.com/api";
    assert_eq!(issuer(&by_host(None, &["192.0.2.1/32"]), "/api", &forwarded).await, acme);
    let main = "https://main.example.com/api";
    assert_eq!(issuer(&by_host(None, &[]), "/api", &forwarded).await, main);
    assert_eq!(issuer(&by_host(None, &["192.0.2.1/32"]), "/api", &forwarded[..1]).await, main);
}

#[actix_web::test]
async fn a_tenant_that_does_not_exist_is_an_address_where_nothing_is() {
    let service = by_path();
    let nothing = whole(&service, "/nothing", "x").await;
    assert_eq!((nothing.status, nothing.problem().as_str()), (404, "not-found"));
    for path in [
        "/none/api/v1/unit",
        "/none/api/openapi.json",
        "/none/api/auth/token",
        "/none/api/nothing",
        "/none/api",
        "/ACME/api/openapi.json",
        "/-/api/openapi.json",
        "/api/api/openapi.json",
        "/health/api/openapi.json",
        "/a%2Fb/api/openapi.json",
        "/api/openapi.json",
        "/acme/api/nothing",
        "//api/openapi.json",
    ] {
        let answer = whole(&service, path, "x").await;
        assert_eq!((answer.status, &answer.headers, &answer.text), (404, &nothing.headers, &nothing.text), "{path}");
    }
    let service = by_host(None, &[]);
    for host in ["none.example.com", "example.com", "acme.example.org", "a.acme.example.com", "192.0.2.1", ""] {
        let answer = whole(&service, "/api/openapi.json", host).await;
        assert_eq!((answer.status, &answer.headers, &answer.text), (404, &nothing.headers, &nothing.text), "{host}");
    }
    let twice = [("Host", "acme.example.com"), ("Host", "main.example.com")];
    assert_eq!(get(&service, "/api/openapi.json", &twice).await.status, 404);
    assert_eq!(get(&service, "/api/openapi.json", &[]).await.status, 404);
}

#[actix_web::test]
async fn while_it_cannot_be_told_which_tenants_there_are_the_service_is_busy() {
    let answer = get(&by_path(), "/busy/api/openapi.json", &[]).await;
    assert_eq!((answer.status, answer.problem().as_str()), (503, "busy"));
    assert_eq!(answer.header("retry-after"), Some("1"));
}

#[actix_web::test]
async fn the_tenant_is_found_before_credentials_are_asked_for() {
    let service = by_path();
    assert_eq!(get(&service, "/none/api/v1/unit", &[]).await.status, 404);
    assert_eq!(get(&service, "/acme/api/v1/unit", &[]).await.status, 401);
    let known = [("Authorization", "Bearer catalog:read")];
    assert_eq!(get(&service, "/none/api/v1/unit", &known).await.status, 404);
    assert_eq!(get(&service, "/acme/api/v1/unit", &known).await.status, 200);
}
