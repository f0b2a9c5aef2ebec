//! What a form sends: its fields, read before any page sees the request, with the token checked.

use std::fmt::Display;
use std::future::{Ready, ready};

use actix_web::dev::{Payload, ServiceRequest};
use actix_web::http::header;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use domain::Faults;
use http::edge::Failure;
use ports::inbound::Field;

use crate::params::decoded;

/// The name of the field with the session's token.
pub const TOKEN: &str = "form_token";
/// The media type of forms.
const FORM: &str = "application/x-www-form-urlencoded";
/// The most bytes of a form.
const MOST: usize = 256 << 10;

/// The fields of a form in the order in which they were sent. A handler takes it as an argument.
#[derive(Clone, Debug, Default)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// The first value of that name, as it was sent.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The same without blanks around it; `None` where nothing is left.
    #[must_use]
    pub fn filled(&self, name: &str) -> Option<&str> {
        self.get(name).map(str::trim).filter(|value| !value.is_empty())
    }

    /// Every value of that name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// What the first value of that name says; a fault at its member where it cannot be parsed, and absent where it is blank.
    pub(crate) fn parse<T, E: Display>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
        faults: &mut Faults,
    ) -> Field<T> {
        match self.filled(name).map(parse) {
            Some(Ok(value)) => Field::Given(value),
            Some(Err(error)) => {
                faults.add(format!("/{name}"), error.to_string());
                Field::Faulty
            }
            None => Field::Absent,
        }
    }

    /// Reads the body of a request, which must be a form of bounded size.
    pub(crate) async fn read(request: &mut ServiceRequest) -> Result<Self, Failure> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        if !kind.split(';').next().unwrap_or("").trim().eq_ignore_ascii_case(FORM) {
            return Err(Failure::media_type(format!("A form is sent as {FORM}.")));
        }
        let payload = request.take_payload();
        let bytes = http::edge::body(request.request(), payload, MOST).await?;
        let text = std::str::from_utf8(&bytes).map_err(|_| Failure::malformed("The form is not text."))?;
        let pairs = text.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((decoded(name)?, decoded(value)?))
        });
        pairs
            .collect::<Option<Vec<_>>>()
            .map(Self)
            .ok_or_else(|| Failure::malformed("The form is not encoded as forms are."))
    }
}

impl FromRequest for Fields {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let fields = request.extensions().get::<Self>().cloned();
        ready(fields.ok_or_else(|| Failure::internal("a page asks for a form that was not sent")))
    }
}
