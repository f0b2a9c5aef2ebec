//! A later version that changes the format of files that this one has open.

use ports::contract::sample;
use ports::directory::Directory as _;
use ports::repo::ActivityWrite;
use ports::store::{Store as _, StoreError};
use tempfile::TempDir;
use tonne_sqlite::SqliteDirectory;

use crate::support::{Shop, by_hand, grant, installation, options};

fn is_refused<T>(result: Result<T, StoreError>) -> bool {
    matches!(result.err(), Some(StoreError::Failed(error)) if error.to_string().contains("format 2"))
}

#[tokio::test]
async fn a_store_stops_at_a_later_format_of_its_file_at_once() {
    let shop = Shop::open().await;
    let since = shop.store.head(&grant().to_read()).await.unwrap();
    let put = || vec![ActivityWrite::Add(sample::activity(1))];
    by_hand(&shop.file(), "PRAGMA user_version = 2");
    assert!(is_refused(shop.store.write(&grant().to_write(), sample::intent()).await));
    assert!(is_refused(shop.store.put_activities(&grant().to_write(), sample::intent(), &since, put()).await));
    assert!(is_refused(shop.store.load(&grant()).await));
    assert!(is_refused(shop.store.read(&grant().to_read()).await));
    by_hand(&shop.file(), "PRAGMA user_version = 1");
    shop.store.put_activities(&grant().to_write(), sample::intent(), &since, put()).await.unwrap();
    assert_eq!(shop.findings().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_directory_stops_at_a_later_format_of_its_file_at_once() {
    let folder = TempDir::new().unwrap();
    let directory = SqliteDirectory::open(folder.path(), options()).unwrap();
    by_hand(&folder.path().join("directory.db"), "PRAGMA user_version = 2");
    assert!(is_refused(directory.add_tenant(&installation(), sample::tenant(1, "main")).await));
    assert!(is_refused(directory.version().await));
}
