//! Removing all that is kept of a tenant.

use crate::{ChainHead, Grant};
use domain::{Activity, Product};
use futures_util::future::{join, join3, poll_immediate};

use super::read::{cells, changes_since};
use super::sample;
use super::tenant::Tenant;
use crate::store::{Store, StoreError, Verification};

pub async fn a_removed_tenant_fails_until_it_is_prepared_again(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::product(1)).await;
    store.remove(tenant.grant(), 1).await.expect("removes");
    let is_failed = |error: Option<StoreError>| matches!(error, Some(StoreError::Failed(_)));
    assert!(is_failed(store.read(tenant.reading()).await.err()));
    assert!(is_failed(store.write(tenant.writing(), sample::intent()).await.err()));
    assert!(is_failed(store.verify(tenant.grant()).await.err()));
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::product(1)).await;
    assert_eq!(tenant.head().await.number, 1);
}

pub async fn a_tenant_that_is_prepared_again_is_a_new_one(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let synced = sample::product(1).with_sync_id(Some(sample::sync_id("p")));
    tenant.add(synced.clone()).await;
    tenant.add(sample::activity(1)).await;
    tenant.add(sample::footprint(1)).await;
    let before = tenant.head().await;
    store.remove(tenant.grant(), before.number).await.expect("removes");
    let tenant = Tenant::prepare(store).await;
    let head = tenant.head().await;
    assert_eq!(head, ChainHead { number: 0, digest: domain::Digest::ZERO, epoch: head.epoch, catalog: 0 });
    assert_ne!(head.epoch, before.epoch);
    assert_eq!(tenant.find::<domain::Product>(synced.id).await, None);
    let mut snapshot = tenant.read().await;
    assert_eq!(snapshot.ledger().series(0).await.expect("reads"), []);
    assert_eq!(cells(&mut *snapshot).await, []);
    assert_eq!(changes_since(&mut *snapshot, 0, 10).await, []);
    drop(snapshot);
    tenant.add(synced).await; // its id and its syncId are free
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

pub async fn a_removal_leaves_the_other_tenants_as_they_were(store: &dyn Store) {
    let (one, two) = (Tenant::prepare_nth(store, 1).await, Tenant::prepare_nth(store, 2).await);
    let kept = two.add(sample::product(1)).await;
    one.add(sample::product(1)).await;
    one.add(sample::activity(1)).await;
    let head = two.head().await;
    let mut snapshot = two.read().await;
    store.remove(one.grant(), 2).await.expect("removes");
    assert_eq!(snapshot.products().find(kept.value.id).await.expect("finds"), Some(kept.clone()));
    drop(snapshot);
    assert_eq!(two.head().await, head);
    assert_eq!(two.find(kept.value.id).await, Some(kept));
    two.add(sample::activity(1)).await;
    assert_eq!(store.verify(two.grant()).await.expect("verifies").findings, []);
}

pub async fn removing_what_is_not_there_does_nothing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::product(1)).await;
    let head = tenant.head().await;
    store.remove(&Grant::for_maintenance(sample::id(9), "cli:me"), 1).await.expect("does nothing");
    assert_eq!(tenant.head().await, head);
    for _ in 0..2 {
        store.remove(tenant.grant(), 1).await.expect("does nothing the second time");
    }
}

pub async fn a_tenant_whose_head_moved_is_not_removed(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let synced = sample::product(1).with_sync_id(Some(sample::sync_id("p")));
    tenant.add(synced.clone()).await;
    tenant.add(sample::activity(1)).await;
    let head = tenant.head().await;
    for number in [0, 1, 3] {
        let error = store.remove(tenant.grant(), number).await.expect_err("is another head");
        assert!(matches!(error, StoreError::Stale), "{number}: {error:?}");
        assert_eq!(tenant.head().await, head);
    }
    assert_eq!(tenant.find(synced.id).await.map(|stored| stored.value), Some(synced));
    assert_eq!(tenant.count::<Activity>().await, 1);
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
    tenant.add(sample::activity(2)).await;
    store.remove(tenant.grant(), 3).await.expect("removes");
    assert!(store.read(tenant.reading()).await.is_err());
}

pub async fn a_tenant_that_nothing_was_written_in_has_the_number_zero(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let error = store.remove(tenant.grant(), 1).await.expect_err("is another head");
    assert!(matches!(error, StoreError::Stale), "{error:?}");
    store.remove(tenant.grant(), 0).await.expect("removes");
    assert!(store.read(tenant.reading()).await.is_err());
}

pub async fn a_removal_waits_for_the_writer_before_it_and_sees_what_that_wrote(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::product(1)).await;
    let mut writer = tenant.write().await;
    writer.products_mut().add(sample::product(2)).await.expect("adds");
    let mut removal = store.remove(tenant.grant(), 1);
    assert!(poll_immediate(&mut removal).await.is_none());
    let (written, removed) = join(writer.commit(), removal).await;
    assert_eq!(written.expect("commits").number, 2);
    assert!(matches!(removed, Err(StoreError::Stale)), "{removed:?}");
    assert_eq!(tenant.count::<Product>().await, 2);
    store.remove(tenant.grant(), 2).await.expect("removes");
    let tenant = Tenant::prepare(store).await;
    assert_eq!(tenant.count::<Product>().await, 0);
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies"), Verification::default());
}

pub async fn a_writer_and_a_removal_at_the_same_time_do_not_both_succeed(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for number in 1..=10 {
        let before = tenant.head().await.number;
        let first = tenant.write().await;
        let write = async {
            let mut tx = store.write(tenant.writing(), sample::intent()).await?;
            let stored = tx.products_mut().add(sample::product(number)).await?;
            tx.commit().await.map(|_| stored)
        };
        let (removed, (), written) = join3(store.remove(tenant.grant(), before), async { drop(first) }, write).await;
        assert_eq!(removed.is_ok(), written.is_err(), "{removed:?} and {written:?}");
        if let Ok(stored) = written {
            assert!(matches!(removed, Err(StoreError::Stale)), "{removed:?}");
            assert_eq!(tenant.find(stored.value.id).await, Some(stored));
        } else {
            let tenant = Tenant::prepare(store).await;
            assert_eq!(tenant.count::<Product>().await, 0);
            assert_eq!(store.verify(tenant.grant()).await.expect("verifies"), Verification::default());
        }
    }
}
