//! Every case of the contract, on the store and the directory in memory.

use async_trait::async_trait;
use ports::contract::sample::SampleIds;
use ports::contract::{DirectoryHarness, StoreHarness};
use ports::directory::Directory;
use ports::store::Store;
use tonne_memory::{MemoryDirectory, MemoryStore};

struct InMemory {
    store: MemoryStore,
    directory: MemoryDirectory,
}

impl InMemory {
    fn new() -> Self {
        Self { store: MemoryStore::new(SampleIds::shared()), directory: MemoryDirectory::new() }
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

#[async_trait]
impl DirectoryHarness for InMemory {
    async fn open() -> Self {
        Self::new()
    }

    fn directory(&self) -> &dyn Directory {
        &self.directory
    }
}

ports::store_contract!(InMemory);
ports::directory_contract!(InMemory);
