//! The report of activities: what a caller may ask of it, and its answer.

use std::sync::Arc;

use async_trait::async_trait;
use domain::{Attribution, Co2e, Day, Faults, Name, Period, Scope2, Slug, SyncId, Total};
use uuid::Uuid;

use super::activity_view::ActivityView;
use super::breakdown::Only;
use super::{Error, Named};
use crate::Revision;
use crate::repo::{Page, Place, Side};

/// Which activities to report, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportQuery {
    /// The days.
    pub period: Period,
    /// How activities and days belong together.
    pub attribution: Attribution,
    /// Which figures of scope 2 count.
    pub scope2: Scope2,
    /// Only this org and those below.
    pub org: Option<Uuid>,
    /// Only this scope and those below.
    pub scope: Option<Uuid>,
    /// Only this taxonomy and those below.
    pub taxonomy: Option<Uuid>,
    /// Only the activity that another system calls so; needs `activity:read`.
    pub sync_id: Option<SyncId>,
    /// Which single activities; a product by its uuid. Their names, and when they were changed, need `activity:read`.
    pub only: Only,
    /// Which rows to give.
    pub rows: ReportRows,
    /// What reading found wrong, by parameter.
    pub faults: Faults,
}

/// Which of a report's activities to give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReportRows {
    /// None.
    #[default]
    None,
    /// All, one batch after the other.
    All,
    /// One page.
    Page(Page),
    /// One step of a walk from place to place.
    Step(Step),
    /// All when the caller may read them, else none.
    AllIfPermitted,
    /// One page when the caller may read them, else none.
    PageIfPermitted(Page),
    /// One step when the caller may read them, else none.
    StepIfPermitted(Step),
}

/// A step of a walk over activities by first day, then id: it costs the same wherever it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Beside which place, the nearest to it.
    pub side: Side,
    /// How many at most, 1 to 1000.
    pub limit: u32,
}

/// A report: one consistent snapshot.
pub struct ReportView {
    /// The revision that it is of.
    pub revision: Revision,
    /// How many activities.
    pub count: u64,
    /// How many of them have no CO2e.
    pub incomplete: u64,
    /// How many of them have a CO2e that is outdated ([`Activity::outdated`](domain::Activity::outdated)).
    pub outdated: u64,
    /// The first day of the period; of the activities found, where the start is open.
    pub first: Option<Day>,
    /// The last day of the period; of the activities found, where the end is open.
    pub last: Option<Day>,
    /// Total of the activities in scopes 1 to 3, in kg.
    pub co2e: Total,
    /// Total of those without a scope, in kg.
    pub uncategorized: Total,
    /// Biogenic CO2 in kg: total of those in nodes of kind `biogenic`, and the measure of all others.
    pub biogenic: Total,
    /// Total of those in nodes of kind `credit`, in kg.
    pub credits: Total,
    /// Total of those in nodes of kind `outside`, in kg.
    pub outside: Total,
    /// What the market adds, where it is asked for.
    pub market: MarketTotals,
    /// What of the total in scopes 1 to 3 is how well known.
    pub quality: QualityTotals,
    /// The scopes that the activities carry.
    pub scopes: Arc<[Named]>,
    /// The orgs that the activities carry.
    pub orgs: Arc<[Named]>,
    /// The taxonomies that the activities carry.
    pub taxonomies: Arc<[TaxonomyView]>,
    /// Whether rows are given: the caller may read them and asked for them.
    pub detailed: bool,
    /// Before which place the activities in front of this page or step are; `None` when there are none, or when all
    /// activities, or none, are given.
    pub previous: Option<Place>,
    /// After which place those behind it are; `None` as for `previous`.
    pub next: Option<Place>,
    /// The activities asked for, in batches, by day then id.
    pub rows: Box<dyn ReportBatches>,
}

/// Market-based figures of a report, in kg.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarketTotals {
    /// Total in scopes 1 to 3, with scope 2 market-based.
    pub co2e: Total,
    /// What of market-based scope 2 rests on certificates, contracts and rates of suppliers.
    pub instrument: Total,
    /// What of it rests on a residual mix.
    pub residual: Total,
    /// What of it rests on location-based factors, for want of both.
    pub location: Total,
}

/// What of a report's CO2e in scopes 1 to 3, with scope 2 location-based, is of which quality, in kg. The four add up to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QualityTotals {
    /// Of activities that state that it is measured.
    pub measured: Total,
    /// Of those that state that it is estimated.
    pub estimated: Total,
    /// Of those that state that it comes from a proxy.
    pub proxy: Total,
    /// Of those that state nothing.
    pub not_stated: Total,
}

impl std::fmt::Debug for ReportView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReportView")
            .field("revision", &self.revision)
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

/// The activities of a report, batch by batch, all of the report's own snapshot. Dropping it lets the snapshot go.
#[async_trait]
pub trait ReportBatches: Send {
    /// The next batch; empty when there are no more.
    async fn next(&mut self) -> Result<Vec<(ActivityView, Option<Co2e>)>, Error>;
}

/// A taxonomy node as reports show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxonomyView {
    /// Its identifier.
    pub id: Uuid,
    /// What it is called.
    pub name: Name,
    /// Its part of the path.
    pub slug: Slug,
    /// The slugs from the root, joined by `/`.
    pub path: String,
}
