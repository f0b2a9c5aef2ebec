//! The head, and an activity with the head, read without a snapshot that stays open.

use super::sample;
use super::tenant::Tenant;
use crate::store::{Store, StoreError};

pub async fn the_head_and_an_activity_are_those_of_the_newest_change(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let id = sample::id(1);
    assert_eq!(tenant.find_with_head(id).await, (tenant.head().await, None));
    let (scope, org, taxonomy) = tenant.add_trees().await;
    let like = sample::activity(1)
        .with_scope(Some(scope.value.id))
        .with_org(Some(org.value.id))
        .with_taxonomy(Some(taxonomy.value.id));
    let added = tenant.add(like.clone()).await;
    assert_eq!(tenant.find_with_head(id).await, (tenant.head().await, Some(added.clone())));
    let updated = tenant.update(like.with_name(sample::name("another")).with_org(None), added.version).await;
    assert_eq!(tenant.find_with_head(id).await, (tenant.head().await, Some(updated.clone())));
    tenant.remove(&updated).await;
    assert_eq!(tenant.find_with_head(id).await, (tenant.head().await, None));
    assert_eq!(store.head(tenant.reading()).await.expect("reads"), tenant.head().await);
}

pub async fn nothing_of_a_change_is_read_before_its_commit(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let head = tenant.head().await;
    let mut tx = tenant.write().await;
    tx.activities_mut().add(sample::activity(1)).await.expect("adds");
    assert_eq!(tenant.find_with_head(sample::id(1)).await, (head, None));
    let committed = tx.commit().await.expect("commits");
    assert_eq!(store.head(tenant.reading()).await.expect("reads"), committed);
}

pub async fn an_activity_and_the_head_are_read_by_their_own_tenant_alone(store: &dyn Store) {
    let (one, other) = (Tenant::prepare(store).await, Tenant::prepare_nth(store, 2).await);
    one.add(sample::activity(1)).await;
    assert_eq!(other.find_with_head(sample::id(1)).await, (other.head().await, None));
    let nobody = crate::Grant::for_maintenance(sample::id(3), "cli:me").to_read();
    assert!(matches!(store.head(&nobody).await, Err(StoreError::Failed(_))));
    assert!(matches!(store.activity(&nobody, sample::id(1)).await, Err(StoreError::Failed(_))));
}
