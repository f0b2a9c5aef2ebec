//! Activities: recording them, and the report of what they add up to.

use crate::{Caller, Revision, Stored, Version};
use async_trait::async_trait;
use domain::{
    Activity, ActivityId, Attribution, Co2e, Day, Description, Faults, IncompleteToday, Moment, Name, Period, Quantity,
    Slug, SyncId, Total, Unit,
};
use uuid::Uuid;

use super::draft::{Field, Reference};
use super::recalculation::{Recalculated, Recalculation};
use super::{Error, Named};
use crate::repo::Page;

/// Recording activities and reporting what they add up to.
#[async_trait]
pub trait Activities: Send + Sync {
    /// The report of the activities that the query asks for; needs `activity:report`, and `activity:read` for rows.
    /// Unknown nodes are `Parameters` faults named `org`, `scope`, `taxonomy`.
    async fn report(&self, caller: &Caller, query: ReportQuery) -> Result<ReportView, Error>;

    /// The point of history that a report made now speaks of; needs `activity:report`.
    async fn revision(&self, caller: &Caller) -> Result<Revision, Error>;

    /// One activity; needs `activity:read`.
    async fn get(&self, caller: &Caller, id: ActivityId) -> Result<ActivityView, Error>;

    /// Records an activity under a new id; needs `activity:write`.
    async fn add(&self, caller: &Caller, draft: ActivityDraft) -> Result<ActivityView, Error>;

    /// Changes an activity: absent members stay. `seen` is the version it must still have.
    async fn update(
        &self,
        caller: &Caller,
        id: ActivityId,
        seen: Option<Version>,
        draft: ActivityDraft,
    ) -> Result<ActivityView, Error>;

    /// Removes an activity.
    async fn remove(&self, caller: &Caller, id: ActivityId, seen: Option<Version>) -> Result<(), Error>;

    /// Computes activities anew that a factor which came later completes, or whose factor was corrected, and touches no
    /// others; needs `activity:write`. What changes figures that are there needs a preview that is still true, else it is
    /// `Conflict`.
    async fn recalculate(&self, caller: &Caller, asked: Recalculation) -> Result<Recalculated, Error>;
}

/// The members of an activity that are given with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivityDraft {
    /// Required.
    pub name: Field<Name>,
    /// Unique.
    pub sync_id: Field<SyncId>,
    /// Free text.
    pub description: Field<Description>,
    /// Goes together with `unit`.
    pub quantity: Field<Quantity>,
    /// Goes together with `quantity`.
    pub unit: Field<Unit>,
    /// Replaces the computed upstream part, in kg.
    pub upstream: Field<Co2e>,
    /// Replaces the computed downstream part, in kg.
    pub downstream: Field<Co2e>,
    /// What was consumed.
    pub product: Field<Reference>,
    /// The GHG scope.
    pub scope: Field<Reference>,
    /// The category of activity.
    pub taxonomy: Field<Reference>,
    /// The organisation unit.
    pub org: Field<Reference>,
    /// Required.
    pub start: Field<Moment>,
    /// Not before `start`.
    pub end: Field<Moment>,
    /// What it says of the record that it was read from.
    pub read_back: ReadBack,
    /// What reading found wrong, by JSON pointer: `/startDate`, `/org/uuid`.
    pub faults: Faults,
}

/// What an input says of computed values and of itself, beside what can be given: as an answer of ours has it, or a table
/// with sums of its own. None of it is written. It must agree with what the record comes to, so that no amount that is
/// there is passed over; in a row of an answer, which says in `supplied` which parts were, a difference is a warning, since
/// another installation may have computed with other factors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadBack {
    /// The activity that it was read from.
    pub id: Option<ActivityId>,
    /// The upstream part, where it is said not to be supplied.
    pub upstream: Option<Co2e>,
    /// The downstream part, where it is said not to be supplied.
    pub downstream: Option<Co2e>,
    /// The sum of the parts.
    pub co2e: Option<Co2e>,
    /// The parts that are said to be supplied; `None` where the input says nothing of that.
    pub supplied: Option<SuppliedParts>,
}

/// Which parts of a CO2e are said to be supplied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SuppliedParts {
    /// The upstream part.
    pub upstream: bool,
    /// The downstream part.
    pub downstream: bool,
}

/// An activity with the names of what it refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityView {
    /// The activity.
    pub activity: Stored<Activity>,
    /// What was consumed.
    pub product: Option<Named>,
    /// The GHG scope.
    pub scope: Option<Named>,
    /// The category of activity.
    pub taxonomy: Option<Named>,
    /// The organisation unit.
    pub org: Option<Named>,
    /// Why it has no CO2e, by the factors of today.
    pub incomplete: Option<IncompleteToday>,
    /// Whether its CO2e was computed from a factor that was corrected since.
    pub outdated: bool,
}

/// Which activities to report, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportQuery {
    /// The days.
    pub period: Period,
    /// How activities and days belong together.
    pub attribution: Attribution,
    /// Only this org and those below.
    pub org: Option<Uuid>,
    /// Only this scope and those below.
    pub scope: Option<Uuid>,
    /// Only this taxonomy and those below.
    pub taxonomy: Option<Uuid>,
    /// Only the activity that another system calls so; needs `activity:read`.
    pub sync_id: Option<SyncId>,
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
    /// All when the caller may read them, else none.
    AllIfPermitted,
    /// One page when the caller may read them, else none.
    PageIfPermitted(Page),
}

/// A report: one consistent snapshot.
pub struct ReportView {
    /// The point of history that it speaks of.
    pub revision: Revision,
    /// How many activities.
    pub count: u64,
    /// How many of them have no CO2e.
    pub incomplete: u64,
    /// The first day of the period; of the activities found, where the start is open.
    pub first: Option<Day>,
    /// The last day of the period; of the activities found, where the end is open.
    pub last: Option<Day>,
    /// Total of the activities in scopes 1 to 3, in kg.
    pub co2e: Total,
    /// Total of those without a scope, in kg.
    pub uncategorized: Total,
    /// Total of those in nodes of kind `biogenic`, in kg of biogenic CO2.
    pub biogenic: Total,
    /// Total of those in nodes of kind `credit`, in kg.
    pub credits: Total,
    /// Total of those in nodes of kind `outside`, in kg.
    pub outside: Total,
    /// The scopes that the activities carry.
    pub scopes: Vec<Named>,
    /// The orgs that the activities carry.
    pub orgs: Vec<Named>,
    /// The taxonomies that the activities carry.
    pub taxonomies: Vec<TaxonomyView>,
    /// Whether rows are given: the caller may read them and asked for them.
    pub detailed: bool,
    /// The activities asked for, in batches, by day then id.
    pub rows: Box<dyn ReportBatches>,
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
