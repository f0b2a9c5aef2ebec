//! Through a pooler that gives a connection for a transaction at a time (PgBouncer): the whole of the service.

use std::path::{Path, PathBuf};
use std::process::Command;

use futures_util::future::join_all;
use ports::contract::sample::{self, id};
use ports::directory::Directory as _;
use ports::repo::ActivityWrite;
use ports::store::Store as _;
use ports::{Grant, Installation};
use tonne_postgres::{Database, Options, Pooler, PostgresDirectory, PostgresStore};

use crate::harness::{grant, options, reading, writing};
use crate::temporary_server::xtask;

/// A server with a pooler before it, gone with the test.
struct Pooled {
    directory: PathBuf,
}

impl Pooled {
    fn new() -> Self {
        let directory = PathBuf::from(format!("/tmp/tonne-pooled-{}", std::process::id()));
        let pooled = Self { directory };
        pooled.chore("start");
        pooled
    }

    /// Starts the pooler and gives its address.
    fn url(&self) -> String {
        self.chore("pooler")
    }

    fn chore(&self, chore: &str) -> String {
        let output = Command::new(xtask()).args(["postgres", chore]).arg(&self.directory).output().unwrap();
        assert!(output.status.success(), "{chore}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        let _ = Command::new(xtask()).args(["postgres", "stop", "--immediate"]).arg(&self.directory).status();
        let _ = remove(&self.directory);
    }
}

fn remove(directory: &Path) -> std::io::Result<()> {
    std::fs::remove_dir_all(directory)
}

#[tokio::test]
async fn nodes_behind_a_transaction_pooler_migrate_write_import_and_report() {
    let pooled = Pooled::new();
    let pooled_options = || Options { pooler: Pooler::Transaction, ..options(pooled.url()) };
    let nodes = join_all((0..4).map(|_| Database::open(pooled_options()))).await;
    let nodes: Vec<_> = nodes.into_iter().map(|node| std::sync::Arc::new(node.unwrap())).collect();
    let stores: Vec<_> = nodes.iter().map(|node| PostgresStore::new(node.clone())).collect();
    let directories: Vec<_> = nodes.iter().map(|node| PostgresDirectory::new(node.clone())).collect();

    // Many transactions of many tenants take turns on few connections of the server.
    let installation = Grant::for_maintenance(Installation, "test");
    directories[0].add_tenant(&installation, sample::tenant(1, "main")).await.unwrap();
    let work = (1..=32_u64).map(|number| {
        let (store, directory) = (&stores[place(number)], &directories[place(number)]);
        async move {
            store.prepare(&grant(number)).await.unwrap();
            for round in 1..=5 {
                directory
                    .add_key(&sample::maintaining(1).to_write_credentials(), sample::key(number * 10 + round, 1))
                    .await
                    .unwrap();
                let mut tx = store.write(&writing(number), sample::intent()).await.unwrap();
                tx.products_mut().add(sample::product(round)).await.unwrap();
                tx.activities_mut().add(sample::activity(round)).await.unwrap();
                tx.commit().await.unwrap();
                let mut tx = store.read(&reading(number)).await.unwrap();
                let product = tx.products().find(id(round)).await.unwrap();
                assert_eq!(product.map(|product| product.value), Some(sample::product(round)));
                drop(tx);
                let since = store.head(&reading(number)).await.unwrap();
                let write = ActivityWrite::Add(sample::activity(100 + round));
                let grant = writing(number);
                let put = store.put_activities(&grant, sample::intent(), &since, vec![write]);
                let (head, found) =
                    (put.await.unwrap(), store.activity(&reading(number), id(100 + round)).await.unwrap());
                assert_eq!((found.0, found.1.is_some()), (head, true));
            }
        }
    });
    join_all(work).await;
    assert_eq!(directories[1].version().await.unwrap(), 1 + 32 * 5);
    assert_eq!(directories[2].verify(&installation).await.unwrap().findings, []);
    // Bulk goes by COPY into a temporary table, which is gone with its transaction.
    let imports = (1..=8_u64).map(|number| {
        let store = &stores[place(number)];
        async move {
            for round in 0..2 {
                let batch =
                    (1..=1_500).map(|n| ActivityWrite::Add(sample::activity(1_000 + round * 1_500 + n))).collect();
                let mut tx = store.write(&writing(number), sample::intent()).await.unwrap();
                tx.activities_mut().put_all(batch).await.unwrap();
                tx.commit().await.unwrap();
            }
        }
    });
    join_all(imports).await;
    for number in 1..=32 {
        let report = stores[3].verify(&grant(number)).await.unwrap();
        assert_eq!((report.changes, report.findings), (if number <= 8 { 12 } else { 10 }, vec![]));
    }
}

fn place(number: u64) -> usize {
    usize::from(number.is_multiple_of(2)) + 2 * usize::from(number.is_multiple_of(3))
}
