//! The trait over the kinds of store, with what each does in its own way: making, checking and closing tenants' records.

use async_trait::async_trait;
use std::sync::Arc;

use anyhow::Result;
use ports::clock::Clock;
use ports::directory::{Directory, Tenant};
use ports::factor_sets::FactorSets;
use ports::id_source::Ids;
use ports::people::People;
use ports::spool::Spool;
use ports::store::{Store, StoreError, Verification};
use ports::{TenantId, TenantSlug};

use super::database::{ServerState, Tables};
use super::files::{Files, FilesAsTheyAre};
use super::measuring::StoreSize;
use crate::clock::SystemClock;
use crate::config::Config;
use crate::id_source::SystemIds;

/// A store of records and the directory beside it.
#[async_trait]
pub(super) trait Backend: Send + Sync {
    fn store(&self) -> Arc<dyn Store>;

    /// The tenants and their credentials.
    fn directory(&self) -> Arc<dyn Directory>;

    /// Users and their sessions, beside the directory.
    fn people(&self) -> Arc<dyn People>;

    /// The sets of published factors, beside the directory.
    fn factor_sets(&self) -> Arc<dyn FactorSets>;

    /// Where files wait to be imported.
    fn spool(&self) -> Arc<dyn Spool>;

    /// Makes room for the records of a tenant that the directory does not know yet, and says which identifier it has:
    /// that one, or that of an earlier try that got no further.
    async fn found(&self, id: TenantId, slug: &TenantSlug) -> Result<TenantId, StoreError>;

    /// Says which slug a tenant had that the directory does not know any more.
    fn attach(&self, _: TenantId, _: &TenantSlug) {}

    /// Gives up the room of a tenant that did not come into the directory, unless there is something in it.
    async fn abandon(&self, id: TenantId) -> Result<(), StoreError>;

    /// Finds out whether the data of a tenant is there.
    async fn check(&self, tenant: &Tenant) -> Result<(), StoreError>;

    /// Brings to the latest format what is brought to it one after another, such as files that nobody asked for since an
    /// upgrade: as they are, no look at them and no backup beside the service can be made. Called when the service starts.
    async fn bring_up_to_date(&self) {}

    /// Says in the log what is less safe than it could be. Called when the service starts.
    fn warn(&self) {}

    /// How much room the store takes.
    async fn size(&self) -> Result<StoreSize, StoreError>;

    /// What the database server says of itself, where there is one.
    async fn server_state(&self) -> Result<Option<ServerState>, StoreError> {
        Ok(None)
    }

    /// Frees what is no longer needed, such as files that nobody uses. Called every minute.
    async fn sweep(&self) -> Result<(), StoreError>;

    /// Closes everything. Nothing can be asked afterwards.
    async fn close(&self);
}

/// Keeps a second server away from the store, where there may only be one.
#[derive(Debug)]
pub struct ServeLock {
    _files: Option<sqlite::ServeLock>,
}

/// A look at a store as it is: nothing is made, migrated or mended.
#[async_trait]
pub(crate) trait Inspect: Send + Sync {
    /// Every tenant, by slug.
    async fn tenants(&self) -> Result<Vec<Tenant>>;

    /// Compares the chain of the directory with its entries.
    async fn verify_directory(&self) -> Result<Verification>;

    /// Checks the records of a tenant.
    async fn verify_tenant(&self, tenant: &Tenant) -> Result<Verification>;
}

/// That there is no store where a command needs one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoStore {
    /// The data folder holds none.
    #[error(
        "there is no store in {0}, and none was made; --data-dir names another folder, `tonne serve`, `tonne import` and \
         `tonne key create` make a new store"
    )]
    Folder(String),
    /// The database holds no tables.
    #[error(
        "the database lacks the tables of Tonne; run `tonne migrate` with the address of the tables' owner in \
         database.migrator_url"
    )]
    Database,
}

/// The error of a store that is not there, for the configuration whose store that is; `Ok` where there is one.
pub(crate) async fn must_be_there(config: &Config) -> Result<()> {
    let absence = match &config.database.url {
        Some(url) if !Tables::exist(url, &config.database).await? => NoStore::Database,
        None if !Files::exist(&config.store.data_dir)? => NoStore::Folder(config.store.data_dir.display().to_string()),
        Some(_) | None => return Ok(()),
    };
    Err(absence.into())
}

/// What a store is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To read and write.
    Work,
    /// To read, also where nothing may be written.
    Reading,
    /// To look at it as it is: nothing is made or migrated.
    Look,
}

/// Opens the store of the configuration, which is made or migrated where that is needed.
pub(super) async fn open(
    config: &Config,
    purpose: Purpose,
    clock: &Arc<dyn Clock>,
    ids: &Arc<dyn Ids>,
) -> Result<Arc<dyn Backend>> {
    let files = &config.store;
    Ok(match (&config.database.url, purpose) {
        (Some(url), Purpose::Look) => Arc::new(Tables::look(url, &config.database).await?),
        (Some(url), Purpose::Work | Purpose::Reading) => {
            Arc::new(Tables::open(url, &config.database, clock, ids).await?)
        }
        (None, Purpose::Work) => Arc::new(Files::open(files, clock, ids)?),
        (None, Purpose::Look) => Arc::new(Files::open_as_is(files, clock, ids)?),
        (None, Purpose::Reading) => Arc::new(Files::open_to_read(files, clock, ids)?),
    })
}

/// Brings the database of the configuration to the latest format. False where there is none.
pub(crate) async fn migrate(config: &Config) -> Result<bool> {
    let Some(url) = &config.database.url else { return Ok(false) };
    let (clock, ids): (Arc<dyn Clock>, Arc<dyn Ids>) = (Arc::new(SystemClock), Arc::new(SystemIds::new()));
    Tables::open(url, &config.database, &clock, &ids).await?.close().await;
    Ok(true)
}

/// Takes the lock of the store of the configuration.
pub(super) fn lock(config: &Config) -> Result<ServeLock> {
    let files = || Files::lock(&config.store.data_dir);
    Ok(ServeLock { _files: if config.database.url.is_none() { Some(files()?) } else { None } })
}

/// A look at the store of the configuration.
pub(crate) async fn inspect(config: &Config) -> Result<Box<dyn Inspect>> {
    Ok(match &config.database.url {
        Some(url) => Box::new(Tables::look(url, &config.database).await?),
        None => Box::new(FilesAsTheyAre::look(&config.store.data_dir)?),
    })
}
