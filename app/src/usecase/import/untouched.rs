//! Whether nobody wrote on what an import left, as far as that is seen from the changes of others alone: they are mostly few, where
//! the import is large.

use ports::import_batch::ImportBatch;
use ports::inbound::Error;
use ports::store::ReadTx;
use ports::{ChangeItem, RecordKind};

use super::parts::items_of;

/// How many changes are listed at once, and how many of others are looked at.
const CHANGES: u32 = 1_000;
const MOST: u32 = 1_000;
/// How many parts of a change are read at a time, and how many of all changes of others.
const PARTS: u32 = 4;
const MOST_PARTS: u32 = 256;

/// Whether no change behind the first of `changes`, those of the import, wrote on an activity as the import left it. False
/// also says that it has to be looked at record by record: always where others wrote and earlier contents are to be put
/// back.
pub(super) async fn is_untouched(tx: &mut dyn ReadTx, batch: &ImportBatch, changes: &[u64]) -> Result<bool, Error> {
    let Some(mut after) = changes.first().copied() else { return Ok(true) };
    let (mut others, mut parts_left) = (0, MOST_PARTS);
    loop {
        let listed = tx.ledger().changes_since(after, CHANGES).await?;
        let Some(newest) = listed.last().map(|change| change.number) else { return Ok(true) };
        for change in listed.iter().filter(|change| changes.binary_search(&change.number).is_err()) {
            others += 1;
            if batch.counts.updated > 0 || others > MOST {
                return Ok(false);
            }
            if !leaves(tx, change.number, changes, &mut parts_left).await? {
                return Ok(false);
            }
        }
        after = newest;
    }
}

/// Whether a change replaced nothing that one of `changes` left of an activity, as far as `parts_left` more parts tell: false
/// too where it has more of them.
async fn leaves(tx: &mut dyn ReadTx, change: u64, changes: &[u64], parts_left: &mut u32) -> Result<bool, Error> {
    let is_edit = |item: &ChangeItem| {
        let is_of_import = |replaced: &ports::Replaced| changes.binary_search(&replaced.version.0).is_ok();
        item.kind == RecordKind::Activity && item.replaced().is_some_and(is_of_import)
    };
    let mut from = 0;
    loop {
        let (items, parts) = items_of(tx.ledger(), change, from, PARTS).await?;
        let Some(left) = parts_left.checked_sub(parts) else { return Ok(false) };
        *parts_left = left;
        if items.iter().any(is_edit) {
            return Ok(false);
        }
        if parts < PARTS {
            return Ok(true);
        }
        from += parts;
    }
}
