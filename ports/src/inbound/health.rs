//! Health: whether questions can be answered.

use crate::TenantSlug;
use async_trait::async_trait;

use super::Error;

/// Tells whether questions can be answered.
#[async_trait]
pub trait Health: Send + Sync {
    /// Reads a little of all that questions need, of one tenant's records where it is named; an error when some of it
    /// cannot be read.
    async fn check(&self, tenant: Option<&TenantSlug>) -> Result<(), Error>;
}
