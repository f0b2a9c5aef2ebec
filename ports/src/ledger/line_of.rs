//! From which line of its file an import wrote an activity.

use std::fmt;

use domain::ActivityId;

use super::PartPlace;
use crate::change::{Action, ChangeItem};
use crate::record::RecordKind;
use crate::repo::LedgerReader;
use crate::store::StoreError;

/// How many parts are read at a time.
const PARTS: u32 = 8;

/// Whether the item left an activity, and so has a line where its change is an import's.
#[must_use]
pub fn has_line(item: &ChangeItem) -> bool {
    item.kind == RecordKind::Activity && matches!(item.action, Action::Added(_) | Action::Updated { .. })
}

/// The line from which the change of that number wrote the activity, the last one where there were several; `None` where the
/// change is of no import or did not write it.
pub async fn line_of(
    ledger: &mut (dyn LedgerReader + '_),
    change: u64,
    activity: ActivityId,
) -> Result<Option<u64>, StoreError> {
    let Some(place) = place_of(ledger, change, activity).await? else { return Ok(None) };
    let (mut after, mut before) = (PartPlace::behind(change.saturating_sub(1)), 0);
    loop {
        let parts = ledger.lines_since(after, PARTS).await?;
        for (at, part) in parts.iter().filter(|(at, _)| at.change == change) {
            let lines = part.lines().map_err(|error| damaged(change, &error))?;
            if let Some(line) = lines.get(place - before) {
                return Ok(Some(*line));
            }
            before += lines.len();
            after = *at;
        }
        if parts.len() < PARTS as usize || parts.last().is_none_or(|(at, _)| at.change != change) {
            return if before == 0 { Ok(None) } else { Err(damaged(change, &"it has fewer lines than activities")) };
        }
    }
}

/// How many items with a line stand before the last one of the activity in that change.
async fn place_of(
    ledger: &mut (dyn LedgerReader + '_),
    change: u64,
    activity: ActivityId,
) -> Result<Option<usize>, StoreError> {
    let (mut after, mut count, mut found) = (PartPlace::behind(change.saturating_sub(1)), 0_usize, None);
    loop {
        let parts = ledger.items_since(after, PARTS).await?;
        for (at, part) in parts.iter().filter(|(at, _)| at.change == change) {
            for item in part.items() {
                let item = item.map_err(|error| damaged(change, &error))?;
                if has_line(&item) {
                    found = if item.id == activity.uuid() { Some(count) } else { found };
                    count += 1;
                }
            }
            after = *at;
        }
        if parts.len() < PARTS as usize || parts.last().is_none_or(|(at, _)| at.change != change) {
            return Ok(found);
        }
    }
}

fn damaged(change: u64, detail: &dyn fmt::Display) -> StoreError {
    StoreError::Corrupt { subject: format!("change {change}"), detail: detail.to_string() }
}
