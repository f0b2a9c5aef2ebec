//! Removing all that is kept of a tenant.

use domain::Head;

use super::sample;
use super::tenant::Tenant;
use crate::store::{Store, StoreError};

pub async fn a_removed_tenant_fails_until_it_is_prepared_again(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::product(1)).await;
    store.remove(tenant.grant().tenant()).await.expect("removes");
    let is_failed = |error: Option<StoreError>| matches!(error, Some(StoreError::Failed(_)));
    assert!(is_failed(store.read(tenant.grant()).await.err()));
    assert!(is_failed(store.write(tenant.grant(), sample::intent()).await.err()));
    assert!(is_failed(store.verify(tenant.grant()).await.err()));
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::product(1)).await;
    assert_eq!(tenant.head().await.number, 1);
}

pub async fn a_tenant_that_is_prepared_again_is_a_new_one(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let synced = domain::Product { sync_id: Some(sample::sync_id("p")), ..sample::product(1) };
    tenant.add(synced.clone()).await;
    tenant.add(sample::activity(1)).await;
    tenant.add(sample::footprint(1)).await;
    let before = tenant.head().await;
    store.remove(tenant.grant().tenant()).await.expect("removes");
    let tenant = Tenant::prepare(store).await;
    let head = tenant.head().await;
    assert_eq!(head, Head { number: 0, digest: domain::Digest::ZERO, epoch: head.epoch, catalogue: 0 });
    assert_ne!(head.epoch, before.epoch);
    assert_eq!(tenant.find::<domain::Product>(synced.id).await, None);
    let mut snapshot = tenant.read().await;
    assert_eq!(snapshot.ledger().series(0).await.expect("reads"), []);
    assert_eq!(snapshot.ledger().cells_since(0).await.expect("reads"), []);
    assert_eq!(snapshot.ledger().changes_since(0, 10).await.expect("reads"), []);
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
    store.remove(one.grant().tenant()).await.expect("removes");
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
    store.remove(sample::id(9)).await.expect("does nothing");
    assert_eq!(tenant.head().await, head);
}
