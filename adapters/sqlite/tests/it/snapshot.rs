//! What readers see while others write, and what is there after the store was closed.

use domain::Digest;
use ports::ChainHead;
use ports::contract::sample;
use ports::ledger::cells;
use ports::repo::{Page, Query};
use ports::store::{ReadTx, Store as _};

use crate::support::{Shop, findings, grant, options};

/// How many activities a transaction sees.
async fn count(tx: &mut dyn ReadTx) -> u64 {
    tx.activities().list(&Query::all(Page::FIRST)).await.unwrap().count
}

#[tokio::test]
async fn two_readers_keep_their_snapshots_while_a_writer_commits() {
    let shop = Shop::open().await;
    let mut before = shop.store.read(&grant().to_read()).await.unwrap();
    let mut write = shop.write().await;
    write.activities_mut().add(sample::activity(1)).await.unwrap();
    let mut during = shop.store.read(&grant().to_read()).await.unwrap();
    let head = write.commit().await.unwrap();
    let mut after = shop.store.read(&grant().to_read()).await.unwrap();
    for old in [&mut before, &mut during] {
        assert_eq!(old.head().await.unwrap().number, 0);
        assert_eq!(count(&mut **old).await, 0);
        assert_eq!(cells(old.ledger()).await.unwrap().cube().cell_count(), 0);
    }
    assert_eq!(after.head().await.unwrap(), head);
    assert_eq!(count(&mut *after).await, 1);
    assert_eq!(cells(after.ledger()).await.unwrap().cube().cell_count(), 1);
}

#[tokio::test]
async fn a_reader_waits_for_no_writer() {
    let shop = Shop::open().await;
    let mut write = shop.write().await;
    write.orgs_mut().add(sample::org(1)).await.unwrap();
    let mut read = shop.store.read(&grant().to_read()).await.unwrap();
    assert_eq!(read.orgs().all().await.unwrap(), []);
    write.commit().await.unwrap();
}

#[tokio::test]
async fn a_store_opened_again_has_everything_that_was_committed() {
    let shop = Shop::open().await;
    let head = {
        let mut write = shop.write().await;
        write.activities_mut().add(sample::activity(1)).await.unwrap();
        write.commit().await.unwrap()
    };
    let Shop { store, folder } = shop;
    drop(store);
    let store = tonne_sqlite::SqliteStore::open(folder.path(), options());
    let mut read = store.read(&grant().to_read()).await.unwrap();
    assert_eq!(read.head().await.unwrap(), head);
    assert_eq!(count(&mut *read).await, 1);
    assert_eq!(findings(&store).await, Vec::<String>::new());
}

#[tokio::test]
async fn preparing_keeps_the_epoch() {
    let shop = Shop::open().await;
    let epoch = shop.store.read(&grant().to_read()).await.unwrap().head().await.unwrap().epoch;
    let again = shop.again(options()).await;
    let head = again.read(&grant().to_read()).await.unwrap().head().await.unwrap();
    assert_eq!(head, ChainHead { number: 0, digest: Digest::ZERO, epoch, catalog: 0 });
}
