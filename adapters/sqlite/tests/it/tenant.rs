//! Tenants that come and go: the directory says whose file is whose, and no file is read as another's.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ports::contract::sample;
use ports::directory::{Directory as _, Tenant};
use ports::store::{Store as _, StoreError};
use ports::{Grant, Maintenance, TenantId, TenantSlug};
use tempfile::TempDir;
use tonne_sqlite::{SqliteDirectory, SqliteStore};

use crate::support::{by_hand, installation, options};

/// A store with its directory, as of one process.
struct Process {
    directory: Arc<SqliteDirectory>,
    store: SqliteStore,
}

impl Process {
    fn on(folder: &TempDir) -> Self {
        let directory = Arc::new(SqliteDirectory::open(folder.path(), options()).unwrap());
        let store = SqliteStore::open(folder.path(), options()).with_directory(directory.clone());
        Self { directory, store }
    }

    /// Adds a tenant with one product.
    async fn add(&self, number: u64, slug: &str) -> Grant<Maintenance> {
        let slug = TenantSlug::parse(slug).unwrap();
        let id = self.store.create_file(sample::id(number), &slug).await.unwrap();
        self.directory.add_tenant(&installation(), Tenant { slug, ..sample::tenant(number, "x") }).await.unwrap();
        let grant = grant(id);
        self.write(&grant).await.unwrap();
        grant
    }

    async fn write(&self, grant: &Grant<Maintenance>) -> Result<(), StoreError> {
        let mut write = self.store.write(&grant.to_write(), sample::intent()).await?;
        let number = write.number();
        write.products_mut().add(sample::product(number)).await?;
        write.commit().await.map(|_| ())
    }

    async fn products(&self, grant: &Grant<Maintenance>) -> Result<usize, StoreError> {
        Ok(self.store.read(&grant.to_read()).await?.products().names().await?.len())
    }

    async fn remove(&self, grant: &Grant<Maintenance>, number: u64) {
        assert!(self.directory.remove_tenant(grant).await.unwrap());
        self.store.remove(grant, number).await.unwrap();
    }
}

fn grant(id: TenantId) -> Grant<Maintenance> {
    Grant::for_maintenance(id, "test")
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder.join("tenants")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn reason(error: Option<StoreError>) -> String {
    let Some(StoreError::Failed(error)) = error else { unreachable!("{error:?} is not why a file is refused") };
    error.to_string()
}

#[tokio::test]
async fn a_tenant_that_another_process_added_is_found_by_the_directory() {
    let folder = TempDir::new().unwrap();
    let (one, other) = (Process::on(&folder), Process::on(&folder));
    let grant = one.add(1, "acme").await;
    assert_eq!(other.products(&grant).await.unwrap(), 1);
    other.write(&grant).await.unwrap();
    assert_eq!(one.products(&grant).await.unwrap(), 2);
    assert!(files(folder.path()).contains(&"acme.db".to_owned()));
}

#[tokio::test]
async fn a_tenant_that_the_directory_does_not_know_has_no_file_and_gets_none() {
    let folder = TempDir::new().unwrap();
    let process = Process::on(&folder);
    assert!(process.products(&grant(sample::id(9))).await.is_err());
    assert!(process.store.prepare(&Grant::for_maintenance(sample::id(9), "test")).await.is_err());
    assert!(!folder.path().join("tenants").exists());
}

#[tokio::test]
async fn a_removed_tenant_leaves_no_file_and_its_slug_is_free_at_once() {
    let folder = TempDir::new().unwrap();
    let process = Process::on(&folder);
    let (gone, kept) = (process.add(1, "acme").await, process.add(2, "other").await);
    process.remove(&gone, 1).await;
    assert!(files(folder.path()).iter().all(|name| name.starts_with("other")), "{:?}", files(folder.path()));
    assert!(process.products(&gone).await.is_err());
    let new = process.add(3, "acme").await;
    assert_ne!(new.tenant(), gone.tenant());
    assert_eq!(process.products(&new).await.unwrap(), 1);
    assert_eq!(process.products(&kept).await.unwrap(), 1);
    assert!(process.products(&gone).await.is_err());
}

#[tokio::test]
async fn who_has_the_file_of_a_removed_tenant_open_reads_and_writes_nothing_more() {
    let folder = TempDir::new().unwrap();
    let (one, other) = (Process::on(&folder), Process::on(&folder));
    let grant = one.add(1, "acme").await;
    assert_eq!(other.products(&grant).await.unwrap(), 1);
    other.write(&grant).await.unwrap();
    let held = other.store.read(&grant.to_read()).await.unwrap();
    one.remove(&grant, 2).await;
    let new = one.add(2, "acme").await;
    for told in [reason(other.products(&grant).await.err()), reason(other.write(&grant).await.err())] {
        assert!(told.contains("removed") || told.contains("another company"), "{told}");
    }
    drop(held);
    assert!(other.products(&grant).await.is_err());
    assert_eq!(other.products(&new).await.unwrap(), 1);
    other.store.forget_removed().await.unwrap();
    other.write(&new).await.unwrap();
    drop(other);
    assert_eq!(one.products(&new).await.unwrap(), 2, "closing the old file takes nothing from the new one");
    assert_eq!(one.store.verify(&new).await.unwrap().findings, []);
}

#[tokio::test]
async fn a_file_that_is_replaced_is_never_read_as_another_tenants() {
    let folder = TempDir::new().unwrap();
    let process = Process::on(&folder);
    let one = process.add(1, "acme").await;
    process.add(2, "other").await;
    process.store.close().await;
    let process = Process::on(&folder);
    assert_eq!(process.products(&one).await.unwrap(), 1);
    // All connections that were open so far are in use, so that the next is opened to what is there now.
    let held = process.store.read(&one.to_read()).await.unwrap();
    let file = |slug: &str| -> PathBuf { process.store.path_of(slug) };
    fs::rename(file("other"), file("acme")).unwrap();
    let told = reason(process.products(&one).await.err());
    assert!(told.contains("acme.db was moved, removed or replaced"), "{told}");
    drop(held);
}

#[tokio::test]
async fn a_file_that_is_overwritten_in_place_is_not_read_or_written_any_more() {
    let folder = TempDir::new().unwrap();
    let process = Process::on(&folder);
    let grant = process.add(1, "acme").await;
    assert_eq!(process.products(&grant).await.unwrap(), 1);
    let other = sample::uuid(2).simple().to_string();
    by_hand(&process.store.path_of("acme"), &format!("UPDATE head SET tenant = x'{other}'"));
    for told in [reason(process.products(&grant).await.err()), reason(process.write(&grant).await.err())] {
        assert!(told.contains("another company"), "{told}");
    }
}

#[tokio::test]
async fn a_removal_that_got_no_further_than_the_mark_is_finished_by_the_next_tenant_of_the_slug() {
    let folder = TempDir::new().unwrap();
    let process = Process::on(&folder);
    let grant = process.add(1, "acme").await;
    process.directory.remove_tenant(&grant).await.unwrap();
    by_hand(&process.store.path_of("acme"), "UPDATE head SET tenant = zeroblob(16)");
    let new = process.add(2, "acme").await;
    assert_eq!(process.products(&new).await.unwrap(), 1);
    assert_eq!(process.store.verify(&new).await.unwrap().findings, []);
}

#[tokio::test]
async fn a_file_that_nobody_asks_for_is_closed_and_opened_again() {
    let folder = TempDir::new().unwrap();
    let process = Process::on(&folder);
    let (one, other) = (process.add(1, "acme").await, process.add(2, "other").await);
    process.store.close_unused().await.unwrap();
    let held = process.store.read(&one.to_read()).await.unwrap();
    process.store.close_unused().await.unwrap();
    let open = ["acme.db", "acme.db-next", "acme.db-shm", "acme.db-turn", "acme.db-wal"];
    assert_eq!(files(folder.path()), [&open[..], &["other.db", "other.db-next", "other.db-turn"]].concat());
    process.store.close_unused().await.unwrap();
    drop(held);
    for grant in [&one, &other] {
        process.write(grant).await.unwrap();
        assert_eq!(process.products(grant).await.unwrap(), 2);
    }
}

#[tokio::test]
async fn a_removed_tenants_records_are_found_by_what_is_in_the_file() {
    let folder = TempDir::new().unwrap();
    let grant = Process::on(&folder).add(1, "acme").await;
    let process = Process::on(&folder);
    process.remove(&grant, 1).await;
    assert_eq!(files(folder.path()), Vec::<String>::new());
}
