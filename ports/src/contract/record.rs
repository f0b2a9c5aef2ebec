//! What holds for records of every kind: they come back as they went in, under a version.

use crate::{Stored, Version};
use domain::{
    Activity, ClosedPeriod, Exclusion, Factor, Footprint, Input, Model, Org, Partner, Product, Scope, Sharing, Switch,
    SyncId, Taxonomy,
};

use super::sample;
use super::tenant::Tenant;
use crate::store::{HasRepository, Intent, Store, StoreError};

/// One record of each kind that refers to nothing but what was added here before.
async fn add_one_of_each(tenant: &Tenant<'_>) {
    let (product, model) = (sample::product(1), sample::model(1));
    come_back(tenant, sample::activity(1)).await;
    come_back(tenant, sample::scope(1)).await;
    come_back(tenant, sample::org(1)).await;
    come_back(tenant, sample::taxonomy(1, "travel")).await;
    come_back(tenant, product.clone()).await;
    come_back(tenant, sample::factor(1, &product, "2025-01-01")).await;
    come_back(tenant, model.clone()).await;
    come_back(tenant, sample::input(1, &model, &product, 1)).await;
    come_back(tenant, sample::switch(1, &[])).await;
}

async fn come_back<T: HasRepository>(tenant: &Tenant<'_>, record: T) {
    let added = tenant.add(record.clone()).await;
    assert_eq!(added.value, record);
    assert_eq!(tenant.find(record.id()).await, Some(added));
}

pub async fn a_record_of_each_kind_is_found_as_it_was_added(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    add_one_of_each(&tenant).await;
    let added = tenant.add(sample::footprint(1)).await;
    assert_eq!(added.value, sample::footprint(1).with_number(1));
    assert_eq!(tenant.find(added.value.id).await, Some(added));
}

pub async fn a_filled_record_of_each_kind_comes_back_exactly(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let product = sample::product(1).with_sync_id(Some(sample::sync_id(" ' OR 1=1; -- ")));
    let model = sample::filled_model(1);
    come_back(&tenant, product.clone()).await;
    let factor = sample::factor(1, &product, "0001-01-01");
    come_back(&tenant, factor.clone()).await;
    let sync_id = || Some(sample::sync_id("node\u{a0}ü"));
    come_back(&tenant, sample::scope(1).with_sync_id(sync_id())).await;
    come_back(&tenant, sample::org(1).with_sync_id(sync_id())).await;
    come_back(&tenant, sample::taxonomy(1, "a-1").with_sync_id(sync_id())).await;
    come_back(&tenant, sample::scope(2).with_parent(Some(sample::scope(1).id))).await;
    come_back(&tenant, sample::org(2).with_parent(Some(sample::org(1).id))).await;
    come_back(&tenant, sample::taxonomy(2, "b").with_parent(Some(sample::taxonomy(1, "a").id))).await;
    come_back(&tenant, sample::filled_activity(1)).await;
    come_back(&tenant, model.clone()).await;
    come_back(&tenant, sample::filled_input(1, &model, &product, &factor)).await;
    come_back(&tenant, sample::model(2)).await;
    come_back(&tenant, sample::switch(1, &[sample::id(2), sample::id(1)])).await;
    let bare = sample::switch(2, &[]).with_unit(None).with_image(None).with_sync_id(Some(sample::sync_id("s")));
    come_back(&tenant, bare).await;
    come_back(&tenant, sample::filled_footprint(1).with_number(3)).await;
}

pub async fn an_unknown_id_is_nothing(store: &dyn Store) {
    async fn is_nothing<T: HasRepository>(tenant: &Tenant<'_>) {
        let mut tx = tenant.read().await;
        let reader = T::reader(&mut *tx);
        assert_eq!(reader.find(sample::id(99)).await.expect("finds"), None);
        assert_eq!(reader.find_all(&[sample::id(99)]).await.expect("finds"), []);
        assert_eq!(reader.uses(sample::id(99)).await.expect("finds uses"), []);
    }
    let tenant = Tenant::prepare(store).await;
    add_one_of_each(&tenant).await;
    is_nothing::<Activity>(&tenant).await;
    is_nothing::<Scope>(&tenant).await;
    is_nothing::<Org>(&tenant).await;
    is_nothing::<Taxonomy>(&tenant).await;
    is_nothing::<Product>(&tenant).await;
    is_nothing::<Factor>(&tenant).await;
    is_nothing::<Model>(&tenant).await;
    is_nothing::<Input>(&tenant).await;
    is_nothing::<Switch>(&tenant).await;
    is_nothing::<Footprint>(&tenant).await;
    is_nothing::<ClosedPeriod>(&tenant).await;
    is_nothing::<Exclusion>(&tenant).await;
    is_nothing::<Partner>(&tenant).await;
    is_nothing::<Sharing>(&tenant).await;
}

pub async fn find_all_gives_each_existing_record_once(store: &dyn Store) {
    async fn once<T: HasRepository>(tenant: &Tenant<'_>, records: [T; 3]) {
        for record in records.clone() {
            tenant.add(record).await;
        }
        let [first, _, third] = records.map(|record| record.id());
        let ids = [third, sample::id(99), first, third];
        let mut tx = tenant.read().await;
        let found = T::reader(&mut *tx).find_all(&ids).await.expect("finds");
        let mut found: Vec<uuid::Uuid> = found.iter().map(|stored| stored.value.id().into()).collect();
        found.sort_unstable();
        assert_eq!(found, [first.into(), third.into()]);
        assert_eq!(T::reader(&mut *tx).find_all(&[]).await.expect("finds"), []);
    }
    let tenant = Tenant::prepare(store).await;
    once(&tenant, [1, 2, 3].map(sample::activity)).await;
    once(&tenant, [1, 2, 3].map(sample::product)).await;
    once(&tenant, [1, 2, 3].map(sample::filled_model).map(|model| model.with_sync_id(None))).await;
    once(&tenant, [1, 2, 3].map(|number| sample::switch(number, &[sample::id(number)]))).await;
    once(&tenant, [1, 2, 3].map(sample::footprint)).await;
}

pub async fn a_sync_id_finds_its_record_of_that_kind_only(store: &dyn Store) {
    async fn is_found<T: HasRepository<SyncId = SyncId>>(tenant: &Tenant<'_>, record: T) {
        let sync_id = record.sync_id().expect("has one").clone();
        let find = async |text: &SyncId| {
            let mut tx = tenant.read().await;
            T::reader(&mut *tx).find_by_sync_id(text).await.expect("finds")
        };
        assert_eq!(find(&sync_id).await, None, "{} before it is added", T::KIND);
        let added = tenant.add(record).await;
        assert_eq!(find(&sync_id).await, Some(added.clone()));
        for other in ["a'b\"c ", "A'b\"c", "%"] {
            assert_eq!(find(&sample::sync_id(other)).await, None, "{} {other:?}", T::KIND);
        }
    }
    let tenant = Tenant::prepare(store).await;
    let sync_id = || Some(sample::sync_id("A'b\"c "));
    let (product, model) = (sample::product(2), sample::model(2));
    tenant.add(product.clone()).await;
    tenant.add(model.clone()).await;
    is_found(&tenant, sample::activity(1).with_sync_id(sync_id())).await;
    is_found(&tenant, sample::scope(1).with_sync_id(sync_id())).await;
    is_found(&tenant, sample::org(1).with_sync_id(sync_id())).await;
    is_found(&tenant, sample::taxonomy(1, "a").with_sync_id(sync_id())).await;
    is_found(&tenant, sample::product(1).with_sync_id(sync_id())).await;
    is_found(&tenant, sample::model(1).with_sync_id(sync_id())).await;
    is_found(&tenant, sample::input(1, &model, &product, 1).with_sync_id(sync_id())).await;
    is_found(&tenant, sample::switch(1, &[]).with_sync_id(sync_id())).await;
}

pub async fn created_and_updated_are_the_intents_time(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let intent = Intent { at: sample::at(5), ..sample::intent() };
    let mut tx = store.write(tenant.writing(), intent).await.expect("opens a write transaction");
    let added = tx.products_mut().add(sample::product(1)).await.expect("adds");
    tx.commit().await.expect("commits");
    assert_eq!((added.created, added.updated), (sample::at(5), sample::at(5)));
    assert_eq!(tenant.find(added.value.id).await, Some(added));
}

pub async fn the_version_is_the_transactions_number(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for number in 1..=3 {
        let mut tx = tenant.write().await;
        assert_eq!(tx.number(), number);
        let added = tx.activities_mut().add(sample::activity(number)).await.expect("adds");
        assert_eq!(added.version, Version(number));
        assert_eq!(tx.commit().await.expect("commits").number, number);
    }
}

pub async fn an_update_keeps_created_and_raises_version_and_updated(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let added = tenant.add(sample::product(1)).await;
    let intent = Intent { at: sample::at(60), ..sample::intent() };
    let mut tx = store.write(tenant.writing(), intent).await.expect("opens a write transaction");
    let changed = added.value.clone().with_name(sample::name("Other"));
    let updated = tx.products_mut().update(changed.clone(), added.version).await.expect("updates");
    tx.commit().await.expect("commits");
    let expected = Stored { value: changed, created: added.created, updated: sample::at(60), version: Version(2) };
    assert_eq!(updated, expected);
    assert_eq!(tenant.find(added.value.id).await, Some(expected));
}

pub async fn an_update_replaces_every_field(store: &dyn Store) {
    async fn replaced<T: HasRepository>(tenant: &Tenant<'_>, from: T, to: T) {
        let added = tenant.add(from.clone()).await;
        let updated = tenant.update(to.clone(), added.version).await;
        assert_eq!(tenant.find(to.id()).await.map(|stored| stored.value), Some(to));
        tenant.update(from.clone(), updated.version).await;
        assert_eq!(tenant.find(from.id()).await.map(|stored| stored.value), Some(from));
    }
    let tenant = Tenant::prepare(store).await;
    let (product, model) = (sample::product(1), sample::filled_model(1));
    let factor = sample::factor(1, &product, "2025-01-01");
    let org = sample::org(2).with_sync_id(Some(sample::sync_id("o"))).with_parent(Some(sample::org(1).id));
    tenant.add_trees().await;
    let filled = product.clone().with_sync_id(Some(sample::sync_id("p"))).with_unit(sample::unit("t"));
    replaced(&tenant, filled, product.clone()).await;
    replaced(&tenant, sample::factor(1, &product, "2024-01-01"), factor.clone()).await;
    replaced(&tenant, org, sample::org(2)).await;
    replaced(&tenant, sample::filled_activity(1), sample::activity(1)).await;
    replaced(&tenant, model.clone(), sample::model(1)).await;
    let input = sample::input(1, &model, &product, 1);
    replaced(&tenant, sample::filled_input(1, &model, &product, &factor), input).await;
    replaced(&tenant, sample::switch(1, &[model.id]), sample::switch(1, &[]).with_unit(None).with_image(None)).await;
    let footprint = |footprint: Footprint| footprint.with_number(1);
    replaced(&tenant, footprint(sample::filled_footprint(1)), footprint(sample::footprint(1))).await;
}

pub async fn an_update_of_an_old_version_is_stale_and_changes_nothing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let added = tenant.add(sample::activity(1)).await;
    let updated = tenant.update(sample::activity_in(1, added.value.span, "20"), added.version).await;
    let (head, third) = (tenant.head().await, sample::activity_in(1, added.value.span, "30"));
    for seen in [added.version, Version(3), Version(0)] {
        let error = tenant.try_update(third.clone(), seen).await.expect_err("was changed meanwhile");
        assert!(matches!(error, StoreError::Stale), "{error:?}");
    }
    assert_eq!(tenant.find(added.value.id).await, Some(updated));
    assert_eq!(tenant.head().await, head);
}

pub async fn an_update_of_a_missing_record_is_stale(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let error = tenant.try_update(sample::product(1), Version(1)).await.expect_err("is not there");
    assert!(matches!(error, StoreError::Stale), "{error:?}");
    assert_eq!(tenant.count::<Product>().await, 0);
}

pub async fn a_removed_record_is_gone(store: &dyn Store) {
    async fn goes<T: HasRepository>(tenant: &Tenant<'_>, record: T) {
        let added = tenant.add(record.clone()).await;
        tenant.remove(&added).await;
        assert_eq!(tenant.find::<T>(record.id()).await, None);
        assert_eq!(tenant.count::<T>().await, 0);
    }
    let tenant = Tenant::prepare(store).await;
    goes(&tenant, sample::activity(1)).await;
    goes(&tenant, sample::scope(1)).await;
    goes(&tenant, sample::org(1)).await;
    goes(&tenant, sample::taxonomy(1, "a")).await;
    goes(&tenant, sample::product(1)).await;
    goes(&tenant, sample::filled_model(1)).await;
    goes(&tenant, sample::footprint(1)).await;
    let (product, model) = (sample::product(2), sample::model(2));
    tenant.add(product.clone()).await;
    tenant.add(model.clone()).await;
    goes(&tenant, sample::factor(1, &product, "2025-01-01")).await;
    goes(&tenant, sample::input(1, &model, &product, 1)).await;
    goes(&tenant, sample::switch(1, &[model.id])).await;
}

pub async fn a_removal_of_an_old_version_is_stale_and_changes_nothing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let added = tenant.add(sample::activity(1)).await;
    let updated = tenant.update(added.value.clone(), added.version).await;
    let error = tenant.try_remove::<Activity>(added.value.id, added.version).await.expect_err("was changed");
    assert!(matches!(error, StoreError::Stale), "{error:?}");
    assert_eq!(tenant.find(added.value.id).await, Some(updated));
}

pub async fn a_removal_of_a_missing_record_is_stale(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let error = tenant.try_remove::<Product>(sample::id(1), Version(1)).await.expect_err("is not there");
    assert!(matches!(error, StoreError::Stale), "{error:?}");
}

pub async fn a_removed_records_id_and_sync_id_are_free_again(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let record = sample::product(1).with_sync_id(Some(sample::sync_id("p")));
    let added = tenant.add(record.clone()).await;
    tenant.remove(&added).await;
    let again = tenant.add(record).await;
    assert_eq!(again.version, Version(3));
    let other = sample::product(1).with_sync_id(Some(sample::sync_id("q")));
    tenant.update(other, again.version).await;
    tenant.add(sample::product(2).with_sync_id(Some(sample::sync_id("p")))).await;
}
