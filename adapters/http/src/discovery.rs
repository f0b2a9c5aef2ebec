//! Discovery: where tokens are given and with which keys they are signed (RFC 8414, RFC 7517, `OpenID` Connect
//! Discovery 1.0).

use actix_web::{HttpRequest, HttpResponse, web};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ports::Permission;
use ports::inbound::PublicKey;
use serde::Serialize;
use utoipa::{OpenApi, ToSchema};

use crate::answer::{self, MAX_AGE_S};
use crate::condition::IfChanged;
use crate::media::{self, Accepted};
use crate::operation::Operation;
use crate::parameter::IfNoneMatchParam;
use crate::problem::{NotModified, Problem, Public};
use crate::query::NoQuery;
use crate::service::Service;

/// How long the keys may be kept, in seconds: a new one must become known soon.
const KEYS_MAX_AGE_S: u32 = 300;

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::get("/.well-known/jwks.json", get_keys)
            .public()
            .offering(&[media::JSON, "application/jwk-set+json"]),
        Operation::get("/.well-known/openid-configuration", get_openid_configuration).public(),
        Operation::get("/.well-known/oauth-authorization-server", get_authorization_server).public(),
    ]
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(get_keys, get_openid_configuration, get_authorization_server))]
pub(crate) struct Document;

/// The public keys that tokens are signed with.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeySet {
    /// The keys.
    keys: Vec<Key>,
}

/// The public half of an Ed25519 key.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PublicKey)]
pub(crate) struct Key {
    /// The kind of key: OKP.
    kty: &'static str,
    /// The curve: Ed25519.
    crv: &'static str,
    /// What it is for: sig.
    r#use: &'static str,
    /// The algorithm: `EdDSA`.
    alg: &'static str,
    /// Its name in the header of a token.
    kid: String,
    /// The key, base64url.
    x: String,
}

/// What the token endpoint can do, and where it is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Discovery {
    /// What tokens name as their issuer.
    issuer: String,
    /// Where tokens are given.
    token_endpoint: String,
    /// Where tokens are revoked.
    revocation_endpoint: String,
    /// The public keys.
    jwks_uri: String,
    /// The ways to get a token.
    grant_types_supported: [&'static str; 2],
    /// None: there is no authorization endpoint.
    response_types_supported: [&'static str; 0],
    /// What a client is called, which is the same for everybody.
    subject_types_supported: [&'static str; 1],
    /// How a client says who it is.
    token_endpoint_auth_methods_supported: [&'static str; 2],
    /// How a client says who it is when it revokes.
    revocation_endpoint_auth_methods_supported: [&'static str; 2],
    /// The algorithms that tokens are signed with.
    id_token_signing_alg_values_supported: [&'static str; 1],
    /// Every permission.
    scopes_supported: Vec<&'static str>,
    /// The page that documents the service.
    service_documentation: String,
}

/// The keys that tokens are signed with.
#[utoipa::path(
    get,
    path = "/.well-known/jwks.json",
    tag = "Tokens",
    params(IfNoneMatchParam),
    responses((status = 200, description = "The keys", body = KeySet, headers(("ETag" = String, description = "Its digest"))), NotModified, Public)
)]
async fn get_keys(
    _: NoQuery,
    conditions: IfChanged,
    accepted: Accepted,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let key = |key: PublicKey| Key {
        kty: "OKP",
        crv: "Ed25519",
        r#use: "sig",
        alg: "EdDSA",
        kid: key.kid,
        x: URL_SAFE_NO_PAD.encode(key.bytes),
    };
    let keys = service.areas().access.public_keys().await?;
    let set = KeySet { keys: keys.into_iter().map(key).collect() };
    let body = serde_json::to_vec(&set).map_err(Problem::internal)?;
    answer::public(&conditions, KEYS_MAX_AGE_S, accepted.0, body)
}

/// Where tokens are given (`OpenID` Connect Discovery).
#[utoipa::path(
    get,
    path = "/.well-known/openid-configuration",
    tag = "Tokens",
    params(IfNoneMatchParam),
    responses((status = 200, description = "What the token endpoint can do", body = Discovery, headers(("ETag" = String, description = "Its digest"))), NotModified, Public)
)]
async fn get_openid_configuration(
    _: NoQuery,
    conditions: IfChanged,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    discovery(&conditions, &service.base_url(&request)?)
}

/// Where tokens are given (RFC 8414).
#[utoipa::path(
    get,
    path = "/.well-known/oauth-authorization-server",
    tag = "Tokens",
    params(IfNoneMatchParam),
    responses((status = 200, description = "What the token endpoint can do", body = Discovery, headers(("ETag" = String, description = "Its digest"))), NotModified, Public)
)]
async fn get_authorization_server(
    _: NoQuery,
    conditions: IfChanged,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    discovery(&conditions, &service.base_url(&request)?)
}

fn discovery(conditions: &IfChanged, base: &str) -> Result<HttpResponse, Problem> {
    let body = serde_json::to_vec(&Discovery::at(base)).map_err(Problem::internal)?;
    answer::public(conditions, MAX_AGE_S, media::JSON, body)
}

impl Discovery {
    /// What is said at that base address.
    fn at(base: &str) -> Self {
        const METHODS: [&str; 2] = ["client_secret_basic", "client_secret_post"];
        Self {
            issuer: base.to_owned(),
            token_endpoint: format!("{base}/auth/token"),
            revocation_endpoint: format!("{base}/auth/revoke"),
            jwks_uri: format!("{base}/.well-known/jwks.json"),
            grant_types_supported: ["client_credentials", "refresh_token"],
            response_types_supported: [],
            subject_types_supported: ["public"],
            token_endpoint_auth_methods_supported: METHODS,
            revocation_endpoint_auth_methods_supported: METHODS,
            id_token_signing_alg_values_supported: ["EdDSA"],
            scopes_supported: Permission::ALL.iter().map(|permission| permission.as_str()).collect(),
            service_documentation: format!("{base}/docs"),
        }
    }
}
