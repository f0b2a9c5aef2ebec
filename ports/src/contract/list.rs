//! Lists: their order, their pages, and what they are narrowed to.

use crate::Entity;
use domain::{Factor, Footprint, Input, Org, Product, Scope, SyncId, Taxonomy};
use uuid::Uuid;

use super::sample;
use super::tenant::Tenant;
use crate::repo::{Page, Query};
use crate::store::{HasRepository, Store};

async fn ids<T: HasRepository>(tenant: &Tenant<'_>, query: &Query<T>) -> Vec<Uuid> {
    tenant.list(query).await.data.iter().map(|stored| stored.value.id().into()).collect()
}

/// Adds the records and expects the list of all to have them in the order that they say themselves.
async fn are_listed<T: HasRepository>(tenant: &Tenant<'_>, records: impl IntoIterator<Item = T>) -> Vec<Uuid> {
    let mut added = Vec::new();
    for record in records {
        added.push(tenant.add(record).await.value);
    }
    added.sort_by(|a, b| a.order().cmp(&b.order()).then(a.id().cmp(&b.id())));
    let expected: Vec<Uuid> = added.iter().map(|record| record.id().into()).collect();
    let listing = tenant.list(&Query::<T>::all(Page::FIRST)).await;
    assert_eq!(listing.count, expected.len() as u64, "{}", T::KIND);
    let found: Vec<Uuid> = listing.data.iter().map(|stored| stored.value.id().into()).collect();
    assert_eq!(found, expected, "{}", T::KIND);
    found
}

pub async fn records_are_listed_by_id(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let numbers = [3, 1, 300, 2];
    let expected = [1, 2, 3, 300].map(sample::uuid);
    let day = sample::span("2025-01-01", "2025-01-01");
    assert_eq!(are_listed(&tenant, numbers.map(sample::product)).await, expected);
    assert_eq!(are_listed(&tenant, numbers.map(|number| sample::activity_in(number, day, "1"))).await, expected);
    assert_eq!(are_listed(&tenant, numbers.map(sample::model)).await, expected);
    assert_eq!(are_listed(&tenant, numbers.map(|number| sample::switch(number, &[]))).await, expected);
    are_listed(&tenant, numbers.map(sample::scope)).await;
    are_listed(&tenant, numbers.map(sample::org)).await;
    let found = are_listed(&tenant, numbers.map(|number| sample::taxonomy(number, &format!("s{number}")))).await;
    assert_eq!(found, [1, 2, 3, 300].map(|number| sample::uuid(sample::TAXONOMY + number)));
}

pub async fn products_are_read_on_behind_any_id(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let other = Tenant::prepare_nth(store, 2).await;
    for number in [5, 1, 9, 3, 7] {
        tenant.add(sample::product(number)).await;
    }
    other.add(sample::product(4)).await;
    let id = |number| sample::product(number).id;
    for (after, limit, expected) in [
        (None, 2, vec![1, 3]),
        (Some(3), 2, vec![5, 7]),
        // Behind one that nobody has.
        (Some(4), 9, vec![5, 7, 9]),
        (Some(9), 9, vec![]),
        (None, 9, vec![1, 3, 5, 7, 9]),
    ] {
        let mut tx = tenant.read().await;
        let found = tx.products().after(after.map(id), limit).await.expect("reads on");
        let found: Vec<_> = found.iter().map(|stored| stored.value.id).collect();
        assert_eq!(found, expected.into_iter().map(id).collect::<Vec<_>>(), "{after:?} {limit}");
    }
}

pub async fn inputs_are_listed_by_their_order_then_id(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (product, model) = (sample::product(1), sample::model(1));
    tenant.add(product.clone()).await;
    tenant.add(model.clone()).await;
    let places = [(1, 7), (2, i32::MAX), (3, -1), (5, 7), (4, 7), (6, i32::MIN)];
    let inputs = places.map(|(number, order)| sample::input(number, &model, &product, order));
    let expected = [6, 3, 1, 4, 5, 2].map(sample::uuid);
    assert_eq!(are_listed(&tenant, inputs).await, expected);
    assert_eq!(ids(&tenant, &Query::<Input>::of(model.id, Page::FIRST)).await, expected);
}

pub async fn factors_are_listed_by_the_day_they_hold_from_then_id(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (one, two) = (sample::product(1), sample::product(2));
    tenant.add(one.clone()).await;
    tenant.add(two.clone()).await;
    let days = [(1, &one, "2025-01-01"), (3, &two, "2024-01-01"), (2, &two, "2024-01-01"), (4, &one, "0001-01-01")];
    let factors = days.map(|(number, of, from)| sample::factor(number, of, from));
    assert_eq!(are_listed(&tenant, factors).await, [4, 2, 3, 1].map(sample::uuid));
}

pub async fn factors_of_many_products_come_at_once(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let products = [1, 2, 3].map(sample::product);
    for (number, product) in (1..).zip(&products) {
        tenant.add(product.clone()).await;
        tenant.add(sample::factor(number, product, "2023-01-01")).await;
    }
    let wrong = sample::factor(3, &products[2], "2023-01-01");
    let right = tenant.add(sample::correction(9, &products[2], &wrong)).await;
    let mut tx = tenant.read().await;
    let asked = [products[2].id, sample::id(8), products[0].id, products[2].id];
    let mut found = tx.factors().of_products(&asked).await.expect("reads");
    found.sort_by_key(|stored| stored.value.id());
    assert_eq!(found.iter().map(|stored| stored.value.id()).collect::<Vec<_>>(), [1, 3, 9].map(sample::id));
    assert_eq!(found[2], right);
    assert_eq!(tx.factors().of_products(&[]).await.expect("reads"), []);
}

pub async fn footprints_are_listed_by_their_number(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    assert_eq!(are_listed(&tenant, [3, 1, 2].map(sample::footprint)).await, [3, 1, 2].map(sample::uuid));
}

pub async fn a_list_of_a_parent_has_its_own_alone(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (products, models) = ([1, 2, 3].map(sample::product), [1, 2, 3].map(sample::model));
    for number in 0..3 {
        tenant.add(products[number].clone()).await;
        tenant.add(models[number].clone()).await;
    }
    for (number, of) in [(1, 0), (2, 1), (3, 0)] {
        tenant.add(sample::factor(number, &products[of], &format!("202{number}-01-01"))).await;
        tenant.add(sample::input(number, &models[of], &products[2], 1)).await;
    }
    for (parent, expected) in [(1, vec![sample::uuid(1), sample::uuid(3)]), (2, vec![sample::uuid(2)]), (3, vec![])] {
        let factors = Query::<Factor>::of(sample::id(parent), Page::FIRST);
        assert_eq!(ids(&tenant, &factors).await, expected);
        assert_eq!(tenant.list(&factors).await.count, expected.len() as u64);
        let inputs = Query::<Input>::of(sample::id(parent), Page::FIRST);
        assert_eq!(ids(&tenant, &inputs).await, expected);
        assert_eq!(tenant.list(&inputs).await.count, expected.len() as u64);
    }
}

pub async fn a_tree_is_read_and_listed_apart_from_the_others(store: &dyn Store) {
    async fn has<T: HasRepository>(tenant: &Tenant<'_>, expected: u64) {
        let listing = tenant.list(&Query::<T>::all(Page::FIRST)).await;
        assert_eq!((listing.count, listing.data.len() as u64), (expected, expected), "{}", T::KIND);
    }
    let tenant = Tenant::prepare(store).await;
    let (scope, org, taxonomy) = tenant.add_trees().await;
    let below = tenant.add(sample::org(2).with_parent(Some(org.value.id))).await;
    has::<Scope>(&tenant, 1).await;
    has::<Org>(&tenant, 2).await;
    has::<Taxonomy>(&tenant, 1).await;
    let mut tx = tenant.read().await;
    assert_eq!(tx.scopes().all().await.expect("reads"), [scope]);
    let mut orgs = tx.orgs().all().await.expect("reads");
    orgs.sort_by_key(|stored| stored.value.id);
    assert_eq!(orgs, [org, below]);
    assert_eq!(tx.taxonomies().all().await.expect("reads"), [taxonomy]);
}

pub async fn pages_follow_each_other_and_each_counts_all(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let mut tx = tenant.write().await;
    for number in 1..=7 {
        tx.products_mut().add(sample::product(number)).await.expect("adds");
    }
    tx.commit().await.expect("commits");
    for (number, expected) in [(1, vec![1, 2, 3]), (2, vec![4, 5, 6]), (3, vec![7]), (4, vec![]), (u32::MAX, vec![])] {
        let page = Page { number, size: 3 };
        let listing = tenant.list(&Query::<Product>::all(page)).await;
        assert_eq!((listing.count, listing.page), (7, page));
        let found: Vec<Uuid> = listing.data.iter().map(|stored| stored.value.id.uuid()).collect();
        assert_eq!(found, expected.into_iter().map(sample::uuid).collect::<Vec<_>>());
    }
}

pub async fn a_list_by_sync_id_has_that_record_alone(store: &dyn Store) {
    async fn has<T: HasRepository<SyncId = SyncId>>(tenant: &Tenant<'_>, [bare, synced]: [T; 2]) {
        let sync_id = synced.sync_id().cloned();
        tenant.add(bare).await;
        let expected = tenant.add(synced).await;
        let query = Query::<T> { sync_id, ..Query::all(Page::FIRST) };
        let found = tenant.list(&query).await;
        assert_eq!((found.count, found.data), (1, vec![expected]), "{}", T::KIND);
        for other in ["A", "%", " a"] {
            let query = Query::<T> { sync_id: Some(sample::sync_id(other)), ..Query::all(Page::FIRST) };
            assert_eq!(tenant.list(&query).await.count, 0, "{} {other:?}", T::KIND);
        }
    }
    let tenant = Tenant::prepare(store).await;
    let synced = || Some(sample::sync_id("a"));
    let (product, model) = (sample::product(9), sample::model(9));
    tenant.add(product.clone()).await;
    tenant.add(model.clone()).await;
    let input = |number| sample::input(number, &model, &product, 1);
    has(&tenant, [sample::activity(1), sample::activity(2).with_sync_id(synced())]).await;
    has(&tenant, [sample::scope(1), sample::scope(2).with_sync_id(synced())]).await;
    has(&tenant, [sample::org(1), sample::org(2).with_sync_id(synced())]).await;
    let taxonomy = sample::taxonomy(2, "b").with_sync_id(synced());
    has(&tenant, [sample::taxonomy(1, "a"), taxonomy]).await;
    has(&tenant, [sample::product(1), sample::product(2).with_sync_id(synced())]).await;
    has(&tenant, [sample::model(1), sample::model(2).with_sync_id(synced())]).await;
    has(&tenant, [input(1), input(2).with_sync_id(synced())]).await;
    has(&tenant, [sample::switch(1, &[]), sample::switch(2, &[]).with_sync_id(synced())]).await;
    has_no_sync_ids(&tenant).await;
}

/// Factors and footprints have none, so a query cannot ask for one.
async fn has_no_sync_ids(tenant: &Tenant<'_>) {
    let added = tenant.add(sample::footprint(1)).await;
    assert_eq!(added.value.sync_id(), None);
    assert_eq!(ids(tenant, &Query::<Footprint>::all(Page::FIRST)).await, [sample::uuid(1)]);
}
