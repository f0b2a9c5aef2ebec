//! What is missing in an inventory, and why.

use async_trait::async_trait;
use domain::{ActivityId, Day, Faults, IncompleteToday, Name, ScopeClass};
use uuid::Uuid;

use super::exclusion::ExclusionView;
use super::{Error, Named};
use crate::{Caller, Revision};

/// How many activities without CO2e are named for each reason.
pub const EXAMPLES: usize = 5;

/// How many series with gaps an answer names.
pub const MOST_GAPS: usize = 1_000;

/// Says what is missing. Needs `activity:report`; single activities are named to who has `activity:read`.
#[async_trait]
pub trait Completeness: Send + Sync {
    /// What is missing in a period: one consistent snapshot. Parameters that are wrong are `Parameters` faults.
    async fn completeness(&self, caller: &Caller, query: CompletenessQuery) -> Result<CompletenessView, Error>;
}

/// Of what days and which part of the company.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompletenessQuery {
    /// The first day; without both, those of the calendar year in which the last activity begins.
    pub first: Option<Day>,
    /// The last day, included.
    pub last: Option<Day>,
    /// Only this org and those below.
    pub org: Option<Uuid>,
    /// Whether the reasons of activities without CO2e are left out: no activity is read then.
    pub without_reasons: bool,
    /// What reading found wrong, by parameter.
    pub faults: Faults,
}

/// What is missing in a period.
#[derive(Clone, Debug, PartialEq)]
pub struct CompletenessView {
    /// The revision that it is of.
    pub revision: Revision,
    /// The first day.
    pub first: Day,
    /// The last day, included.
    pub last: Day,
    /// How many activities begin in the period.
    pub count: u64,
    /// How many of them have no CO2e.
    pub incomplete: u64,
    /// Those by the reason why, as it is today, the most frequent first; empty where reasons are left out.
    pub reasons: Vec<IncompleteReason>,
    /// How many series have gaps.
    pub gap_count: u64,
    /// The first [`MOST_GAPS`] of them, those with the most months without data first.
    pub gaps: Vec<GapView>,
    /// Scope 1, scope 2 and each category of scope 3.
    pub coverage: Vec<CoverageView>,
}

/// Activities without CO2e for one reason.
#[derive(Clone, Debug, PartialEq)]
pub struct IncompleteReason {
    /// The reason.
    pub reason: IncompleteToday,
    /// How many there are.
    pub count: u64,
    /// The first [`EXAMPLES`] by day; empty for who may not read activities.
    pub examples: Vec<IncompleteExample>,
}

/// An activity without CO2e.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncompleteExample {
    /// The activity.
    pub id: ActivityId,
    /// What it is called.
    pub name: Name,
    /// Its first day.
    pub day: Day,
}

/// A series that usually has data, with months without any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GapView {
    /// The scope of its activities.
    pub scope: Option<Named>,
    /// Their org.
    pub org: Option<Named>,
    /// Their taxonomy.
    pub taxonomy: Option<Named>,
    /// How many months have data, from the first to the last that has, within the period and the twelve months before.
    pub with_data: u64,
    /// How many months that are.
    pub of: u64,
    /// The months without data, such as `2025-03`, in order.
    pub months: Vec<String>,
}

/// What there is of a scope or a category, and what is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct CoverageView {
    /// Which one.
    pub class: ScopeClass,
    /// How many activities begin in the period.
    pub count: u64,
    /// How many of them have no CO2e.
    pub incomplete: u64,
    /// Whether there are some, or why not.
    pub state: CoverageState,
    /// The exclusions that leave out some of it in a year of the period.
    pub exclusions: Vec<ExclusionView>,
}

/// Whether a scope or a category has activities, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverageState {
    /// It has.
    Reported,
    /// It has none, and all of it is left out in each year of the period.
    Excluded,
    /// It has none, and some of it is left out.
    PartlyExcluded,
    /// It has none, and nothing says why.
    Missing,
}

impl CoverageState {
    /// Every state.
    pub const ALL: [Self; 4] = [Self::Reported, Self::Excluded, Self::PartlyExcluded, Self::Missing];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reported => "reported",
            Self::Excluded => "excluded",
            Self::PartlyExcluded => "partlyExcluded",
            Self::Missing => "missing",
        }
    }
}
