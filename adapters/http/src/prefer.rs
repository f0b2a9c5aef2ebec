//! `Prefer: return=minimal` (RFC 7240): a writer that wants no record back.

use actix_web::body::BoxBody;
use actix_web::dev::ServiceResponse;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};

use crate::operation::{Answer, Operation};
use crate::request_part::{Parameter, Place};
use crate::schema::Kind;

const PREFER: HeaderName = HeaderName::from_static("prefer");
const APPLIED: HeaderName = HeaderName::from_static("preference-applied");
/// The methods that change records.
const WRITES: [Method; 3] = [Method::POST, Method::PATCH, Method::PUT];
/// The parameter that says so.
const PARAMETER: Parameter = Parameter {
    name: "Prefer",
    place: Place::Header,
    doc: "return=minimal: no record in the answer (RFC 7240), its tag and address alone; other preferences are passed over. \
          What is shown once, such as a secret, is answered whatever is preferred.",
    kind: Kind::Text(1, 8_192),
    more: &[("examples", "[\"return=minimal\"]")],
};
const MINIMAL: &str = "return=minimal";

/// The operation with what the document says of the preference, where it answers a record with its tag.
pub(crate) fn documented(mut operation: Operation) -> Operation {
    let about = &mut operation.about;
    let is_record = |answer: &&mut Answer| answer.headers.iter().any(|(name, ..)| *name == "ETag");
    if !WRITES.contains(&operation.method) {
        return operation;
    }
    let mut is_emptied = false;
    let mut records = about.answers.iter_mut().filter(is_record).peekable();
    if records.peek().is_none() {
        return operation;
    }
    for answer in records {
        is_emptied |= answer.status == StatusCode::OK;
        answer.headers.push(("Preference-Applied", "return=minimal, where the answer is without the record.", false));
    }
    if is_emptied {
        let doc = "It was done; no record is answered, as the request prefers.".to_owned();
        let answer = Answer { status: 204, doc, content: Vec::new(), headers: Vec::new() };
        about.answers.push(answer.tagged().with_header("Preference-Applied", "return=minimal."));
    }
    about.parameters.push(PARAMETER);
    operation
}

/// The answer without the record, where the request prefers that and the answer is a record with its tag: 201 keeps its
/// `Location` and `ETag`, 200 becomes 204. What is shown once, such as a secret, has no tag and stays.
pub(crate) fn minimal(response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    let request = response.request();
    let writes = WRITES.contains(request.method());
    let prefers = request.headers().get_all(&PREFER).filter_map(|value| value.to_str().ok());
    let is_preferred = prefers.flat_map(|value| value.split(',')).any(|one| one.trim().eq_ignore_ascii_case(MINIMAL));
    let is_record = [StatusCode::OK, StatusCode::CREATED].contains(&response.status())
        && response.headers().contains_key(header::ETAG);
    if !(writes && is_preferred && is_record) {
        return response;
    }
    response.map_body(|head, _| {
        if head.status == StatusCode::OK {
            head.status = StatusCode::NO_CONTENT;
        }
        head.headers_mut().remove(header::CONTENT_TYPE);
        head.headers_mut().insert(APPLIED, HeaderValue::from_static(MINIMAL));
        BoxBody::new(())
    })
}
