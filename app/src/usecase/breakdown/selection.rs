//! What leaves activities out of a breakdown, in words: a table that is passed on says which part of a company it is about.

use domain::{Attribution, Catalog, NodeTree};
use ports::inbound::{BreakdownQuery, State};

use super::nodes;
use crate::usecase::tree::NodeKind;

/// A sentence for each.
pub(super) fn sentences(catalog: &Catalog, query: &BreakdownQuery) -> Vec<String> {
    let below =
        |tree: &str, path: Option<String>| path.map(|path| format!("Only the {tree} {path} and those below it."));
    let only = &query.only;
    let spread = match query.attribution {
        Attribution::Start => None,
        Attribution::Daily => Some("Activities are spread evenly over their days.".to_owned()),
    };
    let states = only.states.iter().map(|state| match state {
        State::Incomplete => "Only activities without CO2e.".to_owned(),
        State::Uncategorized => "Only activities without a scope.".to_owned(),
    });
    [
        below("org", path(&catalog.orgs, query.org.as_deref())),
        below("scope", path(&catalog.scopes, query.scope.as_deref())),
        below("taxonomy", path(&catalog.taxonomies, query.taxonomy.as_deref())),
        only.product.as_ref().map(|product| format!("Only activities of the product {product}.")),
        only.name.as_ref().map(|name| format!("Only activities with {name:?} in their name.")),
        only.updated_since.map(|since| format!("Only activities that were added or changed since {since}.")),
        spread,
    ]
    .into_iter()
    .flatten()
    .chain(states)
    .collect()
}

/// The names from the root down to the node of that word.
fn path<T: NodeKind>(tree: &NodeTree<T>, word: Option<&str>) -> Option<String> {
    let id = nodes::find(tree, word?).ok()?;
    Some(nodes::path(tree, id))
}
