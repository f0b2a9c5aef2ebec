//! The nodes that a breakdown is about.

use std::collections::HashSet;

use domain::{Catalog, Faults, Filter, NodeTree};
use ports::inbound::BreakdownQuery;

use super::nodes;
use crate::usecase::tree::{IdOf, NodeKind};

/// The filter that the query asks for; faults name the parameter of each node that is not there.
pub(super) fn filter(catalog: &Catalog, query: &BreakdownQuery, faults: &mut Faults) -> Filter {
    Filter::default()
        .with_period(query.period)
        .with_attribution(query.attribution)
        .with_scope2(query.scope2)
        .with_orgs(subtree(&catalog.orgs, query.org.as_deref(), faults))
        .with_scopes(subtree(&catalog.scopes, query.scope.as_deref(), faults))
        .with_taxonomies(subtree(&catalog.taxonomies, query.taxonomy.as_deref(), faults))
}

/// The node that the word names and all below it.
fn subtree<T: NodeKind>(nodes: &NodeTree<T>, word: Option<&str>, faults: &mut Faults) -> Option<HashSet<IdOf<T>>> {
    let id = faults.check(&T::TREE.to_string(), nodes::find(nodes, word?))?;
    Some(nodes.forest().subtree(id))
}
