//! Closing periods, opening them again, and what became of their figures since.

mod base_year;
mod closed;
mod freeze;
mod guarded_activities;
mod guarded_kind;
mod guarded_repositories;
mod guarded_store;
mod guarded_tx;
mod known;
mod restatement;

use std::sync::Arc;

use async_trait::async_trait;
use domain::{ClosedPeriod, ClosedPeriodId, Day, FaultCode, Frozen, Name, OrgId, PeriodSignature, YearStart};
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::inbound::{BaseYear, Done, Error, Field, Once, PeriodDraft, PeriodView, Periods, ReopenDraft, Restatement};
use ports::repo::{Listing, Page, Query};
use ports::store::{Conflict, Intent, PeriodClosed, ReadTx, Store, StoreError, WriteTx};
use ports::{Caller, Grant, Stored, Write, demand, permit};

use super::draft::{pointer, required};
use super::names::with_path;
use super::once;
use super::published::Chooser;
use super::read_model::ReadModels;
use super::resolve::Resolver;

pub(super) use base_year::find as base_year_period;
pub(super) use closed::{all_periods, closed_periods, refuse};
pub use freeze::live_report;
pub use guarded_store::GuardedStore;

/// How often a report that other writers overtook is made in a snapshot again, before it is made while they wait.
const ATTEMPTS: usize = 3;

/// Closes periods in a store and opens them again.
pub struct PeriodService {
    /// The store of these records.
    pub store: Arc<dyn Store>,
    /// What reports are made from.
    pub read_models: Arc<ReadModels>,
    /// Chooses factors for products that have a rule.
    pub chooser: Arc<Chooser>,
    /// Stamps what is written.
    pub clock: Arc<dyn Clock>,
    /// Gives new records their ids.
    pub ids: Arc<dyn Ids>,
}

/// What a draft asks to close.
#[derive(Clone, Copy)]
struct Span {
    org: Option<OrgId>,
    first: Day,
    last: Day,
}

impl PeriodService {
    fn intent(&self, cause: &str) -> Intent {
        Intent { at: self.clock.now(), cause: cause.to_owned() }
    }

    /// The transaction that closes the span, and its report as it is in it: made in a snapshot, and where others write
    /// faster than that, while they wait.
    async fn frozen(&self, grant: &Grant<Write>, span: Span) -> Result<(Box<dyn WriteTx>, Frozen), Error> {
        let store = self.store.as_ref();
        for _ in 0..ATTEMPTS {
            let (revision, report) = freeze::of_snapshot(store, &self.read_models, grant, span).await?;
            let mut tx = store.write(grant, self.intent("POST /v1/period")).await?;
            let head = tx.head().await?;
            if head.revision() == revision {
                return Ok((tx, Frozen::new(&report, head.epoch, head.number)));
            }
        }
        let mut tx = store.write(grant, self.intent("POST /v1/period")).await?;
        let (head, report) = (tx.head().await?, freeze::of_tx(tx.as_mut(), span).await?);
        Ok((tx, Frozen::new(&report, head.epoch, head.number)))
    }

    async fn close_now(
        &self,
        grant: &Grant<Write>,
        by: Name,
        draft: PeriodDraft,
        once: Option<&Once<PeriodView>>,
    ) -> Result<PeriodView, Error> {
        let (reason, base_year) = (draft.reason.clone().into_option(), draft.base_year.clone().into_option());
        let span = span(self.store.read(&grant.to_read()).await?.as_mut(), draft).await?;
        let (mut tx, frozen) = self.frozen(grant, span).await?;
        let known = closed_periods(tx.as_mut()).await?;
        let same = known.iter().find(|it| (it.org, it.first, it.last) == (span.org, span.first, span.last));
        if let Some(same) = same {
            return Err(Conflict::Closed(PeriodClosed::of(same)).into());
        }
        if let Some(batch) = tx.imports().undoing().await?.first() {
            let detail = format!("import {} is being undone; close the period once that is done", batch.id);
            return Err(Error::Conflict { pointer: String::new(), detail });
        }
        let now = self.clock.now();
        let id = ClosedPeriodId::new(self.ids.next(now));
        let period = ClosedPeriod::new(id, span.first, span.last, PeriodSignature::new(now, by, reason), frozen);
        let period = period.ok_or_else(|| Error::Failed("a period ends before it begins".into()))?;
        let stored = tx.closed_periods_mut().add(period.with_org(span.org).with_base_year(base_year)).await?;
        let view = view(tx.as_mut(), stored).await?;
        once::keep(tx.as_mut(), once, &view).await?;
        tx.commit().await?;
        Ok(view)
    }
}

#[async_trait]
impl Periods for PeriodService {
    async fn list(&self, caller: &Caller, page: Page) -> Result<Listing<PeriodView>, Error> {
        let grant = permit(caller, demand::ACTIVITY_REPORT)?;
        let mut tx = self.store.read(&grant).await?;
        let Listing { count, page, data } = tx.closed_periods().list(&Query::all(page)).await?;
        let mut views = Vec::with_capacity(data.len());
        for stored in data {
            views.push(view(tx.as_mut(), stored).await?);
        }
        Ok(Listing { count, page, data: views })
    }

    async fn get(&self, caller: &Caller, id: ClosedPeriodId) -> Result<PeriodView, Error> {
        let grant = permit(caller, demand::ACTIVITY_REPORT)?;
        let mut tx = self.store.read(&grant).await?;
        let stored = find(tx.as_mut(), id).await?;
        view(tx.as_mut(), stored).await
    }

    async fn close_once(
        &self,
        caller: &Caller,
        draft: PeriodDraft,
        once: Option<Once<PeriodView>>,
    ) -> Result<Done<PeriodView>, Error> {
        let grant = permit(caller, demand::PERIOD_CLOSE)?;
        let work = self.close_now(&grant, signer(caller)?, draft, once.as_ref());
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, once::request(once.as_ref()), work).await
    }

    async fn reopen_once(
        &self,
        caller: &Caller,
        id: ClosedPeriodId,
        draft: ReopenDraft,
        once: Option<Once<PeriodView>>,
    ) -> Result<Done<PeriodView>, Error> {
        let grant = permit(caller, demand::PERIOD_CLOSE)?;
        let by = signer(caller)?;
        let work = async {
            let ReopenDraft { reason, mut faults } = draft;
            let reason = required(&mut faults, "/reason", reason, None);
            let mut tx = self.store.write(&grant, self.intent("POST /v1/period/reopen")).await?;
            let before = find(tx.as_mut(), id).await?;
            faults.into_result()?;
            if let Some(reopened) = &before.value.reopened {
                let detail = format!("the period was opened again by {} at {}", reopened.by, reopened.at);
                return Err(Error::Conflict { pointer: String::new(), detail });
            }
            let signature = PeriodSignature::new(self.clock.now(), by, reason);
            let period = before.value.with_reopened(Some(signature));
            let stored = tx.closed_periods_mut().update(period, before.version).await?;
            let view = view(tx.as_mut(), stored).await?;
            once::keep(tx.as_mut(), once.as_ref(), &view).await?;
            tx.commit().await?;
            Ok(view)
        };
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, once::request(once.as_ref()), work).await
    }

    async fn base_year(&self, caller: &Caller) -> Result<BaseYear, Error> {
        let grant = permit(caller, demand::ACTIVITY_REPORT)?;
        base_year::base_year(self.store.as_ref(), &self.read_models, &self.chooser, &grant).await
    }

    async fn restatement(&self, caller: &Caller, id: ClosedPeriodId) -> Result<Restatement, Error> {
        let grant = permit(caller, demand::ACTIVITY_REPORT)?;
        restatement::restatement(self.store.as_ref(), &self.read_models, &grant, id).await
    }
}

/// What a draft asks to close, or all that is wrong with it.
async fn span(tx: &mut dyn ReadTx, draft: PeriodDraft) -> Result<Span, Error> {
    let PeriodDraft { org, period, year_start, mut first, mut last, base_year, reason: _, mut faults } = draft;
    match period {
        Field::Given(name) if first.is_missing() && last.is_missing() => {
            if let Ok(days) = year_start.period_by_name(&name) {
                (first, last) = (Field::of(days.first()), Field::of(days.last()));
            } else {
                faults.add("/period", unnamed(&name, year_start));
                (first, last) = (Field::Faulty, Field::Faulty);
            }
        }
        Field::Given(_) => {
            faults.add_coded(
                FaultCode::Mismatch,
                "/period",
                "does not go with a first and a last day: give the one or the other",
            );
        }
        Field::Faulty => (first, last) = (Field::Faulty, Field::Faulty),
        Field::Absent | Field::Null => {}
    }
    if base_year.given().is_some() && !org.is_missing() {
        faults.add("/baseYear", "is for the whole company alone: leave out the org");
    }
    let (first, last) = (required(&mut faults, "/first", first, None), required(&mut faults, "/last", last, None));
    let org = match org {
        Field::Given(reference) => match Resolver::default().node::<domain::Org>(tx, &reference).await? {
            Ok(org) => Some(org),
            Err(detail) => {
                faults.add_coded(FaultCode::NotFound, pointer("/org", &reference), detail);
                None
            }
        },
        Field::Absent | Field::Null | Field::Faulty => None,
    };
    match (first, last) {
        (Some(first), Some(last)) if first > last => {
            faults.add("/last", format!("lies before the first day, {first}"));
            Err(Error::Invalid(faults))
        }
        (Some(first), Some(last)) if faults.is_empty() => Ok(Span { org, first, last }),
        _ => Err(Error::Invalid(faults)),
    }
}

/// That a text names no period, and what does.
fn unnamed(name: &str, year_start: YearStart) -> String {
    let fiscal = if year_start == YearStart::default() { "" } else { ", YYYY/YYYY" };
    format!("{name:?} is no period: write YYYY, YYYY-Q1, YYYY-MM, YYYY-MM-DD, FY2025 or FY2025-Q2{fiscal}")
}

/// The caller, as a signature names them.
fn signer(caller: &Caller) -> Result<Name, Error> {
    Name::parse(&caller.actor).map_err(|error| Error::Failed(Box::new(error)))
}

/// The period of that id, which must be there.
async fn find(tx: &mut dyn ReadTx, id: ClosedPeriodId) -> Result<Stored<ClosedPeriod>, Error> {
    tx.closed_periods().find(id).await?.ok_or(Error::NotFound)
}

/// A period with the name and the path of its org.
pub(super) async fn view(tx: &mut dyn ReadTx, period: Stored<ClosedPeriod>) -> Result<PeriodView, Error> {
    let (org, org_path) = with_path::<domain::Org>(tx, period.value.org).await?.unzip();
    let frozen = frozen_report(&period)?.in_scopes();
    Ok(PeriodView { period, org, org_path, frozen })
}

/// The frozen report of a period.
pub(super) fn frozen_report(period: &Stored<ClosedPeriod>) -> Result<domain::FrozenReport, StoreError> {
    let damaged = |error: domain::CanonicalError| StoreError::Corrupt {
        subject: format!("period {}", period.value.id),
        detail: error.to_string(),
    };
    period.value.frozen.report().map_err(damaged)
}
