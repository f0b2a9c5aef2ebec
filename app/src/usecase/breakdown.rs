//! The report broken down, from one snapshot: from the cube of its read model, or from the activities one by one where the
//! cube does not know what is asked.

mod cube;
mod filter;
pub(super) mod kept;
mod labels;
mod line;
pub(super) mod nodes;
mod question;
mod scan;
mod selection;
mod sums;

use std::sync::Arc;

use async_trait::async_trait;
use domain::{Period, Totals};
use ports::inbound::{Breakdown, BreakdownLine, BreakdownQuery, BreakdownRow, Breakdowns, Error, Whole};
use ports::repo::Page;
use ports::store::{ReadTx, Store};
use ports::{Caller, Grant, Read, ReadModel, demand, permit};

use super::outdated::Outdated;
use super::read_model::ReadModels;
use super::report::snapshot;
use labels::Labels;
use question::Question;
use sums::Sums;

/// Breaks reports of a store down.
pub struct BreakdownService {
    /// The store of activities.
    pub store: Arc<dyn Store>,
    /// What reports are made from.
    pub read_models: Arc<ReadModels>,
}

#[async_trait]
impl Breakdowns for BreakdownService {
    async fn breakdown(&self, caller: &Caller, query: BreakdownQuery) -> Result<Breakdown, Error> {
        let grant = permit(caller, demand::ACTIVITY_REPORT)?;
        if query.only.tells_of_one() {
            permit(caller, demand::ACTIVITY_READ)?;
        }
        let kept = kept::Question::of(&query);
        if let Some(kept) = &kept
            && let Some(found) = self.asked_before(&grant, kept).await?
        {
            return Ok(found);
        }
        let (mut tx, read_model) = snapshot(self.store.as_ref(), &self.read_models, &grant).await?;
        let question = Question::read(tx.as_mut(), read_model.catalog(), &query).await?;
        let outdated = self.read_models.outdated.of(grant.tenant(), tx.as_mut()).await?;
        let (whole, sums) = answer(tx.as_mut(), (&read_model, &outdated), &question, query.period).await?;
        let (compared, other) = match query.compare {
            None => (None, None),
            Some(period) => {
                let (whole, sums) = answer(tx.as_mut(), (&read_model, &outdated), &question, period).await?;
                (Some(whole), Some(sums))
            }
        };
        let labels = Labels::new(read_model.catalog(), &query, &sums, other.as_ref());
        let mut rows = Vec::new();
        for key in labels.ordered(&sums, other.as_ref()) {
            let of = |sums: &Sums| sums.rows.get(&key).copied().unwrap_or_default();
            let (totals, compared): (Totals, Option<Totals>) = (of(&sums), other.as_ref().map(of));
            rows.push(BreakdownRow { labels: labels.of(&key), totals, compared });
        }
        let selection = selection::sentences(read_model.catalog(), &query);
        let found = Breakdown { revision: read_model.revision(), query, selection, whole, compared, rows };
        if let Some(kept) = kept {
            self.read_models.breakdowns.put(grant.tenant(), found.revision, kept, Arc::new(found.clone()));
        }
        Ok(found)
    }

    async fn line(
        &self,
        caller: &Caller,
        query: BreakdownQuery,
        line: Option<String>,
        page: Page,
    ) -> Result<BreakdownLine, Error> {
        let grant = permit(caller, demand::ACTIVITY_READ)?;
        let (mut tx, read_model) = snapshot(self.store.as_ref(), &self.read_models, &grant).await?;
        let question = Question::read(tx.as_mut(), read_model.catalog(), &query).await?;
        let outdated = self.read_models.outdated.of(grant.tenant(), tx.as_mut()).await?;
        line::line(tx.as_mut(), (&read_model, &outdated), &question, query, line.as_deref(), page).await
    }
}

impl BreakdownService {
    /// What a breakdown came to at the newest change, where its read model is cached and the same was asked of it.
    async fn asked_before(&self, grant: &Grant<Read>, question: &kept::Question) -> Result<Option<Breakdown>, Error> {
        let (tenant, read_models) = (grant.tenant(), &self.read_models);
        let Some(revision) = read_models.newest(tenant).map(|model| model.revision()) else { return Ok(None) };
        let Some(found) = read_models.breakdowns.find(tenant, revision, question) else { return Ok(None) };
        let is_newest = self.store.head(grant).await?.revision() == revision;
        Ok(is_newest.then(|| Breakdown::clone(&found)))
    }
}

/// What the activities of a period come to, whole and row by row.
async fn answer(
    tx: &mut dyn ReadTx,
    (read_model, outdated): (&Arc<ReadModel>, &Outdated),
    question: &Question,
    period: Period,
) -> Result<(Whole, Sums), Error> {
    let filter = question.filter.clone().with_period(period);
    if question.is_of_single_activities {
        scan::sums(tx, (read_model, outdated), question, &filter).await
    } else {
        let count = outdated.count(read_model.catalog(), &filter);
        let (whole, sums) = cube::sums(read_model, question, filter).await?;
        Ok((Whole { outdated: count, ..whole }, sums))
    }
}
