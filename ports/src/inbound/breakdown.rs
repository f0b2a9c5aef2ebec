//! The report broken down: what activities add up to, node by node or month by month.

use async_trait::async_trait;
use domain::{Attribution, Day, Period, Totals};

use uuid::Uuid;

use super::Error;
use crate::Caller;

/// Breaking the report down.
#[async_trait]
pub trait Breakdowns: Send + Sync {
    /// What the query's activities add up to, with rows that add up to the totals; needs `activity:report`. Unknown nodes
    /// are `Parameters` faults named `org`, `scope`, `taxonomy`.
    async fn breakdown(&self, caller: &Caller, query: BreakdownQuery) -> Result<Breakdown, Error>;
}

/// Which activities to add up, and what a row is about. Nodes are given by uuid, syncId or their one matching name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakdownQuery {
    /// The days whose activities count.
    pub period: Period,
    /// How activities and days belong together.
    pub attribution: Attribution,
    /// Only this org and those below.
    pub org: Option<String>,
    /// Only this scope and those below.
    pub scope: Option<String>,
    /// Only this taxonomy and those below.
    pub taxonomy: Option<String>,
    /// What a row is about.
    pub by: BreakdownBy,
}

/// What a row of a breakdown is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakdownBy {
    /// A scope, on so many levels.
    Scope(usize),
    /// An org, on so many levels.
    Org(usize),
    /// A taxonomy, on so many levels.
    Taxonomy(usize),
    /// One calendar month of the period.
    Month,
}

/// What activities add up to: one consistent snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakdown {
    /// The first day of the period; of the activities found, where the start is open.
    pub first: Option<Day>,
    /// The last day of the period; of the activities found, where the end is open.
    pub last: Option<Day>,
    /// What all of them come to.
    pub totals: Totals,
    /// The rows in the order they are shown: scopes as they were made, other nodes by their path, months as they follow
    /// each other, activities without a node last.
    pub rows: Vec<BreakdownRow>,
}

/// A row of a breakdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakdownRow {
    /// The node, where the row is about one.
    pub node: Option<Uuid>,
    /// The month, or the path of the node; `None` for activities that carry no node.
    pub name: Option<String>,
    /// What its activities come to.
    pub totals: Totals,
}
