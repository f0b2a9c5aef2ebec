//! Behind a proxy: whose failures are counted, and which origin answers name.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use ports::credential::Secret;
use ports::directory::AuthenticatedClient;
use ports::inbound::{Access, AccessError, ClientCredentials, Granted, PublicKey, TokenError, TokenRequest};
use ports::{Caller, Denied, Permission, TenantId};
use tonne_http::{Areas, Limits, Service, Settings};

use crate::api::send_to;
use crate::fake::{self, Activities, Doorkeeper, Footprints};

/// Where requests come from.
const PEER: &str = "192.0.2.1";
const FORWARDED: [(&str, &str); 3] = [
    ("X-Forwarded-For", "198.51.100.9, 203.0.113.7"),
    ("X-Forwarded-Proto", "https"),
    ("X-Forwarded-Host", "carbon.example.org"),
];

/// Notes the address that each token was asked for from, and refuses it.
#[derive(Default)]
struct Porter(Mutex<Vec<String>>);

#[async_trait]
impl Access for Porter {
    async fn authenticate(&self, _: TenantId, _: &str) -> Result<Caller, AccessError> {
        Err(AccessError::Invalid)
    }

    fn check(&self, caller: &Caller, permission: Permission) -> Result<(), Denied> {
        caller.check(permission)
    }

    async fn client(&self, _: TenantId, given: &ClientCredentials) -> Result<AuthenticatedClient, TokenError> {
        self.0.lock().unwrap().push(given.from.clone());
        Err(TokenError::InvalidClient)
    }

    async fn token(&self, _: &AuthenticatedClient, _: TokenRequest) -> Result<Granted, TokenError> {
        Err(TokenError::InvalidGrant)
    }

    async fn revoke(&self, _: &AuthenticatedClient, _: &Secret) -> Result<(), TokenError> {
        Ok(())
    }

    async fn public_keys(&self) -> Result<Vec<PublicKey>, AccessError> {
        Ok(Vec::new())
    }
}

fn service(porter: &Arc<Porter>, trusted: &[&str], public_url: Option<&str>) -> Service {
    let areas = Areas { access: porter.clone(), ..fake::areas(Activities::default()) };
    let settings = Settings {
        public_url: public_url.map(str::to_owned),
        trusted_proxies: trusted.iter().map(|network| network.parse().unwrap()).collect(),
        ..fake::settings(Limits::default())
    };
    Service::new(areas, settings)
}

/// The addresses that failures of the token endpoints are counted for.
async fn senders(trusted: &[&str]) -> Vec<String> {
    let porter = Arc::new(Porter::default());
    let service = service(&porter, trusted, None);
    let mut headers = FORWARDED.to_vec();
    headers.push(("Content-Type", "application/x-www-form-urlencoded"));
    for (path, form) in [
        ("/api/auth/token", "grant_type=client_credentials&client_id=a&client_secret=b"),
        ("/api/auth/revoke", "token=c&client_id=a&client_secret=b"),
    ] {
        assert_eq!(send_to(&service, "POST", path, &headers, form).await.status, 401);
    }
    let senders = porter.0.lock().unwrap();
    senders.clone()
}

/// The issuer that discovery names.
async fn issuer(trusted: &[&str], public_url: Option<&str>) -> String {
    let service = service(&Arc::default(), trusted, public_url);
    let answer = send_to(&service, "GET", "/api/.well-known/openid-configuration", &FORWARDED, "").await;
    answer.json()["issuer"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn failures_are_counted_for_the_sender_that_a_trusted_proxy_names() {
    assert_eq!(senders(&["192.0.2.0/24"]).await, ["203.0.113.7"; 2]);
    assert_eq!(senders(&["192.0.2.0/24", "203.0.113.7/32"]).await, ["198.51.100.9"; 2]);
    assert_eq!(senders(&["192.0.2.2/32"]).await, [PEER; 2]);
    assert_eq!(senders(&[]).await, [PEER; 2]);
}

#[actix_web::test]
async fn failures_from_a_network_of_64_bits_of_ipv6_are_counted_together() {
    let porter = Arc::new(Porter::default());
    let service = service(&porter, &["192.0.2.0/24"], None);
    for address in ["2001:db8::1", "2001:db8::ffff:2"] {
        let headers = [("X-Forwarded-For", address), ("Content-Type", "application/x-www-form-urlencoded")];
        send_to(&service, "POST", "/api/auth/revoke", &headers, "token=c&client_id=a&client_secret=b").await;
    }
    assert_eq!(*porter.0.lock().unwrap(), ["2001:db8::"; 2]);
}

#[actix_web::test]
async fn addresses_begin_with_the_origin_that_a_trusted_proxy_names_unless_one_is_set() {
    let listener = issuer(&[], None).await;
    assert!(listener.starts_with("http://") && !listener.contains("example"), "{listener}");
    assert_eq!(issuer(&["192.0.2.2/32"], None).await, listener);
    assert_eq!(issuer(&["192.0.2.1/32"], None).await, "https://carbon.example.org/api");
    assert_eq!(issuer(&["192.0.2.1/32"], Some("https://set.example")).await, "https://set.example/api");
}

/// The `Link` of a list of PACT that has more.
async fn link(version: u8, trusted: &[&str], public_url: Option<&str>, host: &str) -> String {
    let footprints = Footprints { next: Some("mark"), ..Footprints::default() };
    let areas =
        Areas { access: Arc::new(Doorkeeper), footprints: Arc::new(footprints), ..fake::areas(Activities::default()) };
    let settings = Settings {
        public_url: public_url.map(str::to_owned),
        allowed_hosts: vec!["carbon.example.org".to_owned(), "other.example.org".to_owned()],
        trusted_proxies: trusted.iter().map(|network| network.parse().unwrap()).collect(),
        ..fake::settings(Limits::default())
    };
    let service = Service::new(areas, settings);
    let mut headers = FORWARDED.to_vec();
    headers.extend([("Authorization", "Bearer footprint:read"), ("Host", host)]);
    let path = format!("/api/{version}/footprints?limit=1");
    let answer = send_to(&service, "GET", &path, &headers, "").await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.header("link").unwrap().to_owned()
}

#[actix_web::test]
async fn a_link_has_the_scheme_and_the_host_that_a_trusted_proxy_names_and_of_no_other() {
    for version in [2, 3] {
        let rest = format!("/api/{version}/footprints?limit=1&next=mark>; rel=\"next\"");
        let proxy = "192.0.2.0/24";
        let of_proxy = link(version, &[proxy], None, "inside.example").await;
        assert_eq!(of_proxy, format!("<https://carbon.example.org{rest}"));
        // Whoever else sends the same headers is not believed: the host is that of the request, the scheme the listener's.
        for trusted in [&[][..], &["192.0.2.2/32"]] {
            let of_other = link(version, trusted, None, "other.example.org").await;
            assert_eq!(of_other, format!("<http://other.example.org{rest}"));
        }
        // What is set goes before the scheme that a proxy names.
        let set = link(version, &[proxy], Some("http://set.example"), "inside.example").await;
        assert_eq!(set, format!("<http://carbon.example.org{rest}"));
        let set = link(version, &[], Some("https://set.example"), "set.example").await;
        assert_eq!(set, format!("<https://set.example{rest}"));
    }
}
