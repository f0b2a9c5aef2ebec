//! Series, cells and changes: what read_models are built from and auditors read.

use crate::{Change, ChangeItem};
use async_trait::async_trait;
use domain::{Cell, Day, SeriesKey};

use crate::store::StoreError;

/// Reads series, cells and changes.
#[async_trait]
pub trait LedgerReader: Send {
    /// The series with the index `from` and above, in order of their index. Indexes count from 0 without gaps and are
    /// never given to another series.
    async fn series(&mut self, from: u32) -> Result<Vec<SeriesKey>, StoreError>;

    /// The cells that changes later than `number` wrote, with their present value, zero ones included, in order of day
    /// then series. All cells for `number` 0.
    async fn cells_since(&mut self, number: u64) -> Result<Vec<SeriesCell>, StoreError>;

    /// Up to `limit` changes later than `number`, in order.
    async fn changes_since(&mut self, number: u64, limit: u32) -> Result<Vec<(Change, Vec<ChangeItem>)>, StoreError>;
}

/// A series on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeriesCell {
    /// The index of the series.
    pub series: u32,
    /// The day.
    pub day: Day,
    /// What its activities add up to.
    pub cell: Cell,
}
