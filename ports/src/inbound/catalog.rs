//! The catalog: the three trees, products and their factors.

use crate::{Caller, Stored, Version};
use async_trait::async_trait;
use domain::{
    Day, Factor, FactorBasis, FactorId, FactorRule, Faults, GwpSet, Intensity, Name, Org, Product, ProductId, Scope,
    ScopeKind, Slug, Source, SyncId, Taxonomy, TreeNode, Unit,
};

use super::draft::{Field, Reference};
use super::published::SetPrefix;
use super::{Done, Error, FactorPlace, FactorSearch, Found, Named, Once, ProductFactor, ProductSearch};
use crate::repo::{Listing, Page};

/// A kind of node with the members that only nodes of its tree have.
pub trait DraftedNode: TreeNode {
    /// Those members as they are given.
    type Detail: Clone + std::fmt::Debug + Default + PartialEq + Send + Sync;
}

impl DraftedNode for Scope {
    type Detail = ClassDraft;
}

impl DraftedNode for Org {
    type Detail = RegionDraft;
}

impl DraftedNode for Taxonomy {
    type Detail = SlugDraft;
}

/// The nodes of one tree. Reading needs `catalog:read`, writing `catalog:write`.
#[async_trait]
pub trait Nodes<T: DraftedNode>: Send + Sync {
    /// One page of the tree's nodes.
    async fn list_nodes(
        &self,
        caller: &Caller,
        sync_id: Option<SyncId>,
        page: Page,
    ) -> Result<Listing<NodeView<T>>, Error>;
    /// The node with that identifier.
    async fn get_node(&self, caller: &Caller, id: T::Id) -> Result<NodeView<T>, Error>;
    /// Adds a node. A taxonomy's slug is made from its name unless given. A scope has the kind of the node above, and the
    /// category of one that has any.
    async fn add_node(&self, caller: &Caller, draft: NodeDraft<T::Detail>) -> Result<NodeView<T>, Error> {
        self.add_node_once(caller, draft, None).await?.only_now()
    }
    /// The same once, where the request may be sent again. `KeyReused` when its key was used for another.
    async fn add_node_once(
        &self,
        caller: &Caller,
        draft: NodeDraft<T::Detail>,
        once: Option<Once<NodeView<T>>>,
    ) -> Result<Done<NodeView<T>>, Error>;
    /// Changes a node: absent members stay. The kind and the category of a scope change with those of all nodes below it.
    async fn update_node(
        &self,
        caller: &Caller,
        id: T::Id,
        seen: Option<Version>,
        draft: NodeDraft<T::Detail>,
    ) -> Result<NodeView<T>, Error>;
    /// Removes a node that nothing refers to.
    async fn remove_node(&self, caller: &Caller, id: T::Id, seen: Option<Version>) -> Result<(), Error>;
}

/// The trees, products and factors. Reading needs `catalog:read`, writing `catalog:write`.
#[async_trait]
pub trait Catalog: Nodes<Scope> + Nodes<Org> + Nodes<Taxonomy> {
    /// One page of the products.
    async fn list_products(
        &self,
        caller: &Caller,
        sync_id: Option<SyncId>,
        page: Page,
    ) -> Result<Listing<ProductView>, Error>;
    /// The products that have words, by id. It looks at a bounded number of them, so that there may be none and still be more behind
    /// the end.
    async fn search_products(
        &self,
        caller: &Caller,
        search: &ProductSearch,
    ) -> Result<Found<ProductView, ProductId>, Error>;
    /// The product with that identifier.
    async fn get_product(&self, caller: &Caller, id: ProductId) -> Result<ProductView, Error>;
    /// Adds a product under a new id.
    async fn add_product(&self, caller: &Caller, draft: ProductDraft) -> Result<ProductView, Error> {
        self.add_product_once(caller, draft, None).await?.only_now()
    }
    /// The same once, where the request may be sent again. `KeyReused` when its key was used for another.
    async fn add_product_once(
        &self,
        caller: &Caller,
        draft: ProductDraft,
        once: Option<Once<ProductView>>,
    ) -> Result<Done<ProductView>, Error>;
    /// Changes a product. Its unit stays within its dimension once it has factors or is used.
    async fn update_product(
        &self,
        caller: &Caller,
        id: ProductId,
        seen: Option<Version>,
        draft: ProductDraft,
    ) -> Result<ProductView, Error>;
    /// Removes a product that nothing refers to.
    async fn remove_product(&self, caller: &Caller, id: ProductId, seen: Option<Version>) -> Result<(), Error>;

    /// One page of a product's factors, by the day they are valid from.
    async fn list_factors(
        &self,
        caller: &Caller,
        product: ProductId,
        page: Page,
    ) -> Result<Listing<Stored<Factor>>, Error>;
    /// The factors that have words, product by product and those of the last days first. It looks at a bounded number of products and
    /// factors, so that there may be none and still be more behind the end.
    async fn search_factors(
        &self,
        caller: &Caller,
        search: &FactorSearch,
    ) -> Result<Found<ProductFactor, FactorPlace>, Error>;
    /// One factor of a product.
    async fn get_factor(&self, caller: &Caller, product: ProductId, id: FactorId) -> Result<Stored<Factor>, Error>;
    /// Adds a factor; an open predecessor is closed on the day it is valid from.
    async fn add_factor(&self, caller: &Caller, product: ProductId, draft: FactorDraft) -> Result<NewFactor, Error> {
        self.add_factor_once(caller, product, draft, None).await?.only_now()
    }
    /// The same once, where the request may be sent again. `KeyReused` when its key was used for another.
    async fn add_factor_once(
        &self,
        caller: &Caller,
        product: ProductId,
        draft: FactorDraft,
        once: Option<Once<NewFactor>>,
    ) -> Result<Done<NewFactor>, Error>;
    /// Puts another factor in the place of a wrong one, over the same days. What was computed from the wrong one stays as it
    /// is until it is computed anew. `Conflict` when it was corrected already.
    async fn correct_factor(
        &self,
        caller: &Caller,
        product: ProductId,
        wrong: FactorId,
        draft: FactorDraft,
    ) -> Result<Stored<Factor>, Error> {
        self.correct_factor_once(caller, product, wrong, draft, None).await?.only_now()
    }
    /// The same once, where the request may be sent again. `KeyReused` when its key was used for another.
    async fn correct_factor_once(
        &self,
        caller: &Caller,
        product: ProductId,
        wrong: FactorId,
        draft: FactorDraft,
        once: Option<Once<Stored<Factor>>>,
    ) -> Result<Done<Stored<Factor>>, Error>;
    /// Removes a factor that no activity and no input was computed with.
    async fn remove_factor(
        &self,
        caller: &Caller,
        product: ProductId,
        id: FactorId,
        seen: Option<Version>,
    ) -> Result<(), Error>;
}

/// The members of a node that are given with it; `D` are those that only nodes of its tree have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeDraft<D> {
    /// What it is called; required.
    pub name: Field<Name>,
    /// Unique in its tree.
    pub sync_id: Field<SyncId>,
    /// The node above; absent for a root.
    pub parent: Field<Reference>,
    /// What only nodes of its tree have.
    pub detail: D,
    /// What reading found wrong.
    pub faults: Faults,
}

/// What is given with a scope alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassDraft {
    /// What the node stands for; required unless the node above says it.
    pub kind: Field<ScopeKind>,
    /// Scope 3 only: 1 to 15.
    pub category: Field<u8>,
}

/// What is given with a taxonomy alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlugDraft {
    /// Its part of the path.
    pub slug: Field<Slug>,
}

/// What is given with an org alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegionDraft {
    /// Where it is, such as `GB`; that of the org above without it.
    pub region: Field<Name>,
}

/// A node with the names around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeView<T> {
    /// The node as it is stored.
    pub node: Stored<T>,
    /// The node above; `None` for a root.
    pub parent: Option<Named>,
    /// The slugs from the root joined by `/`, for a taxonomy.
    pub path: Option<String>,
}

/// The members of a product that are given with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProductDraft {
    /// What it is called; required.
    pub name: Field<Name>,
    /// What another system calls it; unique among products.
    pub sync_id: Field<SyncId>,
    /// The unit that amounts of it are counted in; required.
    pub unit: Field<Unit>,
    /// How a factor is chosen where none of its own holds.
    pub rule: Field<FactorRule>,
    /// What reading found wrong; of the rule below `/factorRule`.
    pub faults: Faults,
}

/// A product as callers see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductView {
    /// The product as it is stored.
    pub product: Stored<Product>,
}

/// A factor that was added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFactor {
    /// The factor as it is stored.
    pub factor: Stored<Factor>,
    /// How many activities without CO2e it could complete.
    pub fills: u64,
}

/// The members of a factor that are given with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FactorDraft {
    /// Required; of the product's dimension.
    pub unit: Field<Unit>,
    /// kg CO2e per unit; at least one of the two parts.
    pub upstream: Field<Intensity>,
    /// kg CO2e per unit; at least one of the two parts.
    pub downstream: Field<Intensity>,
    /// Required: the first day.
    pub valid_from: Field<Day>,
    /// The day after its last.
    pub valid_to: Field<Day>,
    /// Required: where it was published.
    pub source: Field<Source>,
    /// The GWP set, such as AR6; of a published factor, the one it is read under: without it as it was published.
    pub gwp: Field<GwpSet>,
    /// What it is for; location unless given.
    pub basis: Field<FactorBasis>,
    /// The published factor to copy, in place of unit, parts and source. Without days, it holds on those of its set.
    pub published: Field<PublishedDraft>,
    /// Whether a copy may hold on days for which its set was not published: required where it does.
    pub other_days: Field<bool>,
    /// What reading found wrong.
    pub faults: Faults,
}

/// Names a published factor of the installation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublishedDraft {
    /// Required: the id of the set, or the beginning of it.
    pub set: Field<SetPrefix>,
    /// Required: where the factor's figure stands in the file.
    pub cell: Field<Name>,
}
