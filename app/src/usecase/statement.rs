//! The inventory statement of a year, from one snapshot: tables from the cube of its read model, sources from its activities.

mod exclusions;
mod periods;
mod sources;

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use domain::{Asked, Catalog, Faults, Filter, ScopeId, StatementTables, report};
use ports::inbound::{Error, Statement, StatementQuery, Statements};
use ports::store::Store;
use ports::{Caller, demand, permit};

use super::breakdown::nodes;
use super::read_model::ReadModels;
use super::report::snapshot;

/// Makes statements of a store.
pub struct StatementService {
    /// The store of activities and periods.
    pub store: Arc<dyn Store>,
    /// What reports are made from.
    pub read_models: Arc<ReadModels>,
}

#[async_trait]
impl Statements for StatementService {
    async fn statement(&self, caller: &Caller, query: StatementQuery) -> Result<Statement, Error> {
        let grant = permit(caller, demand::ACTIVITY_REPORT)?;
        let (mut tx, model) = snapshot(self.store.as_ref(), &self.read_models, &grant).await?;
        let (cube, catalog) = (Arc::clone(model.cube()), Arc::clone(model.catalog()));
        let mut faults = query.faults.clone();
        let newest = || report(&cube, &Filter::default(), &|id| catalog.class(id)).last;
        let newest = if query.year.is_none() { newest() } else { None };
        let found = if is_noted(&faults) { None } else { faults.check("year", query.find_year(newest)) };
        let days = found.and_then(|(year, days)| Some((year, days, days.first()?, days.last()?)));
        let Some((year, days, first, last)) = days.filter(|_| faults.is_empty()) else {
            return Err(Error::Parameters(faults));
        };
        let attribution = query.attribution;
        let filter = Filter::default().with_period(days).with_attribution(attribution);
        let outdated = self.read_models.outdated.of(grant.tenant(), tx.as_mut()).await?.count(model.catalog(), &filter);
        let work = tokio::task::spawn_blocking(move || StatementTables::of(&cube, &catalog, days, attribution));
        let tables = work.await.map_err(|error| Error::Failed(Box::new(error)))?;
        let sources = sources::sources(tx.as_mut(), model.catalog(), (days, attribution), &tables).await?;
        let (coverage, periods) = periods::of_year(tx.as_mut(), &model, (first, last)).await?;
        let base_year = periods::base_year(tx.as_mut(), &model).await?;
        let exclusions = exclusions::of_year(tx.as_mut(), model.catalog(), last).await?;
        let scopes = scopes(model.catalog(), &tables);
        let revision = model.revision();
        Ok(Statement {
            revision,
            query,
            year,
            first,
            last,
            tables,
            outdated,
            scopes,
            exclusions,
            sources,
            coverage,
            periods,
            base_year,
        })
    }
}

fn is_noted(faults: &Faults) -> bool {
    faults.clone().into_iter().any(|fault| fault.pointer == "year" || fault.pointer == "yearKind")
}

/// The names of the scopes that figures are made of.
fn scopes(catalog: &Catalog, tables: &StatementTables) -> BTreeMap<ScopeId, String> {
    let gases = tables.gases.iter().flat_map(|(_, lines)| lines);
    let lines = tables.kinds.iter().chain(&tables.categories).chain([&tables.without_category]).chain(gases);
    let ids = lines.flat_map(|line| &line.parts).filter_map(|part| match part.asked {
        Asked::Below(id) | Asked::At(id) => Some(id),
        Asked::Whole | Asked::WithoutScope => None,
    });
    ids.map(|id| (id, nodes::path(&catalog.scopes, id))).collect()
}
