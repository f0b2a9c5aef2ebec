//! Series, postings, checkpoints and changes: what read models are built from and auditors read.

use crate::{Change, RecordKind, Version};
use async_trait::async_trait;
use domain::{PackedCells, SeriesKey};
use uuid::Uuid;

use crate::ledger::{Checkpoint, PackedItems, PackedLines, PartPlace, TextPlace};
use crate::store::StoreError;

/// Reads series, postings, checkpoints and changes.
///
/// The cells of a tenant are those of its newest checkpoint and the postings of all later changes, added. Where there is no
/// checkpoint, the postings of all changes are.
#[async_trait]
pub trait LedgerReader: Send {
    /// The series with the index `from` and above, in order of their index. Indexes count from 0 without gaps and are
    /// never given to another series.
    async fn series(&mut self, from: u32) -> Result<Vec<SeriesKey>, StoreError>;

    /// The newest checkpoint, if there is one. Never that of a later change than the head's.
    async fn checkpoint(&mut self) -> Result<Option<Checkpoint>, StoreError>;

    /// A part of the newest checkpoint. `Corrupt` when it has none such.
    async fn checkpoint_part(&mut self, part: u32) -> Result<PackedCells, StoreError>;

    /// Up to `limit` parts of postings behind that place, in order. Fewer than `limit` means that there are no more. A
    /// change that wrote no activity has none; within each part cells are by day, then series.
    async fn postings_since(
        &mut self,
        after: PartPlace,
        limit: u32,
    ) -> Result<Vec<(PartPlace, PackedCells)>, StoreError>;

    /// Up to `limit` changes later than `number`, in order.
    async fn changes_since(&mut self, number: u64, limit: u32) -> Result<Vec<Change>, StoreError>;

    /// Up to `limit` parts of items behind that place, in order. Fewer than `limit` means that there are no more. Every
    /// change has at least one.
    async fn items_since(&mut self, after: PartPlace, limit: u32) -> Result<Vec<(PartPlace, PackedItems)>, StoreError>;

    /// Up to `limit` parts of lines behind that place, in order. Fewer than `limit` means that there are no more. A change that
    /// is of no import has none; one of an import has a line for each item that left an activity, in their order.
    async fn lines_since(&mut self, after: PartPlace, limit: u32) -> Result<Vec<(PartPlace, PackedLines)>, StoreError>;

    /// The version of the record of that kind and identifier, if there is one.
    async fn version_of(&mut self, kind: RecordKind, id: Uuid) -> Result<Option<Version>, StoreError>;

    /// The newest change earlier than `number` that removed such a record, if there is one.
    async fn removal_before(&mut self, kind: RecordKind, id: Uuid, number: u64) -> Result<Option<u64>, StoreError>;
}

/// Writes what records do not bring along: from which lines they came, and which texts have to be forgotten. Nothing else of
/// the history can be written.
#[async_trait]
pub trait LedgerWriter: LedgerReader {
    /// Blanks the text at that place: its digest stays, and the transaction's change gets an item that says which version of
    /// which record lost its text. `Stale`, and nothing is written, where no such text of that digest stands there.
    /// Implementations MUST leave every other byte as it is.
    async fn blank(&mut self, text: &TextPlace) -> Result<(), StoreError>;

    /// Says from which lines of its file an import wrote the activities of this transaction that have no line yet: one for each
    /// item that left an activity, in their order.
    async fn note_lines(&mut self, lines: Vec<u64>) -> Result<(), StoreError>;
}
