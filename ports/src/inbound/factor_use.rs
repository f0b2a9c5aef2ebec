//! Using a published factor: it is copied into a product of the company.

use async_trait::async_trait;
use domain::{Factor, Name, Product, SyncId};

use super::Error;
use super::catalog::FactorDraft;
use super::draft::Reference;
use crate::{Caller, Stored};

/// Uses published factors. Needs `catalog:write`.
#[async_trait]
pub trait FactorUses: Send + Sync {
    /// Copies a published factor into a product, in one change. A product that has the very copy keeps it.
    async fn use_factor(&self, caller: &Caller, wanted: FactorUse) -> Result<UsedFactor, Error>;
}

/// Which published factor is to be used for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactorUse {
    /// The product it is for.
    pub product: UsedFor,
    /// The published factor, the set to read it under and the days it is to hold.
    pub factor: FactorDraft,
}

/// The product that a published factor is to be a factor of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UsedFor {
    /// One that is there.
    Existing(Reference),
    /// One that is made for it, counted in its unit. No product is called so yet.
    New {
        /// What it is called; like the published factor where nothing is said.
        name: Option<Name>,
        /// What another system calls it.
        sync_id: Option<SyncId>,
    },
}

/// A published factor in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedFactor {
    /// The product.
    pub product: Product,
    /// Its factor.
    pub factor: Stored<Factor>,
    /// What was written.
    pub written: Written,
    /// How many activities it could complete.
    pub fills: u64,
}

/// What using a published factor wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// A product and its factor.
    Product,
    /// A factor.
    Factor,
    /// Nothing: the product had it.
    Nothing,
}
