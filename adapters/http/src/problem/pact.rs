//! Errors as PACT has them below its own paths: a code and a message.

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, HttpResponseBuilder};
use domain::footprint::Edition;
use pact::ErrorCode;
use serde::Serialize;

use super::{Credentials, Kind, Problem};
use crate::answer_value::text;
use crate::schema::Kind as Value;
use crate::shape::{Member, Shape};

/// So many faults are named one by one.
const MOST: usize = 10;

/// An error as it is written.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PactError {
    code: &'static str,
    message: String,
}

/// The error of version 2 in the document.
pub(crate) static PACT_2_ERROR: Shape<PactError, ()> = Shape {
    name: "Pact2Error",
    doc: "Why a request was not answered as it asked (PACT 2).",
    members: &[
        Member::<PactError, ()>::new("code", Value::Word(|| ErrorCode::words(Edition::V2)), "A word for programs.")
            .shown(|error| text(error.code)),
        MESSAGE,
    ],
};

/// The error of version 3 in the document.
pub(crate) static PACT_3_ERROR: Shape<PactError, ()> = Shape {
    name: "Pact3Error",
    doc: "Why a request was not answered as it asked (PACT 3).",
    members: &[
        Member::<PactError, ()>::new("code", Value::Word(|| ErrorCode::words(Edition::V3)), "A word for programs.")
            .shown(|error| text(error.code)),
        MESSAGE,
    ],
};

const MESSAGE: Member<PactError, ()> =
    Member::<PactError, ()>::new("message", Value::Text(1, 100_000), "What to do.").shown(|error| text(&error.message));

/// The code and the status of a problem. A token that is not valid is a bad request in version 2.
fn code(problem: &Problem, edition: Edition) -> (ErrorCode, StatusCode) {
    let status = problem.kind.status();
    match problem.kind {
        Kind::Unauthenticated => match (problem.credentials, edition) {
            (Credentials::Expired, _) => (ErrorCode::TokenExpired, status),
            (Credentials::Invalid, Edition::V2) => (ErrorCode::BadRequest, StatusCode::BAD_REQUEST),
            (Credentials::Invalid, Edition::V3) | (Credentials::Missing, _) => (ErrorCode::BadRequest, status),
        },
        Kind::Forbidden => (ErrorCode::AccessDenied, status),
        Kind::NotFound => (ErrorCode::NotFound, status),
        // A link of a list that is there no more: the standard knows no 410.
        Kind::Gone => (ErrorCode::BadRequest, StatusCode::BAD_REQUEST),
        Kind::NotImplemented => (ErrorCode::NotImplemented, status),
        Kind::Internal | Kind::Unknown | Kind::Busy => (ErrorCode::InternalError, status),
        Kind::Malformed
        | Kind::Parameters
        | Kind::MethodNotAllowed
        | Kind::NotAcceptable
        | Kind::Timeout
        | Kind::Conflict
        | Kind::PeriodClosed
        | Kind::Stale
        | Kind::TooLarge
        | Kind::QueryTooLong
        | Kind::MediaType
        | Kind::Invalid
        | Kind::KeyReused
        | Kind::HeadTooLarge
        | Kind::TooMany
        | Kind::TooFast
        | Kind::Upgrade => (ErrorCode::BadRequest, status),
    }
}

/// The answer to a request that cannot be answered as it asks.
pub(super) fn answer(problem: &Problem, edition: Edition) -> HttpResponse {
    let (code, status) = code(problem, edition);
    let all = || problem.parameters.as_slice().iter().chain(problem.body.as_slice());
    let faults: Vec<_> = all().take(MOST).map(|fault| format!("{} {}", fault.pointer, fault.detail)).collect();
    let more = all().count().saturating_sub(MOST);
    let message = match (faults.is_empty(), more) {
        (true, _) => problem.detail.clone(),
        (false, 0) => format!("{}.", faults.join("; ")),
        (false, more) => format!("{}; and {more} more.", faults.join("; ")),
    };
    let error = PactError { code: code.word(edition), message };
    let mut answer = HttpResponseBuilder::new(status);
    answer.content_type(header::ContentType::json()).body(serde_json::to_vec(&error).unwrap_or_default())
}
