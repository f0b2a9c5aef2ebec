//! Where the texts of a record's replaced versions stand, for those that have to be forgotten.

use uuid::Uuid;

use super::text_place::TextPlace;
use super::{PartPlace, history};
use crate::change::BlankedVersion;
use crate::record::RecordKind;
use crate::repo::LedgerReader;
use crate::store::StoreError;

/// How many parts of items are read at a time.
const PARTS: u32 = 8;

/// The texts of a record's replaced versions that are still there, the newest first; those that are blanked are left out.
/// `None` when there never was such a record.
pub async fn texts(
    ledger: &mut (dyn LedgerReader + '_),
    kind: RecordKind,
    id: Uuid,
) -> Result<Option<Vec<TextPlace>>, StoreError> {
    let versions = history(ledger, kind, id, usize::MAX).await?;
    let mut changes: Vec<u64> = versions
        .iter()
        .filter(|past| past.item.replaced().is_some_and(|replaced| replaced.text.is_some()))
        .map(|past| past.change.number)
        .collect();
    changes.dedup();
    let mut found = Vec::new();
    for change in changes {
        let first = found.len();
        of_change(ledger, change, (kind, id), &mut found).await?;
        found.get_mut(first..).unwrap_or_default().reverse();
    }
    Ok(if versions.is_empty() { None } else { Some(found) })
}

/// The texts of the record in the items of one change, in order.
async fn of_change(
    ledger: &mut (dyn LedgerReader + '_),
    change: u64,
    (kind, id): (RecordKind, Uuid),
    found: &mut Vec<TextPlace>,
) -> Result<(), StoreError> {
    let mut after = PartPlace::behind(change.saturating_sub(1));
    loop {
        let parts = ledger.items_since(after, PARTS).await?;
        for (place, part) in &parts {
            if place.change != change {
                return Ok(());
            }
            for read in part.items_with_texts() {
                let (item, bytes) = read.map_err(|error| StoreError::Corrupt {
                    subject: format!("change {change}"),
                    detail: error.to_string(),
                })?;
                let (Some(replaced), Some(bytes)) = (item.replaced(), bytes) else { continue };
                if (item.kind, item.id) == (kind, id) {
                    let version = BlankedVersion { version: replaced.version, digest: replaced.digest };
                    found.push(TextPlace { part: *place, bytes, kind, id, version });
                }
            }
        }
        match parts.last() {
            Some((place, _)) if parts.len() >= PARTS as usize => after = *place,
            Some(_) | None => return Ok(()),
        }
    }
}
