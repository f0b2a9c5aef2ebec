//! What is bought, burnt, driven or used, and counted in a unit.

pub(crate) mod calculation;
pub(crate) mod factor;
pub(crate) mod incomplete;
pub(crate) mod mixed;
pub(crate) mod place;
pub(crate) mod rule;
pub(crate) mod supplied;
pub(crate) mod supplier;

use crate::id::ProductId;
use crate::product::rule::FactorRule;
use crate::setters::setters;
use crate::text::{Name, SyncId};
use crate::unit::Unit;

/// A product: something whose use emits. Its factors say how much per unit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Product {
    /// Unique within the tenant.
    pub id: ProductId,
    /// What another system calls it.
    pub sync_id: Option<SyncId>,
    /// What it is called.
    pub name: Name,
    /// The unit it is usually counted in; its dimension is the only one that quantities of it may have.
    pub unit: Unit,
    /// How a factor is chosen where none of its own holds; `None` where none is.
    pub rule: Option<FactorRule>,
}

setters! {
    Product {
        with_id = id: ProductId,
        with_sync_id = sync_id: Option<SyncId>,
        with_name = name: Name,
        with_unit = unit: Unit,
        with_rule = rule: Option<FactorRule>,
    }
}

impl Product {
    /// A product that no other system calls anything.
    #[must_use]
    pub const fn new(id: ProductId, name: Name, unit: Unit) -> Self {
        Self { id, sync_id: None, name, unit, rule: None }
    }
}
