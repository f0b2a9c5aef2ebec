//! What became of one record, from its newest version back to its first.

use uuid::Uuid;

use super::PartPlace;
use crate::change::{Change, ChangeItem};
use crate::record::RecordKind;
use crate::repo::LedgerReader;
use crate::store::StoreError;

/// How many parts of items are read at a time.
const PARTS: u32 = 8;

/// What one change did to a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastVersion {
    /// The change that made the version.
    pub change: Change,
    /// Its item: how the change left the record and which version it replaced.
    pub item: ChangeItem,
}

/// What changes did to a record, the newest first, at most `limit` of them; empty when there never was one. A record
/// that was removed and added again under its identifier has one history.
///
/// Each step reads the items of one change: items name the change before, so nothing is searched.
pub async fn history(
    ledger: &mut (dyn LedgerReader + '_),
    kind: RecordKind,
    id: Uuid,
    limit: usize,
) -> Result<Vec<PastVersion>, StoreError> {
    let mut versions: Vec<PastVersion> = Vec::new();
    let mut next = match ledger.version_of(kind, id).await? {
        Some(version) => Some(version.0),
        None => ledger.removal_before(kind, id, u64::MAX).await?,
    };
    while let Some(number) = next.filter(|_| versions.len() < limit) {
        let lost = |detail: &str| StoreError::Corrupt {
            subject: format!("change {number}"),
            detail: format!("{detail} {kind} {id}, though a later one says that it wrote it"),
        };
        let change = ledger.changes_since(number - 1, 1).await?.into_iter().find(|change| change.number == number);
        let change = change.ok_or_else(|| lost("is missing and cannot say what it did to"))?;
        let is_of_record = |item: &ChangeItem| (item.kind, item.id) == (kind, id) && item.blanked().is_none();
        let of_record = collect(ledger, number, is_of_record).await?;
        let Some(oldest) = of_record.first() else { return Err(lost("has no item of")) };
        let before = oldest.replaced().map(|replaced| replaced.version.0);
        versions.extend(of_record.into_iter().rev().map(|item| PastVersion { change: change.clone(), item }));
        next = match before {
            Some(version) if version < number => Some(version),
            Some(_) => return Err(lost("names itself as what wrote before it")),
            None => ledger.removal_before(kind, id, number).await?,
        };
    }
    versions.truncate(limit);
    Ok(versions)
}

/// All items of a change, in order.
pub async fn items(ledger: &mut (dyn LedgerReader + '_), change: u64) -> Result<Vec<ChangeItem>, StoreError> {
    collect(ledger, change, |_| true).await
}

async fn collect(
    ledger: &mut (dyn LedgerReader + '_),
    change: u64,
    wanted: impl Fn(&ChangeItem) -> bool + Send,
) -> Result<Vec<ChangeItem>, StoreError> {
    let mut items = Vec::new();
    let mut after = PartPlace::behind(change.saturating_sub(1));
    loop {
        let parts = ledger.items_since(after, PARTS).await?;
        for (place, part) in &parts {
            if place.change != change {
                return Ok(items);
            }
            for item in part.items() {
                let damaged =
                    |error| StoreError::Corrupt { subject: format!("change {change}"), detail: format!("{error}") };
                items.extend(Some(item.map_err(damaged)?).filter(&wanted));
            }
        }
        match parts.last() {
            Some((place, _)) if parts.len() >= PARTS as usize => after = *place,
            Some(_) | None => return Ok(items),
        }
    }
}
