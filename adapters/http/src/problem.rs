//! Problems: every answer that is not what was asked for (RFC 9457).
//!
//! A problem says in public what to do; its cause is private and only logged.

mod convert;
mod kind;
mod schema;

use std::error::Error as StdError;
use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{HttpResponse, HttpResponseBuilder, ResponseError};
use domain::Faults;
use serde::Serialize;

pub(crate) use kind::Kind;

pub(crate) use schema::{
    Forms, NotModified, ProblemError, ProblemSchema, Public, Reading, ReadingOne, Streaming, Writing, components,
};

/// The media type of a problem.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// Why a request was not answered as it asked.
#[derive(Debug)]
pub(crate) struct Problem {
    kind: Kind,
    detail: String,
    places: Place,
    faults: Faults,
    headers: Vec<(HeaderName, HeaderValue)>,
    cause: Option<Box<dyn StdError + Send + Sync>>,
    closes: bool,
}

/// What the faults of a problem point into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Body,
    Query,
}

/// A problem as it is written.
#[derive(Serialize)]
struct Wire<'a> {
    r#type: String,
    title: &'static str,
    status: u16,
    detail: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<WireFault<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
struct WireFault<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<&'a str>,
    detail: &'a str,
}

impl Problem {
    /// A problem of that kind; `detail` says what to do.
    pub(crate) fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            places: Place::Body,
            faults: Faults::new(),
            headers: Vec::new(),
            cause: None,
            closes: false,
        }
    }

    /// Parameters of the query are wrong; each fault's pointer is a parameter's name.
    pub(crate) fn parameters(faults: Faults) -> Self {
        let detail = "Mend the parameters that errors names.";
        Self { places: Place::Query, faults, ..Self::new(Kind::Parameters, detail) }
    }

    /// The body says what is wrong.
    pub(crate) fn invalid(faults: Faults) -> Self {
        Self { faults, ..Self::new(Kind::Invalid, "Mend what errors names.") }
    }

    /// The service failed, and why.
    pub(crate) fn internal(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let detail = "The service's log names the cause by this request's id.";
        Self { cause: Some(cause.into()), ..Self::new(Kind::Internal, detail) }
    }

    /// The service is busy for about a second, and why.
    pub(crate) fn busy(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let detail = "Repeat the request after the seconds that Retry-After says.";
        Self { cause: Some(cause.into()), ..Self::new(Kind::Busy, detail) }.with_header(header::RETRY_AFTER, "1")
    }

    /// No valid credentials; `challenge` is what stands behind `Bearer` in `WWW-Authenticate`.
    pub(crate) fn unauthenticated(detail: impl Into<String>, challenge: &'static str) -> Self {
        Self::new(Kind::Unauthenticated, detail).with_header(header::WWW_AUTHENTICATE, challenge)
    }

    /// With a header.
    pub(crate) fn with_header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((name, value));
        }
        self
    }

    /// With what is wrong, by pointers into the body.
    pub(crate) fn with_faults(mut self, faults: Faults) -> Self {
        self.faults.extend(faults);
        self
    }

    /// After its answer the connection closes, since the rest of the body was not read.
    pub(crate) fn closing(mut self) -> Self {
        self.closes = true;
        self
    }

    /// What sort of problem it is.
    pub(crate) const fn kind(&self) -> Kind {
        self.kind
    }

    /// What is logged and never answered: the cause, what it comes from, and so on. What repeats the one before it is
    /// left out.
    pub(crate) fn causes(&self) -> Option<String> {
        let mut next: Option<&dyn StdError> = Some(self.cause.as_deref()?);
        let mut causes = String::new();
        while let Some(cause) = next {
            let words = cause.to_string();
            if !causes.ends_with(&words) {
                let colon = if causes.is_empty() { "" } else { ": " };
                causes = format!("{causes}{colon}{words}");
            }
            next = cause.source();
        }
        Some(causes)
    }

    /// The answer, of the request with that id.
    pub(crate) fn render(&self, instance: Option<&str>) -> HttpResponse {
        let status = self.kind.status();
        let errors = self.faults.as_slice().iter().map(|fault| {
            let place = Some(fault.pointer.as_str());
            let (pointer, parameter) = if self.places == Place::Body { (place, None) } else { (None, place) };
            WireFault { pointer, parameter, detail: &fault.detail }
        });
        let wire = Wire {
            r#type: format!("/problems/{}", self.kind.name()),
            title: self.kind.title(),
            status: status.as_u16(),
            detail: &self.detail,
            instance,
            errors: errors.collect(),
        };
        let mut answer = HttpResponseBuilder::new(status);
        for (name, value) in &self.headers {
            answer.insert_header((name.clone(), value.clone()));
        }
        if self.closes {
            answer.force_close();
        }
        answer.insert_header((header::CACHE_CONTROL, "no-store"));
        answer.content_type(MEDIA_TYPE).body(serde_json::to_vec(&wire).unwrap_or_default())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.title(), self.detail)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.kind.status()
    }

    fn error_response(&self) -> HttpResponse {
        self.render(None)
    }
}
