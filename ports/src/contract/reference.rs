//! Records that refer to others: what they refer to must be there, and stays as long as they do.

use domain::{Activity, Input, InputCalculation, Model, Org, Product, Scope, Taxonomy};
use uuid::Uuid;

use super::conflict::{conflict, refused};
use super::sample;
use super::tenant::Tenant;
use crate::repo::{ActivityWrite, Use};
use crate::store::{Conflict, HasRepository, Store, StoreError};
use crate::{RecordKind, Version};

fn missing(kind: RecordKind, id: Uuid) -> Conflict {
    Conflict::Missing { kind, id }
}

pub async fn an_activity_needs_what_it_refers_to(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let bare = || sample::activity(1);
    let found = refused(&tenant, bare().with_scope(Some(sample::id(9)))).await;
    assert_eq!(found, missing(RecordKind::Scope, sample::uuid(9)));
    let found = refused(&tenant, bare().with_org(Some(sample::id(9)))).await;
    assert_eq!(found, missing(RecordKind::Org, sample::uuid(9)));
    let found = refused(&tenant, bare().with_taxonomy(Some(sample::id(9)))).await;
    assert_eq!(found, missing(RecordKind::Taxonomy, sample::uuid(9)));
    let found = refused(&tenant, bare().with_product(Some(sample::id(9)))).await;
    assert_eq!(found, missing(RecordKind::Product, sample::uuid(9)));
    let calculation = sample::filled_activity(9).calculation;
    let found = refused(&tenant, bare().with_calculation(calculation)).await;
    assert_eq!(found, missing(RecordKind::Factor, sample::uuid(9)));
    assert_eq!(tenant.count::<Activity>().await, 0);
}

pub async fn a_node_needs_its_parent(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let orphan = sample::scope(1).with_parent(Some(sample::id(9)));
    assert_eq!(refused(&tenant, orphan).await, missing(RecordKind::Scope, sample::uuid(9)));
    let orphan = sample::org(1).with_parent(Some(sample::id(9)));
    assert_eq!(refused(&tenant, orphan).await, missing(RecordKind::Org, sample::uuid(9)));
    let orphan = sample::taxonomy(1, "a").with_parent(Some(sample::id(9)));
    assert_eq!(refused(&tenant, orphan).await, missing(RecordKind::Taxonomy, sample::uuid(9)));
}

pub async fn a_reference_into_another_tree_is_missing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (scope, org, taxonomy) = tenant.add_trees().await;
    let [scope, org, taxonomy]: [Uuid; 3] = [scope.value.id.into(), org.value.id.into(), taxonomy.value.id.into()];
    for other in [org, taxonomy] {
        let placed = sample::activity(1).with_scope(Some(other.into()));
        assert_eq!(refused(&tenant, placed).await, missing(RecordKind::Scope, other));
        let below = sample::scope(2).with_parent(Some(other.into()));
        assert_eq!(refused(&tenant, below).await, missing(RecordKind::Scope, other));
    }
    for other in [scope, taxonomy] {
        let placed = sample::activity(1).with_org(Some(other.into()));
        assert_eq!(refused(&tenant, placed).await, missing(RecordKind::Org, other));
        let below = sample::org(2).with_parent(Some(other.into()));
        assert_eq!(refused(&tenant, below).await, missing(RecordKind::Org, other));
    }
    for other in [scope, org] {
        let placed = sample::activity(1).with_taxonomy(Some(other.into()));
        let batch = vec![ActivityWrite::Add(placed.clone())];
        let error = tenant.write().await.activities_mut().put_all(batch).await.expect_err("is refused");
        assert_eq!(conflict(error), missing(RecordKind::Taxonomy, other));
        assert_eq!(refused(&tenant, placed).await, missing(RecordKind::Taxonomy, other));
        let below = sample::taxonomy(2, "b").with_parent(Some(other.into()));
        assert_eq!(refused(&tenant, below).await, missing(RecordKind::Taxonomy, other));
    }
    let added = tenant.add(sample::activity(1)).await;
    let moved = added.value.clone().with_scope(Some(org.into()));
    let error = tenant.try_update(moved, added.version).await.expect_err("is refused");
    assert_eq!(conflict(error), missing(RecordKind::Scope, org));
    assert_eq!(tenant.find(added.value.id).await, Some(added));
}

pub async fn a_factor_an_input_and_a_switch_need_what_they_refer_to(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (product, model) = (sample::product(1), sample::model(1));
    tenant.add(product.clone()).await;
    tenant.add(model.clone()).await;
    let corrects_nothing = sample::correction(1, &product, &sample::factor(9, &product, "2025-01-01"));
    assert_eq!(refused(&tenant, corrects_nothing).await, missing(RecordKind::Factor, sample::uuid(9)));
    let found = refused(&tenant, sample::factor(1, &sample::product(9), "2025-01-01")).await;
    assert_eq!(found, missing(RecordKind::Product, sample::uuid(9)));
    let found = refused(&tenant, sample::input(1, &sample::model(9), &product, 1)).await;
    assert_eq!(found, missing(RecordKind::Model, sample::uuid(9)));
    let found = refused(&tenant, sample::input(1, &model, &sample::product(9), 1)).await;
    assert_eq!(found, missing(RecordKind::Product, sample::uuid(9)));
    let calculation = InputCalculation::Computed { co2e: sample::co2e("1"), factor: sample::id(9) };
    let computed = sample::input(1, &model, &product, 1).with_calculation(calculation);
    assert_eq!(refused(&tenant, computed).await, missing(RecordKind::Factor, sample::uuid(9)));
    let found = refused(&tenant, sample::switch(1, &[model.id, sample::id(9)])).await;
    assert_eq!(found, missing(RecordKind::Model, sample::uuid(9)));
}

pub async fn an_update_needs_what_it_refers_to(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let added = tenant.add(sample::activity(1)).await;
    let changed = sample::activity(1).with_product(Some(sample::id(9)));
    let error = tenant.try_update(changed, added.version).await.expect_err("is refused");
    assert_eq!(conflict(error), missing(RecordKind::Product, sample::uuid(9)));
    assert_eq!(tenant.find(added.value.id).await, Some(added));
    let switch = tenant.add(sample::switch(1, &[])).await;
    let error = tenant.try_update(sample::switch(1, &[sample::id(9)]), switch.version).await.expect_err("is refused");
    assert_eq!(conflict(error), missing(RecordKind::Model, sample::uuid(9)));
    assert_eq!(tenant.find(switch.value.id).await, Some(switch));
}

/// Tries to remove a record that is in use.
async fn is_kept<T: HasRepository>(tenant: &Tenant<'_>, id: T::Id, uses: &[(RecordKind, u64)]) {
    let uses: Vec<Use> = uses.iter().map(|&(kind, count)| Use { kind, count }).collect();
    let stored = tenant.find::<T>(id).await.expect("is there");
    assert_eq!(tenant.uses::<T>(id).await, uses);
    let error = tenant.try_remove::<T>(id, stored.version).await.expect_err("is in use");
    let Conflict::InUse(mut found) = conflict(error) else { unreachable!("expected the record to be in use") };
    found.sort_by_key(|one| one.kind);
    assert_eq!(found, uses);
    let error = tenant.try_remove::<T>(id, Version(stored.version.0 + 1)).await.expect_err("was not seen");
    assert!(matches!(error, StoreError::Stale), "{error:?}");
    assert_eq!(tenant.find(id).await, Some(stored));
}

pub async fn a_node_in_use_is_kept_and_says_by_what(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (scope, org, taxonomy) = (sample::scope(1), sample::org(1), sample::taxonomy(1, "a"));
    tenant.add_trees().await;
    for number in [2, 3] {
        tenant.add(sample::org(number).with_parent(Some(org.id))).await;
        let scoped = sample::activity(number).with_scope(Some(scope.id)).with_org(Some(org.id));
        tenant.add(scoped).await;
    }
    tenant.add(sample::activity(4).with_taxonomy(Some(taxonomy.id))).await;
    is_kept::<Scope>(&tenant, scope.id, &[(RecordKind::Activity, 2)]).await;
    is_kept::<Org>(&tenant, org.id, &[(RecordKind::Activity, 2), (RecordKind::Org, 2)]).await;
    is_kept::<Taxonomy>(&tenant, taxonomy.id, &[(RecordKind::Activity, 1)]).await;
}

pub async fn a_product_in_use_is_kept_and_says_by_what(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (product, model) = (sample::product(1), sample::model(1));
    tenant.add(product.clone()).await;
    tenant.add(model.clone()).await;
    for number in [1, 2] {
        tenant.add(sample::input(number, &model, &product, 1)).await;
    }
    tenant.add(sample::factor(1, &product, "2025-01-01")).await;
    for number in [1, 2, 3] {
        tenant.add(sample::activity(number).with_product(Some(product.id))).await;
    }
    let uses = [(RecordKind::Activity, 3), (RecordKind::Factor, 1), (RecordKind::Input, 2)];
    is_kept::<Product>(&tenant, product.id, &uses).await;
}

pub async fn a_factor_in_use_is_kept_and_says_by_what(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (product, model) = (sample::product(1), sample::model(1));
    let factor = sample::factor(1, &product, "2025-01-01");
    tenant.add(product.clone()).await;
    tenant.add(factor.clone()).await;
    tenant.add(model.clone()).await;
    tenant.add(sample::filled_input(1, &model, &product, &factor)).await;
    for number in [1, 2] {
        let calculation = sample::filled_activity(1).calculation;
        tenant.add(sample::activity(number).with_calculation(calculation)).await;
    }
    tenant.add(sample::correction(2, &product, &factor)).await;
    let uses = [(RecordKind::Activity, 2), (RecordKind::Factor, 1), (RecordKind::Input, 1)];
    is_kept::<domain::Factor>(&tenant, factor.id(), &uses).await;
}

pub async fn a_model_in_use_by_a_switch_is_kept(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (product, model) = (sample::product(1), sample::model(1));
    tenant.add(product.clone()).await;
    tenant.add(model.clone()).await;
    tenant.add(sample::input(1, &model, &product, 1)).await;
    assert_eq!(tenant.uses::<Model>(model.id).await, []);
    for number in [1, 2] {
        tenant.add(sample::switch(number, &[model.id])).await;
    }
    is_kept::<Model>(&tenant, model.id, &[(RecordKind::Switch, 2)]).await;
    assert!(tenant.find::<Input>(sample::id(1)).await.is_some());
}

pub async fn what_is_referred_to_no_more_can_be_removed(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let product = tenant.add(sample::product(1)).await;
    let org = tenant.add(sample::org(1)).await;
    let model = tenant.add(sample::model(1)).await;
    let referring = sample::activity(1).with_product(Some(product.value.id)).with_org(Some(org.value.id));
    let activity = tenant.add(referring).await;
    let switch = tenant.add(sample::switch(1, &[model.value.id])).await;
    tenant.update(sample::activity(1), activity.version).await;
    tenant.remove(&switch).await;
    tenant.remove(&product).await;
    tenant.remove(&org).await;
    tenant.remove(&model).await;
    assert_eq!(tenant.find::<Product>(product.value.id).await, None);
    assert_eq!(tenant.find::<Org>(org.value.id).await, None);
    assert_eq!(tenant.find::<Model>(model.value.id).await, None);
}
