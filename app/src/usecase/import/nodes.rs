//! Making the orgs and taxonomies that rows name by their place.

use std::collections::HashMap;

use domain::{Faults, MAX_LEVELS, Name, Node, NodeDetail, NodeId, Slug, SyncId, Timestamp, Tree};
use ports::inbound::{ActivityDraft, Error, Field, NodeStep, Reference};
use ports::world::Ids;

use super::tx::Tx;
use crate::usecase::resolve::Resolver;

/// Whether the caller may make nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Making {
    Allowed,
    Refused,
}

/// Finds nodes by their place, and makes those that are missing.
pub(super) struct NodeMaker {
    making: Making,
    /// The ends of the paths that were walked.
    ends: HashMap<(Tree, Vec<NodeStep>), NodeId>,
    siblings: Option<Siblings>,
    /// What earlier calls of a dry run would have made.
    supposed: Vec<Node>,
    made: Vec<Node>,
}

impl NodeMaker {
    pub(super) fn new(making: Making, supposed: &[Node]) -> Self {
        Self { making, ends: HashMap::new(), siblings: None, supposed: supposed.to_vec(), made: Vec::new() }
    }

    /// The nodes that were made.
    pub(super) fn into_made(self) -> Vec<Node> {
        self.made
    }

    /// Replaces each path of the draft by the id of the node at its end.
    pub(super) async fn resolve_paths(
        &mut self,
        tx: &mut Tx,
        ids: &dyn Ids,
        now: Timestamp,
        resolver: &mut Resolver,
        draft: &mut ActivityDraft,
    ) -> Result<(), Error> {
        let ActivityDraft { org, taxonomy, faults, .. } = draft;
        for (tree, field) in [(Tree::Org, org), (Tree::Taxonomy, taxonomy)] {
            let Field::Given(Reference::Path(steps)) = field else { continue };
            let key = (tree, std::mem::take(steps));
            let id = match self.ends.get(&key) {
                Some(id) => *id,
                None => match self.find_or_make(tx, ids, now, resolver, tree, &key.1).await? {
                    Ok(id) => id,
                    Err(detail) => {
                        faults.extend(Faults::one(format!("/{tree}"), detail));
                        *field = Field::Faulty;
                        continue;
                    }
                },
            };
            self.ends.insert(key, id);
            *field = Field::Given(Reference::Id(id.uuid()));
        }
        Ok(())
    }

    /// The node at the end of a path; those on the way that are missing are made.
    async fn find_or_make(
        &mut self,
        tx: &mut Tx,
        ids: &dyn Ids,
        now: Timestamp,
        resolver: &mut Resolver,
        tree: Tree,
        steps: &[NodeStep],
    ) -> Result<Result<NodeId, String>, Error> {
        if self.siblings.is_none() {
            let mut siblings = Siblings::default();
            for node in tx.read().ledger().all_nodes().await? {
                siblings.note(&node.value);
            }
            self.supposed.iter().for_each(|node| siblings.note(node));
            self.siblings = Some(siblings);
        }
        let siblings = self.siblings.get_or_insert_default();
        let deepest = siblings.deepest(tree, steps);
        if deepest > MAX_LEVELS {
            return Ok(Err(format!("would make {deepest} levels; a tree has at most {MAX_LEVELS}")));
        }
        let mut parent = None;
        for step in steps {
            if let Some(id) = siblings.find(tree, parent, step) {
                parent = Some(id);
                continue;
            }
            if self.making == Making::Refused {
                return Ok(Err(format!(
                    "there is no {tree} {:?}, and making it needs catalog:write",
                    step.name.as_str()
                )));
            }
            let detail = match tree {
                Tree::Taxonomy => NodeDetail::Taxonomy(siblings.free_slug(parent, &step.name)),
                Tree::Org | Tree::Scope => NodeDetail::Org,
            };
            let id = NodeId::from(ids.next(now));
            let node = Node { id, sync_id: step.sync_id.clone(), name: step.name.clone(), parent, detail };
            siblings.note(&node);
            resolver.note_made(&node);
            self.made.push(node.clone());
            if let Tx::Write(tx) = tx {
                tx.nodes_mut().add(node).await?;
            }
            parent = Some(id);
        }
        Ok(parent.ok_or_else(|| format!("the path of the {tree} is empty")))
    }
}

/// The nodes that are there, by what a step finds them by.
#[derive(Default)]
struct Siblings {
    by_sync_id: HashMap<(Tree, SyncId), NodeId>,
    by_name: HashMap<(Tree, Option<NodeId>, Name), NodeId>,
    slugs: HashMap<(Option<NodeId>, Slug), NodeId>,
    parents: HashMap<NodeId, Option<NodeId>>,
}

impl Siblings {
    fn note(&mut self, node: &Node) {
        self.parents.insert(node.id, node.parent);
        if let Some(sync_id) = &node.sync_id {
            self.by_sync_id.insert((node.tree(), sync_id.clone()), node.id);
        }
        self.by_name.entry((node.tree(), node.parent, node.name.clone())).or_insert(node.id);
        if let Some(slug) = node.slug() {
            self.slugs.insert((node.parent, slug.clone()), node.id);
        }
    }

    /// The node that a step leads to from a parent, if it is there.
    fn find(&self, tree: Tree, parent: Option<NodeId>, step: &NodeStep) -> Option<NodeId> {
        let found = match &step.sync_id {
            Some(sync_id) => self.by_sync_id.get(&(tree, sync_id.clone())),
            None => self.by_name.get(&(tree, parent, step.name.clone())),
        };
        found.copied()
    }

    /// The deepest level on which the steps would make a node; 0 when they make none.
    fn deepest(&self, tree: Tree, steps: &[NodeStep]) -> usize {
        let up = |id: &NodeId| self.parents.get(id).copied().flatten();
        let (mut parent, mut level, mut deepest) = (None, 0, 0);
        for (at, step) in steps.iter().enumerate() {
            let made_above = at > 0 && parent.is_none();
            // What has no syncId and stands below a node that is still to be made is to be made too.
            let known = if made_above && step.sync_id.is_none() { None } else { self.find(tree, parent, step) };
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
    fn free_slug(&self, parent: Option<NodeId>, name: &Name) -> Slug {
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
