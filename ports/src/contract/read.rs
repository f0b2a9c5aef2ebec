//! What cases read of the ledger: cells, postings, and changes with their items.

use domain::{Cell, Day};

use crate::ledger::{self, items};
use crate::store::ReadTx;
use crate::{Change, ChangeItem};

/// A cell that is not zero, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesCell {
    /// The index of the series.
    pub series: u32,
    /// The day that the sums belong to.
    pub day: Day,
    /// What its activities add up to.
    pub cell: Cell,
}

/// The cells of the tenant, by day, then series: the newest checkpoint and the later postings, added.
pub(super) async fn cells(tx: &mut dyn ReadTx) -> Vec<SeriesCell> {
    let kept = ledger::cells(tx.ledger()).await.expect("reads the cells");
    kept.cube().cells().map(|(series, day, cell)| SeriesCell { series, day, cell }).collect()
}

/// What the postings of later changes come to, by day, then series.
pub(super) async fn postings_since(tx: &mut dyn ReadTx, number: u64) -> Vec<SeriesCell> {
    let postings = ledger::postings_since(tx.ledger(), number).await.expect("reads postings");
    postings.cells().map(|(series, day, cell)| SeriesCell { series, day, cell: cell.clone() }).collect()
}

/// Up to `limit` later changes, with their items.
pub(super) async fn changes_since(tx: &mut dyn ReadTx, number: u64, limit: u32) -> Vec<(Change, Vec<ChangeItem>)> {
    let mut changes = Vec::new();
    for change in tx.ledger().changes_since(number, limit).await.expect("reads changes") {
        let of_change = items(tx.ledger(), change.number).await.expect("reads items");
        changes.push((change, of_change));
    }
    changes
}
