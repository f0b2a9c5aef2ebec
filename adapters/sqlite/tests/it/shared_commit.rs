//! Write transactions that share a commit, and what becomes of the others when one of them goes wrong.

use std::time::Duration;

use ports::contract::sample;
use ports::store::{Store as _, StoreError, WriteTx};

use crate::support::{Shop, by_hand, grant, options};

/// A shop whose groups last until nobody waits.
async fn shop() -> Shop {
    let mut options = options();
    options.group_time = Duration::from_hours(1);
    Shop::with(options).await
}

/// The number of the newest change that a new reader sees.
async fn number(shop: &Shop) -> u64 {
    shop.store.read(&grant().to_read()).await.unwrap().head().await.unwrap().number
}

async fn with_product(shop: &Shop, product: u64) -> Box<dyn WriteTx> {
    let mut write = shop.write().await;
    write.products_mut().add(sample::product(product)).await.unwrap();
    write
}

async fn has_product(shop: &Shop, product: u64) -> bool {
    let mut read = shop.store.read(&grant().to_read()).await.unwrap();
    read.products().find(sample::id(product)).await.unwrap().is_some()
}

#[tokio::test]
async fn a_member_is_answered_when_the_whole_group_is_on_the_disk() {
    let shop = shop().await;
    let first = with_product(&shop, 1).await;
    let second = async {
        let write = with_product(&shop, 2).await;
        assert_eq!(write.number(), 2);
        assert_eq!(number(&shop).await, 0, "the first is closed, but not committed");
        write.commit().await.unwrap().number
    };
    let (second, first) = tokio::join!(second, async { first.commit().await.unwrap().number });
    assert_eq!((first, second), (1, 2));
    assert_eq!(number(&shop).await, 2);
}

#[tokio::test]
async fn a_dropped_member_leaves_the_others() {
    let shop = shop().await;
    let first = with_product(&shop, 1).await;
    let second = async { drop(with_product(&shop, 2).await) };
    let third = async {
        let write = with_product(&shop, 3).await;
        assert_eq!(write.number(), 2, "the dropped one's number is free");
        write.commit().await.unwrap();
    };
    tokio::join!(second, third, async { first.commit().await.unwrap() });
    assert!(has_product(&shop, 1).await && !has_product(&shop, 2).await && has_product(&shop, 3).await);
    assert_eq!(shop.findings().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_failed_member_leaves_the_others() {
    let shop = shop().await;
    by_hand(&shop.file(), &trap("ABORT"));
    let first = with_product(&shop, 1).await;
    let second = async {
        let mut write = with_product(&shop, 2).await;
        assert!(matches!(poison(&mut *write).await, Err(StoreError::Failed(_))));
        assert!(write.products_mut().add(sample::product(4)).await.is_err(), "nothing more can be done with it");
        assert!(write.commit().await.is_err());
    };
    let third = async { with_product(&shop, 3).await.commit().await.unwrap() };
    tokio::join!(second, third, async { first.commit().await.unwrap() });
    assert!(has_product(&shop, 1).await && !has_product(&shop, 2).await && has_product(&shop, 3).await);
    by_hand(&shop.file(), "DROP TRIGGER trap");
    assert_eq!(shop.findings().await, Vec::<String>::new());
}

#[tokio::test]
async fn the_others_of_a_group_that_sqlite_undoes_may_come_again() {
    let shop = shop().await;
    by_hand(&shop.file(), &trap("ROLLBACK"));
    let first = with_product(&shop, 1).await;
    let second = async {
        let mut write = with_product(&shop, 2).await;
        assert!(matches!(poison(&mut *write).await, Err(StoreError::Failed(_))));
    };
    let ((), first) = tokio::join!(second, async { first.commit().await });
    assert!(matches!(first, Err(StoreError::Busy(_))), "it was not on the disk yet, and is not to blame: {first:?}");
    assert!(!has_product(&shop, 1).await && !has_product(&shop, 2).await);
    with_product(&shop, 1).await.commit().await.unwrap();
    assert_eq!(number(&shop).await, 1);
}

/// Has SQLite refuse a product of that name.
fn trap(action: &str) -> String {
    format!(
        "CREATE TRIGGER trap BEFORE INSERT ON product WHEN new.name = 'Poison' \
         BEGIN SELECT raise({action}, 'poisoned'); END"
    )
}

async fn poison(write: &mut dyn WriteTx) -> Result<(), StoreError> {
    let product = sample::product(9).with_name(sample::name("Poison"));
    write.products_mut().add(product).await.map(|_| ())
}

#[tokio::test]
async fn a_silent_holder_loses_its_turn_and_its_writes() {
    let mut options = options();
    options.hold = Duration::from_millis(20);
    let shop = Shop::with(options).await;
    let mut silent = with_product(&shop, 1).await;
    // The next turn comes when the bound of the silent one has passed.
    with_product(&shop, 2).await.commit().await.unwrap();
    assert!(matches!(silent.products_mut().add(sample::product(3)).await, Err(StoreError::Busy(_))));
    assert!(matches!(silent.commit().await, Err(StoreError::Busy(_))));
    assert!(!has_product(&shop, 1).await && has_product(&shop, 2).await);
    assert_eq!(number(&shop).await, 1);
}

#[tokio::test]
async fn waiting_for_a_turn_has_an_end() {
    let mut options = options();
    options.wait = Duration::from_millis(20);
    let shop = Shop::with(options).await;
    let first = with_product(&shop, 1).await;
    assert!(matches!(shop.store.write(&grant().to_write(), sample::intent()).await, Err(StoreError::Busy(_))));
    first.commit().await.unwrap();
    // Who gave up waiting is passed over.
    with_product(&shop, 2).await.commit().await.unwrap();
}

#[tokio::test]
async fn a_member_that_fills_the_disk_leaves_the_others_to_come_again() {
    let mut options = options();
    (options.max_pages, options.group_time) = (Some(120), Duration::from_hours(1));
    let shop = Shop::with(options).await;
    let first = with_product(&shop, 1).await;
    let second = async {
        let mut write = shop.write().await;
        let mut batches = (0..100)
            .map(|batch| (0..50).map(|n| ports::repo::ActivityWrite::Add(sample::activity(50 * batch + n))).collect());
        loop {
            if let Err(error) = write.activities_mut().put_all(batches.next().unwrap()).await {
                break error;
            }
        }
    };
    let (second, first) = tokio::join!(second, async { first.commit().await });
    assert!(matches!(second, StoreError::Failed(_)), "{second:?}");
    assert!(matches!(first, Err(StoreError::Busy(_))), "{first:?}");
    with_product(&shop, 1).await.commit().await.unwrap();
    assert!(has_product(&shop, 1).await);
    assert_eq!(number(&shop).await, 1);
}

#[tokio::test]
async fn a_full_disk_fails_the_write_and_leaves_the_store_whole() {
    let mut options = options();
    options.max_pages = Some(120);
    let shop = Shop::with(options).await;
    let mut written = 0;
    let error = loop {
        let mut write = shop.write().await;
        let batch = (0..50).map(|n| ports::repo::ActivityWrite::Add(sample::activity(written + n))).collect();
        let result = match write.activities_mut().put_all(batch).await {
            Ok(()) => write.commit().await.map(|_| ()),
            Err(error) => Err(error),
        };
        match result {
            Ok(()) => written += 50,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StoreError::Failed(_)), "{error:?}");
    assert!(written > 0);
    assert_eq!(number(&shop).await, written / 50);
    assert_eq!(shop.findings().await, Vec::<String>::new());
    let roomy = shop.again(crate::support::options()).await;
    let mut write = roomy.write(&grant().to_write(), sample::intent()).await.unwrap();
    write.activities_mut().add(sample::activity(written)).await.unwrap();
    write.commit().await.unwrap();
}
