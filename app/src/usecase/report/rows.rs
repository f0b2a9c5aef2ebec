//! The activities of a report, read from its snapshot as they are given.

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use domain::{Activity, Attribution, Catalog, Co2e, Filter, ScopeId};
use ports::Stored;
use ports::inbound::{ActivityView, Error, ReportBatches};
use ports::repo::Place;
use ports::store::{ReadTx, StoreError};

use super::BATCH;
use crate::usecase::choice::Choice;
use crate::usecase::factors::Factors;
use crate::usecase::names;

/// Which activities are left to give.
pub(super) enum Left {
    /// These, which were read.
    Read(Vec<Stored<Activity>>),
    /// All behind a place, of so many.
    All { after: Option<Place>, given: u64, count: u64 },
}

/// The activities of a report, batch by batch.
pub(super) struct Rows {
    pub(super) tx: Option<Box<dyn ReadTx>>,
    pub(super) catalog: Arc<Catalog>,
    pub(super) filter: Filter,
    pub(super) choice: Choice,
    pub(super) not_spread: HashSet<ScopeId>,
    pub(super) factors: Factors,
    pub(super) left: Left,
}

#[async_trait]
impl ReportBatches for Rows {
    async fn next(&mut self) -> Result<Vec<(ActivityView, Option<Co2e>)>, Error> {
        let Some(tx) = self.tx.as_mut() else { return Ok(Vec::new()) };
        let (batch, left) = match std::mem::replace(&mut self.left, Left::Read(Vec::new())) {
            Left::Read(batch) => (batch, Left::Read(Vec::new())),
            Left::All { mut after, given, count } => loop {
                let mut batch = tx.activities().range(&self.filter, &self.not_spread, after, BATCH).await?;
                after = batch.last().map(|last| Place::of(&last.value));
                let is_last = batch.len() < BATCH as usize;
                batch.retain(|stored| self.choice.selects(&self.catalog, stored));
                let given = given + batch.len() as u64;
                if is_last {
                    break (batch, whole(given, count)?);
                }
                // An empty batch would be the end.
                if !batch.is_empty() {
                    break (batch, Left::All { after, given, count });
                }
            },
        };
        self.factors.read(tx.as_mut(), batch.iter().map(|stored| &stored.value)).await?;
        self.left = left;
        if matches!(self.left, Left::Read(_)) {
            self.tx = None;
        }
        Ok(batch.into_iter().map(|activity| self.view(activity)).collect())
    }
}

/// The end of the rows, when they are as many as the totals count.
fn whole(given: u64, count: u64) -> Result<Left, Error> {
    if given == count {
        return Ok(Left::Read(Vec::new()));
    }
    let detail = format!("the cells count {count} activities where {given} are stored");
    Err(StoreError::Corrupt { subject: "the activities of a report".to_owned(), detail }.into())
}

impl Rows {
    /// No rows.
    pub(super) fn none(catalog: Arc<Catalog>) -> Self {
        let (filter, choice, left) = (Filter::default(), Choice::default(), Left::Read(Vec::new()));
        Self { tx: None, catalog, filter, choice, not_spread: HashSet::new(), factors: Factors::default(), left }
    }

    fn view(&self, activity: Stored<Activity>) -> (ActivityView, Option<Co2e>) {
        let share = match self.filter.attribution {
            Attribution::Start => None,
            Attribution::Daily => self.share(&activity.value),
        };
        (names::activity(&self.catalog, &self.factors, activity), share)
    }

    /// What of the activity's CO2e falls in the period.
    fn share(&self, activity: &Activity) -> Option<Co2e> {
        if activity.scope.is_some_and(|scope| self.not_spread.contains(&scope)) {
            return activity.co2e();
        }
        activity.posting().share_in(self.filter.period)
    }
}
