//! A later version that changes the format while this one runs, and steps that are not done in a transaction.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use ports::contract::sample;
use ports::directory::Directory as _;
use ports::repo::ActivityWrite;
use ports::store::{Store as _, StoreError};
use sqlx::AssertSqlSafe;
use tonne_postgres::{Database, Options, PostgresDirectory, PostgresStore, STEPS, Sql, Step};

use crate::database_users::DatabaseWithUsers;
use crate::harness::{Fresh, grant, options, reading, writing};
use crate::migration::{later, open, with};

/// Builds an index, and bears what an attempt before it left.
const INDEX: &[&str] = &[
    "DROP INDEX CONCURRENTLY IF EXISTS tonne.product_unit",
    "CREATE INDEX CONCURRENTLY product_unit ON tonne.product (tenant_id, unit)",
];
/// The same, and then nothing for a long time.
const INDEX_AND_WAIT: &[&str] = &[INDEX[0], INDEX[1], WAIT];
/// Waits longer than any test.
pub(crate) const WAIT: &str = "SELECT pg_sleep(600)";
/// The same, and then a failure.
const INDEX_AND_FAIL: &[&str] = &[INDEX[0], INDEX[1], "SELECT 1 / 0"];

fn is_refused<T>(result: Result<T, StoreError>) -> bool {
    matches!(result.err(), Some(StoreError::Failed(error)) if error.to_string().contains("later format"))
}

/// Waits until a query of a superuser gives `t`.
async fn until(database: &DatabaseWithUsers, query: &str) {
    let since = Instant::now();
    while database.text(query).await != "t" {
        assert!(since.elapsed() < Duration::from_secs(20), "not yet: {query}");
        tokio::task::yield_now().await;
    }
}

/// Whether the index is there, is whole, and its step is noted.
async fn index(database: &DatabaseWithUsers) -> [bool; 3] {
    let row = database
        .rows(
            "SELECT count(*) > 0, coalesce(bool_and(indisvalid), false), \
             EXISTS (SELECT FROM tonne_directory.migration WHERE name = 'tenant/9999_later') \
             FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relname = 'product_unit'",
        )
        .await;
    [0, 1, 2].map(|column| row[0][column] == "t")
}

#[tokio::test]
async fn a_running_node_stops_writing_once_a_later_one_took_away_what_it_needs() {
    let database = DatabaseWithUsers::of(Fresh::migrated().await);
    let node = Arc::new(open(&database, STEPS).await.unwrap());
    let (store, directory) = (PostgresStore::new(node.clone()), PostgresDirectory::new(node));
    store.prepare(&grant(1)).await.unwrap();
    let since = store.head(&reading(1)).await.unwrap();
    let put = || vec![ActivityWrite::Add(sample::activity(1))];
    open(&database, later(3, "ALTER TABLE tonne.product ADD extra text;")).await.unwrap();
    assert!(is_refused(store.write(&writing(1), sample::intent()).await));
    assert!(is_refused(store.put_activities(&writing(1), sample::intent(), &since, put()).await));
    assert!(is_refused(store.load(&grant(1)).await));
    assert!(is_refused(store.prepare(&grant(2)).await));
    assert!(is_refused(directory.add_tenant(&sample::installation(), sample::tenant(1, "main")).await));
    assert!(is_refused(directory.add_refresh(&sample::authenticated(1, 1), sample::refresh(1, 1, 1)).await));
    assert_eq!(store.read(&reading(1)).await.unwrap().head().await.unwrap().number, 0);
}

#[tokio::test]
async fn a_step_that_takes_away_waits_until_nobody_writes() {
    let database = DatabaseWithUsers::of(Fresh::migrated().await);
    let store = PostgresStore::new(Arc::new(open(&database, STEPS).await.unwrap()));
    store.prepare(&grant(1)).await.unwrap();
    let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
    let steps = later(3, "ALTER TABLE tonne.org ADD extra text;");
    let migrating = tokio::spawn(Database::open(Options { steps, ..options(database.url()) }));
    until(&database, "SELECT count(*) > 0 FROM pg_locks WHERE NOT granted AND relation = 'tonne.head'::regclass").await;
    write.products_mut().add(sample::product(1)).await.unwrap();
    assert_eq!(write.commit().await.unwrap().number, 1);
    migrating.await.unwrap().unwrap();
    assert!(is_refused(store.write(&writing(1), sample::intent()).await));
}

#[tokio::test]
async fn an_index_is_built_by_one_of_the_nodes_that_start_at_once_while_others_write() {
    let database = DatabaseWithUsers::of(Fresh::migrated().await);
    let store = PostgresStore::new(Arc::new(open(&database, STEPS).await.unwrap()));
    store.prepare(&grant(1)).await.unwrap();
    let steps = with(2, Sql::Each(INDEX));
    let nodes = join_all((0..4).map(|_| open(&database, steps)));
    let writes = async {
        for number in 1..=5 {
            let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
            write.products_mut().add(sample::product(number)).await.unwrap();
            write.commit().await.unwrap();
        }
    };
    let (nodes, ()) = tokio::join!(nodes, writes);
    assert!(nodes.iter().all(Result::is_ok), "{:?}", nodes.iter().find(|node| node.is_err()));
    assert_eq!(index(&database).await, [true; 3]);
}

#[tokio::test]
async fn a_step_of_several_transactions_that_fails_is_begun_anew() {
    let database = DatabaseWithUsers::of(Fresh::migrated().await);
    let broken = with(2, Sql::Each(INDEX_AND_FAIL));
    let error = open(&database, broken).await.unwrap_err();
    assert_eq!(error.to_string(), "the database cannot be prepared: tenant/9999_later");
    assert_eq!(index(&database).await, [true, true, false]);
    open(&database, with(2, Sql::Each(INDEX))).await.unwrap();
    assert_eq!(index(&database).await, [true; 3]);
}

#[tokio::test]
async fn a_migrator_that_is_killed_at_any_statement_is_followed_by_one_that_ends_it() {
    // Where the index waits for an old transaction it is there, and not valid; behind it, valid and not noted.
    for (statements, left) in [(INDEX, [true, false, false]), (INDEX_AND_WAIT, [true, true, false])] {
        let fresh = Fresh::migrated().await;
        let mut old = fresh.superuser().await;
        let database = DatabaseWithUsers::of(fresh);
        if !left[1] {
            let text = "BEGIN; LOCK TABLE tonne.product IN ROW EXCLUSIVE MODE";
            sqlx::raw_sql(text).execute(&mut old).await.unwrap();
        }
        let steps = with(2, Sql::Each(statements));
        let migrating = tokio::spawn(Database::open(Options { steps, ..options(database.url()) }));
        let last = statements.last().unwrap();
        until(
            &database,
            &format!(
                "SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database() AND query = '{last}' \
                 AND state = 'active' AND wait_event_type IN ('Lock', 'Timeout')"
            ),
        )
        .await;
        let kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                    WHERE datname = current_database() AND application_name = 'tonne'";
        database.run(kill).await;
        migrating.await.unwrap().unwrap_err();
        sqlx::raw_sql(AssertSqlSafe("ROLLBACK")).execute(&mut old).await.unwrap();
        assert_eq!(index(&database).await, left, "{statements:?}");
        open(&database, with(2, Sql::Each(INDEX))).await.unwrap();
        assert_eq!(index(&database).await, [true; 3]);
    }
}

/// Kills a migrator of that version while it waits in its last step.
pub(crate) async fn kill_waiting(database: &DatabaseWithUsers, steps: &'static [Step]) {
    let migrating = tokio::spawn(Database::open(Options { steps, ..options(database.url()) }));
    let waits = "SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' \
                 AND wait_event = 'PgSleep'";
    until(database, waits).await;
    let kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                WHERE datname = current_database() AND application_name = 'tonne'";
    database.run(kill).await;
    migrating.await.unwrap().unwrap_err();
}

#[tokio::test]
async fn a_migrator_that_is_killed_behind_each_statement_of_a_step_is_followed_by_one_that_ends_it() {
    for done in 0..=INDEX.len() {
        let database = DatabaseWithUsers::of(Fresh::migrated().await);
        let statements: Vec<&str> = INDEX[..done].iter().copied().chain([WAIT]).collect();
        kill_waiting(&database, with(2, Sql::Each(statements.leak()))).await;
        let is_there = done == INDEX.len();
        assert_eq!(index(&database).await, [is_there, is_there, false], "{done} statements");
        open(&database, with(2, Sql::Each(INDEX))).await.unwrap();
        assert_eq!(index(&database).await, [true; 3], "{done} statements");
    }
}
