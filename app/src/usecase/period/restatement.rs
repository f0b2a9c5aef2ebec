//! What the figures of a period are today, against its frozen report, and why they differ.
//!
//! The changes since are read in their order. What an activity counted for in the period before and after each of them, under
//! the trees of today, is due to the cause of that change. What is left of the difference is due to the trees: activities
//! that nobody wrote and that count otherwise.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::{
    Activity, ActivityId, Canonical as _, ClosedPeriod, ClosedPeriodId, FrozenReport, OrgId, ScopeKind, Timestamp,
    Total,
};
use ports::inbound::{Cause, Error, RestatedLine, Restatement};
use ports::ledger::PartPlace;
use ports::store::{ReadTx, Store, StoreError};
use ports::{Action, ChangeItem, Grant, Read, ReadModel, RecordKind, Stored};

use super::{find, frozen_report, live_report, view};
use crate::usecase::read_model::ReadModels;
use crate::usecase::report::snapshot;

/// How many changes are read at once.
const CHANGES: u32 = 1_000;
/// How many parts of items are read at once.
const PARTS: u32 = 16;
/// How many activities are read at once.
const ACTIVITIES: usize = 1_000;

/// See [`ports::inbound::Periods::restatement`].
pub(super) async fn restatement(
    store: &dyn Store,
    read_models: &ReadModels,
    grant: &Grant<Read>,
    id: ClosedPeriodId,
) -> Result<Restatement, Error> {
    let (mut tx, model) = snapshot(store, read_models, grant).await?;
    let stored = find(tx.as_mut(), id).await?;
    restatement_of(tx.as_mut(), &model, stored).await
}

/// The same of a period that was read.
pub(super) async fn restatement_of(
    tx: &mut dyn ReadTx,
    model: &ReadModel,
    stored: Stored<ClosedPeriod>,
) -> Result<Restatement, Error> {
    let (was, is) = (frozen_report(&stored)?, live_report(model, &stored.value));
    let causes = causes(tx, model, &stored.value, (&was, &is)).await?;
    let lines = lines(model, &was, &is);
    let period = view(tx, stored).await?;
    Ok(Restatement { period, revision: model.revision(), now: is.in_scopes(), causes, lines, report: is })
}

fn lines(model: &ReadModel, was: &FrozenReport, is: &FrozenReport) -> Vec<RestatedLine> {
    let catalog = model.catalog();
    let line = |(was, is): (Option<domain::FrozenLine>, Option<domain::FrozenLine>)| {
        let series = was.or(is)?.series;
        let names = [
            series.scope.and_then(|id| catalog.scopes.find(id)).map(|node| node.name.clone()),
            series.org.and_then(|id| catalog.orgs.find(id)).map(|node| node.name.clone()),
            series.taxonomy.and_then(|id| catalog.taxonomies.find(id)).map(|node| node.name.clone()),
        ];
        Some(RestatedLine { series, names, was, is })
    };
    was.differences(is).into_iter().filter_map(line).collect()
}

/// What of the difference between both reports is due to what.
async fn causes(
    tx: &mut dyn ReadTx,
    model: &ReadModel,
    period: &ClosedPeriod,
    (was, is): (&FrozenReport, &FrozenReport),
) -> Result<Vec<(Cause, Total)>, Error> {
    let counted = Counted::new(tx, model, period).await?;
    let mut found: BTreeMap<Cause, Total> = BTreeMap::new();
    // What an activity counted for when its newest change so far began, and the cause of that change.
    let mut open: HashMap<ActivityId, (Cause, Total)> = HashMap::new();
    let mut number = period.frozen.number();
    loop {
        let changes = tx.ledger().changes_since(number, CHANGES).await?;
        for change in &changes {
            let cause = cause_of(&change.cause);
            let mut after = PartPlace::behind(change.number.saturating_sub(1));
            'parts: loop {
                let parts = tx.ledger().items_since(after, PARTS).await?;
                let is_last = parts.len() < PARTS as usize;
                for (place, items) in parts {
                    if place.change != change.number {
                        break 'parts;
                    }
                    for item in items.items() {
                        let item = item.map_err(|error| damaged(change.number, &error))?;
                        if item.kind == RecordKind::Activity {
                            take(&mut found, &mut open, &counted, cause, change.number, &item)?;
                        }
                    }
                    after = place;
                }
                if is_last {
                    break;
                }
            }
        }
        match changes.last() {
            Some(last) if changes.len() >= CHANGES as usize => number = last.number,
            Some(_) | None => break,
        }
    }
    close(tx, &mut found, open, &counted).await?;
    let told = found.values().fold(Total::ZERO, |sum, part| sum + *part);
    *found.entry(Cause::Structure).or_default() += is.in_scopes().co2e - was.in_scopes().co2e - told;
    found.retain(|_, part| !part.is_zero());
    Ok(found.into_iter().collect())
}

/// Takes one item of a change: what was before it is what the change before it left.
fn take(
    found: &mut BTreeMap<Cause, Total>,
    open: &mut HashMap<ActivityId, (Cause, Total)>,
    counted: &Counted,
    cause: Cause,
    change: u64,
    item: &ChangeItem,
) -> Result<(), Error> {
    let (id, mut cause) = (ActivityId::from(item.id), cause);
    let before = match &item.action {
        // The record stayed as it was.
        Action::Blanked(_) => return Ok(()),
        Action::Added(_) => Total::ZERO,
        Action::Updated { replaced, .. } | Action::Removed(replaced) => match &replaced.text {
            Some(text) => {
                let stored = Stored::<Activity>::from_canonical((), text).map_err(|error| damaged(change, &error))?;
                counted.share(&stored.value)
            }
            // What was blanked counts as what stood there when its last change began.
            None => open.get(&id).map_or(Total::ZERO, |(_, before)| *before),
        },
    };
    if let Some((earlier, was)) = open.remove(&id) {
        *found.entry(earlier).or_default() += before - was;
        if matches!(item.action, Action::Removed(_)) {
            cause = if earlier == Cause::Structure { earlier } else { cause };
        }
    }
    if matches!(item.action, Action::Removed(_)) {
        *found.entry(cause).or_default() += Total::ZERO - before;
    } else {
        open.insert(id, (cause, before));
    }
    Ok(())
}

/// Takes what the newest change of each activity left: what is there.
async fn close(
    tx: &mut dyn ReadTx,
    found: &mut BTreeMap<Cause, Total>,
    open: HashMap<ActivityId, (Cause, Total)>,
    counted: &Counted,
) -> Result<(), Error> {
    let ids: Vec<ActivityId> = open.keys().copied().collect();
    for ids in ids.chunks(ACTIVITIES) {
        for stored in tx.activities().find_all(ids).await? {
            let Some((cause, was)) = open.get(&stored.value.id) else { continue };
            let share = counted.share(&stored.value);
            // What an org brought with it that came later is no growth: it changes what the company consists of.
            let is_acquired = stored.created > counted.since && counted.is_new(stored.value.org);
            let cause = if is_acquired && *cause == Cause::Data { Cause::Structure } else { *cause };
            *found.entry(cause).or_default() += share - *was;
        }
    }
    Ok(())
}

/// What counts in the total of a period, under the trees of today.
pub(super) struct Counted {
    period: ClosedPeriod,
    orgs: Option<HashSet<OrgId>>,
    in_scopes: HashSet<domain::ScopeId>,
    /// Orgs that were added since the period was closed.
    new_orgs: HashSet<OrgId>,
    since: Timestamp,
}

impl Counted {
    pub(super) async fn new(tx: &mut dyn ReadTx, model: &ReadModel, period: &ClosedPeriod) -> Result<Self, Error> {
        let catalog = model.catalog();
        let is_counted = |kind| matches!(kind, ScopeKind::Scope1 | ScopeKind::Scope2 | ScopeKind::Scope3);
        let since = period.closed.at;
        let new_orgs = tx.orgs().all().await?.into_iter().filter(|org| org.created > since);
        Ok(Self {
            orgs: period.org.map(|org| catalog.orgs.forest().subtree(org)),
            in_scopes: catalog.scopes.iter().filter(|scope| is_counted(scope.class.kind())).map(|it| it.id).collect(),
            new_orgs: new_orgs.map(|org| org.value.id).collect(),
            since,
            period: period.clone(),
        })
    }

    /// What of the total the activity is, in kg.
    pub(super) fn share(&self, activity: &Activity) -> Total {
        let counts = self.period.days().contains(activity.span.first())
            && self.orgs.as_ref().is_none_or(|orgs| activity.org.is_some_and(|org| orgs.contains(&org)))
            && activity.scope.is_some_and(|scope| self.in_scopes.contains(&scope));
        activity.co2e().filter(|_| counts).map_or(Total::ZERO, Total::from)
    }

    fn is_new(&self, org: Option<OrgId>) -> bool {
        org.is_some_and(|org| self.new_orgs.contains(&org))
    }
}

/// What a change is due to, by what it was for.
fn cause_of(cause: &str) -> Cause {
    match cause.strip_prefix("undo ").unwrap_or(cause) {
        recalculation if recalculation.starts_with("recalculate outdated") => Cause::Correction,
        recalculation if recalculation.starts_with("recalculate incomplete") => Cause::Factor,
        _ => Cause::Data,
    }
}

fn damaged(change: u64, error: &dyn std::fmt::Display) -> Error {
    StoreError::Corrupt { subject: format!("change {change}"), detail: error.to_string() }.into()
}
