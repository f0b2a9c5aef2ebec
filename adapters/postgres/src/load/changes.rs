//! The change chain of a load.

use ports::Change;
use ports::ledger::{PackedItems, PartPlace, Parts, Removal};
use ports::store::StoreError;

use super::Filling;
use crate::bulk::{Kind, Rows, Target};
use crate::error::failed;
use crate::ledger;

static CHANGE: Target = Target {
    table: "tonne.change",
    columns: &[
        ("number", Kind::Bigint),
        ("at", Kind::Timestamp),
        ("actor", Kind::Text),
        ("cause", Kind::Text),
        ("digest", Kind::Bytes),
    ],
    end: "",
};

impl Filling {
    /// Writes the changes that come next.
    pub(super) async fn changes(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        let mut rows = Rows::new(&CHANGE);
        for Change { number, at, actor, cause, digest } in changes {
            self.changes += 1;
            if *number != self.changes {
                return Err(failed(format!("change {number} does not come next")));
            }
            let number = i64::try_from(*number).map_err(|_| failed("a change's number is out of range"))?;
            rows.row().bigint(number).timestamp(*at).text(actor).text(cause).digest(*digest);
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
