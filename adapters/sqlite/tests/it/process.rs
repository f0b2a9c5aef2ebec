//! Others that write the same file: a second store in this process, a second process, a second server.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use domain::{Cube, Day};
use ports::contract::sample;
use ports::repo::ActivityWrite;
use ports::store::{Store, StoreError};
use ports::{Revision, Stored, Version, ledger};
use tonne_sqlite::{OpenError, ServeLock, SqliteStore};

use crate::support::{Shop, findings, grant, options};

/// How many transactions each of two processes commits.
const EACH: u64 = 20;
/// Tells a process started by a test which folder to write to.
const FOLDER: &str = "TONNE_TEST_FOLDER";

async fn commit_products(store: &dyn Store, from: u64) {
    for n in from..from + EACH {
        let mut write = store.write(&grant().to_write(), sample::intent()).await.unwrap();
        write.products_mut().add(sample::product(n)).await.unwrap();
        write.commit().await.unwrap();
    }
}

#[tokio::test]
async fn two_processes_write_one_file_without_a_gap() {
    if let Ok(folder) = env::var(FOLDER) {
        return commit_products(&SqliteStore::open(Path::new(&folder), options()), 1000).await;
    }
    let shop = Shop::open().await;
    let mut other = Command::new(env::current_exe().unwrap())
        .args(["--exact", "process::two_processes_write_one_file_without_a_gap"])
        .env(FOLDER, shop.folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    commit_products(&shop.store, 1).await;
    assert!(other.wait().unwrap().success());
    let mut read = shop.store.read(&grant().to_read()).await.unwrap();
    assert_eq!(read.head().await.unwrap().number, 2 * EACH);
    assert_eq!(read.products().names().await.unwrap().len() as u64, 2 * EACH);
    assert_eq!(shop.findings().await, Vec::<String>::new());
}

#[tokio::test]
async fn another_process_that_closes_a_file_takes_no_log_away_from_a_load() {
    if let Ok(folder) = env::var(FOLDER) {
        let store = SqliteStore::open(Path::new(&folder), options());
        assert_eq!(store.read(&grant().to_read()).await.unwrap().head().await.unwrap().number, 0);
        return store.close().await;
    }
    let shop = Shop::open().await;
    let mut load = shop.store.load(&grant()).await.unwrap();
    let product =
        Stored { value: sample::product(1), created: sample::at(0), updated: sample::at(0), version: Version(1) };
    load.records(vec![product.into()]).await.unwrap();
    let mut other = Command::new(env::current_exe().unwrap())
        .args(["--exact", "process::another_process_that_closes_a_file_takes_no_log_away_from_a_load"])
        .env(FOLDER, shop.folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    assert!(other.wait().unwrap().success());
    let file = shop.store.path_of(&crate::support::tenant().to_string());
    assert!(Path::new(&format!("{}-wal", file.display())).exists(), "the other one took itself for the last");
}

#[tokio::test]
async fn what_was_acknowledged_survives_the_death_of_its_process() {
    if let Ok(folder) = env::var(FOLDER) {
        return write_until_killed(&SqliteStore::open(Path::new(&folder), options())).await;
    }
    let shop = Shop::open().await;
    let mut expected = 0;
    for killed_after in [1, 2, 3, 5, 8, 13] {
        let mut other = Command::new(env::current_exe().unwrap())
            .args(["--exact", "process::what_was_acknowledged_survives_the_death_of_its_process", "--nocapture"])
            .env(FOLDER, shop.folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(other.stdout.take().unwrap()).lines();
        let numbers =
            lines.filter_map(|line| line.unwrap().strip_prefix("committed ").map(|n| n.parse::<u64>().unwrap()));
        let last = numbers.take(killed_after).last().unwrap();
        other.kill().unwrap();
        other.wait().unwrap();
        let survivor = shop.again(options()).await;
        let number = survivor.read(&grant().to_read()).await.unwrap().head().await.unwrap().number;
        assert!(number >= last && last > expected, "{last} was acknowledged, {number} is there");
        assert_eq!(findings(&survivor).await, Vec::<String>::new());
        expected = number;
    }
}

/// Commits batches without end and says so after each.
async fn write_until_killed(store: &SqliteStore) {
    store.prepare(&grant()).await.unwrap();
    loop {
        let mut write = store.write(&grant().to_write(), sample::intent()).await.unwrap();
        let from = write.number() * 100;
        let batch = (from..from + 100).map(|n| ActivityWrite::Add(sample::activity(n))).collect();
        write.activities_mut().put_all(batch).await.unwrap();
        println!("committed {}", write.commit().await.unwrap().number);
    }
}

/// Moments of a checkpoint, as a query tells them: its first parts are there, more are, the last row is.
const MOMENTS: [&str; 3] = [
    "SELECT count(*) >= 1 FROM checkpoint WHERE number = (SELECT number FROM head)",
    "SELECT count(*) >= 5 FROM checkpoint WHERE number = (SELECT number FROM head)",
    "SELECT count(*) >= 1 FROM checkpoint WHERE number = (SELECT number FROM head) AND last = 1",
];
/// Tells a process started by a test at which of them it dies.
const MOMENT: &str = "TONNE_TEST_MOMENT";

/// The revision of now and its cells.
async fn newest(store: &SqliteStore) -> (Revision, Arc<Cube>) {
    let mut read = store.read(&grant().to_read()).await.unwrap();
    let revision = read.head().await.unwrap().revision();
    (revision, Arc::new(ledger::cells(read.ledger()).await.unwrap().cube()))
}

#[tokio::test]
async fn a_checkpoint_cut_short_by_the_death_of_its_process_leaves_the_store_right() {
    if let (Ok(folder), Ok(moment)) = (env::var(FOLDER), env::var(MOMENT)) {
        return die_in_a_checkpoint(Path::new(&folder), MOMENTS[moment.parse::<usize>().unwrap()]).await;
    }
    let shop = Shop::open().await;
    let mut write = shop.write().await;
    // Two cells each, in six parts.
    let activities = (0..10_500_u16).map(|n| {
        let day = |n: i32| Day::from_number(2_400_000 + n).unwrap().to_string();
        ActivityWrite::Add(sample::activity_in(
            n.into(),
            sample::span(&day(n.into()), &day(i32::from(n) + 30_000)),
            "0.7",
        ))
    });
    write.activities_mut().put_all(activities.collect()).await.unwrap();
    write.commit().await.unwrap();
    for (moment, asked) in MOMENTS.into_iter().enumerate() {
        let mut other = Command::new(env::current_exe().unwrap())
            .args(["--exact", "process::a_checkpoint_cut_short_by_the_death_of_its_process_leaves_the_store_right"])
            .env(FOLDER, shop.folder.path())
            .env(MOMENT, moment.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        assert!(!other.wait().unwrap().success());
        let survivor = shop.again(options()).await;
        assert_eq!(findings(&survivor).await, Vec::<String>::new(), "{asked}");
        let (revision, cells) = newest(&survivor).await;
        let reached = |kept: Option<ledger::Checkpoint>| kept.map(|kept| kept.number) == Some(revision.number);
        let kept = survivor.read(&grant().to_read()).await.unwrap().ledger().checkpoint().await.unwrap();
        assert_eq!(reached(kept), asked.contains("last"), "{asked}");
        survivor.checkpoint(&grant(), revision, cells.clone()).await.unwrap();
        let mut read = survivor.read(&grant().to_read()).await.unwrap();
        assert!(reached(read.ledger().checkpoint().await.unwrap()));
        assert_eq!(newest(&survivor).await.1.cell_count(), cells.cell_count());
        drop(read);
        assert_eq!(findings(&survivor).await, Vec::<String>::new());
        let mut write = survivor.write(&grant().to_write(), sample::intent()).await.unwrap();
        write.activities_mut().add(sample::activity(100_000 + revision.number)).await.unwrap();
        write.commit().await.unwrap();
    }
}

/// Writes a checkpoint and dies as soon as the query is true.
async fn die_in_a_checkpoint(folder: &Path, moment: &str) {
    let store = SqliteStore::open(folder, options());
    store.prepare(&grant()).await.unwrap();
    let file = store.path_of(&crate::support::tenant().to_string());
    let (revision, cells) = newest(&store).await;
    let watch = rusqlite::Connection::open(file).unwrap();
    let writing = tokio::spawn(async move { store.checkpoint(&grant(), revision, cells).await });
    loop {
        if watch.query_row(moment, [], |row| row.get(0)).unwrap() {
            std::process::abort();
        }
        assert!(!writing.is_finished() || moment.contains("last"), "it was done before");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn two_stores_on_one_file_see_each_others_commits() {
    let shop = Shop::open().await;
    let other = shop.again(options()).await;
    tokio::join!(commit_products(&shop.store, 1), commit_products(&other, 1000));
    for store in [&shop.store, &other] {
        assert_eq!(store.read(&grant().to_read()).await.unwrap().head().await.unwrap().number, 2 * EACH);
        assert_eq!(findings(store).await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_writer_waits_for_another_process_only_so_long() {
    let shop = Shop::open().await;
    let mut options = options();
    options.wait = Duration::from_millis(20);
    let other = shop.again(options).await;
    let holder = shop.write().await;
    assert!(matches!(other.write(&grant().to_write(), sample::intent()).await, Err(StoreError::Busy(_))));
    drop(holder);
}

#[tokio::test]
async fn a_second_server_is_turned_away() {
    let shop = Shop::open().await;
    let first = ServeLock::take(shop.folder.path()).unwrap();
    let second = ServeLock::take(shop.folder.path()).unwrap_err();
    assert!(matches!(&second, OpenError::Served(folder) if folder == shop.folder.path()), "{second}");
    shop.again(options()).await;
    drop(first);
    ServeLock::take(shop.folder.path()).unwrap();
}
