//! What is missing in an inventory, and why.

mod coverage;
pub(super) mod kept;
mod reasons;

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use domain::{Catalog, Day, FaultCode, Filter, Gap, OrgId, Period, Stretch, YearStart};
use ports::clock::Clock;
use ports::inbound::{Completeness, CompletenessQuery, CompletenessView, Error, GapView, MOST_GAPS};
use ports::store::Store;
use ports::{Caller, Grant, Permission, Read, demand, permit};

use super::names;
use super::read_model::ReadModels;
use super::report::snapshot;

/// Answers from what activities add up to; of activities, those without CO2e alone are read, for their reasons.
pub struct CompletenessService {
    /// The store of these records.
    pub store: Arc<dyn Store>,
    /// What reports are made from.
    pub read_models: Arc<ReadModels>,
    /// Says which months are over.
    pub clock: Arc<dyn Clock>,
}

#[async_trait]
impl Completeness for CompletenessService {
    async fn completeness(&self, caller: &Caller, query: CompletenessQuery) -> Result<CompletenessView, Error> {
        let grant = permit(caller, demand::ACTIVITY_REPORT)?;
        let may_name = caller.permissions.allows(Permission::ActivityRead);
        let today = self.clock.now().day();
        let question = kept::Question::of(&query, may_name, today);
        if let Some(question) = &question
            && let Some(found) = self.asked_before(&grant, question).await?
        {
            return Ok(found);
        }
        let (mut tx, read_model) = snapshot(self.store.as_ref(), &self.read_models, &grant).await?;
        let (catalog, cube) = (Arc::clone(read_model.catalog()), read_model.cube());
        let class = |id| catalog.class(id);
        let without_reasons = query.without_reasons;
        let newest = || domain::report(cube, &Filter::default(), &class).last;
        let (first, last, filter) = asked(&catalog, query, newest)?;
        let totals = domain::report(cube, &filter, &class).totals;
        let Some(mut gaps) = domain::gaps(cube, &filter, &class, today) else {
            return Err(parameter("ed", "is more than ten years behind the first day: ask year by year"));
        };
        gaps.sort_by_key(|gap| Reverse(gap.months.len()));
        let gap_count = gaps.len() as u64;
        let reasons =
            if without_reasons { Vec::new() } else { reasons::reasons(tx.as_mut(), cube, &filter, may_name).await? };
        let found = CompletenessView {
            revision: read_model.revision(),
            first,
            last,
            count: u64::try_from(totals.count).unwrap_or(0),
            incomplete: u64::try_from(totals.incomplete).unwrap_or(0),
            reasons,
            gap_count,
            gaps: gaps.into_iter().take(MOST_GAPS).map(|gap| gap_view(&catalog, &gap)).collect(),
            coverage: coverage::coverage(tx.as_mut(), &catalog, cube, &filter).await?,
        };
        if let Some(question) = question {
            self.read_models.completeness.put(grant.tenant(), found.revision, question, Arc::new(found.clone()));
        }
        Ok(found)
    }
}

impl CompletenessService {
    /// What was missing at the newest change, where its read model is cached and the same was asked of it.
    async fn asked_before(
        &self,
        grant: &Grant<Read>,
        question: &kept::Question,
    ) -> Result<Option<CompletenessView>, Error> {
        let (tenant, read_models) = (grant.tenant(), &self.read_models);
        let Some(revision) = read_models.newest(tenant).map(|model| model.revision()) else { return Ok(None) };
        let Some(found) = read_models.completeness.find(tenant, revision, question) else { return Ok(None) };
        let is_newest = self.store.head(grant).await?.revision() == revision;
        Ok(is_newest.then(|| CompletenessView::clone(&found)))
    }
}

/// The days and the filter that a query asks for, or all that is wrong with it.
fn asked(
    catalog: &Catalog,
    query: CompletenessQuery,
    newest: impl FnOnce() -> Option<Day>,
) -> Result<(Day, Day, Filter), Error> {
    let CompletenessQuery { mut first, mut last, org, without_reasons: _, mut faults } = query;
    if first.is_none()
        && last.is_none()
        && faults.is_empty()
        && let Some(newest) = newest()
        && let Ok(year) = Period::parse(&YearStart::default().name(Stretch::Year, newest))
    {
        (first, last) = (year.first(), year.last());
    }
    let orgs = org.map(|id| (id, OrgId::new(id))).and_then(|(id, org)| {
        if catalog.orgs.find(org).is_some() {
            return Some(catalog.orgs.forest().subtree(org));
        }
        let detail = format!("there is no org {id}; GET /v1/org lists those there are");
        faults.add_coded(FaultCode::NotFound, "org", detail);
        None::<HashSet<OrgId>>
    });
    let (Some(first), Some(last)) = (first, last) else {
        if faults.is_empty() {
            faults.add_coded(
                FaultCode::Required,
                "year",
                "is required where nothing is recorded, or sd and ed: the days that are asked about",
            );
        }
        return Err(Error::Parameters(faults));
    };
    let Some(period) = Period::new(Some(first), Some(last)) else {
        faults.add_coded(FaultCode::Mismatch, "sd", "lies after ed");
        return Err(Error::Parameters(faults));
    };
    if !faults.is_empty() {
        return Err(Error::Parameters(faults));
    }
    Ok((first, last, Filter::default().with_period(period).with_orgs(orgs)))
}

fn parameter(name: &str, detail: &str) -> Error {
    Error::Parameters(domain::Faults::one(name, detail))
}

/// A gap with the names of its nodes.
fn gap_view(catalog: &Catalog, gap: &Gap) -> GapView {
    let name = |month: &Period| month.first().map(|day| YearStart::default().name(Stretch::Month, day));
    GapView {
        scope: gap.series.scope.and_then(|id| names::node(&catalog.scopes, id)),
        org: gap.series.org.and_then(|id| names::node(&catalog.orgs, id)),
        taxonomy: gap.series.taxonomy.and_then(|id| names::node(&catalog.taxonomies, id)),
        with_data: gap.with_data as u64,
        of: gap.of as u64,
        months: gap.months.iter().filter_map(name).collect(),
    }
}
