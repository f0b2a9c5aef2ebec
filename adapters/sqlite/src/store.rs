//! The store: which tenant's records are in which file, and how its transactions begin.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use domain::Timestamp;
use ports::directory::Directory;
use ports::ledger::CheckpointCells;
use ports::load::Load;
use ports::repo::{ActivityWrite, RENEWED_AT_ONCE, SWEPT_AT_ONCE};
use ports::store::{Intent, ReadTx, Store, StoreError, Verification, WriteTx, write_batch};
use ports::{ChainHead, Grant, Maintenance, Read, Revision, TenantId, TenantSlug, Write};
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::activity;
use crate::answer;
use crate::checkpoint;
use crate::disk_room;
use crate::error::{StoreErr as _, failed};
use crate::file::{Absent, bring_up_to_date, open_reader};
use crate::folder::{self, tenant_file};
use crate::footprint;
use crate::load::Loading;
use crate::migration::TENANT;
use crate::options::{Access, Options};
use crate::owner::Owner;
use crate::run::Snapshot;
use crate::session::{Origin, renew_epoch};
use crate::spool;
use crate::tenants::{Tenant, Tenants};
use crate::thread::blocking;
use crate::tx::Tx;
use crate::verify;

/// Who looks up where a tenant of a transaction is kept.
const SYSTEM: &str = "system";

/// The records of tenants, each tenant's in a file of its own: `<folder>/tenants/<slug>.db`.
///
/// The directory says which slug a tenant has, also of tenants that another process added; without one, a tenant is kept
/// under its identifier unless [`SqliteStore::attach`] names a slug. A file is opened, checked and brought to the latest
/// format when it is first needed. [`Store::prepare`] and [`SqliteStore::create_file`] alone make one that does not exist;
/// otherwise it is an error that it is missing or empty, or that it holds the records of another tenant, at whatever
/// moment it was put there.
///
/// With a directory, files that are not in use are closed when too many are open ([`Options::tenants`]) or when nobody
/// asks for them ([`SqliteStore::close_unused`]), and opened again when they are needed.
///
/// After [`SqliteStore::close`], or when the store is dropped, a file that nobody else has open is whole without its
/// `-wal`.
pub struct SqliteStore {
    folder: PathBuf,
    options: Options,
    directory: Option<Arc<dyn Directory>>,
    tenants: Mutex<Tenants>,
    /// Places of idle readers.
    idle: Arc<Semaphore>,
}

impl SqliteStore {
    /// A store in that folder. Nothing is opened yet, and nothing is made.
    #[must_use]
    pub fn open(folder: &Path, options: Options) -> Self {
        let idle = Arc::new(Semaphore::new(options.idle_readers));
        Self { folder: folder.to_owned(), options, directory: None, tenants: Mutex::default(), idle }
    }

    /// The same for the tenants of that directory alone.
    #[must_use]
    pub fn with_directory(self, directory: Arc<dyn Directory>) -> Self {
        Self { directory: Some(directory), ..self }
    }

    /// Says that the tenant's records are in `tenants/<slug>.db`. Comes before the first use of the tenant.
    pub fn attach(&self, tenant: TenantId, slug: &TenantSlug) {
        self.tenants().keep(self.owner(tenant, slug.as_str()));
    }

    /// Makes the file of a tenant that the directory does not know yet, and says whose it is: that tenant's, or that of
    /// an earlier try that got no further. A file that holds records is refused.
    pub async fn create_file(&self, tenant: TenantId, slug: &TenantSlug) -> Result<TenantId, StoreError> {
        let (folder, slug, options) = (self.folder.clone(), slug.clone(), self.options.clone());
        blocking(move || folder::create_file(&folder, &slug, tenant, &options)).await
    }

    /// Brings a tenant's file to the latest format, if it has an older one; whether it had.
    pub async fn bring_up_to_date(&self, tenant: TenantId) -> Result<bool, StoreError> {
        let (path, options) = (self.tenant(tenant).await?.owner.path.clone(), self.options.clone());
        blocking(move || Ok(bring_up_to_date(&path, &TENANT, &options)?)).await
    }

    /// Opens the file of a tenant that the directory knows.
    pub async fn check(&self, tenant: TenantId) -> Result<(), StoreError> {
        self.tenant(tenant).await?.open(Absent::Refuse, &self.options, &self.idle).await.map(|_| ())
    }

    /// Closes the files of tenants that the directory does not know any more.
    pub async fn forget_removed(&self) -> Result<(), StoreError> {
        let Some(directory) = &self.directory else { return Ok(()) };
        let (ids, mut gone) = (self.tenants().ids(), Vec::new());
        for id in ids {
            if directory.find_tenant_by_id(&Grant::for_maintenance(id, SYSTEM)).await?.is_none() {
                gone.extend(self.tenants().remove(id));
            }
        }
        close_all(gone).await
    }

    /// Closes the files that nobody asked for since the last call and that are not in use, and of the others the readers
    /// that were idle all that time. Only for a store with a directory, which says where files are.
    pub async fn close_unused(&self) -> Result<(), StoreError> {
        if self.directory.is_none() {
            return Ok(());
        }
        let (unused, others) = {
            let mut tenants = self.tenants();
            (tenants.take_unused(), tenants.all())
        };
        blocking(move || {
            drop(unused);
            for tenant in others {
                tenant.trim();
            }
            Ok(())
        })
        .await
    }

    /// Closes the files once the transactions that write have ended. Nothing can be read or written afterwards.
    pub async fn close(&self) {
        let tenants = self.tenants().all();
        if let Err(error) = close_all(tenants).await {
            tracing::error!(%error, "the files were not closed");
        }
    }

    /// Where the records of a tenant of that slug are.
    #[must_use]
    pub fn path_of(&self, slug: &str) -> PathBuf {
        tenant_file(&self.folder, slug)
    }

    /// The tenant, if it can have a file.
    async fn tenant(&self, id: TenantId) -> Result<Arc<Tenant>, StoreError> {
        if let Some(known) = self.tenants().find(id) {
            return Ok(known);
        }
        let Some(directory) = &self.directory else {
            return Ok(self.tenants().keep(self.owner(id, &id.to_string())));
        };
        let listed = directory.find_tenant_by_id(&Grant::for_maintenance(id, SYSTEM)).await?;
        let listed = listed.ok_or_else(|| failed(format!("there is no tenant {id}")))?;
        let owner = self.owner(id, listed.slug.as_str());
        let (tenant, former, beyond) = {
            let mut tenants = self.tenants();
            tenants.settle(id, listed.epoch);
            let former = tenants.take_former(id, &owner.path);
            let tenant = tenants.keep(owner);
            (tenant, former, tenants.take_beyond(self.options.tenants))
        };
        // Waited for, so that files are not opened faster than they are closed.
        if !(former.is_empty() && beyond.is_empty()) {
            close_all(former.into_iter().chain(beyond).collect()).await?;
        }
        Ok(tenant)
    }

    fn owner(&self, id: TenantId, slug: &str) -> Owner {
        Owner { id, path: self.path_of(slug) }
    }

    fn tenants(&self) -> MutexGuard<'_, Tenants> {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the records of a tenant that is not open are, whether or not the directory knows it.
    async fn locate(&self, id: TenantId) -> Result<Option<PathBuf>, StoreError> {
        let Some(directory) = &self.directory else { return Ok(Some(self.path_of(&id.to_string()))) };
        if let Some(listed) = directory.find_tenant_by_id(&Grant::for_maintenance(id, SYSTEM)).await? {
            return Ok(Some(self.path_of(listed.slug.as_str())));
        }
        let (folder, options) = (self.folder.clone(), self.options.clone());
        blocking(move || folder::search(&folder, id, &options)).await
    }
}

impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SqliteStore")
            .field("folder", &self.folder)
            .field("options", &self.options)
            .field("tenants", &self.tenants)
            .finish_non_exhaustive()
    }
}

async fn close_all(tenants: Vec<Arc<Tenant>>) -> Result<(), StoreError> {
    let close = move || {
        for tenant in tenants {
            tenant.close();
        }
        Ok(())
    };
    blocking(close).await
}

#[async_trait]
impl Store for SqliteStore {
    async fn read(&self, grant: &Grant<Read>) -> Result<Box<dyn ReadTx>, StoreError> {
        let tenant = self.tenant(grant.tenant()).await?;
        let open = tenant.open(Absent::Refuse, &self.options, &self.idle).await?;
        let snapshot = Snapshot::open(&open.pool, &tenant.owner).await?;
        Ok(Box::new(Tx::new(snapshot, tenant)))
    }

    async fn write(&self, grant: &Grant<Write>, intent: Intent) -> Result<Box<dyn WriteTx>, StoreError> {
        let tenant = self.tenant(grant.tenant()).await?;
        let open = tenant.open(Absent::Refuse, &self.options, &self.idle).await?;
        let slot = open.writer()?.slot(Origin { intent, actor: grant.actor().to_owned() }).await?;
        Ok(Box::new(Tx::new(slot, tenant)))
    }

    async fn put_activities(
        &self,
        grant: &Grant<Write>,
        intent: Intent,
        since: &ChainHead,
        writes: Vec<ActivityWrite>,
    ) -> Result<ChainHead, StoreError> {
        if writes.len() > activity::FEW {
            return write_batch(self, grant, intent, since, writes).await;
        }
        let tenant = self.tenant(grant.tenant()).await?;
        let open = tenant.open(Absent::Refuse, &self.options, &self.idle).await?;
        let (origin, since) = (Origin { intent, actor: grant.actor().to_owned() }, *since);
        let batch = activity::Batch::of(writes, None);
        open.writer()?
            .change(origin, move |conn, session| {
                if !session.before().has_catalog_of(&since) {
                    return Err(StoreError::Stale);
                }
                activity::put_all(conn, session, batch)
            })
            .await
    }

    async fn check_room(&self, grant: &Grant<Write>, rows: u64) -> Result<(), StoreError> {
        let (tenant, free) = (self.tenant(grant.tenant()).await?, self.options.free_bytes);
        blocking(move || disk_room::check_room(&tenant.owner.path, rows, free)).await
    }

    async fn prepare(&self, grant: &Grant<Maintenance>) -> Result<(), StoreError> {
        self.tenant(grant.tenant()).await?.open(Absent::Make, &self.options, &self.idle).await.map(|_| ())
    }

    async fn checkpoint(
        &self,
        grant: &Grant<Maintenance>,
        revision: Revision,
        cells: Arc<dyn CheckpointCells>,
    ) -> Result<(), StoreError> {
        let tenant = self.tenant(grant.tenant()).await?;
        let open = tenant.open(Absent::Refuse, &self.options, &self.idle).await?;
        match self.options.access {
            Access::Write => checkpoint::write(open.writer()?, revision, cells).await,
            // Without one, more is added up when the cells are read.
            Access::Read => Ok(()),
        }
    }

    async fn remove(&self, grant: &Grant<Maintenance>, number: u64) -> Result<(), StoreError> {
        let tenant = grant.tenant();
        let open = self.tenants().find(tenant);
        if let Some(open) = open {
            open.wait_for_writers().await?;
        }
        let known = self.tenants().remove(tenant);
        let owner = known.as_ref().map(|known| known.owner.clone());
        close_all(known.into_iter().collect()).await?;
        let gone = match &owner {
            Some(owner) => owner.clone(),
            None => match self.locate(tenant).await? {
                Some(path) => Owner { id: tenant, path },
                None => return Ok(()),
            },
        };
        let (folder, options) = (self.folder.clone(), self.options.clone());
        let removed = blocking(move || {
            folder::remove(&folder, &gone, number, &options)?;
            spool::forget_tenant(&folder, tenant)
        })
        .await;
        match (removed, owner) {
            (Ok(()), _) => {
                // Somebody may have asked for it before it was marked as removed.
                let late = self.tenants().remove(tenant);
                close_all(late.into_iter().collect()).await
            }
            (Err(error), Some(owner)) => {
                // It is still where it was.
                self.tenants().keep(owner);
                Err(error)
            }
            (Err(error), None) => Err(error),
        }
    }

    async fn renew_epoch(&self, grant: &Grant<Maintenance>, epoch: Uuid) -> Result<(), StoreError> {
        let tenant = self.tenant(grant.tenant()).await?;
        let open = tenant.open(Absent::Refuse, &self.options, &self.idle).await?;
        open.writer()?.step(move |conn| renew_epoch(conn, epoch)).await
    }

    async fn sweep_answers(&self, grant: &Grant<Maintenance>, now: Timestamp) -> Result<u64, StoreError> {
        let tenant = self.tenant(grant.tenant()).await?;
        let open = tenant.open(Absent::Refuse, &self.options, &self.idle).await?;
        open.writer()?.step(move |conn| answer::sweep(conn, now, SWEPT_AT_ONCE)).await
    }

    async fn renew_verdicts(&self, grant: &Grant<Maintenance>) -> Result<u64, StoreError> {
        let tenant = self.tenant(grant.tenant()).await?;
        let open = tenant.open(Absent::Refuse, &self.options, &self.idle).await?;
        open.writer()?.step(move |conn| footprint::renew(conn, RENEWED_AT_ONCE)).await
    }

    async fn load(&self, grant: &Grant<Maintenance>) -> Result<Box<dyn Load>, StoreError> {
        let tenant = self.tenant(grant.tenant()).await?;
        tenant.open(Absent::Refuse, &self.options, &self.idle).await?;
        Ok(Box::new(Loading::begin(tenant.owner.clone(), self.options.clone()).await?))
    }

    async fn verify(&self, grant: &Grant<Maintenance>) -> Result<Verification, StoreError> {
        let tenant = self.tenant(grant.tenant()).await?;
        tenant.open(Absent::Refuse, &self.options, &self.idle).await?;
        let (path, options) = (tenant.owner.path.clone(), self.options.clone());
        let id = grant.tenant();
        blocking(move || verify::tenant(|| open_reader(&path, &options).store_err(), id)).await
    }
}
