//! Tenants in a PostgreSQL database.

use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use async_trait::async_trait;
use ports::clock::Clock;
use ports::directory::{Directory, Tenant};
use ports::factor_sets::FactorSets;
use ports::id_source::Ids;
use ports::people::People;
use ports::spool::Spool;
use ports::store::{Store, StoreError, Verification};
use ports::{TenantId, TenantSlug};
use postgres::{Database, Options, PostgresDirectory, PostgresSpool, PostgresStore};

use super::backend::{Backend, Inspect};
use super::measuring::StoreSize;
use super::operator::{installation, maintenance};
use crate::clock::SystemClock;
use crate::config::{self, Address, Pooler};
use crate::id_source::SystemIds;

pub(crate) use postgres::ServerState;

/// The tables of a database.
pub(super) struct Tables {
    database: Arc<Database>,
    directory: Arc<PostgresDirectory>,
    store: Arc<PostgresStore>,
}

impl Tables {
    /// Opens the database of that address, which is migrated where that is needed.
    pub(super) async fn open(
        url: &Address,
        settings: &config::Database,
        clock: &Arc<dyn Clock>,
        ids: &Arc<dyn Ids>,
    ) -> Result<Self> {
        let options = options(url, settings, Arc::clone(clock), Arc::clone(ids))?;
        Ok(Self::of(Database::open(options).await?))
    }

    /// Whether there are tables in the database of that address.
    pub(super) async fn exist(url: &Address, settings: &config::Database) -> Result<bool> {
        let options = options(url, settings, Arc::new(SystemClock), Arc::new(SystemIds::new()))?;
        Ok(Database::exists(&options).await?)
    }

    /// Opens the database of that address without changing anything in it.
    pub(super) async fn look(url: &Address, settings: &config::Database) -> Result<Self> {
        let options = options(url, settings, Arc::new(SystemClock), Arc::new(SystemIds::new()))?;
        Ok(Self::of(Database::inspect(options).await?))
    }

    fn of(database: Database) -> Self {
        let database = Arc::new(database);
        let directory = Arc::new(PostgresDirectory::new(Arc::clone(&database)));
        let store = Arc::new(PostgresStore::new(Arc::clone(&database)));
        Self { database, directory, store }
    }
}

/// Records that a tenant left behind when it was removed.
#[derive(Debug, thiserror::Error)]
#[error(
    "the database holds records of the company {id}, which the directory does not know; `tonne tenant remove {slug} --id {id}` \
     exports and erases them"
)]
struct Unlisted {
    id: TenantId,
    slug: TenantSlug,
}

fn options(url: &Address, settings: &config::Database, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Result<Options> {
    Ok(Options {
        migrator_url: settings.migrator_url.as_ref().map(read).transpose()?,
        pooler: match settings.pooler {
            Pooler::None => postgres::Pooler::None,
            Pooler::Transaction => postgres::Pooler::Transaction,
        },
        connections: settings.connections,
        connections_per_tenant: settings.connections_per_tenant,
        wait: settings.wait(),
        turn: settings.turn(),
        hold: settings.hold(),
        statement: settings.statement(),
        ..Options::new(read(url)?, clock, ids)
    })
}

fn read(address: &Address) -> Result<String> {
    match address {
        Address::Given(text) => Ok(text.clone()),
        Address::File(path) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("the file {} with a database's address cannot be read", path.display()))?;
            ensure!(!text.trim().is_empty(), "the file {} holds no address of a database", path.display());
            Ok(text.trim().to_owned())
        }
    }
}

#[async_trait]
impl Backend for Tables {
    fn store(&self) -> Arc<dyn Store> {
        self.store.clone()
    }

    fn directory(&self) -> Arc<dyn Directory> {
        self.directory.clone()
    }

    fn people(&self) -> Arc<dyn People> {
        self.directory.clone()
    }

    fn factor_sets(&self) -> Arc<dyn FactorSets> {
        self.directory.clone()
    }

    fn spool(&self) -> Arc<dyn Spool> {
        Arc::new(PostgresSpool::new(Arc::clone(&self.database)))
    }

    async fn found(&self, id: TenantId, slug: &TenantSlug) -> Result<TenantId, StoreError> {
        let grant = maintenance(id);
        self.store.prepare(&grant).await?;
        let head = self.store.read(&grant.to_read()).await?.head().await?;
        if head.number > 0 && self.directory.find_tenant_by_id(&grant).await?.is_none() {
            return Err(StoreError::Failed(Box::new(Unlisted { id, slug: slug.clone() })));
        }
        Ok(id)
    }

    async fn abandon(&self, id: TenantId) -> Result<(), StoreError> {
        match self.store.remove(&maintenance(id), 0).await {
            Err(StoreError::Stale) => Ok(()),
            removed => removed,
        }
    }

    async fn check(&self, tenant: &Tenant) -> Result<(), StoreError> {
        self.store.read(&maintenance(tenant.id).to_read()).await.map(drop)
    }

    fn warn(&self) {
        if self.database.works_as_superuser() {
            tracing::warn!(
                "the user of database.url is a superuser, which nothing in the database binds; docs/postgres.md says how to \
                 give the service one that owns nothing"
            );
        }
    }

    async fn size(&self) -> Result<StoreSize, StoreError> {
        Ok(StoreSize { data: self.database.size().await?, ..StoreSize::default() })
    }

    async fn server_state(&self) -> Result<Option<ServerState>, StoreError> {
        self.database.server_state().await.map(Some)
    }

    async fn sweep(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn close(&self) {
        self.database.close().await;
    }
}

#[async_trait]
impl Inspect for Tables {
    async fn tenants(&self) -> Result<Vec<Tenant>> {
        Ok(self.directory.list_tenants(&installation()).await?)
    }

    async fn verify_directory(&self) -> Result<Verification> {
        Ok(self.directory.verify(&installation()).await?)
    }

    async fn verify_tenant(&self, tenant: &Tenant) -> Result<Verification> {
        Ok(self.store.verify(&maintenance(tenant.id)).await?)
    }
}
