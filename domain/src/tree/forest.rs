//! Trees of nodes that name their parents: orgs, scopes and taxonomies.
//! Whatever was stored, nothing here loops or recurses: a parent that is missing, and one link of a cycle, is cut.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// How many levels a tree may have. Tables of accounts, organisations and classifications stay below ten; and what is
/// written of a node grows with the levels above it, a taxonomy's path by up to 256 characters each, so without a bound
/// a page of nodes one below the other would grow with the square of their number.
pub const MAX_LEVELS: usize = 32;

/// The nodes of one kind of a tenant.
#[derive(Clone, Debug)]
pub struct Forest<Id> {
    nodes: HashMap<Id, Node<Id>>,
    roots: Vec<Id>,
}

#[derive(Clone, Debug)]
struct Node<Id> {
    parent: Option<Id>,
    children: Vec<Id>,
    /// 1 for a root.
    depth: usize,
}

impl<Id> Default for Forest<Id> {
    fn default() -> Self {
        Self { nodes: HashMap::new(), roots: Vec::new() }
    }
}

impl<Id: Copy + Eq + Hash + Ord> Forest<Id> {
    /// The forest of these nodes and their parents. A node whose parent is not among them is a root, and so is the
    /// smallest of nodes that are each other's ancestors. A node given twice has the later parent.
    pub fn new(nodes: impl IntoIterator<Item = (Id, Option<Id>)>) -> Self {
        let mut parents: HashMap<Id, Option<Id>> = nodes.into_iter().collect();
        let known: HashSet<Id> = parents.keys().copied().collect();
        for parent in parents.values_mut() {
            *parent = parent.filter(|id| known.contains(id));
        }
        cut_cycles(&mut parents);
        let mut forest = Self::default();
        let mut ids: Vec<Id> = known.into_iter().collect();
        ids.sort_unstable();
        for id in &ids {
            let parent = parents.get(id).copied().flatten();
            forest.nodes.insert(*id, Node { parent, children: Vec::new(), depth: 1 });
        }
        for id in ids {
            match forest.parent(id).and_then(|parent| forest.nodes.get_mut(&parent)) {
                None => forest.roots.push(id),
                Some(parent) => parent.children.push(id),
            }
        }
        forest.measure();
        forest
    }

    /// Whether there is such a node.
    #[must_use]
    pub fn contains(&self, id: Id) -> bool {
        self.nodes.contains_key(&id)
    }

    /// The node's parent; `None` for a root and for no node.
    #[must_use]
    pub fn parent(&self, id: Id) -> Option<Id> {
        self.nodes.get(&id).and_then(|node| node.parent)
    }

    /// The nodes directly below, by id.
    #[must_use]
    pub fn children(&self, id: Id) -> &[Id] {
        self.nodes.get(&id).map_or(&[], |node| &node.children)
    }

    /// The nodes without a parent, by id.
    #[must_use]
    pub fn roots(&self) -> &[Id] {
        &self.roots
    }

    /// The nodes above, the parent first.
    pub fn ancestors(&self, id: Id) -> impl Iterator<Item = Id> {
        std::iter::successors(self.parent(id), |above| self.parent(*above))
    }

    /// The node and all below it; nothing for no node.
    #[must_use]
    pub fn subtree(&self, id: Id) -> HashSet<Id> {
        let mut found = HashSet::new();
        let mut open: Vec<Id> = if self.contains(id) { vec![id] } else { Vec::new() };
        while let Some(next) = open.pop() {
            found.insert(next);
            open.extend_from_slice(self.children(next));
        }
        found
    }

    /// The level that the node stands on: 1 for a root, 0 for no node.
    #[must_use]
    pub fn depth(&self, id: Id) -> usize {
        self.nodes.get(&id).map_or(0, |node| node.depth)
    }

    /// How many levels the node and all below it take: 1 for a node with nothing below, 0 for no node.
    #[must_use]
    pub fn height(&self, id: Id) -> usize {
        let deepest = self.subtree(id).into_iter().map(|below| self.depth(below)).max();
        deepest.map_or(0, |deepest| deepest + 1 - self.depth(id))
    }

    /// Whether the node would be its own ancestor below `new_parent`.
    #[must_use]
    pub fn would_cycle(&self, id: Id, new_parent: Id) -> bool {
        id == new_parent || self.ancestors(new_parent).any(|above| above == id)
    }

    /// The node's ancestor so many levels down from the root, which is at depth 1; the node itself when it is not
    /// deeper than that, or unknown.
    #[must_use]
    pub fn at_depth(&self, id: Id, depth: usize) -> Id {
        let levels = self.depth(id).saturating_sub(depth.max(1));
        levels.checked_sub(1).and_then(|above| self.ancestors(id).nth(above)).unwrap_or(id)
    }

    /// Sets every depth, from the roots down.
    fn measure(&mut self) {
        let mut level = self.roots.clone();
        let mut depth = 1;
        while !level.is_empty() {
            let mut below = Vec::new();
            for id in level {
                if let Some(node) = self.nodes.get_mut(&id) {
                    node.depth = depth;
                    below.extend_from_slice(&node.children);
                }
            }
            level = below;
            depth += 1;
        }
    }
}

/// Makes the smallest node of every cycle a root.
fn cut_cycles<Id: Copy + Eq + Hash + Ord>(parents: &mut HashMap<Id, Option<Id>>) {
    let ids: Vec<Id> = parents.keys().copied().collect();
    let mut seen: HashSet<Id> = HashSet::new();
    for id in ids {
        let mut path = Vec::new();
        let mut on_path = HashSet::new();
        let mut next = Some(id);
        while let Some(at) = next {
            if on_path.contains(&at) {
                let cycle = path.iter().skip_while(|node| **node != at).min().copied();
                if let Some(smallest) = cycle {
                    parents.insert(smallest, None);
                }
                break;
            }
            if !seen.insert(at) {
                break;
            }
            path.push(at);
            on_path.insert(at);
            next = parents.get(&at).copied().flatten();
        }
    }
}
