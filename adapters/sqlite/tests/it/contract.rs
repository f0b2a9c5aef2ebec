//! What every store and directory promises, on this one.

use async_trait::async_trait;
use ports::directory::Directory;
use ports::store::Store;
use tempfile::TempDir;
use tonne_sqlite::{SqliteDirectory, SqliteStore};

use crate::support::options;

struct OnDisk {
    store: SqliteStore,
    _folder: TempDir,
}

#[async_trait]
impl ports::contract::StoreHarness for OnDisk {
    async fn open() -> Self {
        let folder = TempDir::new().unwrap();
        Self { store: SqliteStore::open(folder.path(), options()), _folder: folder }
    }

    fn store(&self) -> &dyn Store {
        &self.store
    }
}

struct DirectoryOnDisk {
    directory: SqliteDirectory,
    _folder: TempDir,
}

#[async_trait]
impl ports::contract::DirectoryHarness for DirectoryOnDisk {
    async fn open() -> Self {
        let folder = TempDir::new().unwrap();
        Self { directory: SqliteDirectory::open(folder.path(), options()).unwrap(), _folder: folder }
    }

    fn directory(&self) -> &dyn Directory {
        &self.directory
    }
}

ports::store_contract!(OnDisk);
ports::directory_contract!(DirectoryOnDisk);
