//! Finding the node that a word names, and naming nodes by their place in the tree.

use domain::{NodeTree, TreeNode};
use uuid::Uuid;

use crate::usecase::tree::{IdOf, NodeKind};

/// The node of that UUID, syncId or name; else what is wrong with the word.
pub(super) fn find<T: NodeKind>(tree: &NodeTree<T>, word: &str) -> Result<IdOf<T>, String> {
    let kind = T::TREE;
    if let Ok(id) = domain::parse_uuid(word) {
        let found = tree.find(id.into()).map(TreeNode::id);
        return found.ok_or_else(|| format!("there is no {kind} {id}"));
    }
    let mut nodes: Vec<&T> = tree.iter().collect();
    nodes.sort_unstable_by_key(|node| TreeNode::id(*node));
    if let Some(node) = nodes.iter().find(|node| node.sync_id().is_some_and(|sync_id| sync_id.as_str() == word)) {
        return Ok(TreeNode::id(*node));
    }
    let named: Vec<_> = nodes.iter().filter(|node| node.name().as_str() == word).collect();
    match named.as_slice() {
        [one] => Ok(TreeNode::id(**one)),
        [] => {
            let near = files::did_you_mean(word, nodes.iter().map(|node| node.name().as_str()));
            Err(format!("there is no {kind} {word:?}{near}"))
        }
        nodes => Err(several(word, &nodes.iter().map(|node| TreeNode::id(**node)).collect::<Vec<_>>())),
    }
}

/// That several records have the name.
pub(in crate::usecase) fn several(word: &str, ids: &[impl ToString]) -> String {
    let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
    format!("several are called {word:?}; give one's UUID: {}", ids.join(", "))
}

/// The names from the root down to the node, with slashes between them.
pub(in crate::usecase) fn path<T: TreeNode>(tree: &NodeTree<T>, id: T::Id) -> String {
    let above: Vec<_> = tree.forest().ancestors(id).collect();
    let name = |id: T::Id| tree.find(id).map_or_else(|| Uuid::to_string(&id.into()), |node| node.name().to_string());
    above.into_iter().rev().chain([id]).map(name).collect::<Vec<_>>().join(" / ")
}
