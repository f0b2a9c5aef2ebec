//! The history of one record, from its newest version backwards.

use domain::{Activity, Product};

use super::read::changes_since;
use super::sample;
use super::tenant::Tenant;
use crate::ledger::{PastVersion, TextPlace, history, texts};
use crate::store::{Store, StoreError};
use crate::{Action, BlankedVersion, ChangeItem, RecordKind, Verb, Version};

async fn of_product(tenant: &Tenant<'_>, number: u64, limit: usize) -> Vec<PastVersion> {
    let mut tx = tenant.read().await;
    history(tx.ledger(), RecordKind::Product, sample::uuid(number), limit).await.expect("reads the history")
}

fn shown(history: &[PastVersion]) -> Vec<(u64, Verb)> {
    history.iter().map(|past| (past.change.number, past.item.verb())).collect()
}

fn named(number: u64, name: &str) -> Product {
    sample::product(number).with_name(sample::name(name))
}

pub async fn a_record_that_never_was_has_no_history(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::product(1)).await;
    assert_eq!(of_product(&tenant, 2, 10).await, []);
    let mut tx = tenant.read().await;
    let other_kind = history(tx.ledger(), RecordKind::Model, sample::uuid(1), 10).await.expect("reads the history");
    assert_eq!(other_kind, []);
}

pub async fn a_history_goes_back_through_updates_removal_and_adding_again(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let first = tenant.add(named(1, "first")).await;
    tenant.add(sample::product(2)).await;
    let second = tenant.update(named(1, "second"), first.version).await;
    tenant.remove(&second).await;
    tenant.add(sample::product(3)).await;
    assert_eq!(shown(&of_product(&tenant, 1, 10).await), [(4, Verb::Removed), (3, Verb::Updated), (1, Verb::Added)]);
    let third = tenant.add(named(1, "third")).await;
    let fourth = tenant.update(named(1, "fourth"), third.version).await;
    tenant.remove(&fourth).await;
    let fifth = tenant.add(named(1, "fifth")).await;
    let found = of_product(&tenant, 1, 20).await;
    let expected = [
        (9, ChangeItem::added(&fifth)),
        (8, ChangeItem::removed(&fourth)),
        (7, ChangeItem::updated(&fourth, &third)),
        (6, ChangeItem::added(&third)),
        (4, ChangeItem::removed(&second)),
        (3, ChangeItem::updated(&second, &first)),
        (1, ChangeItem::added(&first)),
    ];
    let found: Vec<(u64, ChangeItem)> = found.into_iter().map(|past| (past.change.number, past.item)).collect();
    assert_eq!(found, expected);
    assert_eq!(shown(&of_product(&tenant, 1, 2).await), [(9, Verb::Added), (8, Verb::Removed)]);
    assert_eq!(shown(&of_product(&tenant, 2, 9).await), [(2, Verb::Added)]);
}

pub async fn what_one_change_did_to_a_record_twice_is_in_its_history_twice(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let first = tenant.add(named(1, "first")).await;
    let mut tx = tenant.write().await;
    let second = tx.products_mut().update(named(1, "second"), first.version).await.expect("updates");
    tx.products_mut().update(named(1, "third"), second.version).await.expect("updates");
    tx.products_mut().remove(sample::id(1), Version(2)).await.expect("removes");
    tx.products_mut().add(named(1, "fourth")).await.expect("adds");
    tx.commit().await.expect("commits");
    let expected = [(2, Verb::Added), (2, Verb::Removed), (2, Verb::Updated), (2, Verb::Updated), (1, Verb::Added)];
    assert_eq!(shown(&of_product(&tenant, 1, 10).await), expected);
}

pub async fn versions_and_removals_are_told_of_each_kind(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let product = tenant.add(sample::product(1)).await;
    let activity = tenant.add(sample::activity(1)).await;
    let org = tenant.add(sample::org(1)).await;
    tenant.remove(&activity).await;
    tenant.remove(&org).await;
    let again = tenant.add(sample::activity(1)).await;
    tenant.remove(&again).await;
    let mut tx = tenant.read().await;
    let (one, of_org) = (sample::uuid(1), org.value.id.into());
    let found = [
        tx.ledger().version_of(RecordKind::Product, one).await.expect("reads"),
        tx.ledger().version_of(RecordKind::Activity, one).await.expect("reads"),
        tx.ledger().version_of(RecordKind::Org, of_org).await.expect("reads"),
        tx.ledger().version_of(RecordKind::Scope, of_org).await.expect("reads"),
    ];
    assert_eq!(found, [Some(product.version), None, None, None]);
    for (kind, id, before, expected) in [
        (RecordKind::Product, one, u64::MAX, None),
        (RecordKind::Activity, one, u64::MAX, Some(7)),
        (RecordKind::Activity, one, 7, Some(4)),
        (RecordKind::Activity, one, 4, None),
        (RecordKind::Org, of_org, 9, Some(5)),
        (RecordKind::Scope, of_org, 9, None),
    ] {
        assert_eq!(tx.ledger().removal_before(kind, id, before).await.expect("reads"), expected, "{kind} {before}");
    }
}

pub async fn an_activity_of_a_batch_is_found_in_its_history(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let mut tx = tenant.write().await;
    let batch = (1..=5_000).map(|number| crate::repo::ActivityWrite::Add(sample::activity(number)));
    tx.activities_mut().put_all(batch.collect()).await.expect("puts all");
    tx.commit().await.expect("commits");
    let last = tenant.find::<Activity>(sample::id(4_999)).await.expect("is there");
    let renamed = last.value.clone().with_name(sample::name("Other"));
    let renamed = tenant.update(renamed, last.version).await;
    let mut tx = tenant.read().await;
    let found = history(tx.ledger(), RecordKind::Activity, sample::uuid(4_999), 9).await.expect("reads the history");
    let items: Vec<ChangeItem> = found.into_iter().map(|past| past.item).collect();
    assert_eq!(items, [ChangeItem::updated(&renamed, &last), ChangeItem::added(&last)]);
}

pub async fn a_replaced_text_is_the_version_that_its_item_names(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let first = tenant.add(named(1, "first")).await;
    tenant.update(named(1, "second"), first.version).await;
    for (_, items) in changes_since(&mut *tenant.read().await, 0, 9).await {
        for item in items {
            let replaced = match item.action {
                Action::Added(_) | Action::Blanked(_) => continue,
                Action::Updated { replaced, .. } | Action::Removed(replaced) => replaced,
            };
            assert!(replaced.is_sound());
            assert_eq!(replaced.version, first.version);
            assert!(replaced.text.is_some_and(|text| text.contains("\"version\":1,")));
        }
    }
}

/// Blanks the texts of a product's replaced versions, and gives how many there were.
async fn blank(tenant: &Tenant<'_>, number: u64) -> usize {
    let mut tx = tenant.write().await;
    let places = texts(tx.ledger(), RecordKind::Product, sample::uuid(number)).await.expect("looks");
    let places = places.expect("there was such a product");
    for place in &places {
        tx.ledger_mut().blank(place).await.expect("blanks");
    }
    tx.commit().await.expect("commits");
    places.len()
}

pub async fn a_blanked_text_is_gone_and_all_else_stands(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let first = tenant.add(named(1, "first")).await;
    let other = tenant.add(named(2, "other")).await;
    let second = tenant.update(named(1, "second"), first.version).await;
    tenant.update(named(2, "another"), other.version).await;
    tenant.remove(&second).await;
    assert_eq!(blank(&tenant, 1).await, 2);
    let found = of_product(&tenant, 1, 9).await;
    assert_eq!(shown(&found), [(5, Verb::Removed), (3, Verb::Updated), (1, Verb::Added)]);
    let texts: Vec<bool> = found.iter().filter_map(|past| past.item.replaced()).map(|it| it.text.is_none()).collect();
    assert_eq!(texts, [true, true], "a text is there");
    let kept = of_product(&tenant, 2, 9).await;
    assert_eq!(
        kept[0].item,
        ChangeItem::updated(&tenant.find::<Product>(sample::id(2)).await.expect("is there"), &other)
    );
    let verified = store.verify(tenant.grant()).await.expect("verifies");
    assert_eq!((verified.findings, verified.blanked, verified.changes), (Vec::new(), 2, 6));
    let (change, items) = changes_since(&mut *tenant.read().await, 5, 9).await.remove(0);
    assert_eq!(change.number, 6);
    let expected = found
        .iter()
        .filter_map(|past| past.item.replaced())
        .map(|replaced| BlankedVersion { version: replaced.version, digest: replaced.digest });
    let told: Vec<BlankedVersion> = items.iter().filter_map(|item| item.blanked().copied()).collect();
    assert_eq!(told, expected.collect::<Vec<_>>());
}

pub async fn what_is_blank_is_not_blanked_again(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let first = tenant.add(named(1, "first")).await;
    tenant.update(named(1, "second"), first.version).await;
    let place = {
        let mut tx = tenant.read().await;
        texts(tx.ledger(), RecordKind::Product, sample::uuid(1)).await.expect("looks").expect("was").remove(0)
    };
    assert_eq!(blank(&tenant, 1).await, 1);
    assert_eq!(blank(&tenant, 1).await, 0);
    let mut tx = tenant.write().await;
    assert!(matches!(tx.ledger_mut().blank(&place).await, Err(StoreError::Stale)));
    let elsewhere = TextPlace { bytes: place.bytes.start + 1..place.bytes.end, ..place };
    assert!(matches!(tx.ledger_mut().blank(&elsewhere).await, Err(StoreError::Stale)));
    assert_eq!(tx.commit().await.expect("commits").number, 3, "nothing was written");
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

pub async fn a_blanking_that_is_dropped_leaves_the_text(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let first = tenant.add(named(1, "first")).await;
    tenant.update(named(1, "second"), first.version).await;
    let mut tx = tenant.write().await;
    let place = texts(tx.ledger(), RecordKind::Product, sample::uuid(1)).await.expect("looks").expect("was").remove(0);
    tx.ledger_mut().blank(&place).await.expect("blanks");
    drop(tx);
    let found = of_product(&tenant, 1, 9).await;
    assert!(found[0].item.replaced().is_some_and(|replaced| replaced.text.is_some()));
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").blanked, 0);
}

pub async fn one_text_of_a_batch_is_blanked_and_its_neighbours_stay(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let mut tx = tenant.write().await;
    let batch = (1..=3_000).map(|number| crate::repo::ActivityWrite::Add(sample::activity(number)));
    tx.activities_mut().put_all(batch.collect()).await.expect("puts all");
    tx.commit().await.expect("commits");
    let mut tx = tenant.write().await;
    let renamed = |number| sample::activity(number).with_name(sample::name("Other"));
    let batch = (1..=3_000).map(|number| crate::repo::ActivityWrite::Update(renamed(number), Version(1)));
    tx.activities_mut().put_all(batch.collect()).await.expect("puts all");
    tx.commit().await.expect("commits");
    let mut tx = tenant.write().await;
    let places = texts(tx.ledger(), RecordKind::Activity, sample::uuid(2_999)).await.expect("looks").expect("was");
    assert_eq!(places.len(), 1);
    tx.ledger_mut().blank(&places[0]).await.expect("blanks");
    tx.commit().await.expect("commits");
    for number in [2_998, 2_999, 3_000] {
        let mut tx = tenant.read().await;
        let found = history(tx.ledger(), RecordKind::Activity, sample::uuid(number), 1).await.expect("reads");
        let replaced = found[0].item.replaced().expect("was replaced");
        assert_eq!(replaced.text.is_none(), number == 2_999, "{number}");
    }
    let verified = store.verify(tenant.grant()).await.expect("verifies");
    assert_eq!((verified.findings, verified.blanked), (Vec::new(), 1));
}
