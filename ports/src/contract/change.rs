//! The change chain: what each transaction wrote, with what it replaced, bound to all before.

use crate::{Change, ChangeDigest, ChangeItem, Entity, RecordKind, Stored, Verb, Version};
use domain::{Canonical, Digest, Product};

use super::sample;
use super::tenant::Tenant;
use crate::store::{Intent, Store};

async fn changes(tenant: &Tenant<'_>) -> Vec<(Change, Vec<ChangeItem>)> {
    tenant.read().await.ledger().changes_since(0, 1000).await.expect("reads")
}

/// The items of the newest change.
async fn newest(tenant: &Tenant<'_>) -> Vec<ChangeItem> {
    changes(tenant).await.pop().map(|(_, items)| items).unwrap_or_default()
}

/// The item that a write of the record makes.
fn item<T: Entity>(verb: Verb, stored: &Stored<T>, replaced: Option<&Stored<T>>) -> ChangeItem {
    ChangeItem {
        verb,
        kind: T::KIND,
        id: stored.value.id().into(),
        digest: stored.digest(),
        replaced: replaced.map(Canonical::canonical),
    }
}

pub async fn a_change_says_when_who_and_what_for(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let intent = Intent { at: sample::at(-3), cause: "POST /v1/product \"ü\"".into() };
    let mut tx = store.write(tenant.writing(), intent.clone()).await.expect("opens a write transaction");
    tx.products_mut().add(sample::product(1)).await.expect("adds");
    let head = tx.commit().await.expect("commits");
    let expected =
        Change { number: 1, at: intent.at, actor: "command".into(), cause: intent.cause, digest: head.digest };
    let found: Vec<Change> = changes(&tenant).await.into_iter().map(|(change, _)| change).collect();
    assert_eq!(found, [expected]);
}

pub async fn the_chain_adds_up_to_the_head(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let added = tenant.add(sample::product(1)).await;
    tenant.add(sample::activity(1)).await;
    let updated = tenant.update(Product { name: sample::name("Other"), ..added.value }, added.version).await;
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
    assert_eq!(newest(&tenant).await, [item(Verb::Added, &product, None)]);
    let scope = tenant.add(sample::scope(1)).await;
    assert_eq!(newest(&tenant).await, [item(Verb::Added, &scope, None)]);
    let org = tenant.add(sample::org(1)).await;
    assert_eq!(newest(&tenant).await, [item(Verb::Added, &org, None)]);
    let taxonomy = tenant.add(sample::taxonomy(1, "a")).await;
    assert_eq!(newest(&tenant).await, [item(Verb::Added, &taxonomy, None)]);
    let factor = tenant.add(sample::factor(1, &product.value, "2025-01-01")).await;
    assert_eq!(newest(&tenant).await, [item(Verb::Added, &factor, None)]);
    let activity = tenant.add(sample::filled_activity(1)).await;
    assert_eq!(newest(&tenant).await, [item(Verb::Added, &activity, None)]);
    let model = tenant.add(sample::filled_model(1)).await;
    assert_eq!(newest(&tenant).await, [item(Verb::Added, &model, None)]);
    let input = tenant.add(sample::filled_input(1, &model.value, &product.value, &factor.value)).await;
    assert_eq!(newest(&tenant).await, [item(Verb::Added, &input, None)]);
    let switch = tenant.add(sample::switch(1, &[model.value.id])).await;
    assert_eq!(newest(&tenant).await, [item(Verb::Added, &switch, None)]);
    let footprint = tenant.add(sample::filled_footprint(1)).await;
    assert_eq!(newest(&tenant).await, [item(Verb::Added, &footprint, None)]);
}

pub async fn an_updated_record_is_an_item_with_the_text_it_replaced(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let before = tenant.add(sample::filled_model(1)).await;
    let after = tenant.update(sample::model(1), before.version).await;
    assert_eq!(newest(&tenant).await, [item(Verb::Updated, &after, Some(&before))]);
    let before = tenant.add(sample::filled_footprint(1)).await;
    let mut amended = before.value.clone();
    amended.fields.remove("pcf");
    let after = tenant.update(amended, before.version).await;
    assert_eq!(newest(&tenant).await, [item(Verb::Updated, &after, Some(&before))]);
}

pub async fn a_removed_record_is_an_item_with_the_text_it_was(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let activity = tenant.add(sample::activity(1)).await;
    tenant.remove(&activity).await;
    assert_eq!(newest(&tenant).await, [item(Verb::Removed, &activity, Some(&activity))]);
}

pub async fn items_stand_in_the_order_they_were_written(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let old = tenant.add(sample::product(9)).await;
    let mut tx = tenant.write().await;
    let first = tx.products_mut().add(sample::product(2)).await.expect("adds");
    let activity = tx.activities_mut().add(sample::activity(1)).await.expect("adds");
    let changed = Product { name: sample::name("Other"), ..sample::product(2) };
    let second = tx.products_mut().update(changed, Version(2)).await.expect("updates");
    tx.products_mut().remove(old.value.id, old.version).await.expect("removes");
    let other = tx.products_mut().add(sample::product(1)).await.expect("adds");
    tx.commit().await.expect("commits");
    let expected = [
        item(Verb::Added, &first, None),
        item(Verb::Added, &activity, None),
        item(Verb::Updated, &second, Some(&first)),
        item(Verb::Removed, &old, Some(&old)),
        item(Verb::Added, &other, None),
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
    let expected = [
        item(Verb::Removed, &first, Some(&first)),
        item(Verb::Removed, &last, Some(&last)),
        item(Verb::Removed, &stored, Some(&stored)),
    ];
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
        let found = tx.ledger().changes_since(number, limit).await.expect("reads");
        assert_eq!(found.iter().map(|(change, _)| change.number).collect::<Vec<_>>(), expected);
        for (change, items) in found {
            let ids: Vec<_> = items.iter().map(|item| (item.kind, item.id)).collect();
            assert_eq!(ids, [(RecordKind::Product, sample::uuid(change.number))]);
        }
    }
}
