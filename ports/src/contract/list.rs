//! Lists: their order, their pages, and what they are narrowed to.

use crate::RecordKind;
use domain::{Factor, Footprint, Input, Model, Node, Product, SyncId};
use uuid::Uuid;

use super::sample;
use super::tenant::{Kept, Tenant};
use crate::repo::{Page, Query};
use crate::store::Store;

fn all_of(kind: RecordKind) -> Query {
    Query { kind, parent: None, sync_id: None, page: Page::FIRST }
}

async fn ids<T: Kept>(tenant: &Tenant<'_>, query: &Query) -> Vec<Uuid> {
    tenant.list::<T>(query).await.data.iter().map(|stored| stored.value.id().into()).collect()
}

pub async fn records_are_listed_by_id(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for number in [3, 1, 300, 2] {
        tenant.add(sample::product(number)).await;
        tenant.add(sample::activity_in(number, sample::span("2025-01-01", "2025-01-01"), "1")).await;
        tenant.add(sample::model(number)).await;
        tenant.add(sample::switch(number, &[])).await;
        tenant.add(sample::org(number)).await;
    }
    let expected = [1, 2, 3, 300].map(sample::uuid);
    assert_eq!(ids::<Product>(&tenant, &all_of(RecordKind::Product)).await, expected);
    assert_eq!(ids::<domain::Activity>(&tenant, &all_of(RecordKind::Activity)).await, expected);
    assert_eq!(ids::<Model>(&tenant, &all_of(RecordKind::Model)).await, expected);
    assert_eq!(ids::<domain::Switch>(&tenant, &all_of(RecordKind::Switch)).await, expected);
    let expected = [1, 2, 3, 300].map(|number| sample::uuid(sample::ORG + number));
    assert_eq!(ids::<Node>(&tenant, &all_of(RecordKind::Org)).await, expected);
}

pub async fn inputs_are_listed_by_their_order_then_id(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (product, model) = (sample::product(1), sample::model(1));
    tenant.add(product.clone()).await;
    tenant.add(model.clone()).await;
    for (number, order) in [(1, 7), (2, i32::MAX), (3, -1), (5, 7), (4, 7), (6, i32::MIN)] {
        tenant.add(sample::input(number, &model, &product, order)).await;
    }
    let query = Query { parent: Some(model.id.uuid()), ..all_of(RecordKind::Input) };
    assert_eq!(ids::<Input>(&tenant, &query).await, [6, 3, 1, 4, 5, 2].map(sample::uuid));
}

pub async fn factors_are_listed_by_the_day_they_hold_from_then_id(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (one, two) = (sample::product(1), sample::product(2));
    tenant.add(one.clone()).await;
    tenant.add(two.clone()).await;
    for (number, of, from) in [(1, &one, "2025-01-01"), (3, &two, "2024-01-01"), (2, &two, "2024-01-01")] {
        tenant.add(sample::factor(number, of, from)).await;
    }
    tenant.add(sample::factor(4, &one, "0001-01-01")).await;
    assert_eq!(ids::<Factor>(&tenant, &all_of(RecordKind::Factor)).await, [4, 2, 3, 1].map(sample::uuid));
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
    for number in [3, 1, 2] {
        tenant.add(sample::footprint(number)).await;
    }
    assert_eq!(ids::<Footprint>(&tenant, &all_of(RecordKind::Footprint)).await, [3, 1, 2].map(sample::uuid));
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
        let of = |kind| Query { parent: Some(sample::uuid(parent)), ..all_of(kind) };
        assert_eq!(ids::<Factor>(&tenant, &of(RecordKind::Factor)).await, expected);
        assert_eq!(ids::<Input>(&tenant, &of(RecordKind::Input)).await, expected);
        assert_eq!(tenant.list::<Input>(&of(RecordKind::Input)).await.count, expected.len() as u64);
    }
}

pub async fn a_list_of_nodes_is_of_one_tree(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for node in [sample::scope(1), sample::org(1), sample::org(2), sample::taxonomy(1, "a")] {
        tenant.add(node).await;
    }
    for (kind, expected) in [(RecordKind::Scope, 1), (RecordKind::Org, 2), (RecordKind::Taxonomy, 1)] {
        let listing = tenant.list::<Node>(&all_of(kind)).await;
        assert_eq!((listing.count, listing.data.len()), (expected, usize::try_from(expected).unwrap_or(0)));
        assert!(listing.data.iter().all(|node| RecordKind::from(node.value.tree()) == kind));
    }
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
        let listing = tenant.list::<Product>(&Query { page, ..all_of(RecordKind::Product) }).await;
        assert_eq!((listing.count, listing.page), (7, page));
        let found: Vec<Uuid> = listing.data.iter().map(|stored| stored.value.id.uuid()).collect();
        assert_eq!(found, expected.into_iter().map(sample::uuid).collect::<Vec<_>>());
    }
}

pub async fn a_list_by_sync_id_has_that_record_alone(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let synced = |text: &str| -> Option<SyncId> { Some(sample::sync_id(text)) };
    tenant.add(sample::product(1)).await;
    tenant.add(Product { sync_id: synced("a"), ..sample::product(2) }).await;
    tenant.add(Product { sync_id: synced("A"), ..sample::product(3) }).await;
    for (text, expected) in [("a", vec![sample::uuid(2)]), ("A", vec![sample::uuid(3)]), ("%", vec![])] {
        let query = Query { sync_id: synced(text), ..all_of(RecordKind::Product) };
        assert_eq!(ids::<Product>(&tenant, &query).await, expected);
        assert_eq!(tenant.list::<Product>(&query).await.count, expected.len() as u64);
    }
}
