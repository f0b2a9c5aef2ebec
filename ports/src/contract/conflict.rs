//! What stands in the way of a write: taken ids, syncIds and slugs.

use domain::{Model, Org, Taxonomy};

use super::read::{cells, changes_since};
use super::sample;
use super::tenant::Tenant;
use crate::RecordKind;
use crate::repo::Use;
use crate::store::{Conflict, HasRepository, Store, StoreError};

/// The conflict that adding the record meets.
pub(super) async fn refused<T: HasRepository>(tenant: &Tenant<'_>, record: T) -> Conflict {
    conflict(tenant.try_add(record).await.expect_err("is refused"))
}

pub(super) fn conflict(error: StoreError) -> Conflict {
    let StoreError::Conflict(conflict) = error else { unreachable!("expected a conflict, got {error:?}") };
    conflict
}

pub async fn an_id_that_is_taken_is_refused_for_each_kind(store: &dyn Store) {
    async fn twice<T: HasRepository>(tenant: &Tenant<'_>, record: T) {
        let added = tenant.add(record.clone()).await;
        assert_eq!(refused(tenant, record.clone()).await, Conflict::Exists(record.id().into()));
        assert_eq!(tenant.find(record.id()).await, Some(added));
    }
    let tenant = Tenant::prepare(store).await;
    let (product, model) = (sample::product(1), sample::model(1));
    twice(&tenant, sample::activity(1)).await;
    twice(&tenant, sample::scope(1)).await;
    twice(&tenant, sample::org(1)).await;
    twice(&tenant, product.clone()).await;
    twice(&tenant, sample::factor(1, &product, "2025-01-01")).await;
    twice(&tenant, model.clone()).await;
    twice(&tenant, sample::input(1, &model, &product, 1)).await;
    twice(&tenant, sample::switch(1, &[])).await;
    twice(&tenant, sample::footprint(1)).await;
}

pub async fn a_sync_id_that_is_taken_names_its_holder(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let sync_id = || Some(sample::sync_id("S-1"));
    let held = |kind, number| Conflict::SyncId { kind, holder: sample::uuid(number) };
    let (product, model) = (sample::product(1), sample::model(1));

    let synced = |number| sample::activity(number).with_sync_id(sync_id());
    tenant.add(synced(1)).await;
    assert_eq!(refused(&tenant, synced(2)).await, held(RecordKind::Activity, 1));

    let synced = |number| sample::org(number).with_sync_id(sync_id());
    tenant.add(synced(1)).await;
    assert_eq!(refused(&tenant, synced(2)).await, held(RecordKind::Org, sample::ORG + 1));

    let synced = |number| sample::product(number).with_sync_id(sync_id());
    tenant.add(synced(1)).await;
    assert_eq!(refused(&tenant, synced(2)).await, held(RecordKind::Product, 1));

    let synced = |number| sample::model(number).with_sync_id(sync_id());
    tenant.add(synced(1)).await;
    assert_eq!(refused(&tenant, synced(2)).await, held(RecordKind::Model, 1));

    tenant.add(sample::model(3)).await;
    let synced = |number, of: &Model| sample::input(number, of, &product, 1).with_sync_id(sync_id());
    tenant.add(synced(1, &model)).await;
    assert_eq!(refused(&tenant, synced(2, &sample::model(3))).await, held(RecordKind::Input, 1));

    let synced = |number| sample::switch(number, &[]).with_sync_id(sync_id());
    tenant.add(synced(1)).await;
    assert_eq!(refused(&tenant, synced(2)).await, held(RecordKind::Switch, 1));
}

pub async fn an_update_to_a_taken_sync_id_names_its_holder(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let synced = |number| sample::activity(number).with_sync_id(Some(sample::sync_id("S-1")));
    tenant.add(synced(1)).await;
    let second = tenant.add(sample::activity(2)).await;
    let error = tenant.try_update(synced(2), second.version).await.expect_err("is refused");
    assert_eq!(conflict(error), Conflict::SyncId { kind: RecordKind::Activity, holder: sample::uuid(1) });
    assert_eq!(tenant.find(second.value.id).await, Some(second));
}

pub async fn a_record_may_keep_its_own_sync_id_and_slug(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let node = sample::taxonomy(1, "a").with_sync_id(Some(sample::sync_id("S-1")));
    let added = tenant.add(node.clone()).await;
    let renamed = node.with_name(sample::name("Other"));
    tenant.update(renamed.clone(), added.version).await;
    assert_eq!(tenant.find(renamed.id).await.map(|stored| stored.value), Some(renamed));
}

pub async fn kinds_and_trees_have_sync_ids_of_their_own(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let sync_id = || Some(sample::sync_id("S-1"));
    tenant.add(sample::scope(1).with_sync_id(sync_id())).await;
    tenant.add(sample::org(1).with_sync_id(sync_id())).await;
    tenant.add(sample::taxonomy(1, "a").with_sync_id(sync_id())).await;
    tenant.add(sample::product(1).with_sync_id(sync_id())).await;
    tenant.add(sample::model(1).with_sync_id(sync_id())).await;
    tenant.add(sample::activity(1).with_sync_id(sync_id())).await;
}

pub async fn a_slug_is_refused_among_siblings_only(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let below = |number, parent: u64, slug| {
        sample::taxonomy(number, slug).with_parent(Some(sample::id(sample::TAXONOMY + parent)))
    };
    tenant.add(sample::taxonomy(1, "a")).await;
    tenant.add(sample::taxonomy(2, "b")).await;
    tenant.add(below(3, 1, "a")).await;
    tenant.add(below(4, 2, "a")).await;
    let holder = sample::uuid(sample::TAXONOMY + 3);
    assert_eq!(refused(&tenant, below(5, 1, "a")).await, Conflict::Slug { holder });
    let moved = tenant.find::<Taxonomy>(sample::id(sample::TAXONOMY + 4)).await.expect("is there");
    let error = tenant.try_update(below(4, 1, "a"), moved.version).await.expect_err("is refused");
    assert_eq!(conflict(error), Conflict::Slug { holder });
    tenant.update(below(4, 1, "b"), moved.version).await;
}

pub async fn roots_are_siblings_of_each_other(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::taxonomy(1, "a")).await;
    let holder = sample::uuid(sample::TAXONOMY + 1);
    assert_eq!(refused(&tenant, sample::taxonomy(2, "a")).await, Conflict::Slug { holder });
    tenant.add(sample::taxonomy(2, "b")).await;
}

pub async fn a_slug_finds_its_taxonomy_among_siblings_only(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let [root, below, missing] = [1, 2, 9].map(|number| sample::id(sample::TAXONOMY + number));
    tenant.add(sample::taxonomy(1, "a")).await;
    tenant.add(sample::taxonomy(2, "b").with_parent(Some(root))).await;
    let mut tx = tenant.read().await;
    for (parent, slug, expected) in [
        (None, "a", Some(root)),
        (None, "b", None),
        (Some(root), "b", Some(below)),
        (Some(root), "a", None),
        (Some(below), "b", None),
        (Some(missing), "a", None),
    ] {
        let slug = domain::Slug::parse(slug).expect("a slug");
        assert_eq!(tx.taxonomies().find_by_slug(parent, &slug).await.expect("reads"), expected, "{parent:?} {slug}");
    }
}

pub async fn kinds_and_trees_have_ids_of_their_own(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::scope(1).with_id(sample::id(1))).await;
    tenant.add(sample::org(1).with_id(sample::id(1))).await;
    tenant.add(sample::taxonomy(1, "a").with_id(sample::id(1))).await;
    tenant.add(sample::product(1)).await;
    tenant.add(sample::model(1)).await;
    let (scope, org, taxonomy) = (Some(sample::id(1)), Some(sample::id(1)), Some(sample::id(1)));
    tenant
        .add(
            sample::activity(1)
                .with_scope(scope)
                .with_org(org)
                .with_taxonomy(taxonomy)
                .with_product(Some(sample::id(1))),
        )
        .await;
    assert_eq!(tenant.uses::<Org>(sample::id(1)).await, [Use { kind: RecordKind::Activity, count: 1 }]);
    assert_eq!(tenant.uses::<Model>(sample::id(1)).await, []);
}

pub async fn a_refused_write_leaves_nothing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let mut tx = tenant.write().await;
    let orphan = sample::activity(1).with_product(Some(sample::id(9))).with_sync_id(Some(sample::sync_id("S-1")));
    conflict(tx.activities_mut().add(orphan).await.expect_err("is refused"));
    let model = sample::filled_model(1).with_sync_id(Some(sample::sync_id("M-1")));
    tx.models_mut().add(model.clone()).await.expect("adds");
    let error = tx.models_mut().add(model.with_id(sample::id(2))).await.expect_err("is refused");
    conflict(error);
    conflict(tx.switches_mut().add(sample::switch(1, &[sample::id(9)])).await.expect_err("is refused"));
    tx.commit().await.expect("commits");
    let mut tx = tenant.read().await;
    assert_eq!(tx.ledger().series(0).await.expect("reads"), []);
    assert_eq!(cells(&mut *tx).await, []);
    assert_eq!(tx.activities().with_sync_ids(&[sample::sync_id("S-1")]).await.expect("reads"), []);
    assert_eq!(tx.switches().find(sample::id(1)).await.expect("finds"), None);
    let changes = changes_since(&mut *tx, 0, 10).await;
    assert_eq!(changes.iter().map(|(_, items)| items.len()).collect::<Vec<_>>(), [1]);
}
