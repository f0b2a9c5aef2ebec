//! Many rows at once: what goes into a batch comes out of the store as it was, whatever its characters and digits.

use std::cell::Cell;

use domain::{Activity, Co2e, Decimal, Description, Name, Quantity, SuppliedCo2e, SyncId, Total};
use ports::contract::sample;
use ports::repo::ActivityWrite;
use ports::store::Store;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tonne_postgres::PostgresStore;

use crate::harness::{Fresh, grant, reading, runtime, writing};

/// Few enough rows for one INSERT, and enough for a temporary table.
const SIZES: [usize; 2] = [7, 130];

/// Texts with what COPY, SQL and arrays treat in a way of their own.
fn text() -> impl Strategy<Value = String> {
    let special = prop_oneof!["\\\\N", "\\\\.", "\t", "\n", "\r\n", "\\\\", "'", "\"", "[{},$]", "NULL", "\u{1F30D}"];
    vec(prop_oneof![3 => special.boxed(), 2 => any::<char>().prop_map(String::from).boxed()], 0..8)
        .prop_map(|parts| parts.concat())
}

fn amount() -> impl Strategy<Value = Decimal> {
    let largest = Decimal::MAX.scaled();
    prop_oneof![-largest..=largest, -10_000_i128..10_000, Just(largest), Just(-largest), Just(0)]
        .prop_map(|scaled| Decimal::from_scaled(scaled).unwrap_or_default())
}

fn activity() -> impl Strategy<Value = Activity> {
    (text(), text(), text(), amount(), amount(), amount()).prop_map(|(name, sync_id, description, one, two, three)| {
        let supplied =
            SuppliedCo2e::default().with_upstream(Some(Co2e::new(two))).with_downstream(Some(Co2e::new(three)));
        let calculation = domain::calculate(supplied, None, None);
        let like = sample::filled_activity(1);
        sample::activity(1)
            .with_name(Name::parse(&name).unwrap_or_else(|_| sample::name("none")))
            .with_sync_id(SyncId::parse(&sync_id).ok())
            .with_description(Description::parse(&description).ok())
            .with_measured(like.measured.map(|measured| domain::Measured { quantity: Quantity::new(one), ..measured }))
            .with_calculation(calculation.unwrap_or_else(|_| sample::supplied("1")))
    })
}

/// Gives each an id, and lets none have the syncId of another.
fn apart(activities: Vec<Activity>) -> Vec<Activity> {
    let mut seen = std::collections::HashSet::new();
    (1..)
        .zip(activities)
        .map(|(number, activity)| {
            let sync_id = activity.sync_id.clone().filter(|sync_id| seen.insert(sync_id.clone()));
            activity.with_id(sample::id(number)).with_sync_id(sync_id)
        })
        .collect()
}

async fn comes_back(store: &PostgresStore, number: u64, activities: Vec<Activity>) {
    store.prepare(&grant(number)).await.unwrap();
    let mut tx = store.write(&writing(number), sample::intent()).await.unwrap();
    tx.activities_mut().put_all(activities.iter().cloned().map(ActivityWrite::Add).collect()).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = store.read(&reading(number)).await.unwrap();
    let ids: Vec<_> = activities.iter().map(|activity| activity.id).collect();
    let mut found = tx.activities().find_all(&ids).await.unwrap();
    found.sort_by_key(|stored| stored.value.id);
    assert_eq!(found.into_iter().map(|stored| stored.value).collect::<Vec<_>>(), activities);
    for sync_id in activities.iter().filter_map(|activity| activity.sync_id.as_ref()).take(5) {
        let found = tx.activities().find_by_sync_id(sync_id).await.unwrap();
        assert_eq!(found.and_then(|stored| stored.value.sync_id).as_ref(), Some(sync_id));
    }
    let sum: Total = activities.iter().filter_map(Activity::co2e).map(Total::from).sum();
    let cells = ports::ledger::cells(tx.ledger()).await.unwrap().cube();
    assert_eq!(cells.cells().map(|(_, _, cell)| cell.co2e.amount).sum::<Total>(), sum);
    assert_eq!(store.verify(&grant(number)).await.unwrap().findings, []);
}

#[test]
fn every_text_and_amount_of_a_batch_comes_back() {
    let runtime = runtime();
    let fresh = runtime.block_on(Fresh::migrated());
    let store = runtime.block_on(fresh.store());
    let number = Cell::new(0);
    for size in SIZES {
        let mut runner = TestRunner::new(Config { cases: 12, failure_persistence: None, ..Config::default() });
        let checked = runner.run(&vec(activity(), size), |activities| {
            number.set(number.get() + 1);
            runtime.block_on(comes_back(&store, number.get(), apart(activities)));
            Ok(())
        });
        checked.unwrap();
    }
}
