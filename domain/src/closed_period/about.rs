//! What a frozen report is about: its days, its orgs, and the names of its nodes as they were then.

use std::collections::{BTreeSet, HashSet};

use uuid::Uuid;

use super::frozen_line::FrozenLine;
use crate::calendar::day::{Day, Period};
use crate::id::{OrgId, ScopeId, TaxonomyId};
use crate::text::Name;
use crate::tree::catalog::{Catalog, NodeTree};
use crate::tree::node::TreeNode;

/// What a frozen report is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrozenAbout {
    /// The first day of the period.
    pub first: Day,
    /// Its last day, included.
    pub last: Day,
    /// The org that it was closed for, with all below it; `None` is the whole company.
    pub org: Option<OrgId>,
    /// The scopes that its lines carry, by their identifiers.
    pub scopes: Vec<FrozenNode>,
    /// The orgs that it was closed for; of the whole company those that its lines carry.
    pub orgs: Vec<FrozenNode>,
    /// The taxonomies that its lines carry.
    pub taxonomies: Vec<FrozenNode>,
}

/// A node as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrozenNode {
    /// Identifies it.
    pub id: Uuid,
    /// What it was called.
    pub name: Name,
    /// The node above it; `None` was a root.
    pub parent: Option<Uuid>,
}

impl FrozenAbout {
    /// That a period has those days, and no node.
    #[must_use]
    pub const fn new(first: Day, last: Day) -> Self {
        Self { first, last, org: None, scopes: Vec::new(), orgs: Vec::new(), taxonomies: Vec::new() }
    }

    /// What a report of those lines is about, by a catalog of the same moment. `orgs` are those that it was closed for; `None` is
    /// the whole company.
    #[must_use]
    pub fn of(
        period: Period,
        (org, orgs): (Option<OrgId>, Option<&HashSet<OrgId>>),
        catalog: &Catalog,
        lines: &[FrozenLine],
    ) -> Self {
        let carried = |id: fn(&FrozenLine) -> Option<Uuid>| -> BTreeSet<Uuid> { lines.iter().filter_map(id).collect() };
        let orgs: BTreeSet<Uuid> = match orgs {
            Some(orgs) => orgs.iter().map(|id| id.uuid()).collect(),
            None => carried(|line| line.series.org.map(OrgId::uuid)),
        };
        Self {
            first: period.first().unwrap_or(Day::MIN),
            last: period.last().unwrap_or(Day::MAX),
            org,
            scopes: nodes(&catalog.scopes, &carried(|line| line.series.scope.map(ScopeId::uuid))),
            orgs: nodes(&catalog.orgs, &orgs),
            taxonomies: nodes(&catalog.taxonomies, &carried(|line| line.series.taxonomy.map(TaxonomyId::uuid))),
        }
    }
}

/// Those of the nodes that are there, by their identifiers.
fn nodes<T: TreeNode>(tree: &NodeTree<T>, ids: &BTreeSet<Uuid>) -> Vec<FrozenNode> {
    let node = |id: &Uuid| {
        let node = tree.find(T::Id::from(*id))?;
        Some(FrozenNode { id: *id, name: node.name().clone(), parent: node.parent().map(Into::into) })
    };
    ids.iter().filter_map(node).collect()
}
