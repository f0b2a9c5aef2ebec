//! How records of one kind are read and written.

mod activity;
mod answer;
mod exchange;
mod factor;
mod footprint;
mod import_batch;
mod ledger;
mod partner;
mod period;
mod product;
mod tree;

use crate::{Entity, Stored, Version};
use async_trait::async_trait;

pub use crate::record::Use;
pub use activity::{ActivityReader, ActivityWrite, ActivityWriter, Edge, OnDays, Pending, Place, Side};
pub use answer::{AnswerReader, AnswerWriter, SWEPT, SWEPT_AT_ONCE};
pub use exchange::{ExchangeReader, ExchangeWriter};
pub use factor::FactorReader;
pub use footprint::{FootprintReader, RENEWED_AT_ONCE, Shown, ShownBatch, Valid, ValidBatch};
pub use import_batch::{ImportReader, ImportWriter};
pub use ledger::{LedgerReader, LedgerWriter};
pub use partner::{PartnerReader, SharingReader};
pub use period::PeriodReader;
pub use product::ProductReader;
pub use tree::{TaxonomyReader, TreeReader};

use crate::store::StoreError;

/// Reads records of one kind.
#[async_trait]
pub trait Reader<T: Entity>: Send {
    /// The record of that id, if there is one.
    async fn find(&mut self, id: T::Id) -> Result<Option<Stored<T>>, StoreError>;

    /// The records of those ids, those that exist, in no order. Ids may repeat; a record comes once.
    async fn find_all(&mut self, ids: &[T::Id]) -> Result<Vec<Stored<T>>, StoreError>;

    /// The record of this kind with that syncId, if there is one.
    async fn find_by_sync_id(&mut self, sync_id: &T::SyncId) -> Result<Option<Stored<T>>, StoreError>;

    /// One page of the records that the query asks for, by [`Entity::order`] then id.
    async fn list(&mut self, query: &Query<T>) -> Result<Listing<Stored<T>>, StoreError>;

    /// What refers to the record, kind by kind; empty when nothing does. Inputs and factors count as uses of the product
    /// they belong to, a correction as one of the factor that it corrects, inputs do not count as uses of their model. A footprint is used by the others whose
    /// `precedingPfIds` name it by its number.
    async fn uses(&mut self, id: T::Id) -> Result<Vec<Use>, StoreError>;
}

/// Writes records of one kind. Each call leaves the transaction as it was when it returns `Conflict` or `Stale`.
#[async_trait]
pub trait Writer<T: Entity>: Reader<T> {
    /// Adds a new record. `Conflict` when its id or syncId is taken, a slug is doubled among siblings, or one of its
    /// [`references`](Entity::references) is to a record that does not exist.
    async fn add(&mut self, record: T) -> Result<Stored<T>, StoreError>;

    /// Replaces the record of the same id. `Stale` unless its version is `seen`; `Conflict` as for `add`.
    async fn update(&mut self, record: T, seen: Version) -> Result<Stored<T>, StoreError>;

    /// Removes the record. `Stale` unless its version is `seen`; `Conflict` while it is in use. Removing a model removes
    /// its inputs, each an item of the change.
    async fn remove(&mut self, id: T::Id, seen: Version) -> Result<(), StoreError>;
}

/// Which records of a kind to list.
#[derive(Clone, Debug, PartialEq)]
pub struct Query<T: Entity> {
    /// Only the parts of this record.
    pub parent: Option<T::Parent>,
    /// Only the one with this syncId.
    pub sync_id: Option<T::SyncId>,
    /// Which part of the list is returned.
    pub page: Page,
}

impl<T: Entity> Query<T> {
    /// That page of all records.
    #[must_use]
    pub const fn all(page: Page) -> Self {
        Self { parent: None, sync_id: None, page }
    }

    /// That page of the parts of that record.
    #[must_use]
    pub const fn of(parent: T::Parent, page: Page) -> Self {
        Self { parent: Some(parent), sync_id: None, page }
    }
}

/// A page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Counts from 1.
    pub number: u32,
    /// Records a page, 1 to 1000.
    pub size: u32,
}

impl Page {
    /// The page when none is asked for: the first 100.
    pub const FIRST: Self = Self { number: 1, size: 100 };

    /// How many records stand on the pages before.
    #[must_use]
    pub fn offset(self) -> u64 {
        u64::from(self.number.saturating_sub(1)) * u64::from(self.size)
    }
}

/// One page of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing<T> {
    /// How many there are on all pages.
    pub count: u64,
    /// The page that was asked for.
    pub page: Page,
    /// The records on it.
    pub data: Vec<T>,
}

impl<T> Listing<T> {
    /// The same page of other values.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Listing<U> {
        Listing { count: self.count, page: self.page, data: self.data.into_iter().map(change).collect() }
    }
}
