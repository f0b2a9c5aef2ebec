//! Databases for tests: one for each, copied from one that is migrated once, and gone with the test.
//!
//! They are made on the server that `TONNE_TEST_POSTGRES` names. A cluster (Citus) cannot copy databases: where
//! `TONNE_TEST_DATABASES` has the addresses of databases that were migrated and distributed, for a superuser and with
//! spaces between, the tests of one process that ask for [a used one](Fresh::used) take turns with those.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a test that cannot go on fails by panicking"
)]

mod presence;
mod shared;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::Timestamp;
use ports::clock::Clock;
use ports::id_source::Ids;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::{Database, Options, PostgresStore};
use presence::stay;
use shared::Shared;

/// A clock that stands still.
struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(1_735_689_600_000).unwrap()
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

/// The usual bounds for the database at that address, with a clock and identifiers of the tests' own.
#[must_use]
pub fn options(url: String) -> Options {
    let mut options = Options::new(url, Arc::new(Still), Arc::new(Counted(AtomicU64::new(1))));
    // The server is shared by all tests of this machine.
    options.connections = 8;
    options.wait = Duration::from_secs(10);
    options
}

/// A database of a test's own.
pub struct Fresh {
    /// Empty where it is not this one's to drop.
    name: String,
    /// Where it is one that others take afterwards.
    shared: Option<Shared>,
}

/// The names of databases that tests gave back, empty again.
static BACK: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Takes every row that was written since the migration, whatever refers to it.
const EMPTY: &str = "BEGIN;
SET LOCAL session_replication_role = replica;
DO $$
DECLARE filled regclass;
BEGIN
    FOR filled IN SELECT oid FROM pg_class WHERE relkind = 'r'
        AND relnamespace IN ('tonne'::regnamespace, 'tonne_directory'::regnamespace)
        AND oid NOT IN ('tonne_directory.migration'::regclass, 'tonne_directory.head'::regclass)
    LOOP
        EXECUTE format('DELETE FROM %s', filled);
    END LOOP;
END $$;
UPDATE tonne_directory.head SET number = 0, digest = decode(repeat('00', 32), 'hex');
COMMIT";

impl Fresh {
    /// A new one, migrated.
    pub async fn migrated() -> Self {
        static TEMPLATE: OnceCell<String> = OnceCell::const_new();
        let template = TEMPLATE.get_or_init(template).await;
        Self::of(template).await
    }

    /// One that another test gave back, else a new one; migrated, without rows. It is made so much faster than a new one
    /// that many tests can have one.
    pub async fn used() -> Self {
        if let Some(shared) = Shared::take().await {
            return Self { name: String::new(), shared: Some(shared) };
        }
        let back = BACK.lock().unwrap().pop();
        match back {
            Some(name) => Self { name, shared: None },
            None => Self::migrated().await,
        }
    }

    /// Leaves it to other tests of this process, without rows. The tables must be as they were, and nobody connected.
    pub async fn give_back(mut self) {
        if self.shared.is_some() {
            return;
        }
        let mut conn = self.superuser().await;
        sqlx::raw_sql(EMPTY).execute(&mut conn).await.unwrap();
        conn.close().await.unwrap();
        BACK.lock().unwrap().push(std::mem::take(&mut self.name));
    }

    /// A new one with nothing in it.
    pub async fn bare() -> Self {
        Self::of("template0").await
    }

    async fn of(template: &str) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        stay();
        let name = format!("{}_{}", process(), COUNT.fetch_add(1, Ordering::Relaxed));
        let mut conn = PgConnection::connect(&server()).await.unwrap();
        // Later servers write each page into their log unless they are told to copy files, which takes a tenth of that.
        let strategy = if conn.server_version_num() >= Some(150_000) { " STRATEGY file_copy" } else { "" };
        let create = format!("CREATE DATABASE {name} TEMPLATE {template}{strategy}");
        sqlx::raw_sql(AssertSqlSafe(create)).execute(&mut conn).await.unwrap();
        conn.close().await.unwrap();
        Self { name, shared: None }
    }

    /// Its address, for a superuser.
    #[must_use]
    pub fn url(&self) -> String {
        self.shared.as_ref().map_or_else(|| url_of(&self.name), |shared| shared.url.clone())
    }

    /// It, opened as a node opens it.
    pub async fn database(&self) -> Arc<Database> {
        self.database_with(options(self.url())).await
    }

    /// It, opened with those bounds.
    pub async fn database_with(&self, options: Options) -> Arc<Database> {
        Arc::new(Database::open(options).await.unwrap())
    }

    /// A store in it.
    pub async fn store(&self) -> PostgresStore {
        PostgresStore::new(self.database().await)
    }

    /// A connection of a superuser to it, past everything that the store does.
    pub async fn superuser(&self) -> PgConnection {
        PgConnection::connect(&self.url()).await.unwrap()
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        if self.name.is_empty() {
            return;
        }
        let drop = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        let dropped = std::thread::spawn(move || runtime().block_on(statement(&drop))).join();
        assert!(dropped.is_ok() || std::thread::panicking(), "the database {} was not dropped", self.name);
    }
}

/// The address of the server that tests may make databases on.
#[must_use]
pub fn server() -> String {
    std::env::var("TONNE_TEST_POSTGRES")
        .unwrap_or_else(|_| panic!("set TONNE_TEST_POSTGRES, or run the tests by cargo xtask test"))
}

/// The server's address with another database in it.
fn url_of(database: &str) -> String {
    let server = server();
    let (address, parameters) = server.split_once('?').map_or((&*server, None), |(url, rest)| (url, Some(rest)));
    let authority = address.find("://").map_or(0, |at| at + 3);
    let end = address[authority..].find('/').map_or(address.len(), |at| authority + at);
    let parameters = parameters.map_or_else(String::new, |parameters| format!("?{parameters}"));
    format!("{}/{database}{parameters}", &address[..end])
}

/// What the names of this process's databases begin with.
fn process() -> String {
    format!("tonne_test_{}", std::process::id())
}

/// What a statement of a superuser gives in the database of that address: the first column of each row, a text.
pub async fn ask(url: &str, text: &str) -> Vec<String> {
    let mut conn = PgConnection::connect(url).await.unwrap();
    let rows = sqlx::raw_sql(AssertSqlSafe(text)).fetch_all(&mut conn).await.unwrap();
    conn.close().await.unwrap();
    rows.into_iter().map(|row| row.get(0)).collect()
}

async fn statement(text: &str) {
    let mut conn = PgConnection::connect(&server()).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut conn).await.unwrap();
    conn.close().await.unwrap();
}

/// What a test's clean-up runs on.
#[must_use]
pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Makes the database that the others are copied from, and drops what processes left that are no more.
async fn template() -> String {
    stay();
    let mut conn = PgConnection::connect(&server()).await.unwrap();
    let left = "SELECT datname::text FROM pg_database WHERE datname LIKE 'tonne\\_test\\_%' AND NOT EXISTS (SELECT FROM \
                pg_stat_activity WHERE application_name = substring(pg_database.datname FROM '^tonne_test_[0-9]+'))";
    for row in sqlx::query(left).fetch_all(&mut conn).await.unwrap() {
        let name: String = row.get(0);
        // Another process may be at it too.
        let _ = sqlx::raw_sql(AssertSqlSafe(format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")))
            .execute(&mut conn)
            .await;
    }
    let name = format!("{}_template", process());
    sqlx::raw_sql(AssertSqlSafe(format!("CREATE DATABASE {name}"))).execute(&mut conn).await.unwrap();
    conn.close().await.unwrap();
    let database = Database::open(options(url_of(&name))).await.unwrap();
    database.close().await;
    // Connections that opened it may still be on their way out, and then it cannot be copied.
    let rest = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
    statement(&rest).await;
    name
}
