//! Finding the node that a word names, and naming nodes by their place in the tree.

use std::hash::Hash;

use domain::{Catalog, Forest, Node, NodeId, Tree};

/// The node of that UUID, syncId or name; else what is wrong with the word.
pub(super) fn find(catalog: &Catalog, tree: Tree, word: &str) -> Result<NodeId, String> {
    if let Ok(id) = word.parse::<NodeId>() {
        let known = catalog.node(id).is_some_and(|node| node.tree() == tree);
        return if known { Ok(id) } else { Err(format!("there is no {tree} {id}")) };
    }
    let nodes: Vec<&Node> = all(catalog, tree).into_iter().filter_map(|id| catalog.node(id)).collect();
    let by_sync_id = nodes.iter().find(|node| node.sync_id.as_ref().is_some_and(|sync_id| sync_id.as_str() == word));
    if let Some(node) = by_sync_id {
        return Ok(node.id);
    }
    let named: Vec<_> = nodes.iter().filter(|node| node.name.as_str() == word).collect();
    match named.as_slice() {
        [one] => Ok(one.id),
        [] => {
            let near = files::did_you_mean(word, nodes.iter().map(|node| node.name.as_str()));
            Err(format!("there is no {tree} {word:?}{near}"))
        }
        several => {
            let ids: Vec<_> = several.iter().map(|node| node.id.to_string()).collect();
            Err(format!("several are called {word:?}; give one's UUID: {}", ids.join(", ")))
        }
    }
}

/// The names from the root down to the node, with slashes between them.
pub(super) fn path(catalog: &Catalog, tree: Tree, id: NodeId) -> String {
    fn above<Id: Copy + Eq + Hash + Ord + From<NodeId> + Into<NodeId>>(forest: &Forest<Id>, id: NodeId) -> Vec<NodeId> {
        forest.ancestors(id.into()).map(Into::into).collect()
    }
    let above = match tree {
        Tree::Scope => above(catalog.scopes(), id),
        Tree::Org => above(catalog.orgs(), id),
        Tree::Taxonomy => above(catalog.taxonomies(), id),
    };
    let ids = above.into_iter().rev().chain([id]);
    let name = |id: NodeId| catalog.node(id).map_or_else(|| id.to_string(), |node| node.name.to_string());
    ids.map(name).collect::<Vec<_>>().join(" / ")
}

/// The nodes of a tree, by id.
fn all(catalog: &Catalog, tree: Tree) -> Vec<NodeId> {
    fn of<Id: Copy + Eq + Hash + Ord + Into<NodeId>>(forest: &Forest<Id>) -> Vec<NodeId> {
        let ids = forest.roots().iter().flat_map(|root| forest.subtree(*root));
        let mut ids: Vec<NodeId> = ids.map(Into::into).collect();
        ids.sort_unstable();
        ids
    }
    match tree {
        Tree::Scope => of(catalog.scopes()),
        Tree::Org => of(catalog.orgs()),
        Tree::Taxonomy => of(catalog.taxonomies()),
    }
}
