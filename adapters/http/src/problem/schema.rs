//! How the OpenAPI document describes problems.

use domain::FaultCode;

use super::Kind;
use crate::schema::Kind as Value;
use crate::shape::{Member, Shape};

/// The media type of a problem.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

fn codes() -> Vec<&'static str> {
    FaultCode::ALL.iter().map(|code| code.as_str()).collect()
}

fn types() -> Vec<&'static str> {
    Kind::ALL.iter().map(|kind| kind.path()).collect()
}

/// Why a request was not answered as it asked.
pub(crate) static PROBLEM: Shape<(), ()> = Shape {
    name: "Problem",
    doc: "Why a request was not answered as it asked (RFC 9457).",
    members: &[
        Member::<(), ()>::new("type", Value::Word(types), "What kind of problem it is; a page that explains it.")
            .written(),
        Member::<(), ()>::new("title", Value::Text(1, 255), "What it is, in a few words that never change.").written(),
        Member::<(), ()>::new("status", Value::Integer(400, 599), "The status.").written(),
        Member::<(), ()>::new("detail", Value::Text(1, 10_000), "What to do.").written(),
        Member::<(), ()>::new("instance", Value::Text(1, 128), "The request's id, also in X-Request-Id.").written(),
        Member::<(), ()>::new(
            "errors",
            Value::List(&Value::Object(&FAULT), 100),
            "Everything that is wrong with the request, at most 100.",
        )
        .at_times(),
        Member::<(), ()>::new("moreErrors", Value::Integer(1, i64::MAX), "How many more there are than errors names.")
            .at_times(),
    ],
};

/// One thing that is wrong with a request.
static FAULT: Shape<(), ()> = Shape {
    name: "ProblemError",
    doc: "One thing that is wrong with a request: at a place in its body, or with a parameter.",
    members: &[
        Member::<(), ()>::new("pointer", Value::Text(0, 10_000), "A JSON pointer into the body, such as /org/uuid.")
            .at_times(),
        Member::<(), ()>::new(
            "parameter",
            Value::Text(0, 10_000),
            "The name of a parameter, as it was sent: of the query, of the path, or a header.",
        )
        .at_times(),
        Member::<(), ()>::new("code", Value::Word(codes), "What sort of fault it is, a word for programs.").written(),
        Member::<(), ()>::new("detail", Value::Text(1, 10_000), "What is wrong there and how to mend it.").written(),
    ],
};
