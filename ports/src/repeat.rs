//! Requests that may be sent again: the key that says so, and the first answer, which is stored with what it wrote.

use domain::{Digest, Timestamp};
use sha2::{Digest as _, Sha256};

/// How long a first answer counts, in milliseconds: a day.
pub const ANSWER_MS: i64 = 24 * 60 * 60 * 1_000;

/// Identifies a request that may be sent again, among those of its tenant: the digest of who sends it, to which address,
/// under which `Idempotency-Key`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestKey(Digest);

impl RequestKey {
    /// The key of what `actor` sends to `route` under that `Idempotency-Key`.
    #[must_use]
    pub fn new(actor: &str, route: &str, key: &str) -> Self {
        Self(digest_of([actor.as_bytes(), route.as_bytes(), key.as_bytes()]))
    }

    /// The key that was stored as this digest.
    #[must_use]
    pub const fn from_stored(digest: Digest) -> Self {
        Self(digest)
    }

    /// The digest that is stored.
    #[must_use]
    pub const fn digest(self) -> Digest {
        self.0
    }
}

/// A request that may be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyedRequest {
    /// What is the same whenever it is sent.
    pub key: RequestKey,
    /// The digest of what is asked: another one under the same key is another request.
    pub content: Digest,
}

impl KeyedRequest {
    /// A request of that query and body.
    #[must_use]
    pub fn new(key: RequestKey, query: &str, body: &[u8]) -> Self {
        Self { key, content: digest_of([query.as_bytes(), body]) }
    }
}

/// Each part is preceded by its length, so no two lists of parts share their bytes.
fn digest_of<const N: usize>(parts: [&[u8]; N]) -> Digest {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    Digest::from_stored(hash.finalize().into())
}

/// What a request that may be sent again was answered the first time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstAnswer {
    /// The status of HTTP.
    pub status: u16,
    /// The address of what was made, as `Location` says it.
    pub location: Option<String>,
    /// The tag of what was made, as `ETag` says it.
    pub etag: Option<String>,
    /// The body, byte for byte.
    pub body: Vec<u8>,
}

/// A first answer as a store has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAnswer {
    /// The digest of what was asked.
    pub content: Digest,
    /// What it was answered.
    pub answer: FirstAnswer,
}

/// The moment before which answers were stored that count no more at that moment.
#[must_use]
pub fn outdated_before(now: Timestamp) -> Timestamp {
    Timestamp::from_millis(now.millis().saturating_sub(ANSWER_MS)).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_by_who_asks_where_and_under_which_key() {
        let key = RequestKey::new("key:1", "POST /v1/switch", "a");
        assert_eq!(key, RequestKey::new("key:1", "POST /v1/switch", "a"));
        for other in [
            RequestKey::new("key:2", "POST /v1/switch", "a"),
            RequestKey::new("key:1", "POST /v1/model", "a"),
            RequestKey::new("key:1", "POST /v1/switch", "b"),
            RequestKey::new("key:1P", "OST /v1/switch", "a"),
        ] {
            assert_ne!(key, other);
        }
    }

    #[test]
    fn an_answer_is_outdated_after_a_day() {
        let now = Timestamp::parse("2025-01-02T03:04:05.678Z").unwrap();
        assert_eq!(outdated_before(now).to_string(), "2025-01-01T03:04:05.678Z");
    }
}
