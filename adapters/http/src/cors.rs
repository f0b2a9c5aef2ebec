//! Pages of other origins: those that the configuration lists may read answers (CORS, as the Fetch standard says).
//! Credentials are headers that a page sets itself, so no cookie is ever allowed.

use actix_web::dev::ServiceRequest;
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};

use crate::service::Service;

/// What pages may send.
const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE";
const HEADERS: &str =
    "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, X-Request-Id";
/// What pages may read of an answer beside what the standard lets them.
const EXPOSED: &str = "Content-Disposition, Deprecation, ETag, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, \
                       Retry-After, Sunset, WWW-Authenticate, X-Request-Id";
/// How long a browser may remember what pages may send, in seconds.
const MAX_AGE_S: &str = "600";

/// What an answer says of origins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cors {
    /// Whether the answer depends on the origin at all.
    is_listed: bool,
    /// The origin that asks, where it is on the list.
    allowed: Option<HeaderValue>,
}

impl Cors {
    /// What the answer to that request says.
    pub(crate) fn of(request: &ServiceRequest) -> Self {
        let Some(service) = request.app_data::<web::Data<Service>>() else { return Self::default() };
        let listed = &service.settings().cors_origins;
        let origin = request.headers().get(header::ORIGIN);
        let is_allowed = |origin: &&HeaderValue| listed.iter().any(|one| one.as_bytes() == origin.as_bytes());
        Self { is_listed: !listed.is_empty(), allowed: origin.filter(is_allowed).cloned() }
    }

    /// The answer to a browser that asks what a page may send, if that is what the request is.
    pub(crate) fn preflight(&self, request: &ServiceRequest) -> Option<HttpResponse> {
        let asks = request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        if self.allowed.is_none() || !asks || request.method() != Method::OPTIONS {
            return None;
        }
        let mut answer = HttpResponse::new(StatusCode::NO_CONTENT);
        let headers = answer.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(HEADERS));
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE_S));
        Some(answer)
    }

    /// Says it.
    pub(crate) fn tell(&self, headers: &mut HeaderMap) {
        if self.is_listed {
            headers.append(header::VARY, HeaderValue::from_static("Origin"));
        }
        if let Some(origin) = &self.allowed {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
        }
    }
}
