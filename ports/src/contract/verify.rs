//! Verification of what is sound.

use super::sample;
use super::tenant::Tenant;
use crate::store::{Store, Verification};

async fn verify(store: &dyn Store, tenant: &Tenant<'_>) -> Verification {
    store.verify(tenant.grant()).await.expect("verifies")
}

pub async fn an_empty_tenant_is_sound(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    assert_eq!(verify(store, &tenant).await, Verification::default());
}

pub async fn a_tenant_with_a_history_is_sound_and_all_of_it_is_counted(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add_trees().await;
    let product = tenant.add(sample::product(1)).await;
    let factor = tenant.add(sample::factor(1, &product.value, "2025-01-01")).await;
    let activity = tenant.add(sample::filled_activity(1)).await;
    let model = tenant.add(sample::filled_model(1)).await;
    let input = tenant.add(sample::filled_input(1, &model.value, &product.value, &factor.value)).await;
    let switch = tenant.add(sample::switch(1, &[model.value.id])).await;
    tenant.add(sample::filled_footprint(1)).await;
    assert_eq!(sound(store, &tenant).await, (10, 10, 2));
    let moved = activity.value.with_org(None);
    tenant.update(moved, activity.version).await;
    tenant.update(product.value.with_name(sample::name("Other")), product.version).await;
    assert_eq!(sound(store, &tenant).await, (10, 12, 2));
    tenant.remove(&switch).await;
    tenant.remove(&model).await;
    assert_eq!(tenant.find(input.value.id).await.map(|found: crate::Stored<domain::Input>| found), None);
    assert_eq!(sound(store, &tenant).await, (7, 14, 2));
}

/// How many records, changes and cells were found sound.
async fn sound(store: &dyn Store, tenant: &Tenant<'_>) -> (u64, u64, u64) {
    let found = verify(store, tenant).await;
    assert_eq!(found.findings, []);
    (found.records, found.changes, found.cells)
}
