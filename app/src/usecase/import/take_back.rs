//! Taking back what some items of a change of an import did.

use std::collections::HashMap;

use domain::{Activity, ActivityId, Org, Taxonomy};
use ports::inbound::Error;
use ports::repo::{ActivityWrite, Writer};
use ports::store::{ReadTx, StoreError, WriteTx};
use ports::{Action, ChangeItem, RecordKind, Stored, Version};

use super::edited::{Places, edited, is_same, parse};
use super::nodes::Making;
use crate::usecase::period::closed_periods;

/// How many activities are looked up at once.
const LOOKED_UP: usize = 2_000;

/// How an activity is taken back.
enum Back {
    Remove(Version),
    Restore(Box<Activity>, Version),
}

/// The activities of those items that are there, by their identifier.
pub(in crate::usecase) async fn standing(
    tx: &mut dyn ReadTx,
    items: &[ChangeItem],
) -> Result<HashMap<ActivityId, Stored<Activity>>, Error> {
    let ids: Vec<ActivityId> =
        items.iter().filter(|item| item.kind == RecordKind::Activity).map(|item| ActivityId::new(item.id)).collect();
    let mut found = HashMap::with_capacity(ids.len());
    for ids in ids.chunks(LOOKED_UP) {
        let stored = tx.activities().find_all(ids).await?;
        found.extend(stored.into_iter().map(|stored| (stored.value.id, stored)));
    }
    Ok(found)
}

/// Takes back what the items of a change did, the newest first, and says how many records stay as they are, since somebody
/// edited or uses them, what they were is gone, or a closed period stands in the way: no period is closed while an import is
/// being undone, but an org may come below one that it is closed for. So an undoing that has begun comes to its end.
pub(super) async fn take_back(
    tx: &mut dyn WriteTx,
    change: u64,
    cause: &str,
    making: Making,
    items: &[ChangeItem],
    places: &mut Places,
) -> Result<u64, Error> {
    let found = standing(tx, items).await?;
    let own = tx.number();
    let later: Vec<&Stored<Activity>> =
        found.values().filter(|stored| stored.version.0 != change && stored.version.0 != own).collect();
    let edited = edited(tx, change, cause, &later, (places, is_same)).await?;
    let closed = closed_periods(tx).await?;
    let (mut back, mut kept): (HashMap<ActivityId, Back>, u64) = (HashMap::new(), edited.len() as u64);
    for item in items.iter().rev().filter(|item| item.kind == RecordKind::Activity) {
        let id = ActivityId::new(item.id);
        if edited.contains(&id) {
            continue;
        }
        match (&item.action, found.get(&id)) {
            // What it created may be gone already.
            (Action::Added(_) | Action::Removed(_), None) | (Action::Blanked(_), _) => {}
            (Action::Added(_), Some(stored)) => drop(back.insert(id, Back::Remove(stored.version))),
            (Action::Updated { replaced, .. }, Some(stored)) => match &replaced.text {
                Some(text) => drop(back.insert(id, Back::Restore(Box::new(parse(text, change)?), stored.version))),
                None => kept += 1,
            },
            (Action::Updated { .. }, None) | (Action::Removed(_), Some(_)) => kept += 1,
        }
    }
    let (mut removed, mut restored) = (Vec::new(), Vec::new());
    for (id, back) in back {
        let is_closed = |activity: &Activity| closed.touched(activity).is_some();
        let earlier = match &back {
            Back::Restore(activity, _) => Some(activity.as_ref()),
            Back::Remove(_) => None,
        };
        if found.get(&id).map(|stored| &stored.value).into_iter().chain(earlier).any(is_closed) {
            kept += 1;
            continue;
        }
        match back {
            Back::Remove(version) => removed.push((id, version)),
            Back::Restore(activity, version) => restored.push(ActivityWrite::Update(*activity, version)),
        }
    }
    if !removed.is_empty() {
        removed.sort_unstable();
        tx.activities_mut().remove_all(removed).await?;
    }
    kept += restore(tx, restored).await?;
    kept += remove_nodes(tx, change, making, items).await?;
    Ok(kept)
}

/// Puts earlier contents back, and says how many cannot be: what they refer to is gone, or their syncId was given away.
pub(in crate::usecase) async fn restore(tx: &mut dyn WriteTx, restored: Vec<ActivityWrite>) -> Result<u64, Error> {
    if restored.is_empty() {
        return Ok(0);
    }
    match tx.activities_mut().put_all(restored.clone()).await {
        Ok(()) => return Ok(0),
        Err(StoreError::Conflict(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let mut kept = 0;
    for one in restored {
        match tx.activities_mut().put_all(vec![one]).await {
            Ok(()) => {}
            Err(StoreError::Conflict(_)) => kept += 1,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(kept)
}

/// Removes the nodes that were made on the way, the last first, and says how many stay.
async fn remove_nodes(tx: &mut dyn WriteTx, change: u64, making: Making, items: &[ChangeItem]) -> Result<u64, Error> {
    let mut kept = 0;
    for item in items.iter().rev() {
        let seen = Version(change);
        let removed = match item.kind {
            RecordKind::Org | RecordKind::Taxonomy if making == Making::Refused => {
                kept += 1;
                continue;
            }
            RecordKind::Org => Writer::<Org>::remove(tx.orgs_mut(), item.id.into(), seen).await,
            RecordKind::Taxonomy => Writer::<Taxonomy>::remove(tx.taxonomies_mut(), item.id.into(), seen).await,
            RecordKind::Activity
            | RecordKind::Scope
            | RecordKind::Product
            | RecordKind::Factor
            | RecordKind::Model
            | RecordKind::Input
            | RecordKind::Switch
            | RecordKind::Footprint
            | RecordKind::ClosedPeriod
            | RecordKind::Exclusion
            | RecordKind::Partner
            | RecordKind::Sharing => continue,
        };
        match removed {
            Ok(()) => {}
            Err(StoreError::Stale | StoreError::Conflict(_)) => kept += 1,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(kept)
}
