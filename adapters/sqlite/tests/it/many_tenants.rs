//! Many tenants in one process: what stays open of them is bounded, and closing it loses nothing.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ports::contract::sample;
use ports::directory::{Directory as _, Tenant};
use ports::store::{ReadTx, Store as _};
use ports::{Grant, Maintenance, TenantSlug};
use tempfile::TempDir;
use tonne_sqlite::{Options, SqliteDirectory, SqliteStore};

use crate::support::{installation, options};

/// How many files may be open at a time.
const MOST: usize = 8;
/// How many idle readers.
const IDLE: usize = 16;
/// How many read a file at once.
const AT_ONCE: usize = 6;

/// A store of so many tenants with a product each, made by another process.
async fn store_of(folder: &TempDir, count: u64) -> (SqliteStore, Vec<Grant<Maintenance>>) {
    let options = Options { tenants: MOST, idle_readers: IDLE, ..options() };
    let mut grants = Vec::new();
    {
        let directory = Arc::new(SqliteDirectory::open(folder.path(), options.clone()).unwrap());
        let store = SqliteStore::open(folder.path(), options.clone()).with_directory(directory.clone());
        for number in 1..=count {
            let slug = TenantSlug::parse(&format!("company-{number}")).unwrap();
            let id = store.create_file(sample::id(number), &slug).await.unwrap();
            directory.add_tenant(&installation(), Tenant { slug, ..sample::tenant(number, "x") }).await.unwrap();
            let grant = Grant::for_maintenance(id, "test");
            write(&store, &grant).await;
            grants.push(grant);
        }
    }
    let directory = Arc::new(SqliteDirectory::open(folder.path(), options.clone()).unwrap());
    (SqliteStore::open(folder.path(), options).with_directory(directory), grants)
}

async fn write(store: &SqliteStore, grant: &Grant<Maintenance>) {
    let mut write = store.write(&grant.to_write(), sample::intent()).await.unwrap();
    let number = write.number();
    write.products_mut().add(sample::product(number)).await.unwrap();
    write.commit().await.unwrap();
}

/// So many snapshots of a tenant, at once.
async fn snapshots(store: &SqliteStore, grant: &Grant<Maintenance>, count: usize) -> Vec<Box<dyn ReadTx>> {
    let mut snapshots = Vec::new();
    for _ in 0..count {
        snapshots.push(store.read(&grant.to_read()).await.unwrap());
    }
    snapshots
}

async fn products(tx: &mut dyn ReadTx) -> usize {
    tx.products().names().await.unwrap().len()
}

/// How often this process has files of tenants open.
#[cfg(target_os = "linux")]
fn descriptors(folder: &Path) -> usize {
    let targets = fs::read_dir("/proc/self/fd").unwrap().filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    targets.filter(|target| target.starts_with(folder.join("tenants"))).count()
}

/// How many threads of this process write.
#[cfg(target_os = "linux")]
fn writers() -> usize {
    let names = fs::read_dir("/proc/self/task").unwrap().filter_map(|entry| {
        // A thread that has ended meanwhile has no name.
        fs::read_to_string(entry.ok()?.path().join("comm")).ok()
    });
    names.filter(|name| name.trim() == "tonne-writer").count()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_is_open_of_many_tenants_is_bounded() {
    let folder = TempDir::new().unwrap();
    let (store, grants) = store_of(&folder, 300).await;
    let (mut most_descriptors, mut most_writers) = (0, 0);
    for grant in &grants {
        let mut at_once = snapshots(&store, grant, AT_ONCE).await;
        assert_eq!(products(at_once[0].as_mut()).await, 1);
        write(&store, grant).await;
        assert_eq!(products(at_once[AT_ONCE - 1].as_mut()).await, 1);
        drop(at_once);
        most_descriptors = most_descriptors.max(descriptors(folder.path()));
        most_writers = most_writers.max(writers());
    }
    // The file, its log, the log's index and two lock files; the file once more for each that read it at once, which SQLite
    // closes only with the file, and its log for each idle reader.
    let bound = (5 + AT_ONCE) * (MOST + 1) + IDLE;
    assert!(most_descriptors <= bound, "{most_descriptors} descriptors, {bound} at most");
    // Other tests of this process have writers too, though by far not as many as there are tenants.
    assert!(most_writers < 150, "{most_writers} threads");
    for grant in &grants {
        assert_eq!(products(store.read(&grant.to_read()).await.unwrap().as_mut()).await, 2);
    }
}

#[tokio::test]
async fn a_file_in_use_is_not_closed_for_others() {
    let folder = TempDir::new().unwrap();
    let (store, grants) = store_of(&folder, 3 * MOST as u64).await;
    let (first, second) = (&grants[0], &grants[1]);
    let mut read = store.read(&first.to_read()).await.unwrap();
    let mut written = store.write(&second.to_write(), sample::intent()).await.unwrap();
    for grant in &grants[2..] {
        write(&store, grant).await;
    }
    store.close_unused().await.unwrap();
    store.close_unused().await.unwrap();
    write(&store, first).await;
    assert_eq!(products(read.as_mut()).await, 1);
    written.products_mut().add(sample::product(9)).await.unwrap();
    written.commit().await.unwrap();
    for grant in [first, second] {
        assert_eq!(products(store.read(&grant.to_read()).await.unwrap().as_mut()).await, 2);
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn readers_that_nobody_needs_any_more_are_closed() {
    let folder = TempDir::new().unwrap();
    let (store, grants) = store_of(&folder, 1).await;
    drop(snapshots(&store, &grants[0], AT_ONCE).await);
    let many = descriptors(folder.path());
    // Idle since then is known only of what was idle at the call before.
    for _ in 0..2 {
        drop(snapshots(&store, &grants[0], 1).await);
        store.close_unused().await.unwrap();
    }
    drop(snapshots(&store, &grants[0], 1).await);
    let few = descriptors(folder.path());
    // SQLite keeps the file's own descriptors for readers to come; those of its log go.
    assert_eq!((many, few), (5 + 2 * AT_ONCE, 5 + AT_ONCE + 1));
}
