//! The change chain: what each transaction wrote, with what it replaced, bound to all before.

use crate::{Change, ChangeDigest, ChangeItem, RecordKind, Version};
use domain::Digest;

use super::read::changes_since;
use super::sample;
use super::tenant::Tenant;
use crate::ledger::{PartPlace, items};
use crate::repo::ActivityWrite;
use crate::store::{Intent, Store};

async fn changes(tenant: &Tenant<'_>) -> Vec<(Change, Vec<ChangeItem>)> {
    changes_since(&mut *tenant.read().await, 0, 1000).await
}

/// The items of the newest change.
async fn newest(tenant: &Tenant<'_>) -> Vec<ChangeItem> {
    changes(tenant).await.pop().map(|(_, items)| items).unwrap_or_default()
}

pub async fn a_change_says_when_who_and_what_for(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let intent = Intent { at: sample::at(-3), cause: "POST /v1/product \"ü\"".into() };
    let mut tx = store.write(tenant.writing(), intent.clone()).await.expect("opens a write transaction");
    tx.products_mut().add(sample::product(1)).await.expect("adds");
    let head = tx.commit().await.expect("commits");
    let expected =
        Change { number: 1, at: intent.at, actor: "cli:me".into(), cause: intent.cause, digest: head.digest };
    let found: Vec<Change> = changes(&tenant).await.into_iter().map(|(change, _)| change).collect();
    assert_eq!(found, [expected]);
}

pub async fn the_chain_adds_up_to_the_head(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let added = tenant.add(sample::product(1)).await;
    tenant.add(sample::activity(1)).await;
    let updated = tenant.update(added.value.with_name(sample::name("Other")), added.version).await;
    tenant.remove(&updated).await;
    tenant.add(sample::filled_model(1)).await;
    let mut previous = Digest::ZERO;
    for (number, (change, items)) in (1..).zip(changes(&tenant).await) {
        let mut chain = ChangeDigest::new(previous, number, change.at, &change.actor, &change.cause);
        for item in &items {
            chain.item(item);
        }
        assert_eq!((change.number, change.digest), (number, chain.finish()));
        previous = change.digest;
    }
    let head = tenant.head().await;
    assert_eq!((head.number, head.digest), (5, previous));
}

pub async fn an_added_record_is_an_item_with_its_digest_alone(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let product = tenant.add(sample::product(1)).await;
    assert_eq!(newest(&tenant).await, [ChangeItem::added(&product)]);
    let scope = tenant.add(sample::scope(1)).await;
    assert_eq!(newest(&tenant).await, [ChangeItem::added(&scope)]);
    let org = tenant.add(sample::org(1)).await;
    assert_eq!(newest(&tenant).await, [ChangeItem::added(&org)]);
    let taxonomy = tenant.add(sample::taxonomy(1, "a")).await;
    assert_eq!(newest(&tenant).await, [ChangeItem::added(&taxonomy)]);
    let factor = tenant.add(sample::factor(1, &product.value, "2025-01-01")).await;
    assert_eq!(newest(&tenant).await, [ChangeItem::added(&factor)]);
    let activity = tenant.add(sample::filled_activity(1)).await;
    assert_eq!(newest(&tenant).await, [ChangeItem::added(&activity)]);
    let model = tenant.add(sample::filled_model(1)).await;
    assert_eq!(newest(&tenant).await, [ChangeItem::added(&model)]);
    let input = tenant.add(sample::filled_input(1, &model.value, &product.value, &factor.value)).await;
    assert_eq!(newest(&tenant).await, [ChangeItem::added(&input)]);
    let switch = tenant.add(sample::switch(1, &[model.value.id])).await;
    assert_eq!(newest(&tenant).await, [ChangeItem::added(&switch)]);
    let footprint = tenant.add(sample::filled_footprint(1)).await;
    assert_eq!(newest(&tenant).await, [ChangeItem::added(&footprint)]);
}

pub async fn an_updated_record_is_an_item_with_the_text_it_replaced(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let before = tenant.add(sample::filled_model(1)).await;
    let after = tenant.update(sample::model(1), before.version).await;
    assert_eq!(newest(&tenant).await, [ChangeItem::updated(&after, &before)]);
    let before = tenant.add(sample::filled_footprint(1)).await;
    let mut amended = before.value.clone();
    amended.fields.remove("pcf");
    let after = tenant.update(amended, before.version).await;
    assert_eq!(newest(&tenant).await, [ChangeItem::updated(&after, &before)]);
}

pub async fn a_removed_record_is_an_item_with_the_text_it_was(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let activity = tenant.add(sample::activity(1)).await;
    tenant.remove(&activity).await;
    assert_eq!(newest(&tenant).await, [ChangeItem::removed(&activity)]);
}

pub async fn items_stand_in_the_order_they_were_written(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let old = tenant.add(sample::product(9)).await;
    let mut tx = tenant.write().await;
    let first = tx.products_mut().add(sample::product(2)).await.expect("adds");
    let activity = tx.activities_mut().add(sample::activity(1)).await.expect("adds");
    let changed = sample::product(2).with_name(sample::name("Other"));
    let second = tx.products_mut().update(changed, Version(2)).await.expect("updates");
    tx.products_mut().remove(old.value.id, old.version).await.expect("removes");
    let other = tx.products_mut().add(sample::product(1)).await.expect("adds");
    tx.commit().await.expect("commits");
    let expected = [
        ChangeItem::added(&first),
        ChangeItem::added(&activity),
        ChangeItem::updated(&second, &first),
        ChangeItem::removed(&old),
        ChangeItem::added(&other),
    ];
    assert_eq!(newest(&tenant).await, expected);
}

pub async fn a_removed_model_takes_its_inputs_each_an_item(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (product, model, other) = (sample::product(1), sample::filled_model(1), sample::model(2));
    tenant.add(product.clone()).await;
    let stored = tenant.add(model.clone()).await;
    tenant.add(other.clone()).await;
    let last = tenant.add(sample::input(1, &model, &product, 2)).await;
    let first = tenant.add(sample::input(2, &model, &product, 1)).await;
    let kept = tenant.add(sample::input(3, &other, &product, 1)).await;
    tenant.remove(&stored).await;
    let expected = [ChangeItem::removed(&first), ChangeItem::removed(&last), ChangeItem::removed(&stored)];
    assert_eq!(newest(&tenant).await, expected);
    let inputs = tenant.read().await.inputs().find_all(&[1, 2, 3].map(sample::id)).await.expect("finds");
    assert_eq!(inputs, [kept]);
}

pub async fn changes_since_gives_the_later_ones_up_to_the_limit(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for number in 1..=5 {
        tenant.add(sample::product(number)).await;
    }
    let mut tx = tenant.read().await;
    for (number, limit, expected) in [(0, 2, vec![1, 2]), (2, 2, vec![3, 4]), (4, 2, vec![5]), (5, 2, vec![])] {
        let found = changes_since(&mut *tx, number, limit).await;
        assert_eq!(found.iter().map(|(change, _)| change.number).collect::<Vec<_>>(), expected);
        for (change, items) in found {
            let ids: Vec<_> = items.iter().map(|item| (item.kind, item.id)).collect();
            assert_eq!(ids, [(RecordKind::Product, sample::uuid(change.number))]);
        }
    }
}

pub async fn parts_of_items_stand_in_the_order_of_their_changes(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for number in 1..=5 {
        tenant.add(sample::product(number)).await;
    }
    let place = |change| PartPlace { change, part: 0 };
    let mut tx = tenant.read().await;
    for (after, limit, expected) in [
        (PartPlace::behind(0), 2, vec![1, 2]),
        (place(2), 2, vec![3, 4]),
        (PartPlace::behind(2), 9, vec![3, 4, 5]),
        (place(5), 2, vec![]),
    ] {
        let found = tx.ledger().items_since(after, limit).await.expect("reads");
        assert_eq!(
            found.iter().map(|(at, _)| *at).collect::<Vec<_>>(),
            expected.into_iter().map(place).collect::<Vec<_>>()
        );
    }
}

pub async fn a_change_of_many_items_has_them_in_parts(store: &dyn Store) {
    const MANY: u64 = 10_000;
    let tenant = Tenant::prepare(store).await;
    let mut tx = tenant.write().await;
    for thousand in 0..MANY / 1_000 {
        let batch = (1..=1_000).map(|number| ActivityWrite::Add(sample::activity(thousand * 1_000 + number)));
        tx.activities_mut().put_all(batch.collect()).await.expect("puts all");
    }
    tx.commit().await.expect("commits");
    let mut tx = tenant.read().await;
    let parts = tx.ledger().items_since(PartPlace::behind(0), 100).await.expect("reads");
    assert!(parts.len() > 1);
    let places: Vec<_> = parts.iter().map(|(place, _)| *place).collect();
    assert_eq!(places, (0..).take(parts.len()).map(|part| PartPlace { change: 1, part }).collect::<Vec<_>>());
    let items = items(tx.ledger(), 1).await.expect("reads");
    assert_eq!(items.iter().map(|item| item.id).collect::<Vec<_>>(), (1..=MANY).map(sample::uuid).collect::<Vec<_>>());
    let (change, mut digest) = {
        let change = tx.ledger().changes_since(0, 1).await.expect("reads").remove(0);
        let digest = ChangeDigest::new(Digest::ZERO, 1, change.at, &change.actor, &change.cause);
        (change, digest)
    };
    for item in &items {
        digest.item(item);
    }
    assert_eq!(digest.finish(), change.digest);
}
