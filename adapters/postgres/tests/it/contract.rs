//! What every store promises, on this one.

use std::time::Duration;

use async_trait::async_trait;
use ports::store::Store;
use tonne_postgres::PostgresStore;

use crate::harness::{Fresh, options};

struct OneNode {
    store: PostgresStore,
    _fresh: Fresh,
}

#[async_trait]
impl ports::contract::StoreHarness for OneNode {
    async fn open() -> Self {
        let fresh = Fresh::migrated().await;
        Self { store: fresh.store().await, _fresh: fresh }
    }

    fn store(&self) -> &dyn Store {
        &self.store
    }
}

struct TwoNodes {
    nodes: [PostgresStore; 2],
    _fresh: Fresh,
}

#[async_trait]
impl ports::contract::NodesHarness for TwoNodes {
    async fn open() -> Self {
        let fresh = Fresh::migrated().await;
        Self { nodes: [fresh.store().await, fresh.store().await], _fresh: fresh }
    }

    fn nodes(&self) -> [&dyn Store; 2] {
        [&self.nodes[0], &self.nodes[1]]
    }
}

struct Hasty {
    store: PostgresStore,
    _fresh: Fresh,
}

#[async_trait]
impl ports::contract::BusyHarness for Hasty {
    async fn open() -> Self {
        let fresh = Fresh::migrated().await;
        let mut options = options(fresh.url());
        options.turn = Duration::from_millis(100);
        Self { store: PostgresStore::new(fresh.database_with(options).await), _fresh: fresh }
    }

    fn store(&self) -> &dyn Store {
        &self.store
    }
}

ports::store_contract!(OneNode);
ports::busy_contract!(Hasty);
ports::nodes_contract!(TwoNodes);
