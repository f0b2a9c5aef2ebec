//! Filling a tenant with much, in many calls, beside other nodes.

use std::time::Duration;

use domain::{Activity, Digest, PackedCells, Postings, SeriesKey};
use ports::contract::sample;
use ports::ledger::{PackedItems, PartPlace};
use ports::load::{AnyRecord, Load, LoadEnd};
use ports::store::{Conflict, Store as _, StoreError};
use ports::{Change, ChangeDigest, ChangeItem, RecordKind, Stored, Version};
use tonne_postgres::PostgresStore;

use crate::harness::{Fresh, grant, options, reading, writing};

/// How many activities a call loads.
const EACH: u64 = 12_000;

/// Activities of one change, as they were stored elsewhere.
fn activities(change: u64) -> Vec<Stored<Activity>> {
    let of = |n: u64| {
        let day = format!("2025-{:02}-{:02}", n % 12 + 1, n % 28 + 1);
        let sync_id = Some(sample::sync_id(&format!("erp {n}")));
        let value = sample::activity_in(n, sample::span(&day, "2025-12-31"), "0.125").with_sync_id(sync_id);
        Stored { value, created: sample::at(7), updated: sample::at(8), version: Version(change) }
    };
    (change * EACH..(change + 1) * EACH).map(of).collect()
}

/// The change that added them, behind one of that digest.
fn change(number: u64, previous: Digest, added: &[Stored<Activity>]) -> (Change, Vec<(PartPlace, PackedItems)>) {
    let (at, actor, cause) = (sample::at(8), "cli:me".to_owned(), "import activities".to_owned());
    let items: Vec<ChangeItem> = added.iter().map(ChangeItem::added).collect();
    let mut chain = ChangeDigest::new(previous, number, at, &actor, &cause);
    for item in &items {
        chain.item(item);
    }
    let parts = PackedItems::pack(&items).into_iter().zip(0..);
    let parts = parts.map(|(items, part)| (PartPlace { change: number, part }, items)).collect();
    (Change { number, at, actor, cause, digest: chain.finish() }, parts)
}

/// What a change that added them added to the cells.
fn postings(change: u64, added: &[Stored<Activity>]) -> Vec<(PartPlace, PackedCells)> {
    let mut sum = Postings::new();
    for activity in added {
        sum.add(0, &activity.value.posting());
    }
    sum.pack().unwrap().into_iter().zip(0..).map(|(cells, part)| (PartPlace { change, part }, cells)).collect()
}

fn records(activities: Vec<Stored<Activity>>) -> Vec<AnyRecord> {
    activities.into_iter().map(AnyRecord::Activity).collect()
}

async fn begin(store: &PostgresStore) -> Box<dyn Load> {
    let mut load = store.load(&grant(1)).await.unwrap();
    load.series(vec![SeriesKey::default()]).await.unwrap();
    load
}

#[tokio::test]
async fn many_activities_in_many_calls_are_sound() {
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    store.prepare(&grant(1)).await.unwrap();
    let mut load = begin(&store).await;
    for number in 1..=3 {
        load.records(records(activities(number))).await.unwrap();
    }
    let mut digest = Digest::ZERO;
    for number in 1..=3 {
        let next = change(number, digest, &activities(number));
        digest = next.0.digest;
        load.changes(vec![next.0]).await.unwrap();
        load.items(next.1).await.unwrap();
        load.postings(postings(number, &activities(number))).await.unwrap();
    }
    let head = load.finish(LoadEnd { number: 3, digest, catalog: 0, footprints: 0 }).await.unwrap();
    let report = store.verify(&grant(1)).await.unwrap();
    assert_eq!((report.findings, report.records, report.changes), (Vec::new(), 3 * EACH, 3));
    let mut read = store.read(&reading(1)).await.unwrap();
    assert_eq!(read.head().await.unwrap(), head);
    let cells = ports::ledger::cells(read.ledger()).await.unwrap().cube();
    let starts: i64 = cells.cells().map(|(_, _, cell)| cell.starts).sum();
    assert_eq!(starts, i64::try_from(3 * EACH).unwrap());
    assert_eq!(
        read.ledger().postings_since(PartPlace::behind(1), 9).await.unwrap(),
        [postings(2, &activities(2)), postings(3, &activities(3))].concat()
    );
}

#[tokio::test]
async fn what_an_earlier_call_took_is_named() {
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    store.prepare(&grant(1)).await.unwrap();
    let holder = sample::uuid(EACH + 5);
    let doubled_id = sample::activity(EACH + 5).with_sync_id(None);
    let doubled_sync_id = sample::activity(1).with_sync_id(Some(sample::sync_id(&format!("erp {}", EACH + 5))));
    for (doubled, expected) in [
        (doubled_id, Conflict::Exists(holder)),
        (doubled_sync_id, Conflict::SyncId { kind: RecordKind::Activity, holder }),
    ] {
        let mut load = begin(&store).await;
        load.records(records(activities(1))).await.unwrap();
        let mut more = activities(2);
        more[77].value = doubled;
        let error = load.records(records(more)).await.unwrap_err();
        assert!(matches!(&error, StoreError::Conflict(conflict) if *conflict == expected), "{error:?}");
        let error = load.records(records(activities(3))).await.unwrap_err();
        assert!(matches!(error, StoreError::Failed(_)), "nothing more can be done with it: {error:?}");
    }
    let mut read = store.read(&reading(1)).await.unwrap();
    assert_eq!(read.ledger().series(0).await.unwrap(), []);
    assert_eq!(read.ledger().postings_since(PartPlace::behind(0), 9).await.unwrap(), []);
}

#[tokio::test]
async fn a_load_on_one_node_keeps_the_writers_of_another_waiting() {
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    let mut hasty = options(fresh.url());
    hasty.turn = Duration::from_millis(50);
    let other = PostgresStore::new(fresh.database_with(hasty).await);
    store.prepare(&grant(1)).await.unwrap();
    let mut load = begin(&store).await;
    load.records(records(activities(1))).await.unwrap();
    let refused = other.write(&writing(1), sample::intent()).await.err();
    assert!(matches!(refused, Some(StoreError::Busy(_))), "{refused:?}");
    let refused = other.load(&grant(1)).await.err();
    assert!(matches!(refused, Some(StoreError::Busy(_))), "{refused:?}");
    drop(load);
    // In a future that waits as long as it takes: the server may still be undoing what was loaded.
    let mut write = loop {
        match other.write(&writing(1), sample::intent()).await {
            Err(StoreError::Busy(_)) => {}
            write => break write.unwrap(),
        }
    };
    assert_eq!(write.number(), 1);
    assert_eq!(write.ledger().series(0).await.unwrap(), []);
}
