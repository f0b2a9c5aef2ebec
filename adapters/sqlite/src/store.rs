//! The store: which tenant's records stand in which file, and how its transactions begin.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use domain::{Grant, TenantId, TenantSlug};
use ports::directory::Directory;
use ports::load::Load;
use ports::store::{Intent, ReadTx, Store, StoreError, Verification, WriteTx};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use crate::error::{Meaning as _, Trouble, failed};
use crate::file::{Absent, open_reader};
use crate::folder::{self, open_with_head, tenant_file};
use crate::load::Loading;
use crate::options::Options;
use crate::owner::Owner;
use crate::pool::Pool;
use crate::run::Snapshot;
use crate::session::{Origin, read_head};
use crate::tx::Tx;
use crate::verify;
use crate::writer::Writer;

/// The records of tenants, each tenant's in a file of its own: `<folder>/tenants/<slug>.db`.
///
/// The directory says which slug a tenant has, also of tenants that another process added; without one, a tenant is kept
/// under its identifier unless [`SqliteStore::attach`] names a slug. A file is opened, checked and brought to the latest
/// format when it is first needed. [`Store::prepare`] and [`SqliteStore::found`] alone make one that does not exist;
/// otherwise it is an error that it is missing or empty, or that it holds the records of another tenant, at whatever
/// moment it was put there.
///
/// After [`SqliteStore::close`], or when the store is dropped, a file that nobody else has open is whole without its
/// `-wal`.
pub struct SqliteStore {
    folder: PathBuf,
    options: Options,
    directory: Option<Arc<dyn Directory>>,
    tenants: Mutex<Tenants>,
}

type Tenants = HashMap<TenantId, Arc<Tenant>>;

/// A tenant's file, open since it was first needed.
#[derive(Debug)]
struct Tenant {
    owner: Owner,
    open: OnceCell<Open>,
    /// Whether anybody asked for it since that was last looked at.
    used: AtomicBool,
}

#[derive(Debug)]
struct Open {
    // Closed before the writer, which empties the log only when it is the last.
    pool: Arc<Pool>,
    writer: Writer,
}

impl SqliteStore {
    /// A store in that folder. Nothing is opened yet, and nothing is made.
    #[must_use]
    pub fn open(folder: &Path, options: Options) -> Self {
        Self { folder: folder.to_owned(), options, directory: None, tenants: Mutex::default() }
    }

    /// The same for the tenants of that directory alone.
    #[must_use]
    pub fn with_directory(self, directory: Arc<dyn Directory>) -> Self {
        Self { directory: Some(directory), ..self }
    }

    /// Says that the tenant's records are in `tenants/<slug>.db`. Comes before the first use of the tenant.
    pub fn attach(&self, tenant: TenantId, slug: &TenantSlug) {
        self.keep(tenant, slug.as_str());
    }

    /// Makes the file of a tenant that the directory does not know yet, and says whose it is: that tenant's, or that of
    /// an earlier try that got no further. A file that holds records is refused.
    pub async fn found(&self, tenant: TenantId, slug: &TenantSlug) -> Result<TenantId, StoreError> {
        let (folder, slug, options) = (self.folder.clone(), slug.clone(), self.options.clone());
        blocking(move || folder::found(&folder, &slug, tenant, &options)).await
    }

    /// Opens the file of a tenant that the directory knows.
    pub async fn check(&self, tenant: TenantId) -> Result<(), StoreError> {
        self.tenant(tenant).await?.open(Absent::Refuse, &self.options).await.map(|_| ())
    }

    /// Closes the files of tenants that the directory does not know any more.
    pub async fn forget_removed(&self) -> Result<(), StoreError> {
        let Some(directory) = &self.directory else { return Ok(()) };
        let candidates: Vec<TenantId> = self.tenants().keys().copied().collect();
        let known: HashSet<TenantId> = directory.list_tenants().await?.into_iter().map(|tenant| tenant.id).collect();
        let gone: Vec<_> = {
            let mut tenants = self.tenants();
            let gone = candidates.iter().filter(|id| !known.contains(id));
            gone.filter_map(|id| tenants.remove(id)).collect()
        };
        if gone.is_empty() { Ok(()) } else { close_all(gone).await }
    }

    /// Closes the files that nobody asked for since the last call; they are opened again when they are needed. Only for a
    /// store with a directory, which says where they are.
    pub async fn close_unused(&self) -> Result<(), StoreError> {
        if self.directory.is_none() {
            return Ok(());
        }
        let unused: Vec<_> = {
            let used = |tenant: &mut Arc<Tenant>| tenant.used.swap(false, Ordering::Relaxed);
            self.tenants().extract_if(|_, tenant| !used(tenant)).collect()
        };
        // Whoever got hold of one meanwhile keeps it open until then.
        blocking(move || {
            drop(unused);
            Ok(())
        })
        .await
    }

    /// Closes the files once the transactions that write have ended. Nothing can be read or written afterwards.
    pub async fn close(&self) {
        let tenants: Vec<_> = self.tenants().values().map(Arc::clone).collect();
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
        if let Some(known) = self.tenants().get(&id) {
            known.used.store(true, Ordering::Relaxed);
            return Ok(Arc::clone(known));
        }
        let Some(directory) = &self.directory else { return Ok(self.keep(id, &id.to_string())) };
        let listed = directory.find_tenant_by_id(id).await?;
        let listed = listed.ok_or_else(|| failed(format!("there is no tenant {id}")))?;
        self.forget_removed().await?;
        Ok(self.keep(id, listed.slug.as_str()))
    }

    fn keep(&self, id: TenantId, slug: &str) -> Arc<Tenant> {
        let owner = || Owner { id, path: self.path_of(slug) };
        let mut tenants = self.tenants();
        let tenant = tenants.entry(id).or_insert_with(|| Arc::new(Tenant::of(owner())));
        Arc::clone(tenant)
    }

    fn tenants(&self) -> MutexGuard<'_, Tenants> {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the records of a tenant that is not open are, whether or not the directory knows it.
    async fn locate(&self, id: TenantId) -> Result<Option<PathBuf>, StoreError> {
        let Some(directory) = &self.directory else { return Ok(Some(self.path_of(&id.to_string()))) };
        if let Some(listed) = directory.find_tenant_by_id(id).await? {
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

impl Tenant {
    const fn of(owner: Owner) -> Self {
        Self { owner, open: OnceCell::const_new(), used: AtomicBool::new(true) }
    }

    async fn open(&self, absent: Absent, options: &Options) -> Result<&Open, StoreError> {
        let open = || async {
            let (owner, options) = (self.owner.clone(), options.clone());
            blocking(move || open_tenant(owner, absent, &options)).await
        };
        self.open.get_or_try_init(open).await
    }

    fn close(&self) {
        let Some(open) = self.open.get() else { return };
        open.pool.close();
        open.writer.close();
    }
}

fn open_tenant(owner: Owner, absent: Absent, options: &Options) -> Result<Open, StoreError> {
    let conn = open_with_head(&owner.path, absent, owner.id, options)?;
    owner.check(&read_head(&conn)?)?;
    let pool = Pool::new(owner.path.clone(), options.clone());
    Ok(Open { pool, writer: Writer::start(conn, owner, options.clone())? })
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
    async fn read(&self, grant: &Grant) -> Result<Box<dyn ReadTx>, StoreError> {
        let tenant = self.tenant(grant.tenant()).await?;
        let open = tenant.open(Absent::Refuse, &self.options).await?;
        Ok(Box::new(Tx::new(Snapshot::open(&open.pool, &tenant.owner).await?)))
    }

    async fn write(&self, grant: &Grant, intent: Intent) -> Result<Box<dyn WriteTx>, StoreError> {
        let tenant = self.tenant(grant.tenant()).await?;
        let open = tenant.open(Absent::Refuse, &self.options).await?;
        let origin = Origin { at: intent.at, actor: grant.actor().to_owned(), cause: intent.cause };
        Ok(Box::new(Tx::new(open.writer.turn(origin).await?)))
    }

    async fn prepare(&self, tenant: TenantId) -> Result<(), StoreError> {
        self.tenant(tenant).await?.open(Absent::Make, &self.options).await.map(|_| ())
    }

    async fn remove(&self, tenant: TenantId) -> Result<(), StoreError> {
        let known = self.tenants().remove(&tenant);
        let path = match known {
            Some(known) => {
                let path = known.owner.path.clone();
                close_all(vec![known]).await?;
                Some(path)
            }
            None => self.locate(tenant).await?,
        };
        let Some(path) = path else { return Ok(()) };
        let (folder, options) = (self.folder.clone(), self.options.clone());
        blocking(move || folder::remove(&folder, &path, tenant, &options)).await
    }

    async fn load(&self, grant: &Grant) -> Result<Box<dyn Load>, StoreError> {
        let tenant = self.tenant(grant.tenant()).await?;
        tenant.open(Absent::Refuse, &self.options).await?;
        Ok(Box::new(Loading::begin(tenant.owner.clone(), self.options.clone()).await?))
    }

    async fn verify(&self, grant: &Grant) -> Result<Verification, StoreError> {
        let tenant = self.tenant(grant.tenant()).await?;
        tenant.open(Absent::Refuse, &self.options).await?;
        let (path, options) = (tenant.owner.path.clone(), self.options.clone());
        let id = grant.tenant();
        blocking(move || verify::tenant(&open_reader(&path, &options).meant()?, id)).await
    }
}

/// Runs work on a thread where it may wait for the disk.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    spawn_blocking(work).await.map_err(|error| StoreError::Failed(Box::new(Trouble(error.to_string()))))?
}
