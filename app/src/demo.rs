//! A made-up company, Halvenmere Cycles, with its books of 2023 to 2025: what `tonne demo` serves.
//!
//! Every amount follows from the tables here and a generator of its own, so that two fillings are the same figures, and
//! a second filling of one store changes nothing.

mod activities;
mod bills;
mod calendar;
mod catalog;
mod company;
mod exclusion;
mod footprint;
mod later;
mod market;
mod model;
mod parse;
mod partner;
mod period;
mod product;
mod published;
mod random;
mod stream;

use domain::{Period, Tree};
use ports::Caller;
use ports::inbound::{
    Activities, Catalog, Error, Exclusions, Footprints, Imports, Models, Partners, Periods, ReportQuery, ReportRows,
    Switches,
};
use ports::repo::Page;
use uuid::Uuid;

use crate::App;

pub use published::add_factors;

/// The name of the demo's company.
pub const COMPANY: &str = "Halvenmere Cycles";

/// The name of the key and of the client that the demo's lines call with. Who makes one of their own hardly takes it: those of
/// the start before are revoked by it.
pub const CREDENTIAL: &str = "demo (printed at start)";

/// A page of one record.
const ONE: Page = Page { number: 1, size: 1 };

/// What the demo is written through.
#[derive(Clone, Copy)]
pub struct UseCases<'a> {
    /// Trees, products and factors.
    pub catalog: &'a dyn Catalog,
    /// Reads the activities that were imported.
    pub activities: &'a dyn Activities,
    /// Imports the activities.
    pub imports: &'a dyn Imports,
    /// Models and their inputs.
    pub models: &'a dyn Models,
    /// Adds the switches.
    pub switches: &'a dyn Switches,
    /// Adds the footprints.
    pub footprints: &'a dyn Footprints,
    /// Closes periods.
    pub periods: &'a dyn Periods,
    /// Says what is left out.
    pub exclusions: &'a dyn Exclusions,
    /// Adds partners and shares footprints with them.
    pub partners: &'a dyn Partners,
}

impl<'a> From<&'a App> for UseCases<'a> {
    fn from(app: &'a App) -> Self {
        let areas = app.areas();
        Self {
            imports: app.imports(),
            catalog: areas.catalog.as_ref(),
            activities: areas.activities.as_ref(),
            models: areas.models.as_ref(),
            switches: areas.switches.as_ref(),
            footprints: areas.footprints.as_ref(),
            periods: areas.periods.as_ref(),
            exclusions: areas.exclusions.as_ref(),
            partners: areas.partners.as_ref(),
        }
    }
}

/// Records of the demo to ask for first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demo {
    /// How many activities the store holds.
    pub activities: u64,
    /// How many footprints it holds.
    pub footprints: u64,
    /// The node of scope 3.
    pub scope: Uuid,
    /// An org of the second level.
    pub org: Uuid,
    /// A node of the taxonomy tree.
    pub taxonomy: Uuid,
    /// One of the activities; `None` where all are gone, as where their imports were undone.
    pub activity: Option<Uuid>,
    /// A model with inputs in several blocks.
    pub model: Uuid,
    /// A switch with a footprint.
    pub switch: Uuid,
}

/// Why the demo was not filled in.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The store holds records, but not the demo's.
    #[error("it holds other records than the demo's: name a new folder by --data-dir")]
    Occupied,
    /// A row of the demo was rejected.
    #[error("row {line} was rejected: {faults}")]
    Rejected {
        /// Which row, from 1.
        line: u64,
        /// What is wrong with it.
        faults: domain::Faults,
    },
    /// A use case refused.
    #[error(transparent)]
    Refused(#[from] Error),
}

/// Fills the caller's tenant with what of the demo is not there yet, which stands on the set of [`add_factors`]; needs `admin`. What stops
/// on the way is gone on with by the next filling. Once the books are whole they stay as they are, and so does what somebody
/// tried on them since: an activity that was changed, a recalculation, an import that was undone.
pub async fn fill(use_cases: UseCases<'_>, caller: &Caller) -> Result<Demo, DemoError> {
    catalog::refuse_others(use_cases, caller).await?;
    let (scope, org, taxonomy) = catalog::fill(use_cases.catalog, caller).await?;
    product::fill(use_cases.catalog, caller).await?;
    published::fill(use_cases.catalog, caller).await?;
    if !activities::are_there(use_cases.imports, caller).await? {
        let market = market::Market::known(use_cases.catalog, caller).await?;
        activities::fill(use_cases.imports, &market, caller).await?;
    }
    period::fill_month(use_cases.periods, caller).await?;
    bills::fill(use_cases.imports, caller).await?;
    if !later::is_there(use_cases.catalog, caller).await? {
        later::fill(use_cases.catalog, caller).await?;
    }
    let (model, switch) = model::fill(use_cases, caller).await?;
    let footprints = footprint::fill(use_cases.footprints, model, caller).await?;
    partner::fill(use_cases.partners, use_cases.footprints, caller).await?;
    exclusion::fill(use_cases.exclusions, caller).await?;
    period::fill_base_year(use_cases.periods, caller).await?;
    let (activities, activity) = one_activity(use_cases.activities, caller).await?;
    Ok(Demo { activities, footprints, scope, org, taxonomy, activity, model, switch })
}

/// How many activities there are, and one of them: of the last month, if it has any.
async fn one_activity(activities: &dyn Activities, caller: &Caller) -> Result<(u64, Option<Uuid>), Error> {
    let all = activities.report(caller, ReportQuery::default()).await?.count;
    for period in [parse::text(Period::parse, "2025-12")?, Period::default()] {
        let query = ReportQuery { period, rows: ReportRows::Page(ONE), ..ReportQuery::default() };
        let mut report = activities.report(caller, query).await?;
        if let Some((view, _)) = report.rows.next().await?.into_iter().next() {
            return Ok((all, Some(view.activity.value.id.uuid())));
        }
    }
    Ok((all, None))
}

/// The syncId of the demo's record of that kind and code.
fn sync_text(kind: &str, code: &str) -> String {
    format!("demo-{kind}-{code}")
}

/// The word for a tree in the demo's syncIds.
fn node_text(tree: Tree, code: &str) -> String {
    sync_text(&tree.to_string(), code)
}
