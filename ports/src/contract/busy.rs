//! A store whose writers wait only briefly for their turn: a call that waits longer fails as busy, and nothing is left of it.

use domain::{Activity, Product};

use super::sample;
use super::tenant::Tenant;
use crate::repo::ActivityWrite;
use crate::store::{Store, StoreError};

fn is_busy<T>(result: &Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Busy(_)))
}

pub async fn a_writer_that_waits_too_long_is_told_busy_and_can_come_again(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let mut first = tenant.write().await;
    first.products_mut().add(sample::product(1)).await.expect("adds");
    for _ in 0..3 {
        assert!(is_busy(&store.write(tenant.writing(), sample::intent()).await));
    }
    first.products_mut().add(sample::product(2)).await.expect("adds");
    assert_eq!(first.commit().await.expect("commits").number, 1);
    let third = tenant.add(sample::product(3)).await;
    assert_eq!(third.version.0, 2);
    assert_eq!(tenant.count::<Product>().await, 3);
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

pub async fn activities_that_wait_too_long_are_told_busy_and_are_not_written_later(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let since = tenant.head().await;
    let writer = tenant.write().await;
    let writes = vec![ActivityWrite::Add(sample::activity(1))];
    assert!(is_busy(&store.put_activities(tenant.writing(), sample::intent(), &since, writes).await));
    drop(writer);
    assert_eq!(tenant.add(sample::product(1)).await.version.0, 1);
    assert_eq!(tenant.count::<Activity>().await, 0);
}

pub async fn a_load_and_a_removal_that_wait_too_long_are_told_busy_and_change_nothing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let writer = tenant.write().await;
    assert!(is_busy(&store.load(tenant.grant()).await));
    assert!(is_busy(&store.remove(tenant.grant(), 0).await));
    drop(writer);
    assert_eq!(tenant.add(sample::product(1)).await.version.0, 1);
}

pub async fn a_reader_waits_for_no_writer(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let mut writer = tenant.write().await;
    writer.products_mut().add(sample::product(1)).await.expect("adds");
    assert_eq!(tenant.head().await.number, 0);
    assert_eq!(tenant.count::<Product>().await, 0);
    writer.commit().await.expect("commits");
    assert_eq!(tenant.count::<Product>().await, 1);
}

pub async fn a_writer_of_another_tenant_is_not_busy(store: &dyn Store) {
    let (one, two) = (Tenant::prepare_nth(store, 1).await, Tenant::prepare_nth(store, 2).await);
    let writer = one.write().await;
    assert_eq!(two.add(sample::product(1)).await.version.0, 1);
    assert!(is_busy(&store.write(one.writing(), sample::intent()).await));
    drop(writer);
}
