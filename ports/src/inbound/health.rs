//! Health: whether questions can be answered.

use async_trait::async_trait;
use domain::TenantId;

use super::Error;

/// Tells whether questions can be answered.
#[async_trait]
pub trait Health: Send + Sync {
    /// Reads a little of all that questions about `tenant` need; an error when some of it cannot be read.
    async fn check(&self, tenant: TenantId) -> Result<(), Error>;
}
