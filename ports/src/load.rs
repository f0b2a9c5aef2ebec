//! Filling an empty tenant with records, series and changes exactly as they were stored elsewhere.

use crate::import_batch::ImportBatch;
use crate::ledger::{PackedItems, PackedLines, PartPlace};
use crate::{ChainHead, Change};
use async_trait::async_trait;
use domain::{Digest, PackedCells, SeriesKey};

use crate::store::StoreError;

pub use crate::any_record::AnyRecord;

/// The filling of an empty tenant: one transaction. [`finish`](Load::finish) consumes it; dropping it undoes everything.
///
/// The store keeps what it is given without judging it: whoever loads checks the digests, the chain and what the postings
/// add up to before. It does refuse what its own rules refuse: a doubled id, syncId or slug, a reference to a record that
/// was not loaded before.
///
/// After any error nothing more can be done with it.
#[async_trait]
pub trait Load: Send {
    /// The series, in order of their index from 0. May name nodes that are gone. Once, before the first activity.
    async fn series(&mut self, series: Vec<SeriesKey>) -> Result<(), StoreError>;

    /// Records of any kinds with their own times and versions, each behind those that it refers to.
    async fn records(&mut self, records: Vec<AnyRecord>) -> Result<(), StoreError>;

    /// The next changes, in order from number 1.
    async fn changes(&mut self, changes: Vec<Change>) -> Result<(), StoreError>;

    /// The next parts of items, in order from part 0 of change 1, each behind its change.
    async fn items(&mut self, items: Vec<(PartPlace, PackedItems)>) -> Result<(), StoreError>;

    /// The next parts of postings, in order from the first change that has any, each behind its change.
    async fn postings(&mut self, postings: Vec<(PartPlace, PackedCells)>) -> Result<(), StoreError>;

    /// The next parts of lines, in order from the first change that has any, each behind its change.
    async fn lines(&mut self, lines: Vec<(PartPlace, PackedLines)>) -> Result<(), StoreError>;

    /// Imports as they were stored.
    async fn imports(&mut self, imports: Vec<ImportBatch>) -> Result<(), StoreError>;

    /// Sets the head, under a new epoch, makes it all durable and visible, and gives the head.
    async fn finish(self: Box<Self>, end: LoadEnd) -> Result<ChainHead, StoreError>;
}

/// Where a history that was loaded ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadEnd {
    /// The number of the newest change.
    pub number: u64,
    /// The digest of the chain up to and with that change.
    pub digest: Digest,
    /// The number of the newest change that touched a node, a product, a factor or a closed period.
    pub catalog: u64,
    /// The highest number a footprint ever had.
    pub footprints: u64,
}
