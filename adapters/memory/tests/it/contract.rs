//! Every case of the contract, on the store and the directory in memory.

use async_trait::async_trait;
use ports::contract::factor_sets::Sets;
use ports::contract::sample::{SampleClock, SampleIds};
use ports::contract::spool::Spools;
use ports::contract::{
    BusyHarness, DirectoriesHarness, DirectoryHarness, FactorSetsHarness, SpoolHarness, StoreHarness,
};
use ports::directory::Directory;
use ports::store::Store;
use tonne_memory::{MemoryDirectory, MemorySpool, MemoryStore};

struct InMemory {
    store: MemoryStore,
    directory: MemoryDirectory,
}

impl InMemory {
    fn new() -> Self {
        Self { store: MemoryStore::new(SampleIds::shared()), directory: MemoryDirectory::new(SampleClock::shared()) }
    }
}

#[async_trait]
impl StoreHarness for InMemory {
    async fn open() -> Self {
        Self::new()
    }

    fn store(&self) -> &dyn Store {
        &self.store
    }
}

struct Busy(MemoryStore);

#[async_trait]
impl BusyHarness for Busy {
    async fn open() -> Self {
        Self(MemoryStore::new(SampleIds::shared()).busy_behind(0))
    }

    fn store(&self) -> &dyn Store {
        &self.0
    }
}

#[async_trait]
impl DirectoryHarness for InMemory {
    async fn open() -> Self {
        Self::new()
    }

    fn directory(&self) -> &dyn Directory {
        &self.directory
    }
}

#[async_trait]
impl FactorSetsHarness for InMemory {
    async fn open() -> Self {
        Self::new()
    }

    fn sets(&self) -> Sets<'_> {
        Sets { sets: &self.directory, directory: &self.directory }
    }
}

struct Shared([MemoryDirectory; 2]);

#[async_trait]
impl DirectoriesHarness for Shared {
    async fn open() -> Self {
        let directory = MemoryDirectory::new(SampleClock::shared());
        Self([directory.clone(), directory])
    }

    fn directories(&self) -> [&dyn Directory; 2] {
        let [one, two] = &self.0;
        [one, two]
    }
}

#[async_trait]
impl ports::contract::PeopleHarness for Shared {
    async fn open() -> Self {
        <Self as ports::contract::DirectoriesHarness>::open().await
    }

    fn people(&self) -> [ports::contract::people::Node<'_>; 2] {
        let [one, other] = &self.0;
        [one, other].map(|directory| ports::contract::people::Node { people: directory, directory })
    }
}

ports::people_contract!(Shared);
ports::store_contract!(InMemory);
ports::aging_contract!(ports::contract::ByGivenTime<InMemory>);
ports::busy_contract!(Busy);
ports::directory_contract!(InMemory);
ports::directories_contract!(Shared);
ports::factor_sets_contract!(InMemory);

struct Spooled {
    spools: [MemorySpool; 2],
    store: MemoryStore,
}

#[async_trait]
impl SpoolHarness for Spooled {
    async fn open() -> Self {
        let spool = MemorySpool::default();
        Self { spools: [spool.clone(), spool], store: MemoryStore::new(SampleIds::shared()) }
    }

    fn spools(&self) -> Spools<'_> {
        let [one, two] = &self.spools;
        Spools { nodes: [one, two], store: &self.store }
    }
}

ports::spool_contract!(Spooled);
