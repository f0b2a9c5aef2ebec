//! The files of the store: which tenant they are of, and what is refused when one of them is gone.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use domain::{Name, TenantSlug};
use ports::directory::{Directory as _, Tenant};
use ports::world::{Clock, Ids};
use sqlite::{SqliteDirectory, SqliteStore};

/// The slug of the tenant where there is only one.
pub const SINGLE_TENANT: &str = "main";

/// The files of the store.
pub(super) struct Files {
    /// `directory.db`.
    pub(super) directory: Arc<SqliteDirectory>,
    /// `tenants/`.
    pub(super) store: Arc<SqliteStore>,
}

impl Files {
    /// Finds the only tenant, whose file must be there, or makes it where the directory is new.
    pub(super) async fn single_tenant(&self, clock: &dyn Clock, ids: &dyn Ids) -> Result<Tenant> {
        let slug = TenantSlug::parse(SINGLE_TENANT)?;
        let tenant = match self.directory.find_tenant(&slug).await? {
            Some(tenant) => tenant,
            None => self.new_tenant(slug, clock, ids).await?,
        };
        self.store.attach(tenant.id, &tenant.slug);
        self.store.check(tenant.id).await?;
        Ok(tenant)
    }

    /// Makes the tenant's file, then its entry in the directory: a tenant with an entry always has had a file.
    async fn new_tenant(&self, slug: TenantSlug, clock: &dyn Clock, ids: &dyn Ids) -> Result<Tenant> {
        let (created, name) = (clock.now(), Name::parse(SINGLE_TENANT)?);
        let made = async {
            let id = self.store.found(ids.next(created).into(), &slug).await?;
            let tenant = Tenant { id, slug: slug.clone(), name, created };
            self.directory.add_tenant(tenant.clone()).await?;
            Ok(tenant)
        };
        match made.await {
            Ok(tenant) => Ok(tenant),
            // Another command may have been faster.
            Err::<_, ports::store::StoreError>(error) => {
                self.directory.find_tenant(&slug).await?.ok_or_else(|| anyhow!(error))
            }
        }
    }
}
