//! What the figures of a period are today, against its frozen report, and why they differ.
//!
//! The changes since are read in their order. What an activity counted for in each figure of the period before and after each of
//! them, under the trees of today, is due to the cause of that change: a recalculation names its own. What is left of the difference is due to the trees: activities
//! that nobody wrote and that count otherwise.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::mem;
use std::sync::Arc;

use domain::{
    Activity, ActivityId, Attribution, Canonical as _, Catalog, ClassTotals, ClosedPeriod, ClosedPeriodId,
    FrozenReport, OrgId, Scope2, Timestamp, Totals,
};
use ports::inbound::{Cause, Error, RestatedCause, RestatedLine, RestatedTotals, Restatement};
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
    let totals = [&was, &is].map(|report| RestatedTotals {
        started: report.by_class(Attribution::Start),
        spread: report.by_class(Attribution::Daily),
    });
    let causes = causes(tx, model, &stored.value, &totals).await?;
    let lines = lines(model, &was, &is);
    let period = view(tx, stored).await?;
    let ([was, is], report) = (totals, is);
    Ok(Restatement { period, revision: model.revision(), now: report.in_scopes(), was, is, causes, lines, report })
}

fn lines(model: &ReadModel, was: &FrozenReport, is: &FrozenReport) -> Vec<RestatedLine> {
    let catalog = model.catalog();
    let line = |(was, is): (Option<domain::FrozenLine>, Option<domain::FrozenLine>)| {
        let series = was.as_ref().or(is.as_ref())?.series;
        let names = [
            series.scope.and_then(|id| catalog.scopes.find(id)).map(|node| node.name.clone()),
            series.org.and_then(|id| catalog.orgs.find(id)).map(|node| node.name.clone()),
            series.taxonomy.and_then(|id| catalog.taxonomies.find(id)).map(|node| node.name.clone()),
        ];
        Some(RestatedLine { series, names, was, is })
    };
    was.differences(is).into_iter().filter_map(line).collect()
}

/// What is due to which cause so far.
#[derive(Default)]
struct Found(BTreeMap<Cause, RestatedTotals>);

impl Found {
    fn add(&mut self, cause: Cause, part: &RestatedTotals) {
        let sum = self.0.entry(cause).or_default();
        *sum = mem::take(sum) + part.clone();
    }
}

/// What activities counted for when their newest change so far began, and the cause of that change.
type Open = HashMap<ActivityId, (Cause, RestatedTotals)>;

/// What of the difference between both reports is due to what.
async fn causes(
    tx: &mut dyn ReadTx,
    model: &ReadModel,
    period: &ClosedPeriod,
    [was, is]: &[RestatedTotals; 2],
) -> Result<Vec<RestatedCause>, Error> {
    let counted = Counted::new(tx, model, period).await?;
    let mut found = Found::default();
    // What an activity counted for when its newest change so far began, and the cause of that change.
    let mut open = Open::new();
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
    let told = found.0.values().fold(RestatedTotals::default(), |sum, part| sum + part.clone());
    found.add(Cause::Structure, &(is.clone() - was.clone() - told));
    found.0.retain(|_, part| !part.is_zero());
    Ok(found.0.into_iter().map(|(cause, totals)| RestatedCause { cause, totals }).collect())
}

/// Takes one item of a change: what was before it is what the change before it left.
fn take(
    found: &mut Found,
    open: &mut Open,
    counted: &Counted,
    cause: Cause,
    change: u64,
    item: &ChangeItem,
) -> Result<(), Error> {
    let (id, mut cause) = (ActivityId::from(item.id), cause);
    let before = match &item.action {
        // The record stayed as it was.
        Action::Blanked(_) => return Ok(()),
        Action::Added(_) => RestatedTotals::default(),
        Action::Updated { replaced, .. } | Action::Removed(replaced) => match &replaced.text {
            Some(text) => {
                let stored = Stored::<Activity>::from_canonical((), text).map_err(|error| damaged(change, &error))?;
                counted.share(&stored.value)
            }
            // What was blanked counts as what stood there when its last change began.
            None => open.get(&id).map(|(_, before)| before.clone()).unwrap_or_default(),
        },
    };
    if let Some((earlier, was)) = open.remove(&id) {
        found.add(earlier, &(before.clone() - was));
        if matches!(item.action, Action::Removed(_)) {
            cause = if earlier == Cause::Structure { earlier } else { cause };
        }
    }
    if matches!(item.action, Action::Removed(_)) {
        found.add(cause, &(RestatedTotals::default() - before));
    } else {
        open.insert(id, (cause, before));
    }
    Ok(())
}

/// Takes what the newest change of each activity left: what is there.
async fn close(tx: &mut dyn ReadTx, found: &mut Found, open: Open, counted: &Counted) -> Result<(), Error> {
    let ids: Vec<ActivityId> = open.keys().copied().collect();
    for ids in ids.chunks(ACTIVITIES) {
        for stored in tx.activities().find_all(ids).await? {
            let Some((cause, was)) = open.get(&stored.value.id) else { continue };
            let share = counted.share(&stored.value);
            // What an org brought with it that came later is no growth: it changes what the company consists of.
            let is_acquired = stored.created > counted.since && counted.is_new(stored.value.org);
            let cause = if is_acquired && *cause == Cause::Data { Cause::Structure } else { *cause };
            found.add(cause, &(share - was.clone()));
        }
    }
    Ok(())
}

/// What counts in the figures of a period, under the trees of today.
pub(super) struct Counted {
    period: ClosedPeriod,
    orgs: Option<HashSet<OrgId>>,
    catalog: Arc<Catalog>,
    /// Orgs that were added since the period was closed.
    new_orgs: HashSet<OrgId>,
    since: Timestamp,
}

impl Counted {
    pub(super) async fn new(tx: &mut dyn ReadTx, model: &ReadModel, period: &ClosedPeriod) -> Result<Self, Error> {
        let catalog = Arc::clone(model.catalog());
        let since = period.closed.at;
        let new_orgs = tx.orgs().all().await?.into_iter().filter(|org| org.created > since);
        Ok(Self {
            orgs: period.org.map(|org| catalog.orgs.forest().subtree(org)),
            new_orgs: new_orgs.map(|org| org.value.id).collect(),
            catalog,
            since,
            period: period.clone(),
        })
    }

    /// What of each figure the activity is.
    pub(super) fn share(&self, activity: &Activity) -> RestatedTotals {
        if !self.orgs.as_ref().is_none_or(|orgs| activity.org.is_some_and(|org| orgs.contains(&org))) {
            return RestatedTotals::default();
        }
        let class = activity.scope.and_then(|id| self.catalog.class(id));
        let of = |attribution| {
            let days = self.period.days();
            let totals = Totals::of_activity(activity, class, attribution, days, Scope2::Both);
            let totals = totals.map(ClassTotals::from).unwrap_or_default();
            let is_in_scopes = class.is_some_and(|class| class.kind().is_scope());
            let gases = || Totals::gases_of_activity(activity, class, attribution, days);
            if is_in_scopes { totals.with_gases(gases()) } else { totals }
        };
        RestatedTotals { started: of(Attribution::Start), spread: of(Attribution::Daily) }
    }

    fn is_new(&self, org: Option<OrgId>) -> bool {
        org.is_some_and(|org| self.new_orgs.contains(&org))
    }
}

/// What a change is due to, by what it was for: a recalculation says it, and so does the undoing of one.
fn cause_of(cause: &str) -> Cause {
    let words: Vec<&str> = cause.strip_prefix("undo ").unwrap_or(cause).splitn(4, ' ').collect();
    match words.as_slice() {
        ["recalculate", "incomplete" | "outdated", word, ..] => Cause::parse(word).unwrap_or(Cause::Data),
        _ => Cause::Data,
    }
}

fn damaged(change: u64, error: &dyn std::fmt::Display) -> Error {
    StoreError::Corrupt { subject: format!("change {change}"), detail: error.to_string() }.into()
}
