//! Tenants, as addresses name them.

use async_trait::async_trait;
use domain::{Name, StatementSettings, YearStart};
use uuid::Uuid;

use super::Error;
use crate::{TenantId, TenantSlug};

/// The tenant that an address is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedTenant {
    /// Identifies it.
    pub id: TenantId,
    /// The epoch that versions of its records and credentials belong to.
    pub epoch: Uuid,
    /// The day on which its fiscal years begin.
    pub year_start: YearStart,
    /// What it is called.
    pub name: Name,
    /// What it states for its inventory statements.
    pub statement: StatementSettings,
}

/// Finds the tenant of an address.
#[async_trait]
pub trait Tenants: Send + Sync {
    /// The tenant of that slug, if there is one now. What another process added or removed is known within a second.
    async fn resolve(&self, slug: &TenantSlug) -> Result<Option<ResolvedTenant>, Error>;
}
