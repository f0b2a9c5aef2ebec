//! The report broken down by nodes or months, from the read model of one snapshot.

mod nodes;
mod rows;

use std::sync::Arc;

use async_trait::async_trait;
use domain::{Catalog, Faults, Filter, OrgId, ScopeId, TaxonomyId, Tree};
use ports::inbound::{Breakdown, BreakdownQuery, Error, Reports};
use ports::store::Store;
use ports::{Caller, Permission, permit};

use super::read_model::ReadModels;
use super::report::snapshot;

/// Breaks reports of a store down.
pub struct BreakdownService {
    /// Where activities are kept.
    pub store: Arc<dyn Store>,
    /// What reports are made from.
    pub read_models: Arc<ReadModels>,
}

#[async_trait]
impl Reports for BreakdownService {
    async fn breakdown(&self, caller: &Caller, query: BreakdownQuery) -> Result<Breakdown, Error> {
        let grant = permit(caller, Permission::ActivityReport)?;
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
    let mut node = |tree: Tree, word: &Option<String>| {
        word.as_ref().and_then(|word| faults.check(&tree.to_string(), nodes::find(catalog, tree, word)))
    };
    let (org, scope) = (node(Tree::Org, &query.org), node(Tree::Scope, &query.scope));
    let taxonomy = node(Tree::Taxonomy, &query.taxonomy);
    if !faults.is_empty() {
        return Err(Error::Parameters(faults));
    }
    Ok(Filter {
        period: query.period,
        attribution: query.attribution,
        orgs: org.map(|id| catalog.orgs().subtree(OrgId::from(id))),
        scopes: scope.map(|id| catalog.scopes().subtree(ScopeId::from(id))),
        taxonomies: taxonomy.map(|id| catalog.taxonomies().subtree(TaxonomyId::from(id))),
    })
}
