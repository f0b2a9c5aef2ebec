//! Whether somebody edited what an import left.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::{Activity, ActivityId, Canonical as _};
use ports::inbound::Error;
use ports::repo::LedgerReader;
use ports::store::{ReadTx, StoreError};
use ports::{RecordKind, Replaced, Stored};

use super::parts::items_of;

/// Of activities that a later change than `change` wrote, those whose content is another than that change left, as `same` says
/// it: beside an import a computed CO2e may differ, as after a recalculation ([`is_same`]). What was edited and put back is as it was left.
///
/// `cause` is that of the changes that take the import back: what they wrote is no edit, but what is behind them may be.
pub(in crate::usecase) async fn edited(
    tx: &mut dyn ReadTx,
    change: u64,
    cause: &str,
    later: &[&Stored<Activity>],
    (places, same): (&mut Places, Same),
) -> Result<HashSet<ActivityId>, Error> {
    let left: HashMap<ActivityId, &Activity> = later.iter().map(|stored| (stored.value.id, &stored.value)).collect();
    let mut at: BTreeMap<u64, Vec<(ActivityId, Option<Replaced>)>> = BTreeMap::new();
    for stored in later {
        at.entry(stored.version.0).or_default().push((stored.value.id, None));
    }
    let mut edited = HashSet::new();
    // From the newest change to earlier ones, each read once for all records that it wrote. Beside a record is what a later
    // change replaced, which is what this one left; nothing where this one left what is there.
    while let Some((number, reached)) = at.pop_last() {
        let row = tx.ledger().changes_since(number - 1, 1).await?.pop();
        if row.is_some_and(|row| row.number == number && row.cause == cause) {
            for (id, left_by_it) in reached {
                if let Some(was) = left_by_it
                    && !is_as_before(&was, left.get(&id).copied(), number, same)?
                {
                    edited.insert(id);
                }
            }
            continue;
        }
        let ids: Vec<ActivityId> = reached.into_iter().map(|(id, _)| id).collect();
        let mut replaced = replaced_by(tx.ledger(), number, &ids, places).await?;
        for id in ids {
            match replaced.remove(&id) {
                Some(before) if before.version.0 > change => {
                    at.entry(before.version.0).or_default().push((id, Some(before)));
                }
                Some(before) if before.version.0 == change => {
                    if !is_as_before(&before, left.get(&id).copied(), number, same)? {
                        edited.insert(id);
                    }
                }
                Some(_) | None => drop(edited.insert(id)),
            }
        }
    }
    Ok(edited)
}

/// Whether what an activity was counts as what it is.
type Same = fn(&Activity, &Activity) -> bool;

/// Where in later changes the records were found that were looked for last: the next ones are mostly close to them, as records
/// that were imported together were mostly edited together, in the same order. So a change is read about once, however often
/// something is looked for in it.
#[derive(Debug, Default)]
pub(in crate::usecase) struct Places(HashMap<u64, u32>);

/// What a change replaced of those activities: the version before it.
async fn replaced_by(
    ledger: &mut (dyn LedgerReader + '_),
    number: u64,
    ids: &[ActivityId],
    places: &mut Places,
) -> Result<HashMap<ActivityId, Replaced>, Error> {
    let mut wanted: HashSet<ActivityId> = ids.iter().copied().collect();
    let begin = places.0.get(&number).copied().unwrap_or_default().saturating_sub(STEP);
    let (mut found, mut from, mut has_turned) = (HashMap::new(), begin, begin == 0);
    while !wanted.is_empty() {
        let (items, parts) = items_of(ledger, number, from, STEP).await?;
        for item in items.iter().filter(|item| item.kind == RecordKind::Activity) {
            let id = ActivityId::new(item.id);
            // A change that wrote a record twice replaced what was before it with one of its items, and its own with the other.
            let is_own = item.replaced().is_some_and(|replaced| replaced.version.0 == number);
            if !is_own && wanted.remove(&id) {
                found.extend(item.replaced().cloned().map(|replaced| (id, replaced)));
                places.0.insert(number, from);
            }
        }
        from += parts;
        if parts < STEP {
            if has_turned {
                break;
            }
            (from, has_turned) = (0, true);
        } else if has_turned && begin > 0 && from >= begin {
            break;
        }
    }
    Ok(found)
}

/// How many parts of a change are read at a time.
const STEP: u32 = 4;

/// Whether an activity is what a change replaced.
fn is_as_before(before: &Replaced, is: Option<&Activity>, number: u64, same: Same) -> Result<bool, Error> {
    let was = before.text.as_deref().map(|text| parse(text, number)).transpose()?;
    Ok(was.zip(is).is_some_and(|(was, is)| same(&was, is)))
}

/// The activity of a text that a change replaced.
pub(in crate::usecase) fn parse(text: &str, number: u64) -> Result<Activity, Error> {
    let damaged = |error: domain::CanonicalError| StoreError::Corrupt {
        subject: format!("change {number}"),
        detail: format!("a text that it replaced: {error}"),
    };
    Ok(Stored::<Activity>::from_canonical((), text).map_err(damaged)?.value)
}

/// Whether two activities differ in nothing but what was computed.
pub(super) fn is_same(one: &Activity, other: &Activity) -> bool {
    one.calculation.supplied() == other.calculation.supplied()
        && one.clone().with_calculation(other.calculation) == *other
}

#[cfg(test)]
mod tests;
