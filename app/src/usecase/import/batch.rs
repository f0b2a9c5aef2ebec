//! The rows of one call, in one transaction.

use std::borrow::Cow;
use std::sync::Arc;

use domain::{Activity, ActivityId, ClosedPeriods, Decimal, Faults, ScopeKind, Span, Timestamp};
use ports::ChainHead;
use ports::id_source::Ids;
use ports::inbound::{BatchOutcome, Error, Field, Reference, Repeats, RowDraft};
use ports::repo::{ActivityWrite, Place};
use ports::store::WriteTx;

use super::built::{Built, RowWrite, put_rows};
use super::closed;
use super::dry_run::{DryRun, Left};
use super::effect::note_effect;
use super::nodes::{MadeNodes, Making, Means, NodeMaker};
use super::record::refuse_beside_undoing;
use super::seen::{Key, Seen};
use super::suspicion::Suspicions;
use super::touched::Touched;
use super::tx::Tx;
use crate::usecase::activity::{Differences, build};
use crate::usecase::period::closed_periods;
use crate::usecase::published::Choosing;
use crate::usecase::resolve::Resolver;

/// Days before this year are unlikely.
const FIRST_LIKELY_YEAR: i32 = 1990;
/// Days in later years than so many from now are unlikely.
const LIKELY_YEARS_AHEAD: i32 = 5;

/// After so many rows that were built in a write transaction the store is asked something: a transaction that is silent for
/// long loses its turn.
const AUDIBLE: usize = 100;

/// What has become of the rows of a call so far.
pub(super) struct Batch {
    tx: Tx,
    ids: Arc<dyn Ids>,
    now: Timestamp,
    resolver: Resolver,
    choosing: Choosing,
    nodes: NodeMaker,
    touched: Touched,
    closed: ClosedPeriods,
    writes: Vec<RowWrite>,
    pub(super) outcome: BatchOutcome,
}

impl Batch {
    pub(super) async fn open(
        mut tx: Tx,
        (resolver, choosing): (Resolver, Choosing),
        ids: Arc<dyn Ids>,
        now: Timestamp,
        rows: &[RowDraft],
        making: Making,
        dry_run: &mut DryRun,
    ) -> Result<Self, Error> {
        refuse_beside_undoing(tx.read()).await?;
        let mut touched = dry_run.take_touched();
        touched.find(tx.read(), rows).await?;
        let nodes = NodeMaker::new(making, dry_run.nodes());
        let closed = closed_periods(tx.read()).await?;
        let (writes, outcome) = (Vec::new(), BatchOutcome::default());
        Ok(Self { tx, ids, now, resolver, choosing, nodes, touched, closed, writes, outcome })
    }

    /// Takes the rows in their order.
    pub(super) async fn rows(
        &mut self,
        rows: &[RowDraft],
        repeats: Repeats,
        seen: &mut Seen,
        suspicions: &mut Suspicions,
    ) -> Result<(), Error> {
        for rows in rows.chunks(AUDIBLE) {
            for row in rows {
                self.row(row, repeats, seen, suspicions).await?;
            }
            if let Tx::Write(tx) = &mut self.tx {
                tx.activities().find_all(&[]).await?;
            }
        }
        Ok(())
    }

    async fn row(
        &mut self,
        row: &RowDraft,
        repeats: Repeats,
        seen: &mut Seen,
        suspicions: &mut Suspicions,
    ) -> Result<(), Error> {
        let (line, mut draft) = (row.line, Cow::Borrowed(&row.draft));
        self.nodes.begin_row();
        if has_path(&draft.org) || has_path(&draft.taxonomy) {
            let means = Means { tx: &mut self.tx, ids: self.ids.as_ref(), now: self.now, resolver: &mut self.resolver };
            self.nodes.resolve_paths(means, draft.to_mut()).await?;
        }
        let sync_id = draft.sync_id.given().cloned();
        let found = self.touched.about(&draft);
        let known = found.cloned();
        // A row of an answer of ours keeps the identifier that it has elsewhere, so that it is found when it is imported again.
        let own_id = if sync_id.is_none() && known.is_none() { draft.read_back.id } else { None };
        if repeats == Repeats::Fault {
            let mut keys = Seen::keys(sync_id.as_ref(), known.as_ref());
            keys.extend(own_id.map(Key::of_id));
            if let Some(earlier) = seen.note(&keys, line) {
                let pointer = if sync_id.is_some() { "/syncId" } else { "/uuid" };
                let mut faults = draft.into_owned().faults;
                faults.add(pointer, repeated(earlier, line));
                // What else is wrong with it depends on whether the earlier row is written yet.
                self.reject(line, faults);
                return Ok(());
            }
        }
        let id = known.as_ref().map(|known| known.id).or(own_id);
        let id = id.unwrap_or_else(|| ActivityId::new(self.ids.next(self.now)));
        let mut warnings = Faults::new();
        let differences = Differences::Noted(&mut warnings);
        let (resolver, choosing) = (&mut self.resolver, &mut self.choosing);
        let built = build(self.tx.read(), resolver, choosing, id, known.as_ref(), &draft, differences).await?;
        let activity = match built {
            Ok(activity) => activity,
            Err(faults) => {
                self.reject(line, faults);
                return Ok(());
            }
        };
        let is_unchanged = known.as_ref() == Some(&activity);
        let fault = || closed::fault(&self.closed, known.as_ref(), &activity, &self.nodes);
        if let Some(faults) = if is_unchanged { None } else { fault() } {
            self.reject(line, faults);
            return Ok(());
        }
        warn_of_unlikely_days(&mut warnings, activity.span, self.now);
        // What stays as it is was told of when it came.
        if !is_unchanged {
            let kind = self.resolver.scope_kind(self.tx.read(), activity.scope).await?;
            warn_of_negative_amounts(&mut warnings, &activity, kind);
        }
        suspicions.look_at(line, &activity, &mut warnings);
        if known.is_none() && sync_id.is_none() && own_id.is_none() {
            let is_recorded = suspicions.recorded.look_at(self.tx.read(), &activity, &mut warnings).await?;
            self.outcome.already_recorded += u64::from(is_recorded);
        }
        if !warnings.is_empty() {
            self.outcome.warnings.push((line, warnings));
        }
        if is_unchanged {
            self.outcome.unchanged += 1;
            return Ok(());
        }
        suspicions.count(line, known.as_ref(), &activity);
        note_effect(&mut self.outcome, line, known.as_ref(), &activity);
        self.outcome.incomplete += u64::from(activity.co2e().is_none());
        if known.is_some() {
            self.outcome.updated += 1;
        } else {
            self.outcome.created += 1;
            self.outcome.without_sync_id += u64::from(sync_id.is_none() && own_id.is_none());
        }
        match repeats {
            Repeats::Fault => self.touched.put(line, activity, &mut self.writes),
            Repeats::Last => self.touched.put_and_keep(line, activity, &mut self.writes),
        }
        Ok(())
    }

    fn reject(&mut self, line: u64, faults: Faults) {
        self.nodes.forget_row(&mut self.resolver);
        self.outcome.rejected += 1;
        self.outcome.faults.push((line, faults));
    }

    /// What the rows would leave.
    pub(super) fn into_left(self) -> Left {
        Left { nodes: self.nodes.into_made(), touched: self.touched }
    }

    /// What is to be written, built in a snapshot of that head, and what references led to, unless the nodes that it makes count.
    pub(super) fn into_built(self, since: ChainHead, noted: Vec<Key>) -> (Built, Option<Resolver>) {
        let Self { resolver, choosing, nodes, mut writes, outcome, .. } = self;
        let factors = choosing.into_made(written(&writes));
        let nodes = MadeNodes { factors, ..nodes.into_made() };
        // Each stands for itself then, and stores take them the faster the closer the next one's place is.
        if writes.iter().all(|row| matches!(row.write, ActivityWrite::Add(_))) {
            writes.sort_by_cached_key(|row| Place::of(row.activity()));
        }
        let resolver = (nodes.is_empty() && !resolver.is_large()).then_some(resolver);
        (Built { since, nodes, writes, noted, outcome }, resolver)
    }

    /// Writes what the rows come to, with the nodes that they name.
    pub(super) async fn write(self) -> Result<Option<Box<dyn WriteTx>>, Error> {
        let Tx::Write(mut tx) = self.tx else { return Ok(None) };
        let factors = self.choosing.into_made(written(&self.writes));
        put_rows(tx.as_mut(), MadeNodes { factors, ..self.nodes.into_made() }, self.writes).await?;
        Ok(Some(tx))
    }
}

/// The activities that are written.
fn written(writes: &[RowWrite]) -> impl Iterator<Item = &Activity> {
    writes.iter().map(RowWrite::activity)
}

const fn has_path(field: &Field<Reference>) -> bool {
    matches!(field, Field::Given(Reference::Path(_)))
}

/// That a row is about the same activity as an earlier one.
fn repeated(earlier: u64, line: u64) -> String {
    let earlier = if earlier == line { "this line".to_owned() } else { format!("line {earlier}") };
    format!(
        "is that of an activity of {earlier} already; leave one of the two out, or let the later one count: repeats=last, on the command line --repeats last"
    )
}

/// Warns of days that are more likely a slip than meant.
fn warn_of_unlikely_days(warnings: &mut Faults, span: Span, now: Timestamp) {
    let last_likely = now.instant().year() + LIKELY_YEARS_AHEAD;
    let unlikely = |year: &i32| !(FIRST_LIKELY_YEAR..=last_likely).contains(year);
    let (first, last) = (span.first().calendar().0, span.last().calendar().0);
    if let Some(year) = Some(first).filter(unlikely) {
        warnings.add("/startDate", format!("lies in the year {year}, which is unlikely"));
    } else if let Some(year) = Some(last).filter(unlikely) {
        warnings.add("/endDate", format!("lies in the year {year}, which is unlikely"));
    }
}

/// Warns of amounts below zero in scopes 1 to 3, in which emissions are, and no credits or removals.
fn warn_of_negative_amounts(warnings: &mut Faults, activity: &Activity, kind: Option<ScopeKind>) {
    let is_of_emissions = matches!(kind, Some(ScopeKind::Scope1 | ScopeKind::Scope2 | ScopeKind::Scope3));
    let quantity = activity.measured.map(|measured| measured.quantity.decimal());
    let amounts = [("/quantity", quantity), ("/CO2e", activity.co2e().map(domain::Co2e::decimal))];
    let negative = amounts.into_iter().find(|(_, amount)| amount.is_some_and(Decimal::is_negative));
    if let Some((pointer, Some(amount))) = negative.filter(|_| is_of_emissions) {
        let detail = format!(
            "{amount} is negative and lowers the total of its scope: right for a correction or a refund; credits and removals belong \
             to a scope of kind credit"
        );
        warnings.add(pointer, detail);
    }
}
