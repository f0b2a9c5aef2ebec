//! Many tenants on few connections, with transactions that are broken off anywhere: nobody ever meets a row of another,
//! and no connection is lost.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use domain::{Day, Filter, Name, Period};
use ports::contract::sample;
use ports::repo::{ActivityWrite, Page, Query};
use ports::store::{ReadTx, Store as _, StoreError};
use sqlx::Row as _;
use tokio::time::timeout;
use tonne_postgres::PostgresStore;

use crate::harness::{Fresh, grant, options, reading, writing};

const TENANTS: u64 = 32;
const CONNECTIONS: u32 = 4;
const TASKS: u64 = 48;
const OPERATIONS: u64 = 20_000;
/// The products of each tenant.
pub(crate) const PRODUCTS: u64 = 20;
/// The activities of each tenant.
pub(crate) const ACTIVITIES: u64 = 200;

/// Numbers that look random and are the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (word ^ (word >> 31)) % sides
    }
}

/// The name that everything of a tenant has.
pub(crate) fn mark(number: u64) -> Name {
    sample::name(&format!("Of tenant {number}"))
}

/// The tenants' records have the same identifiers: only the tenant tells them apart.
pub(crate) async fn fill(store: &PostgresStore, number: u64) {
    store.prepare(&grant(number)).await.unwrap();
    let mut write = store.write(&writing(number), sample::intent()).await.unwrap();
    for n in 1..=PRODUCTS {
        write.products_mut().add(sample::product(n).with_name(mark(number))).await.unwrap();
    }
    let activities = (1..=ACTIVITIES).map(|n| {
        let day = format!("2025-01-{:02}", n % 28 + 1);
        let activity = sample::activity_in(n, sample::span(&day, &day), &number.to_string());
        ActivityWrite::Add(activity.with_name(mark(number)))
    });
    write.activities_mut().put_all(activities.collect()).await.unwrap();
    write.commit().await.unwrap();
}

/// One operation on a tenant. Whatever it reads must be the tenant's.
async fn operate(store: &PostgresStore, number: u64, dice: &mut Dice) -> Result<(), StoreError> {
    let grant = reading(number);
    match dice.roll(10) {
        0 | 1 => write(store, number, dice).await,
        2 => {
            let mut read = store.read(&grant).await?;
            let cells = ports::ledger::cells(read.ledger()).await?.cube();
            let starts: i64 = cells.cells().map(|(_, _, cell)| cell.starts).sum();
            assert!(starts >= 200, "{starts} activities of tenant {number}");
            Ok(())
        }
        3 => {
            let mut read = store.read(&grant).await?;
            names(number, read.products().names().await?.into_iter().map(|(_, name)| name));
            Ok(())
        }
        4 => {
            let mut read = store.read(&grant).await?;
            let period = Period::new(Some(sample::day("2025-01-05")), Some(sample::day("2025-01-20"))).unwrap();
            let filter = Filter::default().with_period(period);
            let some = read.activities().range(&filter, &HashSet::new(), None, 50).await?;
            names(number, some.into_iter().map(|stored| stored.value.name));
            Ok(())
        }
        5 => {
            let mut read = store.read(&grant).await?;
            names(
                number,
                read.products().list(&Query::all(Page::FIRST)).await?.data.into_iter().map(|stored| stored.value.name),
            );
            Ok(())
        }
        _ => {
            let mut read = store.read(&grant).await?;
            let id = sample::id(dice.roll(200) + 1);
            let found = read.activities().find(id).await?.unwrap();
            assert_eq!(found.value.co2e(), Some(sample::co2e(&number.to_string())));
            names(number, [found.value.name]);
            Ok(())
        }
    }
}

fn names(number: u64, found: impl IntoIterator<Item = Name>) {
    for name in found {
        assert_eq!(name, mark(number));
    }
}

async fn write(store: &PostgresStore, number: u64, dice: &mut Dice) -> Result<(), StoreError> {
    let mut write = store.write(&writing(number), sample::intent()).await?;
    let id = sample::id(dice.roll(200) + 1);
    let seen = write.activities().find(id).await?.unwrap();
    names(number, [seen.value.name.clone()]);
    let day = Day::from_number(sample::day("2025-01-01").number() + i32::try_from(dice.roll(28)).unwrap()).unwrap();
    let moved = seen.value.with_span(sample::span(&day.to_string(), &day.to_string()));
    write.activities_mut().update(moved, seen.version).await?;
    if dice.roll(4) == 0 {
        // A new one that goes again in the end.
        let version = ports::Version(write.number());
        let extra = sample::activity_in(900, sample::span("2025-02-01", "2025-03-01"), "1").with_name(mark(number));
        let extra = write.activities_mut().add(extra).await?;
        write.activities_mut().remove(extra.value.id, version).await?;
    }
    if dice.roll(5) == 0 {
        return Ok(()); // undone
    }
    write.commit().await.map(drop)
}

/// Operates until all operations are done. Some are broken off: by dropping their future, or with the whole task.
async fn work(store: PostgresStore, task: u64, left: Arc<AtomicU64>) {
    let mut dice = Dice(task);
    while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
        let number = dice.roll(TENANTS) + 1;
        let seed = dice.roll(u64::MAX);
        let done = match dice.roll(8) {
            0 => {
                let patience = Duration::from_micros(dice.roll(4_000));
                timeout(patience, operate(&store, number, &mut Dice(seed))).await.unwrap_or(Ok(()))
            }
            1 => {
                let store = store.clone();
                let running = tokio::spawn(async move { operate(&store, number, &mut Dice(seed)).await });
                for _ in 0..dice.roll(6) {
                    tokio::task::yield_now().await;
                }
                running.abort();
                match running.await {
                    Ok(done) => done,
                    Err(error) if error.is_cancelled() => Ok(()),
                    Err(error) => std::panic::resume_unwind(error.into_panic()),
                }
            }
            _ => operate(&store, number, &mut Dice(seed)).await,
        };
        assert!(matches!(done, Ok(()) | Err(StoreError::Busy(_))), "{done:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tenants_never_meet_and_no_connection_is_lost() {
    let fresh = Fresh::migrated().await;
    let mut options = options(fresh.url());
    options.connections = CONNECTIONS;
    options.connections_per_tenant = 2;
    let store = PostgresStore::new(fresh.database_with(options).await);
    for number in 1..=TENANTS {
        fill(&store, number).await;
    }
    let left = Arc::new(AtomicU64::new(OPERATIONS));
    let tasks: Vec<_> = (0..TASKS).map(|task| tokio::spawn(work(store.clone(), task, Arc::clone(&left)))).collect();
    for task in tasks {
        task.await.unwrap();
    }
    let mut snapshots: Vec<Box<dyn ReadTx>> = Vec::new();
    // All but the one that is left for the directory.
    for number in 1..u64::from(CONNECTIONS) {
        snapshots.push(store.read(&reading(number)).await.unwrap());
    }
    let text =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tonne'";
    let connections: i64 = sqlx::query(text).fetch_one(&mut fresh.superuser().await).await.unwrap().get(0);
    assert!(connections <= i64::from(CONNECTIONS), "{connections} connections");
    drop(snapshots);
    for number in 1..=TENANTS {
        let report = store.verify(&grant(number)).await.unwrap();
        assert_eq!((report.findings, report.records), (Vec::new(), 220), "tenant {number}");
        let mut read = store.read(&reading(number)).await.unwrap();
        let all = read.activities().range(&Filter::default(), &HashSet::new(), None, 1_000).await.unwrap();
        names(number, all.into_iter().map(|stored| stored.value.name));
    }
}
