//! Making the orgs and taxonomies that rows name by their place.

mod siblings;

use std::collections::HashMap;

use domain::{Factor, Faults, MAX_LEVELS, Org, Taxonomy, Timestamp, TreeNode};
use ports::id_source::Ids;
use ports::inbound::{ActivityDraft, Error, Field, NodeStep, Reference};

use super::tx::Tx;
use crate::usecase::resolve::{Referred, Resolver};
use crate::usecase::tree::IdOf;
use siblings::Siblings;

/// Whether the caller may make nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Making {
    Allowed,
    Refused,
}

/// Orgs and taxonomies, in the order in which they are made, parents first, and factors.
#[derive(Debug, Default)]
pub(super) struct MadeNodes {
    pub(super) orgs: Vec<Org>,
    pub(super) taxonomies: Vec<Taxonomy>,
    /// Factors that were chosen for rows, and are not there yet.
    pub(super) factors: Vec<Factor>,
}

impl MadeNodes {
    /// Whether there are none.
    pub(super) const fn is_empty(&self) -> bool {
        self.orgs.is_empty() && self.taxonomies.is_empty() && self.factors.is_empty()
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
        MadeNodes { orgs: self.orgs.made, taxonomies: self.taxonomies.made, factors: Vec::new() }
    }

    /// The orgs that were made so far, those of earlier calls of a dry run too.
    pub(super) fn made_orgs(&self) -> impl Iterator<Item = &Org> {
        self.orgs.supposed.iter().chain(&self.orgs.made)
    }

    /// Begins with a row: what was made before is kept.
    pub(super) fn begin_row(&mut self) {
        self.orgs.begin_row();
        self.taxonomies.begin_row();
    }

    /// Makes none of the nodes that the row under way alone needs.
    pub(super) fn forget_row(&mut self, resolver: &mut Resolver) {
        self.orgs.forget_row(resolver);
        self.taxonomies.forget_row(resolver);
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
    /// How many were made before the row under way, and the path that it walked first of all.
    before_row: usize,
    path_of_row: Option<Vec<NodeStep>>,
}

impl<T: Made> TreeMaker<T> {
    fn new(making: Making, supposed: &[T]) -> Self {
        let supposed = supposed.to_vec();
        let (ends, made) = (HashMap::new(), Vec::new());
        Self { making, ends, siblings: None, supposed, made, before_row: 0, path_of_row: None }
    }

    fn begin_row(&mut self) {
        self.before_row = self.made.len();
        self.path_of_row = None;
    }

    fn forget_row(&mut self, resolver: &mut Resolver) {
        if self.made.len() == self.before_row {
            return;
        }
        if let Some(path) = self.path_of_row.take() {
            self.ends.remove(&path);
        }
        while self.made.len() > self.before_row {
            let Some(node) = self.made.pop() else { return };
            resolver.forget_made(&node);
            if let Some(siblings) = &mut self.siblings {
                siblings.forget(&node);
            }
        }
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
        if self.ends.insert(steps.clone(), id).is_none() {
            self.path_of_row = Some(steps);
        }
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
            self.made.push(node);
            parent = Some(id);
        }
        Ok(parent.ok_or_else(|| format!("the path of the {tree} is empty")))
    }
}
