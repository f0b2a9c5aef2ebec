//! Making the orgs and taxonomies that rows name by their place.

use std::collections::HashMap;

use domain::{Faults, MAX_LEVELS, Name, Org, Slug, SyncId, Taxonomy, Timestamp, TreeNode};
use ports::id_source::Ids;
use ports::inbound::{ActivityDraft, Error, Field, NodeStep, Reference};

use super::tx::Tx;
use crate::usecase::resolve::{Referred, Resolver};
use crate::usecase::tree::{IdOf, NodeKind};

/// Whether the caller may make nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Making {
    Allowed,
    Refused,
}

/// Orgs and taxonomies, in the order in which they are made, parents first.
#[derive(Debug, Default)]
pub(super) struct MadeNodes {
    pub(super) orgs: Vec<Org>,
    pub(super) taxonomies: Vec<Taxonomy>,
}

impl MadeNodes {
    /// Whether there are none.
    pub(super) const fn is_empty(&self) -> bool {
        self.orgs.is_empty() && self.taxonomies.is_empty()
    }
}

/// Finds nodes by their place, and makes those that are missing.
pub(super) struct NodeMaker {
    orgs: TreeMaker<Org>,
    taxonomies: TreeMaker<Taxonomy>,
}

/// What nodes are made with.
pub(super) struct Means<'a> {
    pub(super) tx: &'a mut Tx,
    pub(super) ids: &'a dyn Ids,
    pub(super) now: Timestamp,
    pub(super) resolver: &'a mut Resolver,
}

impl NodeMaker {
    /// `supposed` are the nodes that earlier calls of a dry run would have made.
    pub(super) fn new(making: Making, supposed: &MadeNodes) -> Self {
        Self { orgs: TreeMaker::new(making, &supposed.orgs), taxonomies: TreeMaker::new(making, &supposed.taxonomies) }
    }

    /// The nodes that were made.
    pub(super) fn into_made(self) -> MadeNodes {
        MadeNodes { orgs: self.orgs.made, taxonomies: self.taxonomies.made }
    }

    /// Replaces each path of the draft by the id of the node at its end.
    pub(super) async fn resolve_paths(&mut self, mut means: Means<'_>, draft: &mut ActivityDraft) -> Result<(), Error> {
        let ActivityDraft { org, taxonomy, faults, .. } = draft;
        self.orgs.resolve_path(&mut means, org, faults).await?;
        self.taxonomies.resolve_path(&mut means, taxonomy, faults).await
    }
}

/// A kind of node that is made on the way.
trait Made: Referred {
    /// The node of a step.
    fn make(id: IdOf<Self>, step: &NodeStep, parent: Option<IdOf<Self>>, siblings: &Siblings<Self>) -> Self;
}

impl Made for Org {
    fn make(id: IdOf<Self>, step: &NodeStep, parent: Option<IdOf<Self>>, _: &Siblings<Self>) -> Self {
        Self::new(id, step.name.clone()).with_sync_id(step.sync_id.clone()).with_parent(parent)
    }
}

impl Made for Taxonomy {
    fn make(id: IdOf<Self>, step: &NodeStep, parent: Option<IdOf<Self>>, siblings: &Siblings<Self>) -> Self {
        let slug = siblings.free_slug(parent, &step.name);
        Self::new(id, step.name.clone(), slug).with_sync_id(step.sync_id.clone()).with_parent(parent)
    }
}

/// Finds and makes the nodes of one tree.
struct TreeMaker<T: TreeNode> {
    making: Making,
    /// The ends of the paths that were walked.
    ends: HashMap<Vec<NodeStep>, IdOf<T>>,
    siblings: Option<Siblings<T>>,
    supposed: Vec<T>,
    made: Vec<T>,
}

impl<T: Made> TreeMaker<T> {
    fn new(making: Making, supposed: &[T]) -> Self {
        Self { making, ends: HashMap::new(), siblings: None, supposed: supposed.to_vec(), made: Vec::new() }
    }

    /// Replaces a path by the id of the node at its end.
    async fn resolve_path(
        &mut self,
        means: &mut Means<'_>,
        field: &mut Field<Reference>,
        faults: &mut Faults,
    ) -> Result<(), Error> {
        let Field::Given(Reference::Path(steps)) = field else { return Ok(()) };
        let steps = std::mem::take(steps);
        let id = match self.ends.get(&steps) {
            Some(id) => *id,
            None => match self.find_or_make(means, &steps).await? {
                Ok(id) => id,
                Err(detail) => {
                    faults.extend(Faults::one(format!("/{}", T::TREE), detail));
                    *field = Field::Faulty;
                    return Ok(());
                }
            },
        };
        self.ends.insert(steps, id);
        *field = Field::Given(Reference::Id(id.into()));
        Ok(())
    }

    /// The node at the end of a path; those on the way that are missing are made.
    async fn find_or_make(
        &mut self,
        means: &mut Means<'_>,
        steps: &[NodeStep],
    ) -> Result<Result<IdOf<T>, String>, Error> {
        let siblings = match &mut self.siblings {
            Some(siblings) => siblings,
            none => {
                let stored = T::tree(means.tx.read()).all().await?;
                let mut siblings = Siblings::default();
                stored.iter().map(|node| &node.value).chain(&self.supposed).for_each(|node| siblings.note(node));
                none.insert(siblings)
            }
        };
        let (tree, deepest) = (T::TREE, siblings.deepest(steps));
        if deepest > MAX_LEVELS {
            return Ok(Err(format!("would make {deepest} levels; a tree has at most {MAX_LEVELS}")));
        }
        let mut parent = None;
        for step in steps {
            if let Some(id) = siblings.find(parent, step) {
                parent = Some(id);
                continue;
            }
            if self.making == Making::Refused {
                let name = step.name.as_str();
                return Ok(Err(format!("there is no {tree} {name:?}, and making it needs catalog:write")));
            }
            let id = means.ids.next(means.now).into();
            let node = T::make(id, step, parent, siblings);
            siblings.note(&node);
            means.resolver.note_made(&node);
            self.made.push(node.clone());
            if let Tx::Write(tx) = &mut means.tx {
                T::writer(tx.as_mut()).add(node).await?;
            }
            parent = Some(id);
        }
        Ok(parent.ok_or_else(|| format!("the path of the {tree} is empty")))
    }
}

/// The nodes that are there, by what a step finds them by.
struct Siblings<T: TreeNode> {
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
    fn note(&mut self, node: &T) {
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

    /// The node that a step leads to from a parent, if it is there.
    fn find(&self, parent: Option<IdOf<T>>, step: &NodeStep) -> Option<IdOf<T>> {
        let found = match &step.sync_id {
            Some(sync_id) => self.by_sync_id.get(sync_id),
            None => self.by_name.get(&(parent, step.name.clone())),
        };
        found.copied()
    }

    /// The deepest level on which the steps would make a node; 0 when they make none.
    fn deepest(&self, steps: &[NodeStep]) -> usize {
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
    fn free_slug(&self, parent: Option<IdOf<T>>, name: &Name) -> Slug {
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
