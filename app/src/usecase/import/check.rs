//! Whether an import may be undone: nobody has edited what it left, and what was before can be put back.

use std::collections::HashSet;

use domain::Activity;
use ports::import_batch::ImportBatch;
use ports::inbound::Error;
use ports::store::{ReadTx, StoreError};
use ports::{Action, ChangeItem, RecordKind};

use super::closed::refuse_undo;
use super::edited::{Places, edited, is_same, parse};
use super::missing::Missing;
use super::parts::{PARTS_AT_ONCE, changes_of, count_parts, items_of};
use super::take_back::standing;
use super::untouched::is_untouched;
use crate::counted::counted;

/// How many records that stand in the way are named.
const NAMED: usize = 5;

/// Refuses where somebody's later edit stands on a record of the import, or where what a record was before needs what is not
/// there any more, and names some of them.
pub(super) async fn check(tx: &mut dyn ReadTx, batch: &ImportBatch) -> Result<(), Error> {
    let (cause, changes) = (batch.undo_cause(), changes_of(tx.ledger(), batch).await?);
    refuse_undo(tx, &changes).await?;
    if is_untouched(tx, batch, &changes).await? {
        return Ok(());
    }
    // What later changes of its own wrote once more is looked at there.
    let (mut own, mut count, mut named) = (HashSet::new(), 0_usize, Vec::new());
    let (mut missing, mut places) = (Missing::default(), Places::default());
    for change in changes.iter().rev().copied() {
        let mut parts = count_parts(tx.ledger(), change).await?;
        while parts > 0 {
            let from = parts.saturating_sub(PARTS_AT_ONCE);
            let (mut items, _) = items_of(tx.ledger(), change, from, parts - from).await?;
            parts = from;
            items.retain(|item| item.kind == RecordKind::Activity && !own.contains(&item.id));
            let found = standing(tx, &items).await?;
            missing.look_at(tx, &before(change, &items)?, &changes).await?;
            let later: Vec<_> = found.values().filter(|stored| stored.version.0 != change).collect();
            for id in edited(tx, change, &cause, &later, (&mut places, is_same)).await? {
                count += 1;
                if let Some(stored) = found.get(&id).filter(|_| named.len() < NAMED) {
                    named.push((id.uuid(), Some(stored.version.0)));
                }
            }
            for item in items.iter().rev() {
                let Action::Updated { replaced, .. } = &item.action else { continue };
                if !found.contains_key(&item.id.into()) && !own.contains(&item.id) {
                    count += 1;
                    if named.len() < NAMED {
                        named.push((item.id, tx.ledger().removal_before(item.kind, item.id, u64::MAX).await?));
                    }
                }
                if changes.binary_search(&replaced.version.0).is_ok() {
                    own.insert(item.id);
                }
            }
        }
    }
    if count > 0 {
        return Err(refused(tx, count, named).await?);
    }
    let missing = missing.into_sentences();
    if missing.is_empty() { Ok(()) } else { Err(cannot_be_restored(&missing)) }
}

/// What activities were before that change.
fn before(change: u64, items: &[ChangeItem]) -> Result<Vec<Activity>, Error> {
    let texts = items.iter().filter_map(|item| match &item.action {
        Action::Updated { replaced, .. } => replaced.text.as_deref(),
        Action::Added(_) | Action::Removed(_) | Action::Blanked(_) => None,
    });
    texts.map(|text| parse(text, change)).collect()
}

/// That earlier contents cannot be put back, with some of what they need.
fn cannot_be_restored(missing: &[String]) -> Error {
    let detail = format!(
        "the import cannot be undone: what its activities were before cannot be put back: {}{}; give back what is taken, then \
         undo it again; where a record is gone for good, change these activities one by one",
        missing.get(..NAMED.min(missing.len())).unwrap_or_default().join(", "),
        if missing.len() > NAMED { ", ..." } else { "" }
    );
    Error::Conflict { pointer: String::new(), detail }
}

/// That records were edited since, with who edited some of them and when.
async fn refused(
    tx: &mut dyn ReadTx,
    count: usize,
    named: Vec<(uuid::Uuid, Option<u64>)>,
) -> Result<Error, StoreError> {
    let mut such = Vec::new();
    for (id, number) in named {
        let change = match number {
            Some(number) => tx.ledger().changes_since(number.saturating_sub(1), 1).await?.pop(),
            None => None,
        };
        such.push(match change {
            Some(change) => format!("{id} ({} by {} at {})", change.cause, change.actor, change.at),
            None => id.to_string(),
        });
    }
    let edited = counted(count as u64, "of its activities was", "of its activities were");
    let detail = format!(
        "the import cannot be undone: {edited} edited since, and that would be lost: {}{}; remove \
         those that it created, give the others the content that they had behind it, then undo it again",
        such.join(", "),
        if count > such.len() { ", ..." } else { "" }
    );
    Ok(Error::Conflict { pointer: String::new(), detail })
}
