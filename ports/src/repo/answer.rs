//! First answers to requests that may be sent again. They are no records: no change of the chain lists them, nothing is
//! exported of them, and no digest binds them.

use async_trait::async_trait;
use domain::Timestamp;

use crate::repeat::{FirstAnswer, KeyedRequest, RequestKey, StoredAnswer};
use crate::store::StoreError;

/// Reads first answers.
#[async_trait]
pub trait AnswerReader: Send {
    /// The first answer to the request of that key, if it was stored within the day before `now`
    /// ([`outdated_before`](crate::repeat::outdated_before)).
    async fn find(&mut self, key: RequestKey, now: Timestamp) -> Result<Option<StoredAnswer>, StoreError>;

    /// How many answers are outdated at `now` and still stored.
    async fn count_outdated(&mut self, now: Timestamp) -> Result<u64, StoreError>;
}

/// Writes first answers, each in the transaction of what it answers, at that transaction's time. A transaction that writes
/// nothing else makes no change and is committed all the same.
#[async_trait]
pub trait AnswerWriter: AnswerReader {
    /// Stores the first answer to a request, in place of one that is outdated. `Conflict` with
    /// [`Conflict::Repeated`](crate::store::Conflict::Repeated) when the key has one that is not.
    ///
    /// Implementations MUST remove outdated answers to other requests meanwhile, at least two and at most [`SWEPT`], as
    /// long as there are any.
    async fn add(&mut self, request: KeyedRequest, answer: FirstAnswer) -> Result<(), StoreError>;
}

/// How many outdated answers are removed at most when one is stored.
pub const SWEPT: u32 = 100;

/// How many outdated answers one call removes at most that does nothing else.
pub const SWEPT_AT_ONCE: u32 = 1_000;
