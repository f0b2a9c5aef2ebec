//! The change chain of a load.

use domain::{Change, ChangeItem};
use ports::store::StoreError;

use super::{Filling, writes_activities};
use crate::bulk::{Kind, Rows, Target};
use crate::error::failed;
use crate::session::{kind_code, verb_code};

/// How many items are sent at a time.
const MOST: usize = 10_000;

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

const ITEM: Target = Target {
    table: "tonne.change_item",
    columns: &[
        ("change", Kind::Bigint),
        ("ordinal", Kind::Integer),
        ("verb", Kind::Smallint),
        ("kind", Kind::Smallint),
        ("id", Kind::Uuid),
        ("digest", Kind::Bytes),
        ("replaced", Kind::Text),
    ],
    end: "",
};

impl Filling {
    /// Writes the changes that come next, with their items.
    pub(super) async fn changes(&mut self, changes: &[(Change, Vec<ChangeItem>)]) -> Result<(), StoreError> {
        let (mut rows, mut item_rows, mut waiting) = (Rows::new(&CHANGE), Rows::new(&ITEM), 0);
        for (change, items) in changes {
            let Change { number, at, actor, cause, digest } = change;
            self.changes += 1;
            if *number != self.changes {
                return Err(failed(format!("change {number} does not come next")));
            }
            let number = i64::try_from(*number).map_err(|_| failed("a change's number is out of range"))?;
            rows.row().bigint(number).timestamp(*at).text(actor).text(cause).digest(*digest);
            for (item, ordinal) in items.iter().zip(0_i32..) {
                let ChangeItem { verb, kind, id, digest, replaced } = item;
                let mut row = item_rows.row();
                row.bigint(number).integer(ordinal).smallint(verb_code(*verb)).smallint(kind_code(*kind));
                row.id(*id).digest(*digest).text_or_null(replaced.as_deref());
                waiting += 1;
                if waiting == MOST {
                    std::mem::replace(&mut item_rows, Rows::new(&ITEM)).insert(&mut self.conn, self.bulk).await?;
                    waiting = 0;
                }
            }
            if writes_activities(items) {
                self.booked = self.changes;
            }
        }
        item_rows.insert(&mut self.conn, self.bulk).await?;
        rows.insert(&mut self.conn, self.bulk).await
    }
}
