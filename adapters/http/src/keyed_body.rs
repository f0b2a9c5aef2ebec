//! The body of a request with an `Idempotency-Key`, as it came: it tells the request from another one under the same key.

use actix_web::http::header::HeaderName;
use actix_web::web::Bytes;
use actix_web::{HttpMessage as _, HttpRequest};

/// The header that a request has which may be sent again.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("idempotency-key");

struct KeyedBody(Bytes);

/// Remembers the body, where the request has a key.
pub(crate) fn remember(request: &HttpRequest, body: &Bytes) {
    if request.headers().contains_key(HEADER) {
        request.extensions_mut().insert(KeyedBody(body.clone()));
    }
}

/// The body that was remembered; empty where there was none.
pub(crate) fn of(request: &HttpRequest) -> Bytes {
    request.extensions().get::<KeyedBody>().map(|body| body.0.clone()).unwrap_or_default()
}
