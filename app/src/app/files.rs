//! Tenants in files: `directory.db`, and a file for each tenant below `tenants/`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Error, Result, bail};
use async_trait::async_trait;
use ports::clock::Clock;
use ports::directory::{Directory, Tenant};
use ports::factor_sets::FactorSets;
use ports::id_source::Ids;
use ports::people::People;
use ports::spool::Spool;
use ports::store::{Store, StoreError, Verification};
use ports::{TenantId, TenantSlug};
pub(crate) use sqlite::is_read_elsewhere;
use sqlite::{Access, FileSpool, Inspection, OpenError, Options, ServeLock, SqliteDirectory, SqliteStore};

use super::backend::{Backend, Inspect};
use super::measuring::StoreSize;
use super::operator::installation;
use super::restore::forget_mark;
use crate::clock::SystemClock;
use crate::config::Store as Settings;
use crate::free_room::free_bytes;
use crate::id_source::SystemIds;

/// The bytes of a page of a log.
const LOG_PAGE: u64 = 4_096;

/// The files of a data folder.
pub(super) struct Files {
    folder: PathBuf,
    directory: Arc<SqliteDirectory>,
    store: Arc<SqliteStore>,
    spool: FileSpool,
}

impl Files {
    /// Opens the directory, which is made or migrated where that is needed. Files of tenants are opened when they are
    /// first needed.
    pub(super) fn open(settings: &Settings, clock: &Arc<dyn Clock>, ids: &Arc<dyn Ids>) -> Result<Self> {
        make_folder(&settings.data_dir)?;
        Self::with(settings, clock, ids, Access::Write)
    }

    /// The same to read them. Where the folder may not be written they are read as they are.
    pub(super) fn open_to_read(settings: &Settings, clock: &Arc<dyn Clock>, ids: &Arc<dyn Ids>) -> Result<Self> {
        let is_write_refused = |error: &Error| error.downcast_ref().is_some_and(OpenError::is_write_refused);
        match Self::open(settings, clock, ids) {
            Err(error) if is_write_refused(&error) => Self::with(settings, clock, ids, Access::Read),
            opened => opened,
        }
    }

    /// The same as they are: nothing is made or migrated, and nothing can be written.
    pub(super) fn open_as_is(settings: &Settings, clock: &Arc<dyn Clock>, ids: &Arc<dyn Ids>) -> Result<Self> {
        Self::with(settings, clock, ids, Access::Read)
    }

    fn with(settings: &Settings, clock: &Arc<dyn Clock>, ids: &Arc<dyn Ids>, access: Access) -> Result<Self> {
        let folder = settings.data_dir.as_path();
        let most_log_pages = u32::try_from(settings.log_bytes / LOG_PAGE).unwrap_or(u32::MAX);
        let options = Options { access, most_log_pages, ..Options::new(Arc::clone(clock), Arc::clone(ids)) };
        if options.access == Access::Write {
            // Else it would be taken for that of a restore that was broken off, should the directory be lost one day.
            forget_mark(folder)?;
        }
        let directory = Arc::new(SqliteDirectory::open(folder, options.clone())?);
        let store = Arc::new(SqliteStore::open(folder, options).with_directory(directory.clone()));
        Ok(Self { folder: folder.to_owned(), directory, store, spool: FileSpool::new(folder) })
    }

    /// Whether there is a directory in the folder, or a tenant's file that shows that it was lost.
    pub(super) fn exist(folder: &Path) -> Result<bool> {
        let holds_something = |path: &Path| fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0);
        if holds_something(&directory_file(folder)) {
            return Ok(true);
        }
        let tenants = match fs::read_dir(folder.join("tenants")) {
            Ok(tenants) => tenants,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error).with_context(|| format!("{} cannot be read", folder.display())),
        };
        for file in tenants {
            if holds_something(&file?.path()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Keeps a second server away from the folder.
    pub(super) fn lock(folder: &Path) -> Result<ServeLock> {
        make_folder(folder)?;
        Ok(ServeLock::take(folder)?)
    }
}

#[async_trait]
impl Backend for Files {
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
        Arc::new(self.spool.clone())
    }

    async fn found(&self, id: TenantId, slug: &TenantSlug) -> Result<TenantId, StoreError> {
        self.store.create_file(id, slug).await
    }

    fn attach(&self, id: TenantId, slug: &TenantSlug) {
        self.store.attach(id, slug);
    }

    async fn abandon(&self, _: TenantId) -> Result<(), StoreError> {
        // Another try under the same slug takes the empty file, perhaps at this moment: removed, it would be missing there.
        Ok(())
    }

    async fn check(&self, tenant: &Tenant) -> Result<(), StoreError> {
        self.store.check(tenant.id).await
    }

    async fn bring_up_to_date(&self) {
        let tenants = match self.directory.list_tenants(&installation()).await {
            Ok(tenants) => tenants,
            Err(error) => return tracing::warn!(%error, "the companies' files were not looked at for an older format"),
        };
        for tenant in tenants {
            match self.store.bring_up_to_date(tenant.id).await {
                Ok(false) => {}
                Ok(true) => tracing::info!(company = %tenant.slug, "a company's file was brought to the latest format"),
                Err(error) => {
                    let cause: &dyn std::error::Error = &error;
                    tracing::warn!(cause, company = %tenant.slug, "a company's file was not brought to the latest format");
                }
            }
        }
    }

    async fn size(&self) -> Result<StoreSize, StoreError> {
        let folder = self.folder.clone();
        let sized = tokio::task::spawn_blocking(move || size_of(&folder)).await;
        sized.map_err(|error| StoreError::Failed(Box::new(error)))?.map_err(|error| StoreError::Failed(Box::new(error)))
    }

    async fn sweep(&self) -> Result<(), StoreError> {
        self.store.forget_removed().await?;
        self.store.close_unused().await
    }

    async fn close(&self) {
        self.store.close().await;
        self.directory.close().await;
    }
}

/// How much room the files of a data folder take.
pub(crate) fn size_of(folder: &Path) -> io::Result<StoreSize> {
    let mut size = StoreSize { free: free_bytes(folder), ..StoreSize::default() };
    for folder in [folder.to_owned(), folder.join("tenants")] {
        let files = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            files => files?,
        };
        for file in files {
            let file = file?;
            let name = file.file_name();
            let name = name.to_string_lossy();
            // One that is gone meanwhile takes no room.
            let bytes = file.metadata().map_or(0, |metadata| metadata.len());
            if name.ends_with(".db") {
                size.data += bytes;
            } else if name.ends_with(".db-wal") {
                size.log += bytes;
            }
        }
    }
    Ok(size)
}

/// The directory's file in a data folder.
fn directory_file(folder: &Path) -> PathBuf {
    let options = Options::new(Arc::new(SystemClock), Arc::new(SystemIds::new()));
    Inspection::new(folder, options).directory_file()
}

/// Makes the folder for its owner alone; one that is there stays as it is.
pub(super) fn make_folder(folder: &Path) -> Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).with_context(|| format!("the data folder {} cannot be made", folder.display()))
}

/// A look at the files of a data folder.
pub(super) struct FilesAsTheyAre(Inspection);

impl FilesAsTheyAre {
    pub(super) fn look(folder: &Path) -> Result<Self> {
        let options = Options::new(Arc::new(SystemClock), Arc::new(SystemIds::new()));
        let files = Inspection::new(folder, options);
        must_exist(&files.directory_file())?;
        Ok(Self(files))
    }

    /// What looks at the files.
    pub(super) fn into_inner(self) -> Inspection {
        self.0
    }
}

#[async_trait]
impl Inspect for FilesAsTheyAre {
    async fn tenants(&self) -> Result<Vec<Tenant>> {
        self.0.list_tenants().await.map_err(plain)
    }

    async fn verify_directory(&self) -> Result<Verification> {
        self.0.verify_directory().await.map_err(plain)
    }

    async fn verify_tenant(&self, tenant: &Tenant) -> Result<Verification> {
        must_exist(&self.0.tenant_file(&tenant.slug))?;
        self.0.verify_tenant(tenant).await.map_err(plain)
    }
}

/// A failure by its cause alone: which file is refused, and why.
fn plain(error: StoreError) -> Error {
    if let StoreError::Failed(cause) = error { Error::from_boxed(cause) } else { error.into() }
}

/// Says where to look when there is no store. An empty file is none.
fn must_exist(file: &Path) -> Result<()> {
    match fs::metadata(file) {
        Ok(metadata) if metadata.len() > 0 => Ok(()),
        Ok(_) => bail!("{} is empty: there is no store to verify; --data-dir says where it is", file.display()),
        Err(error) => Err(error).with_context(|| {
            format!("{} cannot be read: there is no store to verify; --data-dir says where it is", file.display())
        }),
    }
}
