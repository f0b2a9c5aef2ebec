//! Breaking the report down, and what a line of it is made of.

use async_trait::async_trait;

use super::Error;
use super::breakdown::{Breakdown, BreakdownQuery};
use super::breakdown_line::BreakdownLine;
use crate::Caller;
use crate::repo::Page;

/// Breaking the report down.
#[async_trait]
pub trait Breakdowns: Send + Sync {
    /// What the query's activities add up to, with rows that add up to the totals; needs `activity:report`, and
    /// `activity:read` where it asks for a name or for what was updated. Everything that is wrong with it is a
    /// `Parameters` fault under the name that [`BreakdownQuery`] has for it.
    async fn breakdown(&self, caller: &Caller, query: BreakdownQuery) -> Result<Breakdown, Error>;

    /// The activities that a line of it is made of, a page of them, and what they come to when they are added up one by one;
    /// needs `activity:read`. `line` has the [key](super::Label::key) of each of the line's labels, with commas between them; the
    /// whole without it. What it names wrongly is a fault named `line`.
    async fn line(
        &self,
        caller: &Caller,
        query: BreakdownQuery,
        line: Option<String>,
        page: Page,
    ) -> Result<BreakdownLine, Error>;
}
