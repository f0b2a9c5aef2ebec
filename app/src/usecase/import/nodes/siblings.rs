//! The nodes of a tree by their places.

use std::collections::HashMap;

use domain::{Name, Slug, SyncId, TreeNode};
use ports::inbound::NodeStep;

use crate::usecase::tree::{IdOf, NodeKind};

/// The nodes that are there, by what a step finds them by.
pub(super) struct Siblings<T: TreeNode> {
    by_sync_id: HashMap<SyncId, IdOf<T>>,
    by_name: HashMap<(Option<IdOf<T>>, Name), IdOf<T>>,
    slugs: HashMap<(Option<IdOf<T>>, Slug), IdOf<T>>,
    parents: HashMap<IdOf<T>, Option<IdOf<T>>>,
}

impl<T: TreeNode> Default for Siblings<T> {
    fn default() -> Self {
        let (by_sync_id, by_name) = (HashMap::new(), HashMap::new());
        Self { by_sync_id, by_name, slugs: HashMap::new(), parents: HashMap::new() }
    }
}

impl<T: NodeKind> Siblings<T> {
    /// Takes a node for there.
    pub(super) fn note(&mut self, node: &T) {
        let (id, parent) = (TreeNode::id(node), TreeNode::parent(node));
        self.parents.insert(id, parent);
        if let Some(sync_id) = node.sync_id() {
            self.by_sync_id.insert(sync_id.clone(), id);
        }
        self.by_name.entry((parent, node.name().clone())).or_insert(id);
        if let Some(slug) = node.slug() {
            self.slugs.insert((parent, slug.clone()), id);
        }
    }

    /// Takes a node that was noted for absent again.
    pub(super) fn forget(&mut self, node: &T) {
        let (id, parent) = (TreeNode::id(node), TreeNode::parent(node));
        self.parents.remove(&id);
        if let Some(sync_id) = node.sync_id() {
            self.by_sync_id.remove(sync_id);
        }
        let place = (parent, node.name().clone());
        if self.by_name.get(&place) == Some(&id) {
            self.by_name.remove(&place);
        }
        if let Some(slug) = node.slug() {
            self.slugs.remove(&(parent, slug.clone()));
        }
    }

    /// The node that a step leads to from a parent, if it is there.
    pub(super) fn find(&self, parent: Option<IdOf<T>>, step: &NodeStep) -> Option<IdOf<T>> {
        let found = match &step.sync_id {
            Some(sync_id) => self.by_sync_id.get(sync_id),
            None => self.by_name.get(&(parent, step.name.clone())),
        };
        found.copied()
    }

    /// The deepest level on which the steps would make a node; 0 when they make none.
    pub(super) fn deepest(&self, steps: &[NodeStep]) -> usize {
        let up = |id: &IdOf<T>| self.parents.get(id).copied().flatten();
        let (mut parent, mut level, mut deepest) = (None, 0, 0);
        for (at, step) in steps.iter().enumerate() {
            let made_above = at > 0 && parent.is_none();
            // What has no syncId and is below a node that is still to be made is to be made too.
            let known = if made_above && step.sync_id.is_none() { None } else { self.find(parent, step) };
            parent = known;
            if let Some(id) = known {
                // Whatever was stored, this ends.
                level = std::iter::successors(Some(id), up).take(self.parents.len()).count();
            } else {
                level += 1;
                deepest = deepest.max(level);
            }
        }
        deepest
    }

    /// The slug made from a name, with a number where a sibling has it.
    pub(super) fn free_slug(&self, parent: Option<IdOf<T>>, name: &Name) -> Slug {
        let slug = Slug::from_name(name);
        let free = |slug: &Slug| !self.slugs.contains_key(&(parent, slug.clone()));
        if free(&slug) {
            return slug;
        }
        // One more candidate than there are slugs, so one of them is free.
        let last = u32::try_from(self.slugs.len()).unwrap_or(u32::MAX - 2) + 2;
        (2..=last).map(|number| slug.numbered(number)).find(free).unwrap_or(slug)
    }
}
