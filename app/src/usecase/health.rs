//! Health: whether the directory can be read, and the records where there is one tenant.

use std::sync::Arc;

use async_trait::async_trait;
use ports::directory::Directory;
use ports::inbound::{Error, Health};
use ports::store::Store;
use ports::{Grant, TenantSlug};

use super::access::SYSTEM;

/// Reads the directory, and the head of a tenant that is named.
pub struct HealthService {
    /// The directory of tenants and credentials.
    pub directory: Arc<dyn Directory>,
    /// The store of records.
    pub store: Arc<dyn Store>,
}

#[async_trait]
impl Health for HealthService {
    async fn check(&self, tenant: Option<&TenantSlug>) -> Result<(), Error> {
        let Some(slug) = tenant else {
            self.directory.version().await?;
            return Ok(());
        };
        let tenant = self.directory.find_tenant(slug).await?.ok_or(Error::NotFound)?;
        self.store.read(&Grant::for_maintenance(tenant.id, SYSTEM).to_read()).await?.head().await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use domain::{Name, Timestamp};
    use memory::{MemoryDirectory, MemoryStore};
    use ports::contract::sample::SampleClock;
    use ports::directory::Tenant;
    use ports::{Installation, TenantId};
    use uuid::Uuid;

    use super::*;
    use crate::id_source::SystemIds;
    use crate::usecase::access::tests::TestDirectory;

    #[tokio::test]
    async fn the_records_of_the_tenant_must_be_readable() {
        let directory = Arc::new(MemoryDirectory::new(SampleClock::shared()));
        let store = Arc::new(MemoryStore::new(Arc::new(SystemIds::new())));
        let slugs = ["here", "elsewhere", "nowhere"].map(|slug| TenantSlug::parse(slug).unwrap());
        let [here, elsewhere, nowhere] = &slugs;
        for (number, slug) in [(1, here), (2, elsewhere)] {
            let id = TenantId::new(Uuid::from_u128(number));
            let created = Timestamp::from_millis(0).unwrap();
            let tenant = Tenant {
                id,
                slug: slug.clone(),
                name: Name::parse("A").unwrap(),
                created,
                epoch: Uuid::nil(),
                year_start: domain::YearStart::default(),
                statement: domain::StatementSettings::default(),
            };
            directory.add_tenant(&Grant::for_maintenance(Installation, "test"), tenant).await.unwrap();
        }
        store.prepare(&Grant::for_maintenance(TenantId::new(Uuid::from_u128(1)), "test")).await.unwrap();
        let health = HealthService { directory, store };
        assert!(health.check(Some(here)).await.is_ok());
        assert!(matches!(health.check(Some(elsewhere)).await, Err(Error::Failed(_))));
        assert!(matches!(health.check(Some(nowhere)).await, Err(Error::NotFound)));
        assert!(health.check(None).await.is_ok());
    }

    #[tokio::test]
    async fn the_directory_must_be_readable() {
        let directory = Arc::new(TestDirectory::default());
        let store = Arc::new(MemoryStore::new(Arc::new(SystemIds::new())));
        let health = HealthService { directory: directory.clone(), store };
        assert!(health.check(None).await.is_ok());
        directory.busy.store(true, Ordering::SeqCst);
        assert!(matches!(health.check(None).await, Err(Error::Busy(_))));
    }
}
