//! Very many requests of many tenants on four connections, which break at random, beside panics and callers who leave: nobody
//! meets a row of another. The same without the tenant in the queries, where row-level security alone keeps them apart; and
//! without that too, where the run must find foreign rows, or it could find none at all.
//!
//! `TONNE_ISOLATION_TENANTS` and `TONNE_ISOLATION_REQUESTS` (of each tenant) make the run longer, `TONNE_ISOLATION_SEED` another.

mod request;
mod way;

use std::env;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ports::store::{Store as _, StoreError};
use sqlx::{AssertSqlSafe, Row as _};
use tokio::time::timeout;
use tonne_postgres::PostgresStore;

use crate::harness::{Fresh, grant, options};
use crate::isolation_stress::{Dice, fill};
use request::{Met, Panics, RECORDS, request};
use way::{Clause, Way};

const CONNECTIONS: u32 = 4;
const TASKS: u64 = 16;

fn setting(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |value| value.parse().unwrap())
}

/// What keeps the tenants apart in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// The queries and the policies.
    Both,
    /// The policies alone.
    Policies,
    /// Nothing.
    Nothing,
}

/// What came of a run.
#[derive(Debug, Default)]
struct Tally {
    met: Met,
    /// Requests that failed in a way that a broken connection does not explain.
    wrong: Vec<String>,
    /// Requests whose answer was compared with what the tenant owns.
    compared: u64,
    /// Requests that were answered with nothing to compare.
    empty: u64,
    /// Requests whose caller left before the answer.
    left: u64,
    panics: u64,
    refused: u64,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.met += other.met;
        self.compared += other.compared;
        self.empty += other.empty;
        self.left += other.left;
        self.panics += other.panics;
        self.refused += other.refused;
        let room = 10_usize.saturating_sub(self.wrong.len());
        self.wrong.extend(other.wrong.into_iter().take(room));
    }

    /// Notes how a request ended, unless its caller left before.
    fn note(&mut self, ended: Option<Result<Met, StoreError>>) {
        let Some(ended) = ended else {
            self.left += 1;
            return;
        };
        match ended {
            Ok(met) if met == Met::default() => self.empty += 1,
            Ok(met) => {
                self.compared += 1;
                self.met += met;
            }
            Err(StoreError::Busy(_) | StoreError::Unknown(_) | StoreError::Stale) => self.refused += 1,
            Err(error) => {
                self.refused += 1;
                self.wrong.push(format!("{error:?}"));
            }
        }
    }
}

/// Sends requests, of each tenant in its turn, until none are left.
async fn work(store: PostgresStore, task: u64, tenants: u64, left: Arc<AtomicU64>) -> Tally {
    let (mut dice, mut tally) = (Dice(seed().wrapping_add(task)), Tally::default());
    while let Ok(left) = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)) {
        let (number, seed) = (left % tenants + 1, dice.roll(u64::MAX));
        let panics = if dice.roll(50) == 0 { Panics::Halfway } else { Panics::Never };
        let (store, sides) = (store.clone(), dice.roll(20));
        let running = async move { request(&store, number, &mut Dice(seed), panics).await };
        match (panics, sides) {
            (Panics::Never, 0) => {
                let patience = Duration::from_micros(dice.roll(4_000));
                tally.note(timeout(patience, running).await.ok());
            }
            (Panics::Never, 1) => {
                let running = tokio::spawn(running);
                for _ in 0..dice.roll(6) {
                    tokio::task::yield_now().await;
                }
                running.abort();
                tally.note(running.await.ok());
            }
            (Panics::Never, _) => tally.note(Some(running.await)),
            (Panics::Halfway, _) => match tokio::spawn(running).await {
                Ok(ended) => tally.note(Some(ended)),
                Err(_) => tally.panics += 1,
            },
        }
    }
    tally
}

/// Runs the requests, with that between the tenants.
async fn run(kept: Kept, tenants: u64, requests: u64) -> Tally {
    let fresh = Fresh::migrated().await;
    let direct = fresh.store().await;
    for number in 1..=tenants {
        fill(&direct, number).await;
    }
    let clause = if kept == Kept::Both { Clause::Stays } else { Clause::Removed };
    let way = Way::to(&fresh.url(), clause).await;
    let mut options = options(way.url.clone());
    options.connections = CONNECTIONS;
    options.connections_per_tenant = 2;
    let store = PostgresStore::new(fresh.database_with(options).await);
    if kept == Kept::Nothing {
        remove_policies(&fresh).await;
    }
    way.begin_to_break();
    let (started, left) = (Instant::now(), Arc::new(AtomicU64::new(tenants * requests)));
    let tasks: Vec<_> =
        (0..TASKS).map(|task| tokio::spawn(work(store.clone(), task, tenants, Arc::clone(&left)))).collect();
    let mut tally = Tally::default();
    for task in tasks {
        tally.add(task.await.unwrap());
    }
    let seconds = started.elapsed().as_secs();
    let (changed, cut) = (way.changed(), way.cut());
    println!("{kept:?}: {tenants} tenants, {requests} requests each, {seconds} s: {tally:?}");
    println!("{changed} statements lost the tenant, {cut} connections were cut");
    assert_eq!(changed > 0, clause == Clause::Removed);
    assert!(cut > 0 && tally.panics > 0, "nothing was broken off");
    let ended = tally.compared + tally.empty + tally.left + tally.panics + tally.refused;
    assert_eq!(ended, tenants * requests, "every request is counted once");
    if kept != Kept::Nothing {
        assert_eq!(tally.wrong, Vec::<String>::new());
        for number in 1..=tenants {
            let report = direct.verify(&grant(number)).await.unwrap();
            assert_eq!((report.findings, report.records), (Vec::new(), RECORDS), "tenant {number}");
        }
    }
    tally
}

/// Takes row-level security from every table, which the store looked for when it was opened.
async fn remove_policies(fresh: &Fresh) {
    let mut conn = fresh.superuser().await;
    let tables = sqlx::query("SELECT tablename::text FROM pg_tables WHERE schemaname = 'tonne'");
    for row in tables.fetch_all(&mut conn).await.unwrap() {
        let table: String = row.get(0);
        let text = format!("ALTER TABLE tonne.{table} DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY");
        sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut conn).await.unwrap();
    }
}

fn seed() -> u64 {
    setting("TONNE_ISOLATION_SEED", 0)
}

fn size() -> (u64, u64) {
    (setting("TONNE_ISOLATION_TENANTS", 8), setting("TONNE_ISOLATION_REQUESTS", 300))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_very_many_requests_none_meets_anything_of_another_tenant() {
    let (tenants, requests) = size();
    let tally = run(Kept::Both, tenants, requests).await;
    assert_eq!(tally.met.foreign, 0, "{tally:?}");
    assert!(tally.compared > tenants * requests / 2 && tally.met.own > tally.compared, "{tally:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_tenant_in_the_queries_row_level_security_keeps_tenants_apart() {
    let (tenants, requests) = size();
    let tally = run(Kept::Policies, tenants, requests).await;
    assert_eq!(tally.met.foreign, 0, "{tally:?}");
    assert!(tally.compared > tenants * requests / 2 && tally.met.own > tally.compared, "{tally:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_row_level_security_too_the_same_run_finds_foreign_rows() {
    let tally = run(Kept::Nothing, 8, 100).await;
    assert!(tally.met.foreign > 0, "{tally:?}");
}
