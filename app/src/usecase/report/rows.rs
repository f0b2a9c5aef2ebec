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
use crate::usecase::without_co2e::WithoutCo2e;

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
    /// Where they stand, if the choice is of those without CO2e.
    pub(super) without_co2e: Option<WithoutCo2e>,
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
                let selected = (&self.filter, &self.not_spread, self.without_co2e.as_ref());
                let batch = self.choice.walk(tx.as_mut(), &self.catalog, selected, after, BATCH).await?;
                let given = given + batch.activities.len() as u64;
                after = batch.next;
                if after.is_none() {
                    break (batch.activities, whole(given, count)?);
                }
                // An empty batch would be the end.
                if !batch.activities.is_empty() {
                    break (batch.activities, Left::All { after, given, count });
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
        Self {
            tx: None,
            catalog,
            filter: Filter::default(),
            choice: Choice::default(),
            without_co2e: None,
            not_spread: HashSet::new(),
            factors: Factors::default(),
            left: Left::Read(Vec::new()),
        }
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
