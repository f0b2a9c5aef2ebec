//! Errors of the token endpoints, in the form and with the codes of RFC 6749 (sections 5.2 and 4.1.2.1).

use actix_web::http::header;
use actix_web::{HttpResponse, HttpResponseBuilder};
use serde::Serialize;

use super::{Kind, Problem};
use crate::answer_value::text;
use crate::schema::Kind as Value;
use crate::shape::{Member, Shape};

/// An error as it is written.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OauthError {
    /// A word for programs.
    pub(crate) error: &'static str,
    /// A sentence for people.
    pub(crate) error_description: String,
}

/// Every code that is answered.
fn codes() -> Vec<&'static str> {
    vec![
        "invalid_request",
        "invalid_client",
        "invalid_grant",
        "unsupported_grant_type",
        "invalid_scope",
        "server_error",
        "temporarily_unavailable",
    ]
}

/// The error in the document.
pub(crate) static OAUTH_ERROR: Shape<OauthError, ()> = Shape {
    name: "TokenError",
    doc: "Why no token is given (RFC 6749, section 5.2).",
    members: &[
        Member::<OauthError, ()>::new("error", Value::Word(codes), "A word for programs.")
            .shown(|error| text(error.error)),
        Member::<OauthError, ()>::new("error_description", Value::Text(0, 100_000), "A sentence for people.")
            .shown(|error| text(&error.error_description)),
    ],
};

/// The OAuth code of a kind of problem.
const fn code(kind: Kind) -> &'static str {
    match kind {
        Kind::Unauthenticated | Kind::TooMany => "invalid_client",
        Kind::Internal | Kind::Unknown => "server_error",
        Kind::Busy | Kind::TooFast => "temporarily_unavailable",
        Kind::Malformed
        | Kind::Parameters
        | Kind::NotImplemented
        | Kind::Forbidden
        | Kind::NotFound
        | Kind::MethodNotAllowed
        | Kind::NotAcceptable
        | Kind::Timeout
        | Kind::Conflict
        | Kind::PeriodClosed
        | Kind::Stale
        | Kind::Gone
        | Kind::TooLarge
        | Kind::QueryTooLong
        | Kind::MediaType
        | Kind::Invalid
        | Kind::KeyReused
        | Kind::HeadTooLarge
        | Kind::Upgrade => "invalid_request",
    }
}

/// The answer to a request of a token endpoint that cannot be answered as it asks.
pub(super) fn answer(problem: &Problem) -> HttpResponse {
    let faults = problem.parameters.as_slice().iter().chain(problem.body.as_slice()).take(10);
    let faults: Vec<_> = faults.map(|fault| format!("{} {}", fault.pointer, fault.detail)).collect();
    let said = if faults.is_empty() { problem.detail.clone() } else { faults.join("; ") };
    OauthError { error: code(problem.kind), error_description: said }.answer(problem.kind.status())
}

impl OauthError {
    /// The answer, which no cache may keep.
    pub(crate) fn answer(mut self, status: actix_web::http::StatusCode) -> HttpResponse {
        self.error_description = self.error_description.chars().map(plain).collect();
        let mut answer = HttpResponseBuilder::new(status);
        answer.insert_header((header::CACHE_CONTROL, "no-store")).insert_header((header::PRAGMA, "no-cache"));
        answer.content_type(header::ContentType::json()).body(serde_json::to_vec(&self).unwrap_or_default())
    }
}

/// The character, or another in the place of one that a description must not hold.
const fn plain(c: char) -> char {
    match c {
        '"' | '\\' => '\'',
        ' '..='~' => c,
        _ => '?',
    }
}
