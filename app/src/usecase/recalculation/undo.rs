//! Undoing a recalculation: what it changed gets the figures that it had before.
//!
//! Its changes are taken back from the newest to the first, each in one change of its own. What was taken back before is found in
//! the ledger, so an undoing that was broken off is gone on with by undoing again.

use std::collections::HashSet;

use domain::Activity;
use ports::clock::Clock;
use ports::inbound::{Error, UndoneRecalculation};
use ports::repo::ActivityWrite;
use ports::store::{Intent, ReadTx, Store, WriteTx};
use ports::{Action, Caller, RecalculationId, RecordKind, Revision, demand, permit};

use crate::counted::counted;
use crate::usecase::import::{
    Missing, PARTS_AT_ONCE, Places, count_parts, edited, items_of, parse, refuse_undo, restore, standing,
};
use crate::usecase::period::closed_periods;

/// How many changes are listed at once.
const CHANGES: u32 = 1_000;
/// How many activities that stand in the way are named.
const NAMED: usize = 5;
/// How often what stands in the way is looked for in a snapshot that other writers overtook, before they wait for it.
const ATTEMPTS: usize = 3;

/// A change of the recalculation.
struct OwnChange {
    number: u64,
    /// What the change that takes it back is for.
    undo_cause: String,
}

/// Undoes it; see [`ports::inbound::Activities::undo_recalculation`].
pub(in crate::usecase) async fn undo(
    store: &dyn Store,
    clock: &dyn Clock,
    caller: &Caller,
    id: RecalculationId,
) -> Result<UndoneRecalculation, Error> {
    let grant = permit(caller, demand::ACTIVITY_WRITE)?;
    let mut tx = store.read(&grant.to_read()).await?;
    let changes = changes_of(tx.as_mut(), id).await?;
    drop(tx);
    if changes.is_empty() {
        return Err(Error::NotFound);
    }
    let mut undone = UndoneRecalculation { id, activities: 0, restored: 0, kept: 0 };
    let mut checked: Option<Revision> = None;
    let mut attempts = 0;
    let mut left = changes.iter().rev().peekable();
    let mut is_begun = false;
    while let Some(change) = left.peek() {
        if !is_begun && attempts < ATTEMPTS {
            let mut tx = store.read(&grant.to_read()).await?;
            undone.activities = check(tx.as_mut(), id, &changes).await?;
            checked = Some(tx.head().await?.revision());
        }
        let intent = Intent { at: clock.now(), cause: change.undo_cause.clone() };
        let mut tx = store.write(&grant, intent).await?;
        // What was found in the snapshot holds where nobody wrote since.
        if !is_begun && checked != Some(tx.head().await?.revision()) {
            attempts += 1;
            if attempts < ATTEMPTS {
                continue;
            }
            undone.activities = check(tx.as_mut(), id, &changes).await?;
        }
        take_back(tx.as_mut(), change, &mut undone).await?;
        tx.commit().await?;
        (is_begun, _) = (true, left.next());
    }
    Ok(undone)
}

/// The changes that the recalculation made, in order.
async fn changes_of(tx: &mut dyn ReadTx, id: RecalculationId) -> Result<Vec<OwnChange>, Error> {
    let (name, mut found, mut after) = (id.to_string(), Vec::new(), 0);
    loop {
        let changes = tx.ledger().changes_since(after, CHANGES).await?;
        for change in &changes {
            let words: Vec<&str> = change.cause.splitn(5, ' ').collect();
            if let ["recalculate", of, cause, own, ..] = words.as_slice()
                && *own == name
            {
                let undo_cause = format!("undo recalculate {of} {cause} {name}");
                found.push(OwnChange { number: change.number, undo_cause });
            }
        }
        match changes.last() {
            Some(last) if changes.len() == CHANGES as usize => after = last.number,
            Some(_) | None => return Ok(found),
        }
    }
}

/// How many activities it changed; refuses where somebody's later change stands on one of them, where a closed period would be
/// touched, and where what one was before needs what is gone.
async fn check(tx: &mut dyn ReadTx, id: RecalculationId, changes: &[OwnChange]) -> Result<u64, Error> {
    let numbers: Vec<u64> = changes.iter().map(|change| change.number).collect();
    refuse_undo(tx, &numbers).await?;
    let (mut activities, mut in_the_way, mut named) = (0, 0_usize, Vec::new());
    let (mut missing, mut places) = (Missing::default(), Places::default());
    for change in changes {
        let parts = count_parts(tx.ledger(), change.number).await?;
        for from in (0..parts).step_by(PARTS_AT_ONCE as usize) {
            let (mut items, _) = items_of(tx.ledger(), change.number, from, PARTS_AT_ONCE.min(parts - from)).await?;
            items.retain(|item| item.kind == RecordKind::Activity);
            activities += items.len() as u64;
            let found = standing(tx, &items).await?;
            let mut before = Vec::new();
            for item in items.iter().filter(|item| found.contains_key(&item.id.into())) {
                if let Action::Updated { replaced, .. } = &item.action
                    && let Some(text) = &replaced.text
                {
                    before.push(parse(text, change.number)?);
                }
            }
            missing.look_at(tx, &before, &numbers).await?;
            let later: Vec<_> = found.values().filter(|stored| stored.version.0 != change.number).collect();
            let edited = edited(tx, change.number, &change.undo_cause, &later, (&mut places, Activity::eq)).await?;
            in_the_way += edited.len();
            for id in edited {
                if let Some(stored) = found.get(&id).filter(|_| named.len() < NAMED) {
                    named.push((id, stored.version.0));
                }
            }
        }
    }
    if in_the_way > 0 {
        return Err(refused(tx, id, in_the_way, named).await?);
    }
    let missing = missing.into_sentences();
    if missing.is_empty() {
        return Ok(activities);
    }
    let some: Vec<String> = missing.into_iter().take(NAMED).collect();
    let detail = format!(
        "recalculation {id} cannot be undone: what activities were before cannot be put back: {}; give back what is taken, then \
         undo it again",
        some.join(", ")
    );
    Err(Error::Conflict { pointer: String::new(), detail })
}

/// That later changes stand on what it left, with who made some of them and when.
async fn refused(
    tx: &mut dyn ReadTx,
    id: RecalculationId,
    count: usize,
    named: Vec<(domain::ActivityId, u64)>,
) -> Result<Error, Error> {
    let mut such = Vec::new();
    for (activity, number) in named {
        such.push(match tx.ledger().changes_since(number.saturating_sub(1), 1).await?.pop() {
            Some(change) => format!("{activity} ({} by {} at {})", change.cause, change.actor, change.at),
            None => activity.to_string(),
        });
    }
    let changed = counted(count as u64, "of its activities was", "of its activities were");
    let detail = format!(
        "recalculation {id} cannot be undone: {changed} changed since, and that would be lost: {}{}; undo a \
         later recalculation first, give edited activities the content that they had behind this one, then undo it again",
        such.join(", "),
        if count > such.len() { ", ..." } else { "" }
    );
    Ok(Error::Conflict { pointer: String::new(), detail })
}

/// Takes back what one change wrote. What somebody changed, or a closed period has come to cover, while it was undone stays and is
/// counted.
async fn take_back(tx: &mut dyn WriteTx, change: &OwnChange, undone: &mut UndoneRecalculation) -> Result<(), Error> {
    let parts = count_parts(tx.ledger(), change.number).await?;
    let (mut items, _) = items_of(tx.ledger(), change.number, 0, parts).await?;
    items.retain(|item| item.kind == RecordKind::Activity);
    let found = standing(tx, &items).await?;
    let closed = closed_periods(tx).await?;
    let later: Vec<_> = found.values().filter(|stored| stored.version.0 != change.number).collect();
    let mut places = Places::default();
    let edited: HashSet<_> = edited(tx, change.number, &change.undo_cause, &later, (&mut places, Activity::eq)).await?;
    undone.kept += edited.len() as u64;
    let mut back = Vec::new();
    for item in &items {
        let Some(stored) = found.get(&item.id.into()).filter(|stored| !edited.contains(&stored.value.id)) else {
            continue;
        };
        let Action::Updated { replaced, .. } = &item.action else { continue };
        let Some(text) = &replaced.text else {
            undone.kept += 1;
            continue;
        };
        let before = parse(text, change.number)?;
        if before == stored.value {
            continue;
        }
        if [&before, &stored.value].into_iter().any(|activity| closed.touched(activity).is_some()) {
            undone.kept += 1;
            continue;
        }
        back.push(ActivityWrite::Update(before, stored.version));
    }
    let count = back.len() as u64;
    let kept = restore(tx, back).await?;
    undone.restored += count - kept;
    undone.kept += kept;
    Ok(())
}
