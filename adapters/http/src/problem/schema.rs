//! Problems in the OpenAPI document: their schema, and which of them an operation may answer.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

use super::{Kind, MEDIA_TYPE};

/// Why a request was not answered as it asked (RFC 9457).
#[derive(ToSchema)]
#[schema(as = Problem)]
#[expect(dead_code, reason = "describes what the answers look like")]
pub(crate) struct ProblemSchema {
    /// The kind of problem: the address of a page that explains it.
    #[schema(example = "/problems/invalid-input")]
    r#type: String,
    /// The kind in words.
    title: String,
    /// The status of the answer.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// What to do.
    detail: String,
    /// The request's id, also in the header X-Request-Id.
    instance: String,
    /// Everything that is wrong with the request.
    errors: Option<Vec<ProblemError>>,
}

/// One thing that is wrong with a request: a place in its body, or a parameter of its query.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the answers look like")]
pub(crate) struct ProblemError {
    /// A JSON pointer into the body.
    #[schema(example = "/org/uuid")]
    pointer: Option<String>,
    /// The name of a parameter.
    parameter: Option<String>,
    /// What is wrong there and how to mend it.
    detail: String,
}

const PUBLIC: [Kind; 4] = [Kind::Malformed, Kind::NotAcceptable, Kind::Internal, Kind::Busy];
const READING: [Kind; 6] =
    [Kind::Unauthenticated, Kind::Forbidden, Kind::NotFound, Kind::MethodNotAllowed, Kind::Stale, Kind::QueryTooLong];
const WRITING: [Kind; 5] = [Kind::Timeout, Kind::Conflict, Kind::TooLarge, Kind::MediaType, Kind::Invalid];

const FORM: [Kind; 7] = [
    Kind::MethodNotAllowed,
    Kind::NotAcceptable,
    Kind::Timeout,
    Kind::TooLarge,
    Kind::MediaType,
    Kind::Internal,
    Kind::Busy,
];

/// The problems of an operation that takes a form.
pub(crate) struct Forms;

/// The problems of an operation without credentials.
pub(crate) struct Public;

/// The problems of an operation that reads.
pub(crate) struct Reading;

/// What else an operation that reads one record answers: its problems, and that the reader has it already.
pub(crate) struct ReadingOne;

/// The problems of an operation that answers with a stream.
pub(crate) struct Streaming;

/// That the reader has it already.
pub(crate) struct NotModified;

/// The problems of an operation that writes.
pub(crate) struct Writing;

impl IntoResponses for Forms {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        responses(&FORM)
    }
}

impl IntoResponses for Public {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        responses(&PUBLIC)
    }
}

impl IntoResponses for Reading {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        responses(&[&PUBLIC[..], &READING].concat())
    }
}

impl IntoResponses for Streaming {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        responses(&[&PUBLIC[..], &READING, &[Kind::Upgrade]].concat())
    }
}

impl IntoResponses for NotModified {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let response =
            ResponseBuilder::new().description("It is what If-None-Match names: the reader has it already").build();
        BTreeMap::from([(StatusCode::NOT_MODIFIED.as_u16().to_string(), response.into())])
    }
}

impl IntoResponses for ReadingOne {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut responses = Reading::responses();
        responses.extend(NotModified::responses());
        responses
    }
}

impl IntoResponses for Writing {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        responses(&[&PUBLIC[..], &READING, &WRITING].concat())
    }
}

fn responses(kinds: &[Kind]) -> BTreeMap<String, RefOr<Response>> {
    let one = |kind: &Kind| (kind.status().as_u16().to_string(), RefOr::Ref(Ref::from_response_name(component(*kind))));
    kinds.iter().map(one).collect()
}

/// The name of a kind's response among the document's components.
fn component(kind: Kind) -> String {
    format!("{kind:?}")
}

/// The response of every kind, by its name among the document's components.
pub(crate) fn components() -> impl Iterator<Item = (String, Response)> {
    let content = || ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    let response =
        move |kind: Kind| ResponseBuilder::new().description(kind.title()).content(MEDIA_TYPE, content()).build();
    Kind::ALL.iter().map(move |kind| (component(*kind), response(*kind)))
}
