//! Tokens: giving and revoking them (RFC 6749, RFC 7009). Errors are those of RFC 6749, section 5.2.

mod form;

use std::time::Instant;

use actix_web::http::{StatusCode, header};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, web};
use ports::ClientId;
use ports::credential::Secret;
use ports::directory::AuthenticatedClient;
use ports::inbound::{ClientCredentials, Granted, TokenError, TokenRequest};
use serde_json::Value;

use crate::answer;
use crate::answer_value::{number, text};
use crate::body::Form;
use crate::media;
use crate::operation::{Answer, BodyAbout, Operation};
use crate::problem::{OauthError, Problem};
use crate::query::NoQuery;
use crate::request_id::RequestId;
use crate::request_part::Ask;
use crate::request_rates::Exceeded;
use crate::schema::{Components, Kind, Side, reference};
use crate::security_log::{SecurityEvent, Told};
use crate::service::Service;
use crate::shape::{Member, Shape};
use form::{Fields, credentials};

/// The operations on tokens.
pub(crate) fn operations() -> Vec<Operation> {
    let give = Operation::for_clients("/auth/token", create_token)
        .named("create_token", "Tokens")
        .does("A token for client credentials or a refresh token.")
        .taking(form_of(|components| reference(&TOKEN_FORM, Side::New, components), TOKEN_FORM.example(Side::New)))
        .answers_with(&TOKEN);
    let revoke = Operation::for_clients("/auth/revoke", revoke_token)
        .named("revoke_token", "Tokens")
        .does("Revokes a token of the client. One that is not valid is revoked already.")
        .taking(form_of(|components| reference(&REVOKE_FORM, Side::New, components), REVOKE_FORM.example(Side::New)))
        .answers(Answer::empty("The token is not valid any more."));
    vec![give, revoke]
}

fn form_of(schema: fn(&mut Components) -> Value, example: Option<Value>) -> BodyAbout {
    BodyAbout { media: &[media::FORM], schema, example }
}

fn grant_types() -> Vec<&'static str> {
    vec!["client_credentials", "refresh_token"]
}

fn token_types() -> Vec<&'static str> {
    vec!["access_token", "refresh_token"]
}

fn bearer() -> Vec<&'static str> {
    vec!["Bearer"]
}

/// The fields of a form are read by [`Fields`].
const fn by_fields(_: &mut (), _: &mut files::Reader<'_>, _: &'static str) {}

const CLIENT_ID: Member<(), ()> =
    Member::<(), ()>::new("client_id", Kind::Text(0, 255), "The client, where the header Authorization is not sent.")
        .optional(by_fields);

const CLIENT_SECRET: Member<(), ()> = Member::<(), ()>::new(
    "client_secret",
    Kind::Text(0, 255),
    "Its secret, where the header Authorization is not sent.",
)
.optional(by_fields);

/// What is asked of the token endpoint.
static TOKEN_FORM: Shape<(), ()> = Shape {
    name: "Token",
    doc: "What is asked of the token endpoint.",
    members: &[
        Member::<(), ()>::new("grant_type", Kind::Word(grant_types), "refresh_token gives a new pair.")
            .required(by_fields)
            .example(r#""client_credentials""#),
        Member::<(), ()>::new(
            "scope",
            Kind::Text(0, 1_000),
            "The permissions asked for, separated by blanks; all that are held unless given.",
        )
        .optional(by_fields),
        Member::<(), ()>::new(
            "refresh_token",
            Kind::Text(0, 255),
            "The refresh token, with `grant_type=refresh_token`.",
        )
        .optional(by_fields),
        CLIENT_ID,
        CLIENT_SECRET,
    ],
};

/// What is asked of the revocation endpoint.
static REVOKE_FORM: Shape<(), ()> = Shape {
    name: "Revocation",
    doc: "What is asked of the revocation endpoint.",
    members: &[
        Member::<(), ()>::new("token", Kind::Text(1, 10_000), "The access or refresh token.")
            .required(by_fields)
            .example(r#""a-refresh-token""#),
        Member::<(), ()>::new("token_type_hint", Kind::Word(token_types), "What it is; found out by itself.")
            .optional(by_fields),
        CLIENT_ID,
        CLIENT_SECRET,
    ],
};

static TOKEN: Shape<Granted, ()> = Shape {
    name: "TokenPair",
    doc: "An access token, and the refresh token that a new pair is asked for with.",
    members: &[
        Member::<Granted, ()>::new("access_token", Kind::Text(1, 10_000), "What is sent as `Authorization: Bearer`.")
            .shown(|granted| text(&granted.access.0)),
        Member::<Granted, ()>::new(
            "refresh_token",
            Kind::Text(1, 255),
            "What a new pair is asked for with; worth one use.",
        )
        .shown(|granted| text(&granted.refresh.0)),
        Member::<Granted, ()>::new("token_type", Kind::Word(bearer), "How the access token is sent.")
            .shown(|_| text("Bearer")),
        Member::<Granted, ()>::new("scope", Kind::Text(1, 1_000), "The permissions granted, separated by blanks.")
            .shown(|granted| text(granted.scope)),
        Member::<Granted, ()>::new("expires_in", Kind::Integer(0, 86_400), "Seconds until the access token runs out.")
            .shown(|granted| number(granted.expires_in_s)),
    ],
};

/// What to do where a commit was not answered. A refresh token may be used up by then, and using it again is taken for
/// theft: its family is revoked and the client's own credentials are asked for.
const OUTCOME_UNKNOWN: &str = "The outcome is unknown: this took effect as a whole or not at all. Ask again; where a \
                               refresh token is then refused, ask with grant_type=client_credentials.";

/// Why a request is refused.
#[derive(Debug)]
enum Refusal {
    /// It lacks something, or has it twice.
    Request(String),
    /// The client does not say who it is.
    Client,
    /// There is no such grant type.
    GrantType,
    /// The use case refuses it.
    Token(TokenError),
    /// It cannot be answered at all.
    Other(Problem),
}

impl Refusal {
    fn request(detail: impl Into<String>) -> Self {
        Self::Request(detail.into())
    }

    fn answer(self) -> Result<HttpResponse, Problem> {
        let (status, error, description) = match self {
            Self::Request(detail) => (StatusCode::BAD_REQUEST, "invalid_request", detail),
            Self::GrantType => {
                let detail = "grant_type must be client_credentials or refresh_token.";
                (StatusCode::BAD_REQUEST, "unsupported_grant_type", detail.to_owned())
            }
            Self::Client | Self::Token(TokenError::InvalidClient) => {
                let detail = "The client is unknown or its secret is wrong.";
                (StatusCode::UNAUTHORIZED, "invalid_client", detail.to_owned())
            }
            Self::Token(TokenError::InvalidGrant | TokenError::Reused) => {
                let detail = "The refresh token is not valid.";
                (StatusCode::BAD_REQUEST, "invalid_grant", detail.to_owned())
            }
            Self::Token(TokenError::InvalidScope) => {
                let detail = "None of the asked permissions is held by the client.";
                (StatusCode::BAD_REQUEST, "invalid_scope", detail.to_owned())
            }
            Self::Token(TokenError::TooMany { retry_after_s }) => {
                let detail = format!("Too many failed attempts; try again in {retry_after_s} s.");
                let mut answer = refusal(StatusCode::TOO_MANY_REQUESTS, "invalid_client", detail);
                answer.headers_mut().insert(header::RETRY_AFTER, retry_after_s.into());
                return Ok(answer);
            }
            Self::Other(problem) => return Err(problem),
            Self::Token(TokenError::Busy(cause)) => return Err(Problem::busy(cause)),
            Self::Token(TokenError::Unknown(cause)) => return Err(Problem::unknown(cause).with_detail(OUTCOME_UNKNOWN)),
            Self::Token(TokenError::Failed(cause)) => return Err(Problem::internal(cause)),
        };
        let mut answer = refusal(status, error, description);
        if status == StatusCode::UNAUTHORIZED {
            let challenge = header::HeaderValue::from_static(r#"Basic realm="token", charset="UTF-8""#);
            answer.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
        Ok(answer)
    }
}

fn refusal(status: StatusCode, error: &'static str, error_description: String) -> HttpResponse {
    OauthError { error, error_description }.answer(status)
}

/// Handles POST for a token.
async fn create_token(
    _: Ask<(NoQuery,)>,
    request: HttpRequest,
    body: Form,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    match give(&request, &body.0, &service).await {
        Ok(granted) => answer::secret(StatusCode::OK, &TOKEN.show(&granted)),
        Err(refusal) => refusal.answer(),
    }
}

async fn give(request: &HttpRequest, body: &[u8], service: &Service) -> Result<Granted, Refusal> {
    let fields = Fields::parse(body)?;
    let given = credentials(request, &fields, service)?;
    let issuer = service.base_url(request).map_err(Refusal::Other)?;
    let scope = fields.find("scope").map(str::to_owned);
    let asked = match fields.get("grant_type")? {
        "client_credentials" => TokenRequest::ClientCredentials { scope, issuer },
        "refresh_token" => {
            let token = Secret(fields.get("refresh_token")?.to_owned());
            TokenRequest::Refresh { token, scope, issuer }
        }
        _ => return Err(Refusal::GrantType),
    };
    let client = counted_client(request, service, &given).await?;
    let granted = service.areas().access.token(&client, asked).await;
    granted.map_err(|error| refused(request, service, &given.id, error))
}

/// The client of those credentials, with this request counted among its others: those with its access tokens count as one
/// with those for tokens.
async fn counted_client(
    request: &HttpRequest,
    service: &Service,
    given: &ClientCredentials,
) -> Result<AuthenticatedClient, Refusal> {
    let tenant = Service::tenant(request).map_err(Refusal::Other)?;
    let client = service.areas().access.client(tenant, given).await;
    let client = client.map_err(|error| refused(request, service, &given.id, error))?;
    let counted = service.request_rates().count(&client.actor(), Instant::now());
    if let Some(quota) = counted.unwrap_or_else(|Exceeded(quota)| Some(quota)) {
        request.extensions_mut().insert(quota);
    }
    counted.map_err(|exceeded| Refusal::Other(exceeded.into()))?;
    Ok(client)
}

/// The refusal, once it was logged if it is a security event.
fn refused(request: &HttpRequest, service: &Service, client_id: &str, error: TokenError) -> Refusal {
    let event = match &error {
        TokenError::InvalidClient => Some(SecurityEvent::SecretWrong),
        TokenError::TooMany { .. } => Some(SecurityEvent::LockedOut),
        TokenError::Reused => Some(SecurityEvent::RefreshTokenReused),
        TokenError::InvalidGrant
        | TokenError::InvalidScope
        | TokenError::Busy(_)
        | TokenError::Unknown(_)
        | TokenError::Failed(_) => None,
    };
    if let Some(event) = event {
        tell(request, service, client_id, event);
    }
    Refusal::Token(error)
}

/// Logs what a client did. What it calls itself is told only where it is an identifier: it may be a secret in the wrong place.
fn tell(request: &HttpRequest, service: &Service, client_id: &str, event: SecurityEvent) {
    let client = client_id.parse::<ClientId>().map(|id| format!("client:{id}"));
    let extensions = request.extensions();
    service.security_log().tell(Told {
        event,
        who: client.as_deref().unwrap_or("unknown"),
        from: service.sender(request),
        request_id: extensions.get::<RequestId>().map_or("unknown", RequestId::as_str),
        what: &format!("{} {}", request.method(), request.path()),
    });
}

/// Handles POST of a token to revoke.
async fn revoke_token(
    _: Ask<(NoQuery,)>,
    request: HttpRequest,
    body: Form,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    match revoke(&request, &body.0, &service).await {
        Ok(()) => Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).finish()),
        Err(refusal) => refusal.answer(),
    }
}

async fn revoke(request: &HttpRequest, body: &[u8], service: &Service) -> Result<(), Refusal> {
    let fields = Fields::parse(body)?;
    let given = credentials(request, &fields, service)?;
    let token = Secret(fields.get("token")?.to_owned());
    let client = counted_client(request, service, &given).await?;
    let revoked = service.areas().access.revoke(&client, &token).await;
    revoked.map_err(|error| refused(request, service, &given.id, error))?;
    tell(request, service, &given.id, SecurityEvent::TokenRevoked);
    Ok(())
}
