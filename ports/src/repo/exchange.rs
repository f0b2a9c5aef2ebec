//! What is kept of the exchange with partners beside records.

use async_trait::async_trait;
use domain::{PartnerId, Timestamp};

use super::{Listing, Page};
use crate::exchange::{ExchangeKind, ExchangeRow};
use crate::store::StoreError;

/// Reads rows of the exchange.
#[async_trait]
pub trait ExchangeReader: Send {
    /// The row of that kind and id, if there is one.
    async fn find(&mut self, kind: ExchangeKind, id: String) -> Result<Option<ExchangeRow>, StoreError>;

    /// One page of a partner's rows of a kind, the newest first, those of one moment by their id, the highest first.
    async fn list(
        &mut self,
        kind: ExchangeKind,
        partner: PartnerId,
        page: Page,
    ) -> Result<Listing<ExchangeRow>, StoreError>;

    /// Up to `limit` partners with a row that is due at `now`, each once and with the moment that its first one is due, the
    /// earliest first, then by the partner's id. Costs by the number of partners, however many of their rows are due.
    async fn due_partners(&mut self, now: Timestamp, limit: u32) -> Result<Vec<(PartnerId, Timestamp)>, StoreError>;

    /// Up to `limit` rows of a partner that are due at `now`, the one that is due longest first, then by id.
    async fn due(&mut self, partner: PartnerId, now: Timestamp, limit: u32) -> Result<Vec<ExchangeRow>, StoreError>;

    /// How many rows of a partner are due at some time.
    async fn waiting(&mut self, partner: PartnerId) -> Result<u64, StoreError>;
}

/// Writes rows of the exchange, in the transaction of what they are about. A transaction that writes nothing else makes no
/// change and is committed all the same.
#[async_trait]
pub trait ExchangeWriter: ExchangeReader {
    /// Stores a row, in place of what is stored under its kind and id.
    async fn put(&mut self, row: ExchangeRow) -> Result<(), StoreError>;

    /// Removes the row of that kind and id, if there is one.
    async fn remove(&mut self, kind: ExchangeKind, id: String) -> Result<(), StoreError>;

    /// Removes up to `limit` rows of a kind that were written before that moment and that are not due, those written first before
    /// the others. Gives how many.
    async fn remove_before(&mut self, kind: ExchangeKind, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes every row about a partner.
    async fn remove_partner(&mut self, partner: PartnerId) -> Result<(), StoreError>;
}
