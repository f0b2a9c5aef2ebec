//! Processes that write one file take turns. Two stores on it stand for two processes: locks are of an open file, not of
//! a process.

use std::fs::{self, File, TryLockError};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ports::contract::sample;
use ports::store::{Store as _, StoreError, WriteTx};
use tokio::task::{JoinHandle, yield_now};
use tonne_sqlite::{Options, SqliteStore};

use crate::support::{Shop, grant, options};

/// How long a test waits for what should come at once.
const PATIENCE: Duration = Duration::from_secs(20);

/// The usual bounds, with a commit for each transaction.
fn one_by_one() -> Options {
    let mut options = options();
    options.group = 1;
    options
}

/// A transaction that is waited for.
fn ask(store: &Arc<SqliteStore>) -> JoinHandle<Box<dyn WriteTx>> {
    let store = Arc::clone(store);
    tokio::spawn(async move { store.write(&grant().to_write(), sample::intent()).await.unwrap() })
}

/// The lock file of the first in the queue, or that of the turn.
fn lock_file(shop: &Shop, end: &str) -> PathBuf {
    let mut name = shop.file().into_os_string();
    name.push(end);
    name.into()
}

async fn until_somebody_is_next(shop: &Shop) {
    let (next, asked) = (File::options().write(true).open(lock_file(shop, "-next")).unwrap(), Instant::now());
    while !matches!(next.try_lock(), Err(TryLockError::WouldBlock)) {
        next.unlock().unwrap();
        assert!(asked.elapsed() < PATIENCE, "nobody stands in the queue");
        yield_now().await;
    }
}

#[tokio::test]
async fn whoever_waits_comes_before_the_next_transaction_of_the_process_that_writes() {
    let shop = Shop::with(one_by_one()).await;
    let stores = [Arc::new(shop.again(one_by_one()).await), Arc::new(shop.again(one_by_one()).await)];
    for round in 0..20 {
        let (writing, waiting) = (&stores[round % 2], &stores[(round + 1) % 2]);
        let held = ask(writing).await.unwrap();
        let mut other = ask(waiting);
        until_somebody_is_next(&shop).await;
        let mut again = ask(writing);
        yield_now().await;
        held.commit().await.unwrap();
        tokio::select! {
            first = &mut other => drop(first.unwrap()),
            _ = &mut again => panic!("the process that wrote began again before another one that waited, in round {round}"),
        }
        drop(again.await.unwrap());
    }
}

#[tokio::test]
async fn a_transaction_sees_whether_others_wait_for_its_end() {
    let shop = Shop::with(one_by_one()).await;
    let stores = [Arc::new(shop.again(one_by_one()).await), Arc::new(shop.again(one_by_one()).await)];
    let mut held = ask(&stores[0]).await.unwrap();
    assert!(!held.others_wait(), "nobody asked");
    for waiting in &stores {
        let other = ask(waiting);
        let asked = Instant::now();
        while !held.others_wait() {
            assert!(asked.elapsed() < PATIENCE, "the one who waits is not seen");
            yield_now().await;
        }
        held.commit().await.unwrap();
        drop(other.await.unwrap());
        held = ask(&stores[0]).await.unwrap();
        assert!(!held.others_wait(), "the one who waited is gone");
    }
}

#[tokio::test]
async fn a_process_that_is_stopped_in_the_queue_keeps_nobody_from_writing() {
    let shop = Shop::open().await;
    for end in ["-next", "-turn"] {
        let stopped = File::options().write(true).open(lock_file(&shop, end)).unwrap();
        stopped.lock().unwrap();
        for number in 1..4 {
            let mut write = shop.write().await;
            write.products_mut().add(sample::product(number)).await.unwrap();
            drop(write);
        }
    }
    shop.write().await.commit().await.unwrap();
}

#[tokio::test]
async fn whoever_waited_in_vain_keeps_nobody_from_writing_and_writes_later() {
    let shop = Shop::open().await;
    let mut impatient = options();
    impatient.wait = Duration::from_millis(50);
    let other = shop.again(impatient).await;
    let held = shop.write().await;
    for _ in 0..3 {
        let refused = other.write(&grant().to_write(), sample::intent()).await;
        assert!(matches!(refused, Err(StoreError::Busy(_))));
    }
    held.commit().await.unwrap();
    for _ in 0..3 {
        shop.write().await.commit().await.unwrap();
    }
    let asked = Instant::now();
    while let Err(error) = other.write(&grant().to_write(), sample::intent()).await {
        assert!(matches!(error, StoreError::Busy(_)) && asked.elapsed() < PATIENCE, "{error}");
    }
}

#[tokio::test]
async fn where_the_lock_files_cannot_be_made_processes_write_all_the_same() {
    let shop = Shop::open().await;
    shop.store.close().await;
    fs::remove_file(lock_file(&shop, "-turn")).unwrap();
    fs::create_dir(lock_file(&shop, "-turn")).unwrap();
    let stores = [shop.again(options()).await, shop.again(options()).await];
    for store in &stores {
        let write = store.write(&grant().to_write(), sample::intent()).await.unwrap();
        write.commit().await.unwrap();
    }
}

#[tokio::test]
async fn nothing_is_left_beside_the_file_of_a_tenant_that_was_removed() {
    let shop = Shop::open().await;
    shop.store.remove(&grant(), 0).await.unwrap();
    let left: Vec<_> =
        fs::read_dir(shop.file().parent().unwrap()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, Vec::<PathBuf>::new());
}
