//! The store: which tenant's records stand in which file, and how its transactions begin.

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use domain::{Grant, TenantId, TenantSlug};
use ports::store::{Intent, ReadTx, Store, StoreError, Verification, WriteTx};
use rusqlite::Connection;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use crate::error::{Meaning as _, OpenError, Trouble};
use crate::file::{Absent, open_reader, open_writer};
use crate::migration::TENANT;
use crate::options::Options;
use crate::pool::Pool;
use crate::run::Snapshot;
use crate::session::{Origin, make_head, read_head};
use crate::tx::Tx;
use crate::verify;
use crate::writer::Writer;

/// The records of tenants, each tenant's in a file of its own: `<folder>/tenants/<slug>.db`.
///
/// [`SqliteStore::attach`] says which slug a tenant has; a tenant that was never attached is kept under its identifier.
/// A file is opened, checked and brought to the latest format when it is first needed. [`Store::prepare`] and
/// [`SqliteStore::found`] alone make one that does not exist; otherwise it is an error that it is missing or empty, or
/// that it holds the records of another tenant.
///
/// After [`SqliteStore::close`], or when the store is dropped, a file that nobody else has open is whole without its
/// `-wal`.
#[derive(Debug)]
pub struct SqliteStore {
    folder: PathBuf,
    options: Options,
    tenants: Mutex<HashMap<TenantId, Arc<Tenant>>>,
}

/// A tenant's file, open since it was first needed.
#[derive(Debug)]
struct Tenant {
    id: TenantId,
    path: PathBuf,
    open: OnceCell<Open>,
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
        Self { folder: folder.to_owned(), options, tenants: Mutex::default() }
    }

    /// Says that the tenant's records are in `tenants/<slug>.db`. Comes before the first use of the tenant.
    pub fn attach(&self, tenant: TenantId, slug: &TenantSlug) {
        self.tenants
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(tenant)
            .or_insert_with(|| Arc::new(Tenant::at(tenant, self.path_of(slug.as_str()))));
    }

    /// Makes the file of a tenant that the directory does not know yet, and says whose it is: that tenant's, or that of
    /// an earlier try that got no further. A file that holds records is refused.
    pub async fn found(&self, tenant: TenantId, slug: &TenantSlug) -> Result<TenantId, StoreError> {
        let (path, options) = (self.path_of(slug.as_str()), self.options.clone());
        blocking(move || {
            let row = read_head(&open_with_head(&path, Absent::Make, tenant, &options)?)?;
            if row.head.number > 0 { Err(OpenError::Unlisted(path).into()) } else { Ok(row.tenant) }
        })
        .await
    }

    /// Opens the file of a tenant that the directory knows.
    pub async fn check(&self, tenant: TenantId) -> Result<(), StoreError> {
        self.tenant(tenant).open(Absent::Refuse, &self.options).await.map(|_| ())
    }

    /// Closes the files once the transactions that write have ended. Nothing can be read or written afterwards.
    pub async fn close(&self) {
        let tenants: Vec<_> =
            self.tenants.lock().unwrap_or_else(PoisonError::into_inner).values().map(Arc::clone).collect();
        let closed = blocking(move || {
            for open in tenants.iter().filter_map(|tenant| tenant.open.get()) {
                open.pool.close();
                open.writer.close();
            }
            Ok(())
        });
        if let Err(error) = closed.await {
            tracing::error!(%error, "the files were not closed");
        }
    }

    /// Where the records of a tenant of that slug are.
    #[must_use]
    pub fn path_of(&self, slug: &str) -> PathBuf {
        tenant_file(&self.folder, slug)
    }

    fn tenant(&self, id: TenantId) -> Arc<Tenant> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        let tenant = tenants.entry(id).or_insert_with(|| Arc::new(Tenant::at(id, self.path_of(&id.to_string()))));
        Arc::clone(tenant)
    }
}

impl Tenant {
    const fn at(id: TenantId, path: PathBuf) -> Self {
        Self { id, path, open: OnceCell::const_new() }
    }

    async fn open(&self, absent: Absent, options: &Options) -> Result<&Open, StoreError> {
        let open = || async {
            let (id, path, options) = (self.id, self.path.clone(), options.clone());
            blocking(move || open_tenant(id, path, absent, &options)).await
        };
        self.open.get_or_try_init(open).await
    }
}

fn open_tenant(id: TenantId, path: PathBuf, absent: Absent, options: &Options) -> Result<Open, StoreError> {
    let conn = open_with_head(&path, absent, id, options)?;
    let found = read_head(&conn)?.tenant;
    if found != id {
        return Err(OpenError::OtherTenant { path, found, expected: id }.into());
    }
    let writer = Writer::start(conn, options.clone())?;
    Ok(Open { pool: Pool::new(path, options.clone()), writer })
}

/// Opens a tenant's file; a new one becomes that tenant's.
fn open_with_head(path: &Path, absent: Absent, tenant: TenantId, options: &Options) -> Result<Connection, OpenError> {
    let conn = open_writer(path, &TENANT, absent, options)?;
    let epoch = options.ids.random();
    make_head(&conn, tenant, epoch).map_err(|cause| OpenError::Sqlite { path: path.to_owned(), cause })?;
    Ok(conn)
}

#[async_trait]
impl Store for SqliteStore {
    async fn read(&self, grant: &Grant) -> Result<Box<dyn ReadTx>, StoreError> {
        let tenant = self.tenant(grant.tenant());
        let open = tenant.open(Absent::Refuse, &self.options).await?;
        Ok(Box::new(Tx::new(Snapshot::open(&open.pool).await?)))
    }

    async fn write(&self, grant: &Grant, intent: Intent) -> Result<Box<dyn WriteTx>, StoreError> {
        let tenant = self.tenant(grant.tenant());
        let open = tenant.open(Absent::Refuse, &self.options).await?;
        let origin = Origin { at: intent.at, actor: grant.actor().to_owned(), cause: intent.cause };
        Ok(Box::new(Tx::new(open.writer.turn(origin).await?)))
    }

    async fn prepare(&self, tenant: TenantId) -> Result<(), StoreError> {
        self.tenant(tenant).open(Absent::Make, &self.options).await.map(|_| ())
    }

    async fn verify(&self, grant: &Grant) -> Result<Verification, StoreError> {
        let tenant = self.tenant(grant.tenant());
        tenant.open(Absent::Refuse, &self.options).await?;
        let (path, options) = (tenant.path.clone(), self.options.clone());
        let id = grant.tenant();
        blocking(move || verify::tenant(&open_reader(&path, &options).meant()?, id)).await
    }
}

/// The file of the tenant of that slug below a data folder.
pub(crate) fn tenant_file(folder: &Path, slug: &str) -> PathBuf {
    folder.join("tenants").join(format!("{slug}.db"))
}

/// Whether there is a tenant's file below a data folder.
pub(crate) fn has_tenants(folder: &Path) -> Result<bool, OpenError> {
    let tenants = folder.join("tenants");
    let io = |cause| OpenError::Io { path: tenants.clone(), cause };
    let entries = match fs::read_dir(&tenants) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(false),
        Err(cause) => return Err(io(cause)),
    };
    for entry in entries {
        if entry.map_err(io)?.path().extension().is_some_and(|extension| extension == "db") {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Runs work on a thread where it may wait for the disk.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    spawn_blocking(work).await.map_err(|error| StoreError::Failed(Box::new(Trouble(error.to_string()))))?
}
