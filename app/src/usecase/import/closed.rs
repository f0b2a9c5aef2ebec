//! Imports and closed periods: a row that would touch one is rejected, and an import that did is not undone.

use domain::{Activity, ClosedPeriods, FaultCode, Faults};
use ports::inbound::Error;
use ports::store::{PeriodClosed, ReadTx};
use ports::{Action, RecordKind};

use super::edited::parse;
use super::nodes::NodeMaker;
use super::parts::{PARTS_AT_ONCE, count_parts, items_of};
use super::take_back::standing;
use crate::usecase::period::{closed_periods, refuse};

/// The fault of a row that leaves an activity so, where a closed period is touched by that or by what the activity was.
/// An org that `made` makes on the way belongs to the one above it.
pub(super) fn fault(
    closed: &ClosedPeriods,
    before: Option<&Activity>,
    after: &Activity,
    made: &NodeMaker,
) -> Option<Faults> {
    if closed.is_empty() {
        return None;
    }
    let mut org = after.org;
    while let Some(new) = made.made_orgs().find(|new| Some(new.id) == org) {
        org = new.parent;
    }
    let placed = after.clone().with_org(org);
    let span = closed.touched(&placed).or_else(|| before.and_then(|before| closed.touched(before)))?;
    Some(Faults::one_coded(FaultCode::Conflict, "/startDate", PeriodClosed::of(span).to_string()))
}

/// Refuses to take changes back where that would touch a closed period.
pub(in crate::usecase) async fn refuse_undo(tx: &mut dyn ReadTx, changes: &[u64]) -> Result<(), Error> {
    let closed = closed_periods(tx).await?;
    if closed.is_empty() {
        return Ok(());
    }
    for change in changes.iter().rev().copied() {
        let mut parts = count_parts(tx.ledger(), change).await?;
        while parts > 0 {
            let from = parts.saturating_sub(PARTS_AT_ONCE);
            let (mut items, _) = items_of(tx.ledger(), change, from, parts - from).await?;
            parts = from;
            items.retain(|item| item.kind == RecordKind::Activity);
            let there = standing(tx, &items).await?;
            refuse(&closed, there.values().map(|stored| &stored.value))?;
            for item in &items {
                let Action::Updated { replaced, .. } = &item.action else { continue };
                if let Some(text) = &replaced.text {
                    refuse(&closed, [&parse(text, change)?])?;
                }
            }
        }
    }
    Ok(())
}
