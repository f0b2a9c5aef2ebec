//! The variable segments of a path.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use uuid::Uuid;

use crate::problem::{Kind, Problem};

/// The record that the segment `{uuid}` names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathId<T>(pub(crate) T);

/// A record that the segment `{id}` names, within the one that `{uuid}` names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathIds<T, U>(pub(crate) T, pub(crate) U);

/// The segment `{name}`.
#[derive(Clone, Debug)]
pub(crate) struct PathWord(String);

impl PathWord {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: From<Uuid> + 'static> FromRequest for PathId<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(uuid(request, "uuid").map(|uuid| Self(uuid.into())))
    }
}

impl<T: From<Uuid> + 'static, U: From<Uuid> + 'static> FromRequest for PathIds<T, U> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let both = uuid(request, "uuid").and_then(|outer| Ok((outer, uuid(request, "id")?)));
        ready(both.map(|(outer, inner)| Self(outer.into(), inner.into())))
    }
}

impl FromRequest for PathWord {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(request.match_info().query("name").to_owned())))
    }
}

fn uuid(request: &HttpRequest, segment: &str) -> Result<Uuid, Problem> {
    domain::parse_uuid(request.match_info().query(segment))
        .map_err(|error| Problem::new(Kind::Malformed, format!("The segment {{{segment}}} of the path is {error}.")))
}
