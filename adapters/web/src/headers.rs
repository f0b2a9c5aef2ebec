//! The headers of every page.

use actix_web::body::BoxBody;
use actix_web::dev::ServiceResponse;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};

/// What a page may load and do: nothing of another origin, no script or style in its text.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                                 form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
                                 require-trusted-types-for 'script'; trusted-types tonne";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    // Not `no-referrer`, which has browsers send forms with `Origin: null`.
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "private, no-cache"),
];

/// Adds those that the answer does not have yet.
pub(crate) fn add_headers(mut response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    add(response.headers_mut());
    response
}

pub(crate) fn add(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    headers.append(header::VARY, HeaderValue::from_static("Cookie"));
}
