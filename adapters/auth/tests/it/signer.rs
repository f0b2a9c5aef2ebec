//! Signing keys and access tokens.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::Timestamp;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use ports::credential::{Claims, CredentialError, SealedKey, TokenSigner as _};
use ports::{ClientId, FamilyId, Permissions, TenantId};
use proptest::prelude::*;
use serde_json::{Value, json};
use tonne_auth::Ed25519Signer;
use uuid::Uuid;

const SECRET: &[u8] = &[7; 32];

fn signer() -> Ed25519Signer {
    Ed25519Signer::new(SECRET).unwrap()
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds * 1000).unwrap()
}

fn key(kid: &str) -> SealedKey {
    signer().generate_key(kid, at(1_000)).unwrap()
}

fn claims() -> Claims {
    Claims {
        issuer: "https://example.com/api".to_owned(),
        tenant: TenantId::new(Uuid::from_u128(1)),
        client: ClientId::new(Uuid::from_u128(2)),
        jti: Uuid::from_u128(3),
        family: Some(FamilyId::new(Uuid::from_u128(4))),
        scope: Permissions::parse("activity:read switch:write").unwrap(),
        issued: at(1_000),
        expires: at(4_600),
    }
}

/// The n-th part of a token, read.
fn part(token: &str, index: usize) -> Value {
    let part = token.split('.').nth(index).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

/// A part of a token, written.
fn written(value: &Value) -> String {
    URL_SAFE_NO_PAD.encode(value.to_string())
}

#[test]
fn what_was_signed_is_read() {
    let key = key("a");
    let token = signer().sign(&claims(), &key).unwrap();
    assert_eq!(signer().read(&token, &[key.verifying()]), Ok(claims()));
}

#[test]
fn a_token_without_a_family_is_read_without_one() {
    let (key, claims) = (key("a"), Claims { family: None, ..claims() });
    let token = signer().sign(&claims, &key).unwrap();
    assert_eq!(part(&token, 1).get("family"), None);
    assert_eq!(signer().read(&token, &[key.verifying()]), Ok(claims));
}

#[test]
fn a_token_names_its_key_issuer_client_tenant_and_times() {
    let token = signer().sign(&claims(), &key("the key")).unwrap();
    assert_eq!(part(&token, 0), json!({"typ": "at+jwt", "alg": "EdDSA", "kid": "the key"}));
    let expected = json!({
        "iss": "https://example.com/api",
        "aud": "https://example.com/api",
        "sub": "00000000-0000-0000-0000-000000000002",
        "client_id": "00000000-0000-0000-0000-000000000002",
        "tenant": "00000000-0000-0000-0000-000000000001",
        "jti": "00000000-0000-0000-0000-000000000003",
        "family": "00000000-0000-0000-0000-000000000004",
        "scope": "activity:read switch:write",
        "iat": 1_000,
        "exp": 4_600,
    });
    assert_eq!(part(&token, 1), expected);
}

#[test]
fn a_fraction_of_a_second_is_rounded_to_the_tokens_favour() {
    let key = key("a");
    let claims = Claims {
        issued: Timestamp::from_millis(1_000_400).unwrap(),
        expires: Timestamp::from_millis(4_600_400).unwrap(),
        ..claims()
    };
    let read = signer().read(&signer().sign(&claims, &key).unwrap(), &[key.verifying()]).unwrap();
    assert_eq!((read.issued, read.expires), (at(1_000), at(4_601)));
}

#[test]
fn a_token_that_has_run_out_is_read_all_the_same() {
    let (key, claims) = (key("a"), Claims { expires: at(1), ..claims() });
    let token = signer().sign(&claims, &key).unwrap();
    assert_eq!(signer().read(&token, &[key.verifying()]), Ok(claims));
}

#[test]
fn the_key_is_found_by_its_name() {
    let keys = [key("a"), key("b"), key("c")];
    let token = signer().sign(&claims(), &keys[1]).unwrap();
    let [one, two, three] = keys.map(|key| key.verifying());
    assert_eq!(signer().read(&token, &[one.clone(), two, three.clone()]), Ok(claims()));
    assert_eq!(signer().read(&token, &[one, three]), Err(CredentialError::Invalid));
    assert_eq!(signer().read(&token, &[]), Err(CredentialError::Invalid));
}

#[test]
fn another_key_of_the_same_name_does_not_fit() {
    let token = signer().sign(&claims(), &key("a")).unwrap();
    assert_eq!(signer().read(&token, &[key("a").verifying()]), Err(CredentialError::Invalid));
}

#[test]
fn only_eddsa_is_read() {
    let key = key("a");
    let token = signer().sign(&claims(), &key).unwrap();
    let (body, signature) = (token.split('.').nth(1).unwrap(), token.split('.').nth(2).unwrap());
    for alg in ["none", "HS256", "HS512", "RS256", "ES256"] {
        let header = written(&json!({"typ": "at+jwt", "alg": alg, "kid": "a"}));
        for signature in [signature, ""] {
            let forged = format!("{header}.{body}.{signature}");
            assert_eq!(signer().read(&forged, &[key.verifying()]), Err(CredentialError::Invalid), "{alg}");
        }
    }
}

#[test]
fn a_public_key_taken_for_a_shared_secret_signs_nothing() {
    let key = key("a");
    let mut header = Header::new(Algorithm::HS256);
    header.typ = Some("at+jwt".to_owned());
    header.kid = Some("a".to_owned());
    let body = part(&signer().sign(&claims(), &key).unwrap(), 1);
    let forged = encode(&header, &body, &EncodingKey::from_secret(&key.public)).unwrap();
    assert_eq!(signer().read(&forged, &[key.verifying()]), Err(CredentialError::Invalid));
}

#[test]
fn a_header_without_key_or_type_or_with_critical_members_is_refused() {
    let key = key("a");
    let token = signer().sign(&claims(), &key).unwrap();
    let rest = token.split_once('.').unwrap().1;
    for header in [
        json!({"typ": "at+jwt", "alg": "EdDSA"}),
        json!({"typ": "JWT", "alg": "EdDSA", "kid": "a"}),
        json!({"alg": "EdDSA", "kid": "a"}),
        json!({"typ": "at+jwt", "alg": "EdDSA", "kid": "a", "crit": ["x"], "x": 1}),
    ] {
        let forged = format!("{}.{rest}", written(&header));
        assert_eq!(signer().read(&forged, &[key.verifying()]), Err(CredentialError::Invalid), "{header}");
    }
}

#[test]
fn one_changed_character_is_found_wherever_it_stands() {
    let key = key("a");
    let token = signer().sign(&claims(), &key).unwrap();
    for index in 0..token.len() {
        let mut bytes = token.clone().into_bytes();
        bytes[index] = if bytes[index] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(bytes).unwrap();
        assert_eq!(signer().read(&changed, &[key.verifying()]), Err(CredentialError::Invalid), "{index}");
    }
}

#[test]
fn a_key_opens_with_the_secret_it_was_sealed_with_alone() {
    let key = key("a");
    let other = Ed25519Signer::new(&[8; 32]).unwrap();
    assert_eq!(other.sign(&claims(), &key), Err(CredentialError::Sealed("a".to_owned())));
    let token = signer().sign(&claims(), &key).unwrap();
    assert_eq!(other.read(&token, &[key.verifying()]), Ok(claims()), "reading needs the public half only");
}

#[test]
fn a_sealed_key_is_bound_to_its_name_and_public_half() {
    let (one, two) = (key("a"), key("b"));
    let renamed = SealedKey { kid: "b".to_owned(), ..one.clone() };
    let swapped = SealedKey { public: two.public.clone(), ..one.clone() };
    for key in [renamed, swapped] {
        assert!(matches!(signer().sign(&claims(), &key), Err(CredentialError::Sealed(_))));
    }
}

#[test]
fn a_damaged_sealed_key_is_not_opened() {
    let key = key("a");
    for index in 0..key.sealed.len() {
        let mut damaged = key.clone();
        damaged.sealed[index] ^= 1;
        assert!(matches!(signer().sign(&claims(), &damaged), Err(CredentialError::Sealed(_))), "{index}");
        damaged.sealed.truncate(index);
        assert!(matches!(signer().sign(&claims(), &damaged), Err(CredentialError::Sealed(_))), "{index}");
    }
}

#[test]
fn the_private_key_does_not_stand_in_what_is_kept() {
    let (one, two) = (key("a"), key("a"));
    assert_eq!(one.public.len(), 32);
    assert_ne!(one.public, two.public);
    assert!(!one.sealed.windows(8).any(|window| one.public.windows(8).any(|other| other == window)));
}

proptest! {
    #[test]
    fn no_text_makes_reading_fail_otherwise(text in ".*", parts in prop::collection::vec("[A-Za-z0-9_-]{0,40}", 0..5)) {
        let keys = [key("a").verifying()];
        prop_assert_eq!(signer().read(&text, &keys), Err(CredentialError::Invalid));
        prop_assert_eq!(signer().read(&parts.join("."), &keys), Err(CredentialError::Invalid));
    }
}
