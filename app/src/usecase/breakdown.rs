//! The report broken down by nodes or months, from the read model of one snapshot.

mod nodes;
mod rows;

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use domain::{Catalog, Faults, Filter, NodeTree};
use ports::inbound::{Breakdown, BreakdownQuery, Breakdowns, Error};
use ports::store::Store;
use ports::{Caller, demand, permit};

use super::read_model::ReadModels;
use super::report::snapshot;
use super::tree::{IdOf, NodeKind};

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
        let (_, read_model) = snapshot(self.store.as_ref(), &self.read_models, &grant).await?;
        let catalog = read_model.catalog();
        let filter = filter(catalog, &query)?;
        let found = domain::report(read_model.cube(), &filter, &|id| catalog.class(id));
        let rows = rows::rows(&read_model, &filter, &found, query.by)?;
        Ok(Breakdown { first: found.first, last: found.last, totals: found.totals, rows })
    }
}

/// The filter that the query asks for; faults name the parameter of each node that is not there.
fn filter(catalog: &Catalog, query: &BreakdownQuery) -> Result<Filter, Error> {
    let mut faults = Faults::new();
    let filter = Filter::default()
        .with_period(query.period)
        .with_attribution(query.attribution)
        .with_orgs(subtree(&catalog.orgs, query.org.as_deref(), &mut faults))
        .with_scopes(subtree(&catalog.scopes, query.scope.as_deref(), &mut faults))
        .with_taxonomies(subtree(&catalog.taxonomies, query.taxonomy.as_deref(), &mut faults));
    if faults.is_empty() { Ok(filter) } else { Err(Error::Parameters(faults)) }
}

/// The node that the word names and all below it.
fn subtree<T: NodeKind>(nodes: &NodeTree<T>, word: Option<&str>, faults: &mut Faults) -> Option<HashSet<IdOf<T>>> {
    let id = faults.check(&T::TREE.to_string(), nodes::find(nodes, word?))?;
    Some(nodes.forest().subtree(id))
}
