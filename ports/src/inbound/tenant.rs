//! Tenants, as addresses name them.

use crate::{TenantId, TenantSlug};
use async_trait::async_trait;

use super::Error;

/// Finds the tenant of an address.
#[async_trait]
pub trait Tenants: Send + Sync {
    /// The tenant of that slug, if there is one now. What another process added or removed is known within a second.
    async fn resolve(&self, slug: &TenantSlug) -> Result<Option<TenantId>, Error>;
}
