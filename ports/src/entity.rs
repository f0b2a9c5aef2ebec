//! What each kind of record says of itself: its kind, its identifier and syncId, what it is part of, its place in lists and
//! what it refers to. Stores ask the record and keep no list of their own.

use std::fmt;
use std::hash::Hash;

use domain::{
    Activity, ActivityId, Canonical, ClosedPeriod, ClosedPeriodId, Day, Exclusion, ExclusionId, Factor, FactorId,
    Footprint, FootprintId, Input, InputId, Model, ModelId, Org, OrgId, Partner, PartnerId, Product, ProductId, Scope,
    ScopeId, Sharing, Switch, SwitchId, SyncId, Taxonomy, TaxonomyId, Tree,
};
use uuid::Uuid;

use crate::record::RecordKind;

/// A record that a store keeps one by one.
pub trait Entity:
    Canonical<Known = <Self as Entity>::Id> + Clone + fmt::Debug + PartialEq + Send + Sync + 'static
{
    /// Which kind of record the type is.
    const KIND: RecordKind;

    /// The type of its identifier.
    type Id: Copy + fmt::Debug + fmt::Display + Ord + Hash + Send + Sync + Into<Uuid> + From<Uuid>;

    /// What another system calls it: [`SyncId`], or [`NoSyncId`] for a kind that has none.
    type SyncId: AsRef<str> + Clone + fmt::Debug + PartialEq + Send + Sync + 'static;

    /// The record that it is part of: an identifier, or [`NoParent`] for a kind without a parent.
    type Parent: Copy + fmt::Debug + PartialEq + Send + Sync + Into<Uuid>;

    /// What lists are ordered by before the identifier; `()` for the identifier alone.
    type Order: Ord;

    /// The identifier, unique within kind and tenant.
    fn id(&self) -> Self::Id;

    /// What another system calls it; unique per tenant and kind.
    fn sync_id(&self) -> Option<&Self::SyncId>;

    /// The record that it is part of.
    fn parent(&self) -> Option<Self::Parent>;

    /// Its place in lists; those of one place follow each other by identifier.
    fn order(&self) -> Self::Order;

    /// The records that it refers to, each of which must be there.
    fn references(&self) -> Vec<Refers>;
}

/// That a record refers to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Refers {
    /// The member that names the other record, as requests and answers call it.
    pub member: &'static str,
    /// The kind of the other record.
    pub kind: RecordKind,
    /// The identifier of the record that is referred to.
    pub id: Uuid,
}

impl Refers {
    fn to(member: &'static str, kind: RecordKind, id: impl Into<Uuid>) -> Self {
        Self { member, kind, id: id.into() }
    }
}

/// A type without a value, for kinds of records that are never part of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoParent {}

impl From<NoParent> for Uuid {
    fn from(none: NoParent) -> Self {
        match none {}
    }
}

/// There is no such value: the syncId of a record of a kind that has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSyncId {}

impl AsRef<str> for NoSyncId {
    fn as_ref(&self) -> &str {
        match *self {}
    }
}

impl From<Tree> for RecordKind {
    /// The kind of the tree's nodes.
    fn from(tree: Tree) -> Self {
        match tree {
            Tree::Scope => Self::Scope,
            Tree::Org => Self::Org,
            Tree::Taxonomy => Self::Taxonomy,
        }
    }
}

/// Kinds without a parent, which are listed by their identifier.
macro_rules! entities {
    ($($kind:ident, $id:ident, $this:ident => $references:expr;)*) => {$(
        impl Entity for $kind {
            const KIND: RecordKind = RecordKind::$kind;

            type Id = $id;
            type SyncId = SyncId;
            type Parent = NoParent;
            type Order = ();

            fn id(&self) -> $id {
                self.id
            }

            fn sync_id(&self) -> Option<&SyncId> {
                self.sync_id.as_ref()
            }

            fn parent(&self) -> Option<NoParent> {
                None
            }

            fn order(&self) {}

            fn references(&self) -> Vec<Refers> {
                let $this = self;
                $references
            }
        }
    )*};
}

entities! {
    Scope, ScopeId, scope => above(Tree::Scope, scope.parent);
    Org, OrgId, org => above(Tree::Org, org.parent);
    Taxonomy, TaxonomyId, taxonomy => above(Tree::Taxonomy, taxonomy.parent);
    Product, ProductId, _product => Vec::new();
    Model, ModelId, _model => Vec::new();
    Switch, SwitchId, switch => {
        switch.sources.as_slice().iter().map(|id| Refers::to("sources", RecordKind::Model, *id)).collect()
    };
    Activity, ActivityId, activity => [
        activity.scope.map(|id| Refers::to("scope", RecordKind::Scope, id)),
        activity.org.map(|id| Refers::to("org", RecordKind::Org, id)),
        activity.taxonomy.map(|id| Refers::to("taxonomy", RecordKind::Taxonomy, id)),
        activity.product.map(|id| Refers::to("product", RecordKind::Product, id)),
        activity.calculation.factor().map(|id| Refers::to("factor", RecordKind::Factor, id)),
        activity.stated.market.as_ref().map(|market| Refers::to("stated", RecordKind::Factor, market.factor)),
    ].into_iter().flatten().collect();
}

/// The reference of a node to the one above it in its tree.
fn above(tree: Tree, parent: Option<impl Into<Uuid>>) -> Vec<Refers> {
    parent.map(|id| Refers::to("parent", tree.into(), id)).into_iter().collect()
}

impl Entity for Factor {
    const KIND: RecordKind = RecordKind::Factor;

    type Id = FactorId;
    type SyncId = NoSyncId;
    type Parent = ProductId;
    /// The day it holds from.
    type Order = Day;

    fn id(&self) -> FactorId {
        self.id()
    }

    fn sync_id(&self) -> Option<&NoSyncId> {
        None
    }

    fn parent(&self) -> Option<ProductId> {
        Some(self.product())
    }

    fn order(&self) -> Day {
        self.data().valid_from
    }

    fn references(&self) -> Vec<Refers> {
        let corrected = self.corrects().map(|id| Refers::to("corrects", RecordKind::Factor, id));
        [Refers::to("product", RecordKind::Product, self.product())].into_iter().chain(corrected).collect()
    }
}

impl Entity for Input {
    const KIND: RecordKind = RecordKind::Input;

    type Id = InputId;
    type SyncId = SyncId;
    type Parent = ModelId;
    /// Its place in the model.
    type Order = i32;

    fn id(&self) -> InputId {
        self.id
    }

    fn sync_id(&self) -> Option<&SyncId> {
        self.sync_id.as_ref()
    }

    fn parent(&self) -> Option<ModelId> {
        Some(self.model)
    }

    fn order(&self) -> i32 {
        self.order
    }

    fn references(&self) -> Vec<Refers> {
        let model = Refers::to("model", RecordKind::Model, self.model);
        let material = Refers::to("material", RecordKind::Product, self.material);
        let factor = self.calculation.factor().map(|id| Refers::to("factor", RecordKind::Factor, id));
        [model, material].into_iter().chain(factor).collect()
    }
}

impl Entity for Footprint {
    const KIND: RecordKind = RecordKind::Footprint;

    type Id = FootprintId;
    type SyncId = NoSyncId;
    type Parent = NoParent;
    /// The number that partners name the footprint by.
    type Order = u64;

    fn id(&self) -> FootprintId {
        self.id
    }

    fn sync_id(&self) -> Option<&NoSyncId> {
        None
    }

    fn parent(&self) -> Option<NoParent> {
        None
    }

    fn order(&self) -> u64 {
        self.number
    }

    /// Footprints name earlier ones by number, which may be another company's: no reference.
    fn references(&self) -> Vec<Refers> {
        Vec::new()
    }
}

impl Entity for ClosedPeriod {
    const KIND: RecordKind = RecordKind::ClosedPeriod;

    type Id = ClosedPeriodId;
    type SyncId = NoSyncId;
    type Parent = NoParent;
    type Order = ();

    fn id(&self) -> ClosedPeriodId {
        self.id
    }

    fn sync_id(&self) -> Option<&NoSyncId> {
        None
    }

    fn parent(&self) -> Option<NoParent> {
        None
    }

    fn order(&self) {}

    /// The org that it is closed for. The nodes of its frozen report may be gone: no references.
    fn references(&self) -> Vec<Refers> {
        self.org.map(|id| Refers::to("org", RecordKind::Org, id)).into_iter().collect()
    }
}

impl Entity for Exclusion {
    const KIND: RecordKind = RecordKind::Exclusion;

    type Id = ExclusionId;
    type SyncId = NoSyncId;
    type Parent = NoParent;
    type Order = ();

    fn id(&self) -> ExclusionId {
        self.id
    }

    fn sync_id(&self) -> Option<&NoSyncId> {
        None
    }

    fn parent(&self) -> Option<NoParent> {
        None
    }

    fn order(&self) {}

    fn references(&self) -> Vec<Refers> {
        let scope = self.scope().map(|id| Refers::to("scope", RecordKind::Scope, id));
        scope.into_iter().chain(self.org.map(|id| Refers::to("org", RecordKind::Org, id))).collect()
    }
}

/// Kinds without a parent and a syncId that refer to nothing, which are listed by their identifier.
macro_rules! plain_entities {
    ($($kind:ident, $id:ident;)*) => {$(
        impl Entity for $kind {
            const KIND: RecordKind = RecordKind::$kind;

            type Id = $id;
            type SyncId = NoSyncId;
            type Parent = NoParent;
            type Order = ();

            fn id(&self) -> $id {
                self.id
            }

            fn sync_id(&self) -> Option<&NoSyncId> {
                None
            }

            fn parent(&self) -> Option<NoParent> {
                None
            }

            fn order(&self) {}

            fn references(&self) -> Vec<Refers> {
                Vec::new()
            }
        }
    )*};
}

// What a sharing names is kept in order where footprints and partners are removed.
plain_entities! {
    Partner, PartnerId;
    Sharing, FootprintId;
}
