//! `/.well-known`: where tokens are given, and the keys that verify them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use ports::credential::TokenSigner as _;

use super::harness::{Answer, Service, Value, json};
use super::token::{ask, basic};

fn read(service: &Service, name: &str) -> Answer {
    service.anybody().get(&format!("/.well-known/{name}")).expect(200)
}

/// Whether a token was signed with one of the published keys.
fn is_verified(service: &Service, token: &Value) -> bool {
    let access = token["access_token"].as_str().unwrap();
    let kid = decode_header(access).unwrap().kid;
    let keys = read(service, "jwks.json").json();
    let key = keys["keys"].as_array().unwrap().iter().find(|key| key["kid"].as_str() == kid.as_deref());
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.validate_aud = false;
    key.is_some_and(|key| {
        let public = DecodingKey::from_ed_components(key["x"].as_str().unwrap()).unwrap();
        decode::<Value>(access, &public, &validation).is_ok()
    })
}

/// A new token of a new client, and the client.
fn token(service: &Service) -> (Value, Value) {
    let client =
        service.admin().post("/v1/client", &json!({ "name": "A", "permissions": ["activity:read"] })).created();
    let authorization = basic(client["client_id"].as_str().unwrap(), client["client_secret"].as_str().unwrap());
    (ask(service, &authorization, "grant_type=client_credentials").ok(), client)
}

#[test]
fn both_documents_say_what_the_token_endpoint_can_do() {
    let service = Service::start();
    let base = service.base();
    for name in ["openid-configuration", "oauth-authorization-server"] {
        let answer = read(&service, name);
        assert_eq!(answer.header("content-type"), Some("application/json"));
        let document = answer.json();
        for (member, below) in [
            ("issuer", ""),
            ("token_endpoint", "/auth/token"),
            ("revocation_endpoint", "/auth/revoke"),
            ("jwks_uri", "/.well-known/jwks.json"),
        ] {
            assert_eq!(document[member], format!("{base}{below}"), "{member}");
        }
        assert_eq!(document["grant_types_supported"], json!(["client_credentials", "refresh_token"]));
        let methods = json!(["client_secret_basic", "client_secret_post"]);
        assert_eq!(document["token_endpoint_auth_methods_supported"], methods);
        assert_eq!(document["response_types_supported"], json!([]));
        assert_eq!(
            document["subject_types_supported"],
            json!(["public"]),
            "{name}: OpenID Connect Discovery asks for it"
        );
        assert_eq!(document["id_token_signing_alg_values_supported"], json!(["EdDSA"]));
        assert!(document["scopes_supported"].as_array().unwrap().contains(&json!("activity:report")));
        assert_eq!(service.anybody().get(document["jwks_uri"].as_str().unwrap()).status, 200);
    }
}

#[test]
fn a_token_is_verified_with_the_published_key() {
    let service = Service::start();
    let (token, client) = token(&service);
    let access = token["access_token"].as_str().unwrap();
    let header = decode_header(access).unwrap();
    assert_eq!(header.alg, Algorithm::EdDSA);
    let keys = read(&service, "jwks.json").json();
    let keys = keys["keys"].as_array().unwrap();
    let key = keys.iter().find(|key| key["kid"].as_str() == header.kid.as_deref()).expect("the key is published");
    assert_eq!([&key["kty"], &key["crv"], &key["use"], &key["alg"]], ["OKP", "Ed25519", "sig", "EdDSA"]);
    assert!(keys.iter().all(|key| key.get("d").is_none()), "a private key is published");
    let public = DecodingKey::from_ed_components(key["x"].as_str().unwrap()).unwrap();
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.validate_aud = false;
    validation.set_issuer(&[service.base()]);
    let claims = decode::<Value>(access, &public, &validation).unwrap().claims;
    assert!(claims.to_string().contains(client["client_id"].as_str().unwrap()), "{claims}");
    assert!(claims["jti"].is_string() && claims["iss"].is_string(), "{claims}");
    let lifetime_s = claims["exp"].as_u64().unwrap() - claims["iat"].as_u64().unwrap();
    assert!((3600..=3601).contains(&lifetime_s), "an hour, its ends in whole seconds: {lifetime_s}");
    let other = DecodingKey::from_ed_components(&URL_SAFE_NO_PAD.encode([9; 32])).unwrap();
    assert!(decode::<Value>(access, &other, &validation).is_err());
}

#[test]
fn a_token_that_was_tampered_with_is_worth_nothing() {
    let service = Service::start();
    let (token, _) = token(&service);
    let access = token["access_token"].as_str().unwrap();
    let parts: Vec<&str> = access.split('.').collect();
    let [header, claims, signature] = parts[..] else { panic!("{access}") };
    let mut raised: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
    raised["scope"] = json!("admin");
    let raised = URL_SAFE_NO_PAD.encode(raised.to_string());
    let none = URL_SAFE_NO_PAD.encode(r#"{"alg":"none","typ":"JWT"}"#);
    for forged in [
        format!("{header}.{raised}.{signature}"),
        format!("{none}.{claims}."),
        format!("{none}.{raised}.{signature}"),
        format!("{header}.{claims}."),
        format!("{header}.{claims}.{}", URL_SAFE_NO_PAD.encode([0; 64])),
        format!("{header}.{claims}"),
        format!("{access}.{signature}"),
        access.to_uppercase(),
    ] {
        let answer = service.anybody().with_key(&forged).get("/v1/activity");
        assert_eq!(answer.problem(), "401 unauthenticated", "{forged}");
        assert_eq!(answer.header("www-authenticate"), Some(r#"Bearer error="invalid_token""#));
    }
    service.anybody().with_key(access).get("/v1/activity").expect(200);
}

#[test]
fn a_token_of_another_installation_is_worth_nothing() {
    let (one, other) = (Service::start(), Service::start());
    let (token, _) = token(&one);
    let stranger = other.anybody().with_key(token["access_token"].as_str().unwrap());
    assert_eq!(stranger.get("/v1/activity").problem(), "401 unauthenticated");
    let key = other.anybody().with_key(&one.key("admin"));
    assert_eq!(key.get("/v1/activity").problem(), "401 unauthenticated");
}

#[test]
fn the_documents_are_for_everybody_and_only_read() {
    let service = Service::start();
    for name in ["openid-configuration", "oauth-authorization-server", "jwks.json"] {
        let path = format!("/.well-known/{name}");
        service.anybody().with_key("nonsense").get(&path).expect(200);
        assert_eq!(service.anybody().post(&path, &json!({})).problem(), "405 method-not-allowed");
        assert_eq!(service.anybody().get(&format!("{path}?x=1")).problem(), "400 invalid-parameters x");
    }
}

#[test]
fn addresses_are_those_of_the_public_origin_where_there_is_one() {
    let service = Service::with(|config| {
        config.server.public_url = Some(tonne::config::PublicOrigin::parse("https://carbon.example.com/").unwrap());
    });
    let document = read(&service, "openid-configuration").json();
    let base = service.base_at("https://carbon.example.com");
    assert_eq!(document["issuer"], base);
    assert_eq!(document["token_endpoint"], format!("{base}/auth/token"));
    let made = service.admin().post("/v1/org", &json!({ "name": "A" })).expect(201);
    let uuid = made.json()["uuid"].as_str().unwrap().to_owned();
    assert_eq!(made.header("location"), Some(format!("{base}/v1/org/{uuid}").as_str()));
    let (token, _) = token(&service);
    let claims = token["access_token"].as_str().unwrap().split('.').nth(1).unwrap();
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
    assert_eq!(claims["iss"], base);
}

#[test]
fn a_new_signing_key_signs_and_the_old_one_still_verifies() {
    let service = Service::start();
    let (old, _) = token(&service);
    let app = service.app();
    let kid = service.wait(async move {
        let now = app.clock().now();
        let key = app.signer().generate_key(&app.ids().next(now).to_string(), now).unwrap();
        app.directory()
            .add_signing_key(&ports::Grant::for_maintenance(ports::Installation, "test"), key.clone())
            .await
            .unwrap();
        key.kid
    });
    let kids = || -> Vec<String> {
        let keys = read(&service, "jwks.json").json();
        keys["keys"].as_array().unwrap().iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
    };
    let patience = std::time::Instant::now();
    while !kids().contains(&kid) {
        assert!(patience.elapsed().as_secs() < 30, "not published");
    }
    assert_eq!(kids().len(), 2);
    let (new, _) = token(&service);
    assert_eq!(decode_header(new["access_token"].as_str().unwrap()).unwrap().kid, Some(kid));
    for token in [&old, &new] {
        assert!(is_verified(&service, token));
        service.anybody().with_key(token["access_token"].as_str().unwrap()).get("/v1/activity").expect(200);
    }
}

#[test]
fn the_keys_come_as_a_key_set_to_whoever_asks_for_one() {
    let service = Service::start();
    let path = "/.well-known/jwks.json";
    for (accept, kind) in [
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("application/jwk-set+json", "application/jwk-set+json"),
        ("application/json;q=0.5, application/jwk-set+json", "application/jwk-set+json"),
    ] {
        let answer = service.anybody().request("GET", path).header("Accept", accept).send().expect(200);
        assert_eq!(answer.header("content-type"), Some(kind), "{accept}");
        assert_eq!(answer.json()["keys"].as_array().unwrap().len(), 1);
    }
    let other = service.anybody().request("GET", path).header("Accept", "text/html").send();
    assert_eq!(other.problem(), "406 not-acceptable");
}
