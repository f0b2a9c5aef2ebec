//! The change chain of a load.

use ports::store::StoreError;
use ports::{Change, ChangeItem};

use super::{Filling, writes_activities};
use crate::bulk::{Kind, Rows, Target};
use crate::error::failed;
use crate::item::Items;

/// How many rows of items are sent at a time.
const MOST: usize = 1_000;
/// How many bytes: what was replaced may be long.
const MOST_BYTES: usize = 8 << 20;

const CHANGE: Target = Target {
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
    /// Writes the changes that come next, with their items.
    pub(super) async fn changes(&mut self, changes: &[(Change, Vec<ChangeItem>)]) -> Result<(), StoreError> {
        let (mut rows, mut packed) = (Rows::new(&CHANGE), Items::new());
        for (change, items) in changes {
            let Change { number, at, actor, cause, digest } = change;
            self.changes += 1;
            if *number != self.changes {
                return Err(failed(format!("change {number} does not come next")));
            }
            let number = i64::try_from(*number).map_err(|_| failed("a change's number is out of range"))?;
            rows.row().bigint(number).timestamp(*at).text(actor).text(cause).digest(*digest);
            for (item, ordinal) in items.iter().zip(0_u32..) {
                packed.push(self.changes, ordinal, item)?;
                if packed.rows() >= MOST || packed.bytes() >= MOST_BYTES {
                    std::mem::replace(&mut packed, Items::new()).insert(&mut self.conn, self.bulk).await?;
                }
            }
            if writes_activities(items) {
                self.booked = self.changes;
            }
        }
        packed.insert(&mut self.conn, self.bulk).await?;
        rows.insert(&mut self.conn, self.bulk).await
    }
}
