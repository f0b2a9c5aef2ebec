//! Tokens: giving and revoking them (RFC 6749, RFC 7009). Errors are those of RFC 6749, section 5.2.

mod form;

use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, web};
use ports::credential::Secret;
use ports::inbound::{Granted, Revoke, TokenError, TokenRequest};
use serde::Serialize;
use utoipa::{OpenApi, ToSchema};

use crate::answer;
use crate::body::Form;
use crate::operation::Operation;
use crate::problem::{Forms, Problem};
use crate::query::NoQuery;
use crate::service::Service;
use form::{Fields, credentials};

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    vec![Operation::post("/auth/token", create_token).public(), Operation::post("/auth/revoke", revoke_token).public()]
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(create_token, revoke_token))]
pub(crate) struct Document;

/// What is asked of the token endpoint.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the form")]
pub(crate) struct TokenForm {
    /// `client_credentials`, or `refresh_token` for a new pair.
    #[schema(example = "client_credentials")]
    grant_type: String,
    /// The permissions asked for, separated by blanks; all that are held unless given.
    scope: Option<String>,
    /// The refresh token, with `grant_type=refresh_token`.
    refresh_token: Option<String>,
    /// The client, where the header Authorization is not sent.
    client_id: Option<String>,
    /// Its secret, where the header Authorization is not sent.
    client_secret: Option<String>,
}

/// What is asked of the revocation endpoint.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the form")]
pub(crate) struct RevokeForm {
    /// The access or refresh token.
    token: String,
    /// `access_token` or `refresh_token`; found out by itself.
    token_type_hint: Option<String>,
}

/// A token.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Token {
    /// What is sent as `Authorization: Bearer`.
    #[serde(rename = "access_token")]
    access: String,
    /// What a new pair is asked for with; worth one use.
    #[serde(rename = "refresh_token")]
    refresh: String,
    /// How the access token is sent: Bearer.
    #[serde(rename = "token_type")]
    scheme: &'static str,
    /// The permissions granted, separated by blanks.
    scope: String,
    /// Seconds until the access token runs out.
    expires_in: u64,
}

/// Why no token is given (RFC 6749, section 5.2).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TokenError)]
pub(crate) struct Error {
    /// A word for programs.
    #[schema(example = "invalid_client")]
    error: &'static str,
    /// A sentence for people.
    error_description: String,
}

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
            Self::Token(TokenError::InvalidGrant) => {
                let detail = "The refresh token is not valid.";
                (StatusCode::BAD_REQUEST, "invalid_grant", detail.to_owned())
            }
            Self::Token(TokenError::InvalidScope) => {
                let detail = "None of the asked permissions is held by the client.";
                (StatusCode::BAD_REQUEST, "invalid_scope", detail.to_owned())
            }
            Self::Token(TokenError::TooMany { retry_after_s }) => {
                let detail = format!("Too many failed attempts; try again in {retry_after_s} s.");
                let mut answer = refusal(StatusCode::TOO_MANY_REQUESTS, "temporarily_unavailable", detail)?;
                answer.headers_mut().insert(header::RETRY_AFTER, retry_after_s.into());
                return Ok(answer);
            }
            Self::Other(problem) => return Err(problem),
            Self::Token(TokenError::Busy(cause)) => return Err(Problem::busy(cause)),
            Self::Token(TokenError::Failed(cause)) => return Err(Problem::internal(cause)),
        };
        let mut answer = refusal(status, error, description)?;
        if status == StatusCode::UNAUTHORIZED {
            let challenge = header::HeaderValue::from_static(r#"Basic realm="token", charset="UTF-8""#);
            answer.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
        Ok(answer)
    }
}

fn refusal(status: StatusCode, error: &'static str, error_description: String) -> Result<HttpResponse, Problem> {
    answer::secret(status, &Error { error, error_description })
}

/// A token for client credentials or a refresh token.
#[utoipa::path(
    post,
    path = "/auth/token",
    tag = "Tokens",
    security(("client" = [])),
    request_body(content = TokenForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "The token", body = Token),
        (status = 400, description = "The request is refused", body = Error),
        (status = 401, description = "The client is unknown or its secret is wrong", body = Error),
        (status = 429, description = "Too many failed attempts", body = Error),
        Forms,
    )
)]
async fn create_token(
    _: NoQuery,
    request: HttpRequest,
    body: Form,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    match give(&request, &body.0, &service).await {
        Ok(granted) => answer::secret(StatusCode::OK, &Token::of(granted)),
        Err(refusal) => refusal.answer(),
    }
}

async fn give(request: &HttpRequest, body: &[u8], service: &Service) -> Result<Granted, Refusal> {
    let fields = Fields::parse(body)?;
    let client = credentials(request, &fields, service)?;
    let issuer = service.base_url(request).map_err(Refusal::Other)?;
    let scope = fields.find("scope").map(str::to_owned);
    let asked = match fields.get("grant_type")? {
        "client_credentials" => TokenRequest::ClientCredentials { client, scope, issuer },
        "refresh_token" => {
            let token = Secret(fields.get("refresh_token")?.to_owned());
            TokenRequest::Refresh { client, token, scope, issuer }
        }
        _ => return Err(Refusal::GrantType),
    };
    let tenant = Service::tenant(request).map_err(Refusal::Other)?;
    service.areas().access.token(tenant, asked).await.map_err(Refusal::Token)
}

impl Token {
    fn of(granted: Granted) -> Self {
        Self {
            access: granted.access.0,
            refresh: granted.refresh.0,
            scheme: "Bearer",
            scope: granted.scope.to_string(),
            expires_in: granted.expires_in_s,
        }
    }
}

/// Revokes a token of the client. One that is not valid is revoked already.
#[utoipa::path(
    post,
    path = "/auth/revoke",
    tag = "Tokens",
    security(("client" = [])),
    request_body(content = RevokeForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "The token is not valid any more"),
        (status = 400, description = "The request is refused", body = Error),
        (status = 401, description = "The client is unknown or its secret is wrong", body = Error),
        (status = 429, description = "Too many failed attempts", body = Error),
        Forms,
    )
)]
async fn revoke_token(
    _: NoQuery,
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
    let client = credentials(request, &fields, service)?;
    let asked = Revoke { client, token: Secret(fields.get("token")?.to_owned()) };
    let tenant = Service::tenant(request).map_err(Refusal::Other)?;
    service.areas().access.revoke(tenant, asked).await.map_err(Refusal::Token)
}
