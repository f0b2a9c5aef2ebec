//! Stand-in of the activities: one known record, and a report of as many of it as a test wants.

use std::sync::atomic::Ordering;

use async_trait::async_trait;
use domain::{
    Activity, ActivityId, Calculation, CalculationParts, Co2e, Day, Measured, Moment, Name, Quantity, Span,
    SuppliedCo2e, Timestamp, Total, Unit,
};
use ports::inbound::{
    ActivityDraft, ActivityView, Done, Error, Named, Once, Recalculated, Recalculation, ReportBatches, ReportQuery,
    ReportRows, ReportView, TaxonomyView, UndoneRecalculation,
};
use ports::repo::Place;
use ports::{Caller, Permission, RecalculationId, Revision, Stored, Version, demand, permit};
use uuid::Uuid;

use super::Held;

/// The activity that exists.
pub(crate) const ACTIVITY: &str = "0193d3c5-0000-7000-8000-000000000001";

/// The node that reports carry in every list.
const NODE: &str = "0193d3c5-0000-7000-8000-0000000000ff";

/// Activities whose report has that many batches of 100.
#[derive(Clone, Default)]
pub(crate) struct Activities {
    pub(crate) batches: usize,
    pub(crate) fails_after: Option<usize>,
    /// How many reports are held.
    pub(crate) held: Held,
    /// How many reports were ever begun.
    pub(crate) begun: Held,
}

struct Batches {
    left: usize,
    until_failure: Option<usize>,
    held: Held,
}

impl Drop for Batches {
    fn drop(&mut self) {
        self.held.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl ReportBatches for Batches {
    async fn next(&mut self) -> Result<Vec<(ActivityView, Option<Co2e>)>, Error> {
        if self.until_failure == Some(0) {
            return Err(Error::Failed("disk on fire".into()));
        }
        self.until_failure = self.until_failure.map(|left| left - 1);
        let Some(left) = self.left.checked_sub(1) else { return Ok(Vec::new()) };
        self.left = left;
        Ok(vec![(view(), None); 100])
    }
}

#[async_trait]
impl ports::inbound::Activities for Activities {
    async fn report(&self, caller: &Caller, query: ReportQuery) -> Result<ReportView, Error> {
        permit(caller, demand::ACTIVITY_REPORT)?;
        query.faults.into_result().map_err(Error::Parameters)?;
        let reads = caller.permissions.allows(Permission::ActivityRead);
        let is_part = match query.rows {
            ReportRows::None | ReportRows::All | ReportRows::AllIfPermitted => false,
            ReportRows::Page(_)
            | ReportRows::Step(_)
            | ReportRows::PageIfPermitted(_)
            | ReportRows::StepIfPermitted(_) => reads,
        };
        let batches = match query.rows {
            ReportRows::All | ReportRows::Page(_) | ReportRows::Step(_) if !reads => {
                return Err(Error::Denied(ports::Denied(Permission::ActivityRead)));
            }
            ReportRows::None
            | ReportRows::AllIfPermitted
            | ReportRows::PageIfPermitted(_)
            | ReportRows::StepIfPermitted(_)
                if !reads =>
            {
                0
            }
            ReportRows::All | ReportRows::AllIfPermitted => self.batches,
            ReportRows::Page(_)
            | ReportRows::PageIfPermitted(_)
            | ReportRows::Step(_)
            | ReportRows::StepIfPermitted(_) => 1,
            ReportRows::None => 0,
        };
        self.held.fetch_add(1, Ordering::SeqCst);
        self.begun.fetch_add(1, Ordering::SeqCst);
        let node = Uuid::try_parse(NODE).unwrap();
        let named = Named { id: node, name: Name::parse("All").unwrap() };
        Ok(ReportView {
            revision: self.revision(caller).await?,
            count: 100 * self.batches as u64,
            incomplete: 1,
            outdated: 0,
            outdated: 0,
            first: Some(Day::parse("2025-01-01").unwrap()),
            last: Some(Day::parse("2025-12-31").unwrap()),
            co2e: Total::parse("1234567.890123456789012345").unwrap(),
            uncategorized: Total::parse("-0.5").unwrap(),
            biogenic: Total::ZERO,
            credits: Total::ZERO,
            outside: Total::ZERO,
            market: ports::inbound::MarketTotals::default(),
            quality: ports::inbound::QualityTotals::default(),
            scopes: [named.clone()].into(),
            orgs: [named].into(),
            taxonomies: [TaxonomyView {
                id: node,
                name: Name::parse("All").unwrap(),
                slug: domain::Slug::parse("all").unwrap(),
                path: "all".to_owned(),
            }]
            .into(),
            detailed: reads,
            previous: is_part.then(|| Place::of(&view().activity.value)),
            next: is_part.then(|| Place::of(&view().activity.value)),
            rows: Box::new(Batches { left: batches, until_failure: self.fails_after, held: self.held.clone() }),
        })
    }

    async fn revision(&self, caller: &Caller) -> Result<Revision, Error> {
        permit(caller, demand::ACTIVITY_REPORT)?;
        Ok(Revision { epoch: Uuid::nil(), number: 41 })
    }

    async fn get(&self, caller: &Caller, id: ActivityId) -> Result<ActivityView, Error> {
        permit(caller, demand::ACTIVITY_READ)?;
        if id == view().activity.value.id { Ok(view()) } else { Err(Error::NotFound) }
    }

    async fn add_once(
        &self,
        _: &Caller,
        _: ActivityDraft,
        _: Option<Once<ActivityView>>,
    ) -> Result<Done<ActivityView>, Error> {
        Err(Error::NotFound)
    }

    async fn update(
        &self,
        _: &Caller,
        _: ActivityId,
        _: Option<Version>,
        _: ActivityDraft,
    ) -> Result<ActivityView, Error> {
        Err(Error::NotFound)
    }

    async fn remove(&self, _: &Caller, _: ActivityId, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }

    async fn recalculate_once(
        &self,
        _: &Caller,
        _: Recalculation,
        _: Option<Once<Recalculated>>,
    ) -> Result<Done<Recalculated>, Error> {
        Err(Error::NotFound)
    }

    async fn undo_recalculation(&self, _: &Caller, _: RecalculationId) -> Result<UndoneRecalculation, Error> {
        Err(Error::NotFound)
    }
}

/// The activity that exists.
fn view() -> ActivityView {
    let at = Timestamp::parse("2025-02-03T04:05:06.789Z").unwrap();
    let activity = Activity::new(
        ACTIVITY.parse().unwrap(),
        Name::parse("Electricity \"north\"").unwrap(),
        Span::new(Moment::parse("2025-01-01T00:30:00+13:00").unwrap(), None).unwrap(),
    )
    .with_measured(Some(Measured {
        quantity: Quantity::parse("12345678901234567890.000000000000000001").unwrap(),
        unit: Unit::parse("kWh").unwrap(),
    }))
    .with_calculation(
        Calculation::from_parts(
            CalculationParts::default()
                .with_supplied(SuppliedCo2e::default().with_upstream(Some(Co2e::parse("0.1").unwrap())))
                .with_upstream(Some(Co2e::parse("0.1").unwrap())),
        )
        .unwrap(),
    );
    ActivityView {
        activity: Stored { value: activity, created: at, updated: at, version: Version(7) },
        product: None,
        scope: None,
        taxonomy: None,
        org: None,
        incomplete: None,
        outdated: false,
        paths: ports::inbound::NodePaths::default(),
        warnings: Vec::new(),
    }
}
