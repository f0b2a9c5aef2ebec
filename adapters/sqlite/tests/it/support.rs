//! A store in a folder of its own, with a clock that stands still.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::Timestamp;
use ports::clock::Clock;
use ports::contract::sample;
use ports::id_source::Ids;
use ports::store::{Store as _, WriteTx};
use ports::{Grant, Installation, Maintenance, TenantId};
use tempfile::TempDir;
use tonne_sqlite::{Options, SqliteStore};
use uuid::Uuid;

/// A clock that stands still.
struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        sample::at(0)
    }
}

/// Identifiers that are counted.
struct Counted(AtomicU64);

impl Ids for Counted {
    fn next(&self, _: Timestamp) -> Uuid {
        self.random()
    }

    fn random(&self) -> Uuid {
        Uuid::from_u64_pair(7, self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// The usual bounds, with a clock and identifiers of the tests' own.
pub(crate) fn options() -> Options {
    Options::new(Arc::new(Still), Arc::new(Counted(AtomicU64::new(1))))
}

/// The tenant of most tests.
pub(crate) fn tenant() -> TenantId {
    sample::id(1)
}

pub(crate) fn grant() -> Grant<Maintenance> {
    Grant::for_maintenance(tenant(), "test")
}

/// A grant for the installation.
pub(crate) fn installation() -> Grant<Maintenance, Installation> {
    Grant::for_maintenance(Installation, "test")
}

/// A store with one tenant.
pub(crate) struct Shop {
    pub(crate) store: SqliteStore,
    pub(crate) folder: TempDir,
}

impl Shop {
    /// A new one with the usual bounds.
    pub(crate) async fn open() -> Self {
        Self::with(options()).await
    }

    /// A new one with those bounds.
    pub(crate) async fn with(options: Options) -> Self {
        let folder = TempDir::new().unwrap();
        let store = SqliteStore::open(folder.path(), options);
        store.prepare(&grant()).await.unwrap();
        Self { store, folder }
    }

    /// Another store on the same files, as of another process.
    pub(crate) async fn again(&self, options: Options) -> SqliteStore {
        let store = SqliteStore::open(self.folder.path(), options);
        store.prepare(&grant()).await.unwrap();
        store
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.store.path_of(&tenant().to_string())
    }

    pub(crate) async fn write(&self) -> Box<dyn WriteTx> {
        self.store.write(&grant().to_write(), sample::intent()).await.unwrap()
    }

    /// What a verification finds, line by line.
    pub(crate) async fn findings(&self) -> Vec<String> {
        findings(&self.store).await
    }
}

/// What a verification of a store finds, line by line.
pub(crate) async fn findings(store: &SqliteStore) -> Vec<String> {
    let report = store.verify(&grant()).await.unwrap();
    report.findings.into_iter().map(|finding| format!("{}: {}", finding.subject, finding.detail)).collect()
}

/// Changes a file by hand, past everything that would keep it whole.
pub(crate) fn by_hand(file: &Path, statement: &str) {
    let conn = rusqlite::Connection::open(file).unwrap();
    conn.pragma_update(None, "foreign_keys", false).unwrap();
    conn.pragma_update(None, "ignore_check_constraints", true).unwrap();
    conn.execute_batch(statement).unwrap();
}
