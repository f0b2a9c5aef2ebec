//! What every store and directory promises, on this one.

use std::time::Duration;

use async_trait::async_trait;
use ports::contract::factor_sets::Sets;
use ports::contract::spool::Spools;
use ports::directory::Directory;
use ports::store::Store;
use tempfile::TempDir;
use tonne_sqlite::{FileSpool, Options, SqliteDirectory, SqliteStore};

use crate::support::options;

struct OnDisk {
    store: SqliteStore,
    folder: TempDir,
}

#[async_trait]
impl ports::contract::StoreHarness for OnDisk {
    async fn open() -> Self {
        let folder = TempDir::new().unwrap();
        Self { store: SqliteStore::open(folder.path(), options()), folder }
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

#[async_trait]
impl ports::contract::FactorSetsHarness for DirectoryOnDisk {
    async fn open() -> Self {
        <Self as ports::contract::DirectoryHarness>::open().await
    }

    fn sets(&self) -> Sets<'_> {
        Sets { sets: &self.directory, directory: &self.directory }
    }
}

struct TwoDirectoriesOnDisk {
    directories: [SqliteDirectory; 2],
    _folder: TempDir,
}

#[async_trait]
impl ports::contract::DirectoriesHarness for TwoDirectoriesOnDisk {
    async fn open() -> Self {
        let folder = TempDir::new().unwrap();
        let directories = [(); 2].map(|()| SqliteDirectory::open(folder.path(), options()).unwrap());
        Self { directories, _folder: folder }
    }

    fn directories(&self) -> [&dyn Directory; 2] {
        [&self.directories[0], &self.directories[1]]
    }
}

struct BusyOnDisk(OnDisk);

#[async_trait]
impl ports::contract::BusyHarness for BusyOnDisk {
    async fn open() -> Self {
        let folder = TempDir::new().unwrap();
        let options = Options { wait: Duration::from_millis(100), ..options() };
        Self(OnDisk { store: SqliteStore::open(folder.path(), options), folder })
    }

    fn store(&self) -> &dyn Store {
        &self.0.store
    }
}

#[async_trait]
impl ports::contract::PeopleHarness for TwoDirectoriesOnDisk {
    async fn open() -> Self {
        <Self as ports::contract::DirectoriesHarness>::open().await
    }

    fn people(&self) -> [ports::contract::people::Node<'_>; 2] {
        let [one, other] = &self.directories;
        [one, other].map(|directory| ports::contract::people::Node { people: directory, directory })
    }
}

ports::people_contract!(TwoDirectoriesOnDisk);
ports::store_contract!(OnDisk);
ports::aging_contract!(ports::contract::ByGivenTime<OnDisk>);
ports::busy_contract!(BusyOnDisk);
ports::directories_contract!(TwoDirectoriesOnDisk);
ports::nodes_contract!(TwoNodesOnDisk);
ports::directory_contract!(DirectoryOnDisk);
ports::factor_sets_contract!(DirectoryOnDisk);

struct SpoolOnDisk {
    spools: [FileSpool; 2],
    store: OnDisk,
}

#[async_trait]
impl ports::contract::SpoolHarness for SpoolOnDisk {
    async fn open() -> Self {
        let store = <OnDisk as ports::contract::StoreHarness>::open().await;
        let spool = FileSpool::new(store.folder.path());
        Self { spools: [spool.clone(), spool], store }
    }

    fn spools(&self) -> Spools<'_> {
        let [one, two] = &self.spools;
        Spools { nodes: [one, two], store: &self.store.store }
    }
}

ports::spool_contract!(SpoolOnDisk);
