//! A problem as it is written.

use actix_web::{HttpResponse, HttpResponseBuilder};
use domain::Fault;
use serde::Serialize;

use super::{MEDIA_TYPE, Problem};

/// So many faults are named one by one.
const MOST: usize = 100;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Wire<'a> {
    r#type: &'static str,
    title: &'static str,
    status: u16,
    detail: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<WireFault<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more_errors: Option<usize>,
}

#[derive(Serialize)]
struct WireFault<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<&'a str>,
    code: &'static str,
    detail: &'a str,
}

impl<'a> WireFault<'a> {
    /// The fault, without its place.
    fn of(fault: &'a Fault) -> Self {
        Self { parameter: None, pointer: None, code: fault.code.as_str(), detail: &fault.detail }
    }
}

/// The answer, of the request with that id.
pub(super) fn answer(problem: &Problem, instance: Option<&str>) -> HttpResponse {
    let status = problem.kind.status();
    let parameters = problem
        .parameters
        .as_slice()
        .iter()
        .map(|fault| WireFault { parameter: Some(&fault.pointer), ..WireFault::of(fault) });
    let body =
        problem.body.as_slice().iter().map(|fault| WireFault { pointer: Some(&fault.pointer), ..WireFault::of(fault) });
    let mut errors: Vec<_> = parameters.chain(body).collect();
    let more = errors.len().checked_sub(MOST).filter(|more| *more > 0);
    errors.truncate(MOST);
    let wire = Wire {
        r#type: problem.kind.path(),
        title: problem.kind.title(),
        status: status.as_u16(),
        detail: &problem.detail,
        instance,
        errors,
        more_errors: more,
    };
    HttpResponseBuilder::new(status).content_type(MEDIA_TYPE).body(serde_json::to_vec(&wire).unwrap_or_default())
}
