//! Callers that leave at any moment: the connection that they had is as good as new for the next.

use std::time::Duration;

use futures_util::future::join;
use ports::contract::sample;
use ports::repo::ActivityWrite;
use ports::store::{Store as _, StoreError};
use sqlx::Row as _;
use tokio::time::timeout;
use tonne_postgres::PostgresStore;

use crate::harness::{Fresh, grant, options, reading, writing};

/// Waits this long at most, in steps of this length.
const STEP: Duration = Duration::from_micros(25);

#[tokio::test]
async fn a_transaction_whose_caller_leaves_while_it_begins_is_undone() {
    let fresh = Fresh::migrated().await;
    let mut bounds = options(fresh.url());
    (bounds.connections, bounds.connections_per_tenant) = (2, 1);
    let store = PostgresStore::new(fresh.database_with(bounds).await);
    store.prepare(&grant(1)).await.unwrap();
    // From leaving at once to staying until it has begun.
    for step in 0..400 {
        let patience = STEP * step;
        match step % 3 {
            0 => drop(timeout(patience, store.read(&reading(1))).await),
            1 => drop(timeout(patience, store.write(&writing(1), sample::intent())).await),
            _ => drop(timeout(patience, store.head(&reading(1))).await),
        }
        // A connection left in a transaction would be read-only, in an old snapshot or broken for whoever comes next.
        let number = u64::from(step) + 1;
        add(&store, number).await.unwrap();
        let head = store.read(&reading(1)).await.unwrap().head().await.unwrap();
        assert_eq!(head.number, number, "after {patience:?}");
    }
    let mut superuser = fresh.superuser().await;
    let text = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in %'";
    let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
    loop {
        let open: i64 = sqlx::query(text).fetch_one(&mut superuser).await.unwrap().get(0);
        if open == 0 {
            break;
        }
        assert!(tokio::time::Instant::now() < deadline, "{open} transactions stay open");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_change_whose_caller_leaves_is_written_whole_or_not_at_all() {
    let fresh = Fresh::migrated().await;
    let store = PostgresStore::new(fresh.database_with(options(fresh.url())).await);
    store.prepare(&grant(1)).await.unwrap();
    let since = store.head(&reading(1)).await.unwrap();
    let grant = writing(1);
    let put = |number: u64| {
        let writes = vec![ActivityWrite::Add(sample::activity(number))];
        store.put_activities(&grant, sample::intent(), &since, writes)
    };
    // From leaving at once to staying until it is written; another one stays beside each.
    for step in 0..200_u64 {
        let patience = STEP * u32::try_from(step).unwrap();
        let (_, stayed) = join(timeout(patience, put(2 * step + 1)), put(2 * step + 2)).await;
        stayed.unwrap();
    }
    let written = store.verify(&crate::harness::grant(1)).await.unwrap();
    assert_eq!(written.findings, []);
    assert!(written.changes > 200 && written.changes <= 400, "{}", written.changes);
}

async fn add(store: &PostgresStore, number: u64) -> Result<(), StoreError> {
    let mut write = store.write(&writing(1), sample::intent()).await?;
    write.products_mut().add(sample::product(number)).await?;
    write.commit().await.map(drop)
}
