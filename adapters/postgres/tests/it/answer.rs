//! First answers of nodes whose clocks are wrong.

use domain::Timestamp;
use ports::contract::sample;
use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey};
use ports::store::{Intent, Store as _, StoreError};
use tonne_postgres::PostgresStore;

use crate::harness::{Fresh, grant, reading, right_time, writing};

fn request(key: &str) -> KeyedRequest {
    KeyedRequest::new(RequestKey::new("key:1", "POST /v1/product", key), "", b"{}")
}

fn answer() -> FirstAnswer {
    FirstAnswer { status: 201, location: None, etag: None, body: b"{}".to_vec() }
}

fn after(days: i64) -> Timestamp {
    Timestamp::from_millis(right_time() + days * 86_400_000).unwrap()
}

/// Stores an answer by a clock that says `at`.
async fn keep(store: &PostgresStore, key: &str, at: Timestamp) -> Result<(), StoreError> {
    let mut write = store.write(&writing(1), Intent { at, ..sample::intent() }).await?;
    write.answers_mut().add(request(key), answer()).await?;
    write.commit().await.map(drop)
}

async fn is_there(store: &PostgresStore, key: &str, now: Timestamp) -> bool {
    let mut read = store.read(&reading(1)).await.unwrap();
    read.answers().find(request(key).key, now).await.unwrap().is_some()
}

#[tokio::test]
async fn a_node_whose_clock_is_years_ahead_forgets_no_first_answer() {
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    store.prepare(&grant(1)).await.unwrap();
    keep(&store, "a", after(0)).await.unwrap();
    keep(&store, "b", after(4_000)).await.unwrap();
    keep(&store, "a", after(4_000)).await.expect_err("it is there and not outdated");
    for at in [after(0), after(4_000)] {
        assert!(is_there(&store, "a", at).await);
    }
}

#[tokio::test]
async fn a_first_answer_of_a_node_whose_clock_is_years_behind_counts_for_the_others() {
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    store.prepare(&grant(1)).await.unwrap();
    keep(&store, "a", after(-4_000)).await.unwrap();
    // Another answer, at which outdated ones are removed.
    keep(&store, "b", after(0)).await.unwrap();
    for at in [after(-4_000), after(0), after(4_000)] {
        assert!(is_there(&store, "a", at).await, "{at}");
    }
    keep(&store, "a", after(0)).await.expect_err("it is there and not outdated");
}
