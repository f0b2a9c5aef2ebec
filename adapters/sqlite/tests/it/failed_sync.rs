//! The disk fails under a commit: whether it is kept is not known, and nobody is answered from the file until its log was
//! rewritten.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use ports::contract::sample;
use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey};
use ports::store::{Store as _, StoreError};

use crate::support::{Shop, grant, options};

/// A shop, and under how many of its next commits the disk fails.
async fn shop() -> (Shop, Arc<AtomicU32>) {
    let options = options();
    let failing = Arc::clone(&options.failing_commits);
    (Shop::with(options).await, failing)
}

async fn add(shop: &Shop, product: u64) -> Result<u64, StoreError> {
    let mut write = shop.store.write(&grant().to_write(), sample::intent()).await?;
    write.products_mut().add(sample::product(product)).await?;
    Ok(write.commit().await?.number)
}

async fn has(shop: &Shop, product: u64) -> Result<bool, StoreError> {
    let mut read = shop.store.read(&grant().to_read()).await?;
    Ok(read.products().find(sample::id(product)).await?.is_some())
}

/// Asks until the file answers.
async fn until_answered(shop: &Shop, product: u64) -> bool {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        match has(shop, product).await {
            Ok(is_there) => return is_there,
            Err(error) => assert!(matches!(error, StoreError::Busy(_)) && Instant::now() < until, "{error:?}"),
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_commit_that_the_disk_fails_is_of_unknown_end_and_all_of_its_group_are_told_so() {
    let mut options = options();
    options.group_time = Duration::from_hours(1);
    let failing = Arc::clone(&options.failing_commits);
    let shop = Shop::with(options).await;
    failing.store(1, Ordering::SeqCst);
    let mut one = shop.write().await;
    one.products_mut().add(sample::product(1)).await.unwrap();
    // The other one waits for its turn before the first commits, so both are in one group.
    let (other, one) = tokio::join!(add(&shop, 2), one.commit());
    assert!(matches!(one, Err(StoreError::Unknown(_))), "{one:?}");
    assert!(matches!(other, Err(StoreError::Unknown(_))), "{other:?}");
}

#[tokio::test]
async fn the_file_answers_again_once_its_log_was_rewritten_and_a_repeat_is_written_once() {
    let (shop, failing) = shop().await;
    assert_eq!(add(&shop, 1).await.unwrap(), 1);
    failing.store(1, Ordering::SeqCst);
    assert!(matches!(add(&shop, 2).await, Err(StoreError::Unknown(_))));
    assert!(!until_answered(&shop, 2).await);
    assert!(has(&shop, 1).await.unwrap());
    assert_eq!(add(&shop, 2).await.unwrap(), 2);
    assert_eq!(shop.findings().await, Vec::<String>::new());
}

#[tokio::test]
async fn while_the_disk_fails_on_its_log_is_tried_to_be_rewritten_twice_a_second_however_many_ask() {
    let (shop, failing) = shop().await;
    add(&shop, 1).await.unwrap();
    failing.store(u32::MAX, Ordering::SeqCst);
    assert!(matches!(add(&shop, 2).await, Err(StoreError::Unknown(_))));
    let (before, since) = (failing.load(Ordering::SeqCst), Instant::now());
    for _ in 0..100 {
        assert!(matches!(add(&shop, 3).await, Err(StoreError::Busy(_))));
    }
    let tries = u128::from(before - failing.load(Ordering::SeqCst));
    assert!(tries <= 2 + since.elapsed().as_millis() / 500, "{tries} tries");
}

#[tokio::test]
async fn the_file_answers_nobody_while_the_disk_fails_on() {
    let (shop, failing) = shop().await;
    add(&shop, 1).await.unwrap();
    failing.store(u32::MAX, Ordering::SeqCst);
    assert!(matches!(add(&shop, 2).await, Err(StoreError::Unknown(_))));
    for _ in 0..3 {
        assert!(matches!(has(&shop, 1).await, Err(StoreError::Busy(_))));
        assert!(matches!(add(&shop, 3).await, Err(StoreError::Busy(_))));
    }
    failing.store(0, Ordering::SeqCst);
    assert!(until_answered(&shop, 1).await);
    assert_eq!(add(&shop, 3).await.unwrap(), 2);
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_was_replaced_before_its_log_could_be_rewritten_says_what_mends_it() {
    let (shop, failing) = shop().await;
    add(&shop, 1).await.unwrap();
    failing.store(1, Ordering::SeqCst);
    let aside = shop.folder.path().join("aside");
    // Whether the replacement is found by the commit or by the recovery after it.
    let _ = tokio::join!(add(&shop, 2), async { std::fs::rename(shop.file(), &aside).unwrap() });
    for refused in [has(&shop, 1).await.err(), add(&shop, 3).await.err()] {
        let Some(StoreError::Failed(error)) = refused else { unreachable!("{refused:?}") };
        assert!(error.to_string().contains("put the file back"), "{error}");
    }
    std::fs::rename(&aside, shop.file()).unwrap();
    assert!(until_answered(&shop, 1).await);
}

/// A transaction that another process writes, past its cache.
fn written(conn: &rusqlite::Connection, key: u8) {
    let text = "INSERT INTO answer (key, content, at, status, body) VALUES (?1, ?1, 4102444800000, 200, x'7b7d')";
    conn.execute(text, [[key; 32]]).unwrap();
}

/// How many such transactions a reader sees.
fn seen(conn: &rusqlite::Connection) -> i64 {
    conn.query_row("SELECT count(*) FROM answer", [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn another_process_reads_nothing_of_a_commit_whose_sync_failed_and_its_own_takes_its_place() {
    use std::io::{Seek as _, Write as _};
    let shop = Shop::open().await;
    let one = rusqlite::Connection::open(shop.file()).unwrap();
    let other = rusqlite::Connection::open(shop.file()).unwrap();
    written(&one, 1);
    assert_eq!(seen(&other), 1);
    // SQLite writes a commit into the log, syncs it, and then says in the index that processes share (-shm) that it is there.
    // With the index as it was before, the files are as a failed sync leaves them.
    let index = shop.file().with_extension("db-shm");
    let before = std::fs::read(&index).unwrap();
    written(&one, 2);
    let mut shared = std::fs::OpenOptions::new().write(true).open(&index).unwrap();
    shared.rewind().unwrap();
    shared.write_all(&before).unwrap();
    assert_eq!(seen(&other), 1, "what is not in the index is not read");
    let crashed = |name: &str| {
        let copy = shop.folder.path().join(name);
        std::fs::copy(shop.file(), &copy).unwrap();
        std::fs::copy(shop.file().with_extension("db-wal"), copy.with_extension("db-wal")).unwrap();
        let conn = rusqlite::Connection::open(&copy).unwrap();
        let mut statement = conn.prepare("SELECT key FROM answer ORDER BY key").unwrap();
        let keys = statement.query_map([], |row| row.get::<_, Vec<u8>>(0)).unwrap();
        keys.map(|key| key.unwrap()[0]).collect::<Vec<_>>()
    };
    assert_eq!(crashed("a.db"), [1, 2], "its end is unknown until the log is written again");
    written(&other, 3);
    assert_eq!(seen(&other), 2);
    assert_eq!(crashed("b.db"), [1, 3], "what another process commits takes its place");
}

#[tokio::test]
async fn an_answer_is_not_stored_by_a_commit_that_the_disk_failed() {
    let (shop, failing) = shop().await;
    let request = KeyedRequest::new(RequestKey::new("key:1", "POST /v1/product", "a"), "", b"{}");
    let answer = FirstAnswer { status: 201, location: None, etag: None, body: b"{}".to_vec() };
    for (fails, product) in [(1, 1), (0, 2)] {
        failing.store(fails, Ordering::SeqCst);
        let mut write = shop.write().await;
        write.products_mut().add(sample::product(product)).await.unwrap();
        write.answers_mut().add(request, answer.clone()).await.unwrap();
        assert_eq!(write.commit().await.is_err(), fails == 1);
        until_answered(&shop, 1).await;
        let mut read = shop.store.read(&grant().to_read()).await.unwrap();
        let found = read.answers().find(request.key, sample::at(0)).await.unwrap();
        assert_eq!(found.is_some(), fails == 0, "a repeat finds out whether the first one stands");
    }
}
