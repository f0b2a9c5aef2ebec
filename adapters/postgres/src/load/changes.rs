//! The change chain of a load.

use ports::Change;
use ports::ledger::{PackedItems, PartPlace, Parts, Removal};
use ports::store::StoreError;

use super::Filling;
use crate::error::failed;
use crate::ledger;

impl Filling {
    /// Writes the changes that come next.
    pub(super) async fn changes(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        let mut rows = ledger::changes();
        for change in changes {
            self.changes += 1;
            if change.number != self.changes {
                return Err(failed(format!("change {} does not come next", change.number)));
            }
            ledger::change_row(&mut rows, change)?;
        }
        rows.insert(&mut self.conn, self.bulk).await
    }

    /// Writes parts of items, and which records they removed.
    pub(super) async fn items(&mut self, items: Vec<(PartPlace, PackedItems)>) -> Result<(), StoreError> {
        let mut removals = Vec::new();
        for (place, part) in &items {
            for item in part.items() {
                let item = item.map_err(|error| StoreError::Failed(Box::new(error)))?;
                removals.extend(Removal::of(&item, place.change));
            }
        }
        ledger::write(&mut self.conn, Parts { items, removals, ..Parts::default() }).await
    }
}
