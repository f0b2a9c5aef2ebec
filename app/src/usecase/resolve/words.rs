//! What words of tables mean: names of nodes, and their paths.

use std::collections::HashMap;

use domain::TreeNode;

use crate::usecase::tree::{IdOf, NodeKind};

/// What the words of a table may mean in one tree.
#[derive(Debug)]
pub(super) struct Words<T: TreeNode> {
    pub(super) meanings: HashMap<String, Vec<IdOf<T>>>,
    /// The paths of nodes.
    paths: HashMap<IdOf<T>, String>,
}

impl<T: NodeKind> Words<T> {
    /// What the nodes are called; of two of which one is below the other, the one above comes first.
    pub(super) fn new<'a>(nodes: impl IntoIterator<Item = &'a T>) -> Self {
        let mut words = Self { meanings: HashMap::new(), paths: HashMap::new() };
        nodes.into_iter().for_each(|node| words.add(node));
        words
    }

    /// Adds what a node is called: its name, and its path.
    pub(super) fn add(&mut self, node: &T) {
        let id = TreeNode::id(node);
        let mut meanings = vec![node.name().as_str().to_owned()];
        // The slugs of a taxonomy, else the names, from the root down.
        let (own, between) = node.slug().map_or((node.name().as_str(), " / "), |slug| (slug.as_str(), "/"));
        let above = TreeNode::parent(node).and_then(|parent| self.paths.get(&parent));
        let path = above.map_or_else(|| own.to_owned(), |above| format!("{above}{between}{own}"));
        self.paths.insert(id, path.clone());
        meanings.push(path);
        meanings.dedup();
        for meaning in meanings {
            let ids = self.meanings.entry(meaning).or_default();
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
    }

    /// The nodes of that path, which is none of their names alone.
    pub(super) fn at(&self, path: &str) -> Vec<IdOf<T>> {
        let is_there = |id: &&IdOf<T>| self.paths.get(id).is_some_and(|own| own == path);
        self.meanings.get(path).into_iter().flatten().filter(is_there).copied().collect()
    }

    /// Removes what a node without any below it is called.
    pub(super) fn remove(&mut self, node: &T) {
        let id = TreeNode::id(node);
        let path = self.paths.remove(&id);
        for meaning in [Some(node.name().as_str()), path.as_deref()].into_iter().flatten() {
            if let Some(ids) = self.meanings.get_mut(meaning) {
                ids.retain(|known| *known != id);
                if ids.is_empty() {
                    self.meanings.remove(meaning);
                }
            }
        }
    }
}
