//! Why a page cannot be shown: a problem, as the API knows them, that is answered as a page.

use std::error::Error as StdError;
use std::fmt;

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use ports::inbound::Error;

use crate::problem::{Kind, Problem};

/// Why a page cannot be shown. Whoever asked in a browser is answered a page that says so, everybody else a problem.
#[derive(Debug)]
pub struct Failure(Problem);

impl Failure {
    /// There is nothing at the address.
    #[must_use]
    pub fn nowhere() -> Self {
        Problem::new(Kind::NotFound, "There is nothing at this address.").into()
    }

    /// The request cannot be read, and how to mend that.
    #[must_use]
    pub fn malformed(detail: impl Into<String>) -> Self {
        Problem::new(Kind::Malformed, detail).into()
    }

    /// The request is not let through, and why.
    #[must_use]
    pub fn forbidden(detail: impl Into<String>) -> Self {
        Problem::new(Kind::Forbidden, detail).into()
    }

    /// The body is too large, and how large it may be.
    #[must_use]
    pub fn too_large(detail: impl Into<String>) -> Self {
        Problem::new(Kind::TooLarge, detail).closing().into()
    }

    /// The body is of a form that is not taken here.
    #[must_use]
    pub fn media_type(detail: impl Into<String>) -> Self {
        Problem::new(Kind::MediaType, detail).into()
    }

    /// Another method was used than there is here.
    #[must_use]
    pub fn method(allowed: &str) -> Self {
        let detail = format!("The methods here are {allowed}.");
        Problem::new(Kind::MethodNotAllowed, detail).with_header(header::ALLOW, allowed).into()
    }

    /// The service has no room for the request just now, and why, for its log; it can be repeated soon.
    #[must_use]
    pub fn busy(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Problem::busy(cause).into()
    }

    /// The service failed, and why, for its log.
    #[must_use]
    pub fn internal(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Problem::internal(cause).into()
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(error.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ResponseError for Failure {
    fn status_code(&self) -> StatusCode {
        self.0.status_code()
    }

    fn error_response(&self) -> HttpResponse {
        self.0.error_response()
    }
}

impl Failure {
    pub(crate) const fn problem(&self) -> &Problem {
        &self.0
    }
}
