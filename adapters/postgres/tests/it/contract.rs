//! What every store promises, on this one.

use std::time::Duration;

use async_trait::async_trait;
use domain::Timestamp;
use ports::contract::Aging;
use ports::contract::spool::Spools;
use ports::store::Store;
use sqlx::AssertSqlSafe;
use tonne_postgres::{PostgresSpool, PostgresStore};

use crate::harness::{Fresh, options, right_time};

struct OneNode {
    store: PostgresStore,
    fresh: Fresh,
}

/// First answers are as old as the database says: they are made older.
#[async_trait]
impl Aging for OneNode {
    fn store(&self) -> &dyn Store {
        &self.store
    }

    async fn pass(&self, hours: i64) -> Timestamp {
        let older = format!("UPDATE tonne.answer SET at = at - interval '{hours} hours'");
        sqlx::raw_sql(AssertSqlSafe(older)).execute(&mut self.fresh.superuser().await).await.unwrap();
        Timestamp::from_millis(right_time()).unwrap()
    }
}

#[async_trait]
impl ports::contract::AgingHarness for OneNode {
    async fn open() -> Self {
        <Self as ports::contract::StoreHarness>::open().await
    }

    fn aging(&self) -> &dyn Aging {
        self
    }
}

#[async_trait]
impl ports::contract::StoreHarness for OneNode {
    async fn open() -> Self {
        let fresh = Fresh::migrated().await;
        Self { store: fresh.store().await, fresh }
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
ports::aging_contract!(OneNode);
ports::busy_contract!(Hasty);
ports::nodes_contract!(TwoNodes);

struct SpoolOfTwoNodes {
    spools: [PostgresSpool; 2],
    store: PostgresStore,
    _fresh: Fresh,
}

#[async_trait]
impl ports::contract::SpoolHarness for SpoolOfTwoNodes {
    async fn open() -> Self {
        let fresh = Fresh::migrated().await;
        let spool = async || PostgresSpool::new(fresh.database_with(options(fresh.url())).await);
        Self { spools: [spool().await, spool().await], store: fresh.store().await, _fresh: fresh }
    }

    fn spools(&self) -> Spools<'_> {
        let [one, two] = &self.spools;
        Spools { nodes: [one, two], store: &self.store }
    }
}

ports::spool_contract!(SpoolOfTwoNodes);
