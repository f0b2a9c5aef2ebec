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

struct TwoNodesOnDisk {
    nodes: [SqliteStore; 2],
    _folder: TempDir,
}

#[async_trait]
impl ports::contract::NodesHarness for TwoNodesOnDisk {
    async fn open() -> Self {
        let folder = TempDir::new().unwrap();
        Self { nodes: [(); 2].map(|()| SqliteStore::open(folder.path(), options())), _folder: folder }
    }

    fn nodes(&self) -> [&dyn Store; 2] {
        [&self.nodes[0], &self.nodes[1]]
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
ports::nodes_contract!(TwoNodesOnDisk);
ports::directory_contract!(DirectoryOnDisk);
