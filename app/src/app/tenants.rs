//! The tenants of an installation: finding, adding and removing them.

#[cfg(test)]
mod tests;

use anyhow::{Result, bail};
use domain::{Name, StatementSettings, TextError, YearStart};
use ports::directory::Tenant;
use ports::store::StoreError;
use ports::{TenantId, TenantSlug};

use super::App;
use super::operator::{installation, maintenance};
use crate::config::Mode;

/// The slug of the tenant where there is only one, and of the one that commands work in unless they name another.
pub const SINGLE_TENANT: &str = "main";

/// Why there is no tenant to work in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no company {0}; `tonne tenant list` shows those there are, `tonne tenant create {0} --name NAME` adds it"
)]
pub struct UnknownTenant(pub TenantSlug);

/// The slug of the tenant where there is only one.
pub(crate) fn single_tenant() -> Result<TenantSlug, TextError> {
    TenantSlug::parse(SINGLE_TENANT)
}

impl App {
    /// All tenants, by slug.
    pub async fn list_tenants(&self) -> Result<Vec<Tenant>, StoreError> {
        self.directory.list_tenants(&installation()).await
    }

    /// The tenant of that slug, if there is one.
    pub async fn find_tenant(&self, slug: &TenantSlug) -> Result<Option<Tenant>, StoreError> {
        self.directory.find_tenant(slug).await
    }

    /// The tenant of that identifier, if there is one.
    pub async fn find_tenant_by_id(&self, id: TenantId) -> Result<Option<Tenant>, StoreError> {
        self.directory.find_tenant_by_id(&maintenance(id)).await
    }

    /// The number of the tenant's newest change.
    pub async fn newest_change(&self, tenant: &Tenant) -> Result<u64, StoreError> {
        Ok(self.store.read(&maintenance(tenant.id).to_read()).await?.head().await?.number)
    }

    /// The tenant of that slug; [`UnknownTenant`] where there is none.
    pub async fn tenant(&self, slug: &TenantSlug) -> Result<Tenant> {
        let found = self.directory.find_tenant(slug).await?;
        found.ok_or_else(|| UnknownTenant(slug.clone()).into())
    }

    /// A new tenant, empty. `Conflict` when its slug is taken. Running servers answer for it within a second.
    pub async fn create_tenant(
        &self,
        slug: TenantSlug,
        name: Name,
        year_start: YearStart,
    ) -> Result<Tenant, StoreError> {
        let now = self.clock.now();
        if let Some(holder) = self.directory.find_tenant(&slug).await? {
            let holder = holder.id.uuid();
            return Err(StoreError::Conflict(ports::store::Conflict::TenantSlug { holder }));
        }
        // First the room, then the entry: a tenant with an entry has always had its data.
        let id = self.backend.found(self.ids.next(now).into(), &slug).await?;
        let (epoch, statement) = (self.ids.random(), StatementSettings::default());
        let tenant = Tenant { id, slug, name, created: now, epoch, year_start, statement };
        self.enter_tenant(&tenant).await.map(|()| tenant)
    }

    /// Says what the tenant is called. Running servers know it within a second. Whether it is there.
    pub async fn set_name(&self, tenant: &Tenant, name: Name) -> Result<bool, StoreError> {
        let was_there = self.directory.set_name(&maintenance(tenant.id), name).await;
        self.version.expire();
        was_there
    }

    /// Says on which day the tenant's fiscal years begin. Running servers know it within a second. Whether it is there.
    pub async fn set_year_start(&self, tenant: &Tenant, year_start: YearStart) -> Result<bool, StoreError> {
        let was_there = self.directory.set_year_start(&maintenance(tenant.id), year_start).await;
        self.version.expire();
        was_there
    }

    /// Says what the tenant states for its inventory statements, in place of what it stated. Running servers know it within a
    /// second. Whether it is there; `Stale` where it states something else by now.
    pub async fn set_statement(&self, tenant: &Tenant, statement: StatementSettings) -> Result<bool, StoreError> {
        let was_there = self.directory.set_statement(&maintenance(tenant.id), &tenant.statement, statement).await;
        self.version.expire();
        was_there
    }

    /// A new tenant of that identity, empty, for what was exported elsewhere. `Conflict` when its slug or its identifier
    /// is taken.
    pub(crate) async fn adopt_tenant(&self, tenant: &Tenant) -> Result<(), StoreError> {
        if let Some(holder) = self.directory.find_tenant(&tenant.slug).await? {
            let holder = holder.id.uuid();
            return Err(StoreError::Conflict(ports::store::Conflict::TenantSlug { holder }));
        }
        let id = self.backend.found(tenant.id, &tenant.slug).await?;
        if id != tenant.id {
            // An earlier try under another identifier left its room, empty.
            self.store.remove(&maintenance(id), 0).await?;
            self.backend.found(tenant.id, &tenant.slug).await?;
        }
        self.enter_tenant(tenant).await
    }

    /// Adds a tenant to the directory that has its room already. Where it does not come in, its room is given up.
    async fn enter_tenant(&self, tenant: &Tenant) -> Result<(), StoreError> {
        let added = self.directory.add_tenant(&installation(), tenant.clone()).await;
        self.version.expire();
        if let Err(
            StoreError::Conflict(_)
            | StoreError::Busy(_)
            | StoreError::Failed(_)
            | StoreError::Stale
            | StoreError::Corrupt { .. },
        ) = added
            && let Err(error) = self.give_up_room(tenant.id).await
        {
            let cause: &dyn std::error::Error = &error;
            let id = tracing::field::display(tenant.id);
            tracing::warn!(cause, company.id = id, "records of a company that was not made may be left in the store");
        }
        added
    }

    /// Gives up the room of a tenant, unless it came into the directory by another way.
    async fn give_up_room(&self, id: TenantId) -> Result<(), StoreError> {
        match self.directory.find_tenant_by_id(&maintenance(id)).await? {
            Some(_) => Ok(()),
            None => self.backend.abandon(id).await,
        }
    }

    /// A tenant that the directory does not know any more, but whose records are still there: where they are is said by
    /// the slug it had. They can be exported and erased.
    pub async fn left_tenant(&self, id: TenantId, slug: TenantSlug) -> Result<Tenant> {
        if let Some(there) = self.directory.find_tenant_by_id(&maintenance(id)).await? {
            bail!("the company {id} is not gone: it is {}", there.slug);
        }
        let name = Name::parse(slug.as_str())?;
        self.backend.attach(id, &slug);
        let (created, epoch) = (self.clock.now(), self.ids.random());
        let (year_start, statement) = (YearStart::default(), StatementSettings::default());
        Ok(Tenant { id, slug, name, created, epoch, year_start, statement })
    }

    /// Takes a tenant and its credentials out of the directory: within a second running servers do not answer for it any
    /// more. Its data stays until [`erase_tenant`](Self::erase_tenant). Whether it was there.
    pub async fn stop_tenant(&self, tenant: &Tenant) -> Result<bool, StoreError> {
        let stopped = self.directory.remove_tenant(&maintenance(tenant.id)).await;
        self.version.expire();
        stopped
    }

    /// Erases the data of a tenant whose newest change has that number; `Stale` when another has been written.
    pub async fn erase_tenant(&self, tenant: &Tenant, number: u64) -> Result<(), StoreError> {
        self.store.remove(&maintenance(tenant.id), number).await
    }

    /// Takes back a tenant that was made to be filled, with its entry in the directory, unless another has filled it.
    /// Whether it is gone.
    pub(crate) async fn take_back_tenant(&self, tenant: &Tenant) -> Result<bool, StoreError> {
        // First the room: from then on nobody can fill it.
        match self.erase_tenant(tenant, 0).await {
            Ok(()) => self.stop_tenant(tenant).await.map(|_| true),
            Err(StoreError::Stale) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Finds the only tenant, of which nothing may be gone, or makes it where there is none yet.
    pub(super) async fn settle_single_tenant(&self, name: &str) -> Result<()> {
        let slug = single_tenant()?;
        if let Some(tenant) = self.directory.find_tenant(&slug).await? {
            return Ok(self.backend.check(&tenant).await?);
        }
        if !self.directory.list_tenants(&installation()).await?.is_empty() {
            return Ok(());
        }
        match self.create_tenant(slug.clone(), Name::parse(name)?, YearStart::default()).await {
            Ok(_) => Ok(()),
            // Another command may have been faster.
            Err(error) => match self.directory.find_tenant(&slug).await? {
                Some(_) => Ok(()),
                None => Err(error.into()),
            },
        }
    }

    /// Refuses to serve one tenant where there are only others.
    pub(super) async fn must_have_its_tenant(&self) -> Result<()> {
        if self.config.tenancy.mode == Mode::Single && self.directory.find_tenant(&single_tenant()?).await?.is_none() {
            bail!(
                "there is no company {SINGLE_TENANT}, only others: set tenancy.mode to path or host, or add it by `tonne \
                 tenant create {SINGLE_TENANT} --name NAME`"
            );
        }
        Ok(())
    }
}
