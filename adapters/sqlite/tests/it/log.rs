//! A file's log: copied into the file beside the writers, and started anew.

use std::fs;
use std::time::{Duration, Instant};

use ports::contract::sample;
use ports::repo::ActivityWrite;
use ports::store::{LogFull, Store as _, StoreError};

use crate::support::{Shop, grant, options};

/// A log of so many pages is long in these tests.
const LONG: u32 = 64;
/// What a log may have: five times as many pages, and those of the last group.
const MOST_BYTES: u64 = (5 * LONG as u64 + 64) * 4_120;

async fn shop() -> Shop {
    let mut options = options();
    options.log_pages = LONG;
    Shop::with(options).await
}

/// Adds products, each in a transaction of its own, which takes ten pages of the log or so.
async fn add_products(shop: &Shop, numbers: std::ops::Range<u64>) {
    for number in numbers {
        let mut write = shop.write().await;
        write.products_mut().add(sample::product(number)).await.unwrap();
        write.commit().await.unwrap();
    }
}

fn log_bytes(shop: &Shop) -> u64 {
    let mut log = shop.file().into_os_string();
    log.push("-wal");
    fs::metadata(log).unwrap().len()
}

#[tokio::test]
async fn beside_writers_that_never_pause_the_log_stays_bounded() {
    let shop = shop().await;
    add_products(&shop, 0..400).await;
    assert!(log_bytes(&shop) <= MOST_BYTES, "{} bytes", log_bytes(&shop));
    assert_eq!(shop.findings().await, Vec::<String>::new());
}

#[tokio::test]
async fn beside_readers_of_which_one_is_open_at_each_commit_the_log_stays_bounded() {
    let shop = shop().await;
    let mut most = 0;
    for number in 0..400 {
        let mut reader = shop.store.read(&grant().to_read()).await.unwrap();
        reader.head().await.unwrap();
        add_products(&shop, number..number + 1).await;
        // As that in which an import builds its next rows: it ends behind the commit, and the next one begins behind it.
        drop(reader);
        drop(shop.write().await);
        most = most.max(log_bytes(&shop));
    }
    assert!(most <= 2 * MOST_BYTES, "{most} bytes");
}

#[tokio::test]
async fn the_log_that_grew_beside_a_reader_is_started_anew_once_the_reader_is_gone() {
    let shop = shop().await;
    add_products(&shop, 0..1).await;
    let mut reader = shop.store.read(&grant().to_read()).await.unwrap();
    assert_eq!(reader.head().await.unwrap().number, 1);
    add_products(&shop, 1..200).await;
    let grown = log_bytes(&shop);
    assert!(grown > MOST_BYTES, "the reader sees the state that only the file without the log has: {grown} bytes");
    assert!(reader.products().find(sample::id(199)).await.unwrap().is_none());
    drop(reader);
    add_products(&shop, 200..800).await;
    assert!(log_bytes(&shop) <= grown + MOST_BYTES, "{} bytes, {grown} before", log_bytes(&shop));
    assert_eq!(shop.findings().await, Vec::<String>::new());
}

/// Adds a hundred activities in one transaction, which takes 20 pages of the log or so.
async fn add_many(shop: &Shop, number: u64) -> Result<(), StoreError> {
    let mut write = shop.write().await;
    let activities = (number * 100..number * 100 + 100).map(|n| ActivityWrite::Add(sample::activity(n)));
    write.activities_mut().put_all(activities.collect()).await?;
    write.commit().await.map(|_| ())
}

#[tokio::test]
async fn beside_a_reader_of_an_old_state_many_rows_wait_while_the_log_is_full_and_single_records_do_not() {
    let shop = shop().await;
    add_products(&shop, 0..1).await;
    let mut reader = shop.store.read(&grant().to_read()).await.unwrap();
    reader.head().await.unwrap();
    let mut number = 0;
    while let Ok(()) = add_many(&shop, number).await {
        number += 1;
        assert!(log_bytes(&shop) <= 2 * MOST_BYTES, "{} bytes", log_bytes(&shop));
    }
    assert!(number > 1, "there is room before");
    assert!(matches!(add_many(&shop, number).await, Err(StoreError::Busy(_))));
    add_products(&shop, 1..3).await;
    drop(reader);
    let asked = Instant::now();
    while let Err(error) = add_many(&shop, number).await {
        let is_early = matches!(error, StoreError::Busy(_)) && asked.elapsed() < Duration::from_secs(20);
        assert!(is_early, "there is room again once the reader is gone: {error}");
    }
    assert_eq!(shop.findings().await, Vec::<String>::new());
}

/// From so many pages on nothing is written beside a reader in the tests of that bound.
const BOUND: u32 = 400;

async fn bounded_shop() -> Shop {
    let mut options = options();
    (options.log_pages, options.most_log_pages) = (LONG, BOUND);
    let shop = Shop::with(options).await;
    add_products(&shop, 0..1).await;
    shop
}

/// Adds a product in a transaction of its own.
async fn add_product(shop: &Shop, number: u64) -> Result<(), StoreError> {
    let mut write = shop.store.write(&grant().to_write(), sample::intent()).await?;
    write.products_mut().add(sample::product(number)).await?;
    write.commit().await.map(|_| ())
}

/// Adds products until that is refused, and gives the number of the first that was, and what was said.
async fn add_until_refused(shop: &Shop) -> (u64, String) {
    let most = u64::from(BOUND + 64) * 4_120;
    for number in 1.. {
        if let Err(refused) = add_product(shop, number).await {
            assert!(matches!(refused, StoreError::Busy(_)), "{refused:?}");
            return (number, LogFull::among_causes(&refused).unwrap().to_string());
        }
        assert!(log_bytes(shop) <= most, "{} bytes", log_bytes(shop));
    }
    unreachable!("the bound was passed before");
}

#[tokio::test]
async fn beside_a_reader_of_an_old_state_nothing_is_written_beyond_the_bound_until_the_reader_is_gone() {
    let shop = bounded_shop().await;
    let mut reader = shop.store.read(&grant().to_read()).await.unwrap();
    reader.head().await.unwrap();
    let (number, told) = add_until_refused(&shop).await;
    assert!(told.contains("a read by this process that began"), "{told}");
    let full = log_bytes(&shop);
    let head = shop.store.head(&grant().to_read()).await.unwrap();
    assert_eq!(head.number, number, "what was written before is there to be read");
    let activity = vec![ActivityWrite::Add(sample::activity(1))];
    let refused = shop.store.put_activities(&grant().to_write(), sample::intent(), &head, activity).await.unwrap_err();
    assert!(LogFull::among_causes(&refused).is_some(), "{refused:?}");
    assert!(add_product(&shop, number).await.is_err());
    assert_eq!(log_bytes(&shop), full);
    drop(reader);
    add_product(&shop, number).await.unwrap();
    assert!(log_bytes(&shop) <= MOST_BYTES, "{} bytes", log_bytes(&shop));
    assert_eq!(shop.findings().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_full_log_is_told_with_the_other_process_that_reads() {
    let shop = bounded_shop().await;
    let other = shop.again(options()).await;
    let mut reader = other.read(&grant().to_read()).await.unwrap();
    reader.head().await.unwrap();
    let (number, told) = add_until_refused(&shop).await;
    assert!(told.contains("a read by another process"), "{told}");
    drop(reader);
    add_product(&shop, number).await.unwrap();
}

#[tokio::test]
async fn a_store_whose_log_is_full_can_be_removed() {
    let shop = bounded_shop().await;
    let mut reader = shop.store.read(&grant().to_read()).await.unwrap();
    reader.head().await.unwrap();
    let (number, _) = add_until_refused(&shop).await;
    shop.store.remove(&grant(), number).await.unwrap();
}

#[tokio::test]
async fn a_store_that_is_closed_leaves_no_log() {
    let shop = shop().await;
    add_products(&shop, 0..100).await;
    let mut log = shop.file().into_os_string();
    log.push("-wal");
    shop.store.close().await;
    assert!(!fs::exists(log).unwrap());
}
