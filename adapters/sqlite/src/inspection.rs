//! A look at the files of a data folder as they are.

use std::path::{Path, PathBuf};

use ports::TenantSlug;
use ports::directory::Tenant;
use ports::store::{StoreError, Verification};
use rusqlite::Connection;

use crate::directory::{self, directory_file};
use crate::file::open_as_is;
use crate::folder::tenant_file;
use crate::migration::{DIRECTORY, Format, TENANT};
use crate::options::Options;
use crate::thread::blocking;
use crate::verify;

/// A look at the files of a data folder: they are opened to be read, and a file that is absent or has another format
/// than the latest is refused ([`OpenError`](crate::OpenError)). What they hold is never changed.
///
/// SQLite may add `-wal` and `-shm` beside a file, both without content of their own, and needs to be allowed to where
/// no server has them open. What verification must remember is in the system's folder for temporary files.
#[derive(Debug)]
pub struct Inspection {
    folder: PathBuf,
    options: Options,
}

impl Inspection {
    /// A look at that data folder. Nothing is opened yet.
    #[must_use]
    pub fn new(folder: &Path, options: Options) -> Self {
        Self { folder: folder.to_owned(), options }
    }

    pub(crate) const fn options(&self) -> &Options {
        &self.options
    }

    /// Where the directory is, or would be.
    #[must_use]
    pub fn directory_file(&self) -> PathBuf {
        directory_file(&self.folder)
    }

    /// Where the records of the tenant of that slug are, or would be.
    #[must_use]
    pub fn tenant_file(&self, slug: &TenantSlug) -> PathBuf {
        tenant_file(&self.folder, slug.as_str())
    }

    /// The tenant of that slug.
    pub async fn find_tenant(&self, slug: &TenantSlug) -> Result<Option<Tenant>, StoreError> {
        let slug = slug.clone();
        self.look(self.directory_file(), &DIRECTORY, move |conn| directory::tenant::find(conn, &slug)).await
    }

    /// Every tenant, by slug.
    pub async fn list_tenants(&self) -> Result<Vec<Tenant>, StoreError> {
        self.look(self.directory_file(), &DIRECTORY, directory::tenant::list).await
    }

    /// Checks the directory, as [`ports::directory::Directory::verify`] does.
    pub async fn verify_directory(&self) -> Result<Verification, StoreError> {
        self.look(self.directory_file(), &DIRECTORY, directory::verify::directory).await
    }

    /// Checks the records of that tenant, as [`ports::store::Store::verify`] does.
    pub async fn verify_tenant(&self, tenant: &Tenant) -> Result<Verification, StoreError> {
        let (id, path, options) = (tenant.id, self.tenant_file(&tenant.slug), self.options.clone());
        blocking(move || {
            let look = open_as_is(&path, &TENANT, &options)?;
            look.end(verify::tenant(|| Ok(open_as_is(&path, &TENANT, &options)?.into_parts().0), id))
        })
        .await
    }

    async fn look<T: Send + 'static>(
        &self,
        path: PathBuf,
        format: &'static Format,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let options = self.options.clone();
        blocking(move || {
            let look = open_as_is(&path, format, &options)?;
            look.end(work(look.conn()))
        })
        .await
    }
}
