//! Nodes as processes of their own on one database: what they write comes together, and one that dies takes nothing
//! with it that was acknowledged.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use ports::contract::sample;
use ports::repo::ActivityWrite;
use ports::store::Store;
use tonne_postgres::{Database, PostgresStore};

use crate::harness::{Fresh, grant, options, reading, writing};

/// How many transactions each of two processes commits.
const EACH: u64 = 50;
/// Tells a process started by a test which database to open.
const DATABASE: &str = "TONNE_TEST_NODE";

/// The store that a process started by a test opens; `None` in the test itself.
async fn of_this_process() -> Option<PostgresStore> {
    let url = env::var(DATABASE).ok()?;
    Some(PostgresStore::new(Database::open(options(url)).await.unwrap().into()))
}

/// Starts a test of this binary as a process of its own on a database.
fn start(test: &str, fresh: &Fresh, stdout: Stdio) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(DATABASE, fresh.url()).stdout(stdout).spawn().unwrap()
}

async fn commit_products(store: &dyn Store, from: u64) {
    for n in from..from + EACH {
        let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
        write.products_mut().add(sample::product(n)).await.unwrap();
        write.activities_mut().add(sample::activity(n)).await.unwrap();
        write.commit().await.unwrap();
    }
}

async fn assert_sound(store: &PostgresStore) {
    assert_eq!(store.verify(&grant(1)).await.unwrap().findings, []);
}

#[tokio::test]
async fn two_processes_write_one_tenant_without_a_gap() {
    if let Some(store) = of_this_process().await {
        return commit_products(&store, 1_000).await;
    }
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    store.prepare(&grant(1)).await.unwrap();
    let mut other = start("nodes::two_processes_write_one_tenant_without_a_gap", &fresh, Stdio::null());
    commit_products(&store, 1).await;
    assert!(other.wait().unwrap().success());
    let mut read = store.read(&reading(1)).await.unwrap();
    assert_eq!(read.head().await.unwrap().number, 2 * EACH);
    assert_eq!(read.products().names().await.unwrap().len() as u64, 2 * EACH);
    let cells = ports::ledger::cells(read.ledger()).await.unwrap().cube();
    let starts: i64 = cells.cells().map(|(_, _, cell)| cell.starts).sum();
    assert_eq!(u64::try_from(starts).unwrap(), 2 * EACH);
    drop(read);
    assert_sound(&store).await;
}

#[tokio::test]
async fn what_was_acknowledged_survives_the_death_of_its_process() {
    if let Some(store) = of_this_process().await {
        return write_until_killed(&store).await;
    }
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    store.prepare(&grant(1)).await.unwrap();
    let mut expected = 0;
    for killed_after in [1, 2, 3, 5, 8] {
        let test = "nodes::what_was_acknowledged_survives_the_death_of_its_process";
        let mut other = start(test, &fresh, Stdio::piped());
        let lines = BufReader::new(other.stdout.take().unwrap()).lines();
        let numbers =
            lines.filter_map(|line| line.unwrap().strip_prefix("committed ").map(|n| n.parse::<u64>().unwrap()));
        let last = numbers.take(killed_after).last().unwrap();
        other.kill().unwrap();
        other.wait().unwrap();
        // The head is free again: a writer of this node gets its turn.
        drop(store.write(&writing(1), sample::intent()).await.unwrap());
        let number = store.read(&reading(1)).await.unwrap().head().await.unwrap().number;
        assert!(number >= last && last > expected, "{last} was acknowledged, {number} is there");
        assert_sound(&store).await;
        expected = number;
    }
}

/// Commits batches without end and says so after each.
async fn write_until_killed(store: &PostgresStore) {
    loop {
        let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
        let from = write.number() * 100;
        let batch = (from..from + 100).map(|n| ActivityWrite::Add(sample::activity(n))).collect();
        write.activities_mut().put_all(batch).await.unwrap();
        println!("committed {}", write.commit().await.unwrap().number);
    }
}
