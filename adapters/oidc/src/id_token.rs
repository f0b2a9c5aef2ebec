//! The identity token: whose word it is, for whom, about whom (`OpenID` Connect Core 1.0, section 3.1.3.7).

use domain::Timestamp;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use ports::inbound::ProvenIdentity;
use ports::people::Identity;
use ports::provider::ProviderError;
use serde::Deserialize;
use subtle::ConstantTimeEq as _;

use crate::names::Profile;

/// How a token may be signed: with a key pair, never with a secret that both sides know, never not at all.
const ALGORITHMS: [Algorithm; 8] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// How far the provider's clock may be from ours.
const LEEWAY_S: i64 = 60;

/// What a token is checked against.
pub(crate) struct Expected<'a> {
    pub(crate) issuer: &'a str,
    pub(crate) client_id: &'a str,
    pub(crate) nonce: &'a str,
    pub(crate) now: Timestamp,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audience,
    azp: Option<String>,
    exp: i64,
    nbf: Option<i64>,
    iat: i64,
    nonce: Option<String>,
    #[serde(flatten)]
    profile: Profile,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

/// The name of the key that a token says it is signed with.
pub(crate) fn key_of(token: &str) -> Result<Option<String>, ProviderError> {
    Ok(decode_header(token).map_err(|_| refused("the identity token cannot be read"))?.kid)
}

/// Who the token is about.
pub(crate) fn read(token: &str, keys: &JwkSet, expected: &Expected<'_>) -> Result<ProvenIdentity, ProviderError> {
    let header = decode_header(token).map_err(|_| refused("the identity token cannot be read"))?;
    if !ALGORITHMS.contains(&header.alg) {
        return Err(refused("the identity token is signed by an algorithm that is not taken"));
    }
    let key = match &header.kid {
        Some(kid) => keys.find(kid),
        None => match keys.keys.as_slice() {
            [only] => Some(only),
            [..] => None,
        },
    };
    let key = key.ok_or_else(|| refused("the identity token is signed with a key that the provider does not show"))?;
    let key = DecodingKey::from_jwk(key).map_err(|_| refused("the provider's key cannot be used"))?;
    // Its times are compared with ours below, its audience and issuer too: exactly, and not as one of several.
    let mut validation = Validation::new(header.alg);
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation.required_spec_claims.clear();
    let claims: Claims =
        decode(token, &key, &validation).map_err(|_| refused("the identity token's signature does not fit"))?.claims;
    check(&claims, expected)?;
    let identity =
        Identity::new(&claims.iss, &claims.sub).map_err(|error| ProviderError::Refused(error.to_string()))?;
    let (name, display) = claims.profile.read();
    Ok(ProvenIdentity { identity, name, display })
}

fn check(claims: &Claims, expected: &Expected<'_>) -> Result<(), ProviderError> {
    let Expected { issuer, client_id, nonce, now } = expected;
    let now_s = now.millis().div_euclid(1000);
    let is_for_us = match &claims.aud {
        Audience::One(one) => one == client_id,
        Audience::Many(many) => many.iter().any(|one| one == client_id) && (many.len() == 1 || claims.azp.is_some()),
    };
    let same =
        |given: &Option<String>| given.as_ref().is_some_and(|given| given.as_bytes().ct_eq(nonce.as_bytes()).into());
    let checks = [
        (claims.iss == *issuer, "the identity token is another issuer's"),
        (is_for_us, "the identity token is for another client"),
        (claims.azp.as_ref().is_none_or(|azp| azp == client_id), "the identity token was given to another client"),
        (claims.exp.saturating_add(LEEWAY_S) > now_s, "the identity token has run out"),
        (claims.iat.saturating_sub(LEEWAY_S) <= now_s, "the identity token is of a later time than now"),
        (claims.nbf.is_none_or(|nbf| nbf.saturating_sub(LEEWAY_S) <= now_s), "the identity token is not good yet"),
        (same(&claims.nonce), "the identity token is of another sign-in"),
    ];
    match checks.into_iter().find(|(holds, _)| !holds) {
        Some((_, why)) => Err(refused(why)),
        None => Ok(()),
    }
}

fn refused(why: &str) -> ProviderError {
    ProviderError::Refused(why.to_owned())
}
