//! The nodes of a tenant's three trees and the names of its products, at one moment.

use std::collections::{HashMap, HashSet};

use crate::id::{ProductId, ScopeId, TaxonomyId};
use crate::text::{Name, Slug};
use crate::tree::forest::Forest;
use crate::tree::node::{Org, Scope, Taxonomy, TreeNode};
use crate::tree::scope_kind::{ScopeClass, ScopeKind};

/// The nodes of one tree and how they are below each other.
#[derive(Clone, Debug)]
pub struct NodeTree<T: TreeNode> {
    nodes: HashMap<T::Id, T>,
    forest: Forest<T::Id>,
}

impl<T: TreeNode> NodeTree<T> {
    /// The tree of those nodes.
    #[must_use]
    pub fn new(nodes: Vec<T>) -> Self {
        let forest = Forest::new(nodes.iter().map(|node| (node.id(), node.parent())));
        Self { nodes: nodes.into_iter().map(|node| (node.id(), node)).collect(), forest }
    }

    /// The node of that id.
    #[must_use]
    pub fn find(&self, id: T::Id) -> Option<&T> {
        self.nodes.get(&id)
    }

    /// All nodes, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.nodes.values()
    }

    /// How the nodes are below each other.
    #[must_use]
    pub const fn forest(&self) -> &Forest<T::Id> {
        &self.forest
    }
}

impl<T: TreeNode> Default for NodeTree<T> {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

/// The nodes of the three trees and the names of the products, at one moment.
#[derive(Debug, Default)]
pub struct Catalog {
    /// GHG scopes, with the categories of scope 3 below.
    pub scopes: NodeTree<Scope>,
    /// Organisation units.
    pub orgs: NodeTree<Org>,
    /// Categories of activity.
    pub taxonomies: NodeTree<Taxonomy>,
    /// What the products are called.
    pub products: HashMap<ProductId, Name>,
}

impl Catalog {
    /// Which totals a scope's activities count in; `None` for a scope that is not there, whose activities count as
    /// uncategorized. A node of scope 3 without a category takes that of the nearest node above.
    #[must_use]
    pub fn class(&self, id: ScopeId) -> Option<ScopeClass> {
        let own = self.scopes.find(id)?.class;
        if own.kind() != ScopeKind::Scope3 || own.category().is_some() {
            return Some(own);
        }
        let mut above = self.scopes.forest().ancestors(id).filter_map(|id| self.scopes.find(id)).map(|node| node.class);
        above.find(|class| class.category().is_some()).or(Some(own))
    }

    /// Scopes whose activities count on their first day even under daily attribution.
    #[must_use]
    pub fn not_spread(&self) -> HashSet<ScopeId> {
        let never_spread = |id: &ScopeId| self.class(*id).is_some_and(ScopeClass::never_spread);
        self.scopes.iter().map(|scope| scope.id).filter(never_spread).collect()
    }

    /// The slugs from the root down to the taxonomy, joined by `/`.
    #[must_use]
    pub fn path(&self, id: TaxonomyId) -> String {
        let above: Vec<_> = self.taxonomies.forest().ancestors(id).collect();
        let ids = above.into_iter().rev().chain([id]);
        let slugs = ids.filter_map(|id| self.taxonomies.find(id)).map(|taxonomy| &taxonomy.slug);
        slugs.map(Slug::as_str).collect::<Vec<_>>().join("/")
    }
}
