//! The id that answers and the log name a request by.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::HeaderMap;
use actix_web::{FromRequest, HttpMessage, HttpRequest};

use crate::problem::Problem;

/// The header that carries it, in and out.
pub(crate) const HEADER: &str = "x-request-id";

/// The longest id that is taken over from a request.
const MAX_LENGTH: usize = 128;

/// The identifier of a request, in the log and in the header `X-Request-Id`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequestId(String);

impl RequestId {
    /// The one that the request brings, if it is one word of plain characters; else a new one.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let mut given = headers.get_all(HEADER).filter_map(|value| value.to_str().ok());
        match (given.next(), given.next()) {
            (Some(id), None) if is_sane(id) => Self(id.to_owned()),
            _ => Self::new(),
        }
    }

    /// A new one: unlike those of other processes by chance, and of this one by counting.
    pub(crate) fn new() -> Self {
        static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());
        static COUNT: AtomicU64 = AtomicU64::new(1);
        Self(format!("{:016x}-{:x}", *PROCESS, COUNT.fetch_add(1, Ordering::Relaxed)))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromRequest for RequestId {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let id = request.extensions().get::<Self>().cloned();
        ready(Ok(id.unwrap_or_else(|| Self::of(request.headers()))))
    }
}

fn is_sane(id: &str) -> bool {
    (1..=MAX_LENGTH).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(&b))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    fn of(values: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(HeaderName::from_static(HEADER), HeaderValue::from_str(value).unwrap());
        }
        RequestId::of(&headers).0
    }

    #[test]
    fn a_plain_word_is_taken_over() {
        assert_eq!(of(&["4bf92f35-77b3_4d.a:6"]), "4bf92f35-77b3_4d.a:6");
    }

    #[test]
    fn anything_else_is_replaced() {
        let long = "x".repeat(129);
        for values in [vec![], vec![""], vec!["two words"], vec!["<b>"], vec!["one", "two"], vec![long.as_str()]] {
            assert!(!values.contains(&of(&values).as_str()), "{values:?}");
        }
    }

    #[test]
    fn new_ones_differ() {
        assert_ne!(of(&[]), of(&[]));
    }
}
