//! Health: whether the directory and a tenant's records can be read.

use std::sync::Arc;

use async_trait::async_trait;
use domain::{Grant, TenantId};
use ports::directory::Directory;
use ports::inbound::{Error, Health};
use ports::store::Store;

/// Reads the directory's version and the tenant's head.
pub struct HealthService {
    /// Where tenants and credentials are kept.
    pub directory: Arc<dyn Directory>,
    /// Where records are kept.
    pub store: Arc<dyn Store>,
}

#[async_trait]
impl Health for HealthService {
    async fn check(&self, tenant: TenantId) -> Result<(), Error> {
        self.directory.version().await?;
        self.store.read(&Grant::for_maintenance(tenant, "health")).await?.head().await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use memory::MemoryStore;
    use uuid::Uuid;

    use super::*;
    use crate::usecase::access::tests::TestDirectory;
    use crate::world::SystemIds;

    #[tokio::test]
    async fn both_the_directory_and_the_records_must_be_readable() {
        let directory = Arc::new(TestDirectory::default());
        let store = Arc::new(MemoryStore::new(Arc::new(SystemIds::new())));
        let (here, elsewhere) = (TenantId::new(Uuid::from_u128(1)), TenantId::new(Uuid::from_u128(2)));
        store.prepare(here).await.unwrap();
        let health = HealthService { directory: directory.clone(), store };
        assert!(health.check(here).await.is_ok());
        assert!(matches!(health.check(elsewhere).await, Err(Error::Failed(_))));
        directory.busy.store(true, Ordering::SeqCst);
        assert!(matches!(health.check(here).await, Err(Error::Busy)));
    }
}
