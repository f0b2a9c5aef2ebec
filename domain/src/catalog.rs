//! The nodes of a tenant's three trees and the names of its products, at one moment.

use std::collections::{HashMap, HashSet};

use crate::forest::Forest;
use crate::id::{OrgId, ProductId, ScopeId, TaxonomyId};
use crate::node::{Node, NodeDetail, NodeId};
use crate::scope_kind::{ScopeClass, ScopeKind};
use crate::text::Name;

/// The nodes of the three trees and the names of the products, at one moment.
#[derive(Debug, Default)]
pub struct Catalog {
    nodes: HashMap<NodeId, Node>,
    products: HashMap<ProductId, Name>,
    scopes: Forest<ScopeId>,
    orgs: Forest<OrgId>,
    taxonomies: Forest<TaxonomyId>,
}

impl Catalog {
    /// The catalog of those nodes and products.
    #[must_use]
    pub fn new(nodes: Vec<Node>, products: impl IntoIterator<Item = (ProductId, Name)>) -> Self {
        fn forest<Id: Copy + Eq + std::hash::Hash + Ord + From<NodeId>>(
            nodes: &[Node],
            of_tree: fn(&NodeDetail) -> bool,
        ) -> Forest<Id> {
            Forest::new(
                nodes
                    .iter()
                    .filter(|node| of_tree(&node.detail))
                    .map(|node| (Id::from(node.id), node.parent.map(Id::from))),
            )
        }
        Self {
            scopes: forest(&nodes, |detail| matches!(detail, NodeDetail::Scope(_))),
            orgs: forest(&nodes, |detail| matches!(detail, NodeDetail::Org)),
            taxonomies: forest(&nodes, |detail| matches!(detail, NodeDetail::Taxonomy(_))),
            products: products.into_iter().collect(),
            nodes: nodes.into_iter().map(|node| (node.id, node)).collect(),
        }
    }

    /// The node of that id.
    pub fn node(&self, id: impl Into<NodeId>) -> Option<&Node> {
        self.nodes.get(&id.into())
    }

    /// The name of that product.
    #[must_use]
    pub fn product(&self, id: ProductId) -> Option<&Name> {
        self.products.get(&id)
    }

    /// The scope tree.
    #[must_use]
    pub const fn scopes(&self) -> &Forest<ScopeId> {
        &self.scopes
    }

    /// The org tree.
    #[must_use]
    pub const fn orgs(&self) -> &Forest<OrgId> {
        &self.orgs
    }

    /// The taxonomy tree.
    #[must_use]
    pub const fn taxonomies(&self) -> &Forest<TaxonomyId> {
        &self.taxonomies
    }

    /// Which totals a scope's activities count in; `None` for a scope that is not there, whose activities count as
    /// uncategorised. A node of scope 3 without a category takes that of the nearest node above.
    #[must_use]
    pub fn class(&self, id: ScopeId) -> Option<ScopeClass> {
        let own = self.node(id).and_then(Node::class)?;
        if own.kind() != ScopeKind::Scope3 || own.category().is_some() {
            return Some(own);
        }
        let mut above = self.scopes.ancestors(id).filter_map(|id| self.node(id)?.class());
        above.find(|class| class.category().is_some()).or(Some(own))
    }

    /// The scopes whose activities are booked on one day whatever the attribution.
    #[must_use]
    pub fn not_spread(&self) -> HashSet<ScopeId> {
        let scopes = self.nodes.values().filter(|node| node.class().is_some()).map(|node| ScopeId::from(node.id));
        scopes.filter(|id| self.class(*id).is_some_and(ScopeClass::never_spread)).collect()
    }

    /// The slugs from the root down to the taxonomy, joined by `/`.
    #[must_use]
    pub fn path(&self, id: TaxonomyId) -> String {
        let above: Vec<_> = self.taxonomies.ancestors(id).collect();
        let slugs = above.into_iter().rev().chain([id]).filter_map(|id| self.node(id)?.slug());
        slugs.map(crate::text::Slug::as_str).collect::<Vec<_>>().join("/")
    }
}
