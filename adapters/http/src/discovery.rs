//! Discovery: where tokens are given and with which keys they are signed (RFC 8414, RFC 7517, `OpenID` Connect
//! Discovery 1.0).

use actix_web::{HttpRequest, HttpResponse, web};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ports::Permission;
use ports::inbound::{PACT_SCOPE, PublicKey};

use crate::answer::{self, MAX_AGE_S};
use crate::answer_value::{list, text};
use crate::condition::IfNoneMatchParam;
use crate::media::{self, Accepted};
use crate::operation::{Answer, Operation, SchemaOf};
use crate::problem::Problem;
use crate::query::NoQuery;
use crate::request_part::Ask;
use crate::schema::Kind;
use crate::service::Service;
use crate::shape::{Member, Shape};

/// How long the keys may be kept, in seconds: a new one must become known soon.
const KEYS_MAX_AGE_S: u32 = 300;

/// The operations of discovery.
pub(crate) fn operations() -> Vec<Operation> {
    let digest = |answer: Answer| answer.with_header("ETag", "Its digest.");
    let keys = Answer::ok(SchemaOf::Named(&KEYS)).or("application/jwk-set+json", SchemaOf::Named(&KEYS));
    let endpoint = || digest(Answer::ok(SchemaOf::Named(&DISCOVERY)));
    vec![
        Operation::public("/.well-known/jwks.json", get_keys)
            .offering(&[media::JSON, "application/jwk-set+json"])
            .named("get_keys", "Tokens")
            .does("The keys that tokens are signed with.")
            .answers(digest(keys)),
        Operation::public("/.well-known/openid-configuration", get_openid_configuration)
            .named("get_openid_configuration", "Tokens")
            .does("Where tokens are given (OpenID Connect Discovery).")
            .answers(endpoint()),
        Operation::public("/.well-known/oauth-authorization-server", get_authorization_server)
            .named("get_authorization_server", "Tokens")
            .does("Where tokens are given (RFC 8414).")
            .answers(endpoint()),
    ]
}

/// The public keys that tokens are signed with.
static KEYS: Shape<Vec<PublicKey>, ()> = Shape {
    name: "KeySet",
    doc: "The public keys that tokens are signed with.",
    members: &[Member::<Vec<PublicKey>, ()>::new("keys", Kind::List(&Kind::Object(&KEY), 0), "The keys.")
        .shown(|keys| list(keys, |key| KEY.show(key)))],
};

static KEY: Shape<PublicKey, ()> = Shape {
    name: "PublicKey",
    doc: "The public half of an Ed25519 key.",
    members: &[
        Member::<PublicKey, ()>::new("kty", Kind::Word(|| vec!["OKP"]), "The kind of key.").shown(|_| text("OKP")),
        Member::<PublicKey, ()>::new("crv", Kind::Word(|| vec!["Ed25519"]), "The curve.").shown(|_| text("Ed25519")),
        Member::<PublicKey, ()>::new("use", Kind::Word(|| vec!["sig"]), "What it is for.").shown(|_| text("sig")),
        Member::<PublicKey, ()>::new("alg", Kind::Word(|| vec!["EdDSA"]), "The algorithm.").shown(|_| text("EdDSA")),
        Member::<PublicKey, ()>::new("kid", Kind::Text(1, 255), "Its name in the header of a token.")
            .shown(|key| text(&key.kid)),
        Member::<PublicKey, ()>::new("x", Kind::Text(1, 255), "The key, base64url.")
            .shown(|key| text(URL_SAFE_NO_PAD.encode(&key.bytes))),
    ],
};

const METHODS: [&str; 2] = ["client_secret_basic", "client_secret_post"];
const ADDRESS: Kind = Kind::Formatted("uri");
const WORDS: Kind = Kind::List(&Kind::Text(1, 255), 0);

/// What the token endpoint can do, and where it is; of a service at that base address.
static DISCOVERY: Shape<String, ()> = Shape {
    name: "Discovery",
    doc: "What the token endpoint can do, and where it is.",
    members: &[
        Member::<String, ()>::new("issuer", ADDRESS, "What tokens name as their issuer.").shown(|base| text(base)),
        Member::<String, ()>::new("token_endpoint", ADDRESS, "Where tokens are given.")
            .shown(|base| text(format_args!("{base}/auth/token"))),
        Member::<String, ()>::new("revocation_endpoint", ADDRESS, "Where tokens are revoked.")
            .shown(|base| text(format_args!("{base}/auth/revoke"))),
        Member::<String, ()>::new("jwks_uri", ADDRESS, "The public keys.")
            .shown(|base| text(format_args!("{base}/.well-known/jwks.json"))),
        Member::<String, ()>::new("grant_types_supported", WORDS, "The ways to get a token.")
            .shown(|_| list(["client_credentials", "refresh_token"], text)),
        Member::<String, ()>::new("response_types_supported", WORDS, "None: there is no authorization endpoint.")
            .shown(|_| list([""; 0], text)),
        Member::<String, ()>::new(
            "subject_types_supported",
            WORDS,
            "What a client is called, which is the same for everybody.",
        )
        .shown(|_| list(["public"], text)),
        Member::<String, ()>::new("token_endpoint_auth_methods_supported", WORDS, "How a client says who it is.")
            .shown(|_| list(METHODS, text)),
        Member::<String, ()>::new(
            "revocation_endpoint_auth_methods_supported",
            WORDS,
            "How a client says who it is when it revokes.",
        )
        .shown(|_| list(METHODS, text)),
        Member::<String, ()>::new(
            "id_token_signing_alg_values_supported",
            WORDS,
            "The algorithms that tokens are signed with.",
        )
        .shown(|_| list(["EdDSA"], text)),
        Member::<String, ()>::new("scopes_supported", WORDS, "Every permission, and PACT's word for footprint:read.")
            .shown(|_| list(Permission::ALL.iter().map(|one| one.as_str()).chain([PACT_SCOPE]), text)),
        Member::<String, ()>::new("service_documentation", ADDRESS, "The page that documents the service.")
            .shown(|base| text(format_args!("{base}/docs"))),
    ],
};

/// Handles GET of the keys.
async fn get_keys(
    Ask((NoQuery, conditions), _): Ask<(NoQuery, IfNoneMatchParam)>,
    accepted: Accepted,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let keys = service.areas().access.public_keys().await?;
    let body = serde_json::to_vec(&KEYS.show(&keys)).map_err(Problem::internal)?;
    answer::public(&conditions, KEYS_MAX_AGE_S, accepted.0, body)
}

/// Handles GET of the description for `OpenID` Connect.
async fn get_openid_configuration(
    Ask((NoQuery, conditions), _): Ask<(NoQuery, IfNoneMatchParam)>,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    discovery(&conditions, &service.base_url(&request)?)
}

/// Handles GET of the description for OAuth.
async fn get_authorization_server(
    Ask((NoQuery, conditions), _): Ask<(NoQuery, IfNoneMatchParam)>,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    discovery(&conditions, &service.base_url(&request)?)
}

fn discovery(conditions: &IfNoneMatchParam, base: &str) -> Result<HttpResponse, Problem> {
    let body = serde_json::to_vec(&DISCOVERY.show(&base.to_owned())).map_err(Problem::internal)?;
    answer::public(conditions, MAX_AGE_S, media::JSON, body)
}
