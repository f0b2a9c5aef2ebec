//! Problems: every answer that is not what was asked for (RFC 9457).
//!
//! A problem says in public what to do; its cause is private and only logged.

mod convert;
mod faults;
mod kind;
mod oauth;
mod pact;
mod schema;
mod wire;

use std::error::Error as StdError;
use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use domain::footprint::Edition;
use domain::{Fault, Faults};
use ports::store::{DiskFailed, LogFull, NoRoom};

pub(crate) use faults::HeadFaults;
pub(crate) use kind::Kind;
pub(crate) use oauth::{OAUTH_ERROR, OauthError};
pub(crate) use pact::{PACT_2_ERROR, PACT_3_ERROR};
pub(crate) use schema::{MEDIA_TYPE, PROBLEM};

/// Why a request was not answered as it asked.
#[derive(Debug)]
pub(crate) struct Problem {
    kind: Kind,
    detail: String,
    /// What is wrong with parameters; each fault's pointer is a parameter's name.
    parameters: Faults,
    /// What is wrong with the body.
    body: Faults,
    headers: Vec<(HeaderName, HeaderValue)>,
    cause: Option<Box<dyn StdError + Send + Sync>>,
    closes: bool,
    /// What is wrong with the credentials, where that is the problem.
    credentials: Credentials,
}

/// What is wrong with the credentials of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Credentials {
    /// They are missing, or not what is wrong.
    Missing,
    /// They are not valid.
    Invalid,
    /// They have run out.
    Expired,
}

/// In which form errors are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorForm {
    /// Problem details (RFC 9457).
    Problem,
    /// As RFC 6749 has it for the token endpoint.
    Oauth,
    /// As an edition of PACT has it.
    Pact(Edition),
}

impl Problem {
    /// A problem of that kind; `detail` says what to do.
    pub(crate) fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            parameters: Faults::new(),
            body: Faults::new(),
            headers: Vec::new(),
            cause: None,
            closes: false,
            credentials: Credentials::Missing,
        }
    }

    /// Parameters of the query are wrong; each fault's pointer is a parameter's name.
    pub(crate) fn parameters(faults: Faults) -> Self {
        let detail = "Mend the parameters that errors names.";
        Self { parameters: faults, ..Self::new(Kind::Parameters, detail) }
    }

    /// Parts of the request's head are wrong, and perhaps its body too.
    pub(crate) fn request(head: HeadFaults, body: Faults) -> Self {
        let kind = if head.is_malformed() { Kind::Malformed } else { Kind::Parameters };
        let detail = if body.is_empty() { "Mend the parameters that errors names." } else { "Mend what errors names." };
        Self { parameters: head.into_faults(), body, ..Self::new(kind, detail) }
    }

    /// With what is wrong with the request's head beside it.
    pub(crate) fn with_head(mut self, head: HeadFaults) -> Self {
        self.parameters.extend(head.into_faults());
        self
    }

    /// The body says what is wrong.
    pub(crate) fn invalid(faults: Faults) -> Self {
        Self { body: faults, ..Self::new(Kind::Invalid, "Mend what errors names.") }
    }

    /// The service failed, and why. Where it is the disk, it is busy until somebody mends that.
    pub(crate) fn internal(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let cause = cause.into();
        if DiskFailed::is_cause_of(&*cause) {
            let detail = "The disk of the service is full or broken, and nothing was changed. Whoever runs the service must mend \
                          that; then repeat the request.";
            return Self { detail: detail.to_owned(), ..Self::busy(cause) };
        }
        if let Some(no_room) = NoRoom::among_causes(&*cause) {
            let detail = format!("Nothing was changed: {no_room}.");
            return Self { detail, ..Self::busy(cause) };
        }
        let detail = "The service's log names the cause by this request's id.";
        Self { cause: Some(cause), ..Self::new(Kind::Internal, detail) }
    }

    /// Whether a change was made is not known, and why.
    pub(crate) fn unknown(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let detail = "The change was made as a whole or not at all. With an Idempotency-Key send the same request again; without \
                      one look for the record first, by its syncId for example.";
        Self { cause: Some(cause.into()), ..Self::new(Kind::Unknown, detail) }
    }

    /// The service is busy for about a second, and why; where its store has no room for more beside a reader, for longer.
    pub(crate) fn busy(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let (cause, repeat) = (cause.into(), "Repeat the request after the seconds that Retry-After says.");
        let (detail, seconds) = match LogFull::among_causes(&*cause) {
            Some(full) => (format!("Nothing was changed: {full}. {repeat}"), "10"),
            None => (repeat.to_owned(), "1"),
        };
        Self { cause: Some(cause), ..Self::new(Kind::Busy, detail) }.with_header(header::RETRY_AFTER, seconds)
    }

    /// No valid credentials; `challenge` is what is behind `Bearer` in `WWW-Authenticate`.
    pub(crate) fn unauthenticated(detail: impl Into<String>, challenge: &'static str) -> Self {
        let credentials = if challenge.contains("invalid_token") { Credentials::Invalid } else { Credentials::Missing };
        let problem = Self::new(Kind::Unauthenticated, detail).with_header(header::WWW_AUTHENTICATE, challenge);
        Self { credentials, ..problem }
    }

    /// The same of credentials that were valid once.
    pub(crate) fn expired(self) -> Self {
        Self { credentials: Credentials::Expired, ..self }
    }

    /// With a further sentence about what to do.
    pub(crate) fn adding(mut self, sentence: &str) -> Self {
        self.detail = format!("{} {sentence}", self.detail);
        self
    }

    /// With other words for what to do.
    pub(crate) fn with_detail(self, detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), ..self }
    }

    pub(crate) fn with_header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((name, value));
        }
        self
    }

    /// With what is wrong, by pointers into the body.
    pub(crate) fn with_faults(mut self, faults: Faults) -> Self {
        self.body.extend(faults);
        self
    }

    /// After its answer the connection closes, since the rest of the body was not read.
    pub(crate) fn closing(mut self) -> Self {
        self.closes = true;
        self
    }

    /// What to do.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    /// What is wrong with parameters, then with the body.
    pub(crate) fn faults(&self) -> impl Iterator<Item = &Fault> {
        self.parameters.as_slice().iter().chain(self.body.as_slice())
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
    pub(crate) fn render(&self, form: ErrorForm, instance: Option<&str>) -> HttpResponse {
        let mut answer = match form {
            ErrorForm::Oauth if self.kind != Kind::NotFound => oauth::answer(self),
            ErrorForm::Pact(edition) => pact::answer(self, edition),
            ErrorForm::Oauth | ErrorForm::Problem => wire::answer(self, instance),
        };
        for (name, value) in &self.headers {
            answer.headers_mut().append(name.clone(), value.clone());
        }
        if self.closes {
            answer.head_mut().set_connection_type(actix_web::http::ConnectionType::Close);
        }
        answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        answer
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
        self.render(ErrorForm::Problem, None)
    }
}
