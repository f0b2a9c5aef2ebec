//! `Prefer: return=minimal` (RFC 7240): a writer that wants no record back.

use actix_web::body::BoxBody;
use actix_web::dev::ServiceResponse;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};

const PREFER: HeaderName = HeaderName::from_static("prefer");
const APPLIED: HeaderName = HeaderName::from_static("preference-applied");
const MINIMAL: &str = "return=minimal";

/// The answer without the record, where the request prefers that and the answer is a record with its tag: 201 keeps its
/// `Location` and `ETag`, 200 becomes 204. What is shown once, such as a secret, has no tag and stays.
pub(crate) fn minimal(response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    let request = response.request();
    let writes = [Method::POST, Method::PATCH, Method::PUT].contains(request.method());
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
