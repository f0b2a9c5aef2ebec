//! The numbers of footprints: counted, never used again, and kept while others name them; and the lists that partners read.

use crate::RecordKind;
use domain::Footprint;
use domain::footprint::{Edition, FieldValue, FootprintPlace, FromModel, Reference, Verdict};

use super::sample;
use super::tenant::Tenant;
use crate::repo::{Shown, Use, Valid};
use crate::store::{Conflict, Store, StoreError};

async fn number_of_next(tenant: &Tenant<'_>, id: u64) -> u64 {
    tenant.add(sample::footprint(id)).await.value.number
}

pub async fn footprints_are_numbered_from_one(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    assert_eq!(number_of_next(&tenant, 5).await, 1);
    let mut tx = tenant.write().await;
    for (id, number) in [(4, 2), (6, 3)] {
        let added = tx.footprints_mut().add(sample::footprint(id)).await.expect("adds");
        assert_eq!(added.value.number, number);
    }
    tx.commit().await.expect("commits");
    assert_eq!(number_of_next(&tenant, 7).await, 4);
    assert_eq!(tenant.find::<Footprint>(sample::id(6)).await.map(|stored| stored.value.number), Some(3));
}

pub async fn a_removed_footprints_number_is_not_used_again(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let first = tenant.add(sample::footprint(1)).await;
    let second = tenant.add(sample::footprint(2)).await;
    tenant.remove(&second).await;
    assert_eq!(number_of_next(&tenant, 3).await, 3);
    tenant.remove(&first).await;
    assert_eq!(number_of_next(&tenant, 4).await, 4);
}

pub async fn a_given_number_is_kept_and_the_next_is_above_it(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let added = tenant.add(sample::footprint(1).with_number(7)).await;
    assert_eq!(added.value.number, 7);
    assert_eq!(number_of_next(&tenant, 2).await, 8);
}

pub async fn a_refused_footprint_uses_no_number_up(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let mut tx = tenant.write().await;
    tx.footprints_mut().add(sample::footprint(1)).await.expect("adds");
    tx.footprints_mut().add(sample::footprint(1)).await.expect_err("is there");
    let added = tx.footprints_mut().add(sample::footprint(2)).await.expect("adds");
    assert_eq!(added.value.number, 2);
    tx.commit().await.expect("commits");
}

pub async fn footprints_above_a_number_come_by_number_up_to_the_limit(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for id in [5, 4, 3, 2] {
        tenant.add(sample::footprint(id)).await;
    }
    let third = tenant.find::<Footprint>(sample::id(3)).await.expect("is there");
    tenant.remove(&third).await;
    let mut tx = tenant.read().await;
    for (above, limit, expected) in [(0, 10, vec![1, 2, 4]), (0, 2, vec![1, 2]), (2, 10, vec![4]), (4, 10, vec![])] {
        let found = tx.footprints().above(above, limit).await.expect("reads");
        let numbers: Vec<_> = found.iter().map(|stored| stored.value.number).collect();
        assert_eq!(numbers, expected, "above {above}, at most {limit}");
    }
}

pub async fn a_footprint_that_others_name_by_its_number_is_kept_and_says_so(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let naming = |id, references: &[Reference]| {
        let mut footprint = sample::footprint(id);
        footprint.fields.set("precedingPfIds", FieldValue::References(references.to_vec())).expect("a field");
        footprint
    };
    let first = tenant.add(naming(1, &[Reference::Number(1)])).await;
    let second = tenant.add(sample::footprint(2)).await;
    let text = Reference::Text("2".into());
    tenant.add(naming(3, &[Reference::Number(9), Reference::Number(2)])).await;
    let fourth = tenant.add(naming(4, &[Reference::Number(2), text.clone(), Reference::Number(2)])).await;
    tenant.add(naming(5, &[text, Reference::Number(-2), Reference::Number(22)])).await;
    let uses = vec![Use { kind: RecordKind::Footprint, count: 2 }];
    assert_eq!(tenant.uses::<Footprint>(second.value.id).await, uses);
    let error = tenant.try_remove::<Footprint>(second.value.id, second.version).await.expect_err("is in use");
    assert!(matches!(&error, StoreError::Conflict(Conflict::InUse(found)) if *found == uses), "{error:?}");
    assert_eq!(tenant.find(second.value.id).await, Some(second));
    for unnamed in [first, fourth] {
        assert_eq!(tenant.uses::<Footprint>(unnamed.value.id).await, []);
        tenant.remove(&unnamed).await;
    }
}

/// Adds the footprints with those ids, created then, per that unit.
async fn add_shown(tenant: &Tenant<'_>, all: &[(u64, &str, &str)]) {
    for (id, created, unit) in all {
        tenant.add(sample::shown_footprint(*id, created, unit)).await;
    }
}

/// The numbers of the whole list, read in parts of that size.
async fn shown(tenant: &Tenant<'_>, edition: Edition, until: u64, limit: u32) -> Vec<u64> {
    let mut tx = tenant.read().await;
    let (mut numbers, mut after) = (Vec::new(), None);
    loop {
        let batch = tx
            .footprints()
            .shown(Shown { edition, after, until, products: None, partner: None, limit })
            .await
            .expect("reads");
        assert!(batch.records.len() <= limit as usize);
        numbers.extend(batch.records.iter().map(|stored| stored.value.number));
        after = batch.end;
        if after.is_none() {
            return numbers;
        }
    }
}

pub async fn an_edition_shows_its_footprints_by_creation_then_number(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    add_shown(
        &tenant,
        &[
            (9, "2025-03-01T00:00:00Z", "kilogram"),
            (8, "2025-01-01T01:00:00.000001Z", "piece"),
            (7, "0001-01-01T23:59:00+23:59", "kilogram"),
            (6, "2025-01-01T02:00:00.000001999+01:00", "kilogram"),
            (5, "9999-12-31T00:00:59.999999999-23:59", "liter"),
        ],
    )
    .await;
    tenant.add(sample::footprint(4)).await;
    for limit in [1, 2, 100] {
        assert_eq!(shown(&tenant, Edition::V3, u64::MAX, limit).await, [3, 2, 4, 1, 5], "{limit}");
        assert_eq!(shown(&tenant, Edition::V2, u64::MAX, limit).await, [3, 4, 1, 5], "{limit}");
    }
}

pub async fn a_list_of_an_edition_is_read_on_from_a_place_up_to_a_number(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let day = "2025-01-01T00:00:00Z";
    add_shown(&tenant, &[(1, day, "kilogram"), (2, day, "kilogram"), (3, day, "kilogram")]).await;
    let asked = Shown { edition: Edition::V3, after: None, until: 3, products: None, partner: None, limit: 2 };
    let mut tx = tenant.read().await;
    let first = tx.footprints().shown(asked.clone()).await.expect("reads");
    let place = FootprintPlace::of(&first.records[1].value);
    assert_eq!((first.records.len(), first.end), (2, Some(place)));
    drop(tx);
    // What is added later has a higher number, wherever it stands.
    add_shown(&tenant, &[(4, "2024-01-01T00:00:00Z", "kilogram"), (5, day, "kilogram")]).await;
    let mut tx = tenant.read().await;
    let rest = tx.footprints().shown(Shown { after: first.end, ..asked }).await.expect("reads");
    let numbers: Vec<_> = rest.records.iter().map(|stored| stored.value.number).collect();
    assert_eq!((numbers, rest.end), (vec![3], None));
    assert_eq!(shown(&tenant, Edition::V3, 3, 2).await, [1, 2, 3]);
    assert_eq!(shown(&tenant, Edition::V3, u64::MAX, 2).await, [4, 1, 2, 3, 5]);
    assert_eq!(shown(&tenant, Edition::V3, 0, 2).await, [0; 0]);
}

pub async fn a_verdict_is_kept_and_made_anew_when_its_footprint_changes(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let added = tenant.add(sample::shown_footprint(1, "2025-01-01T00:00:00Z", "piece")).await;
    let hidden = tenant.add(sample::filled_footprint(2)).await;
    let mut tx = tenant.write().await;
    for stored in [&added, &hidden] {
        let verdict = tx.footprints().verdict(stored.value.id).await.expect("reads");
        assert_eq!(verdict, Some(Verdict::of(&stored.value)));
    }
    assert_eq!(tx.footprints().verdict(sample::id(3)).await.expect("reads"), None);
    let mut changed = added.value.clone();
    changed.fields.object_mut("pcf").expect("pcf").remove("fossilGhgEmissions");
    let changed = tx.footprints_mut().update(changed, added.version).await.expect("updates");
    let verdict = tx.footprints().verdict(changed.value.id).await.expect("reads").expect("is there");
    assert_eq!(verdict, Verdict::of(&changed.value));
    assert!(!verdict.is_shown(Edition::V3));
    tx.commit().await.expect("commits");
    assert_eq!(shown(&tenant, Edition::V3, u64::MAX, 10).await, [0; 0]);
    tenant.remove(&changed).await;
    assert_eq!(tenant.read().await.footprints().verdict(changed.value.id).await.expect("reads"), None);
}

pub async fn the_interfaces_list_has_the_valid_footprints_by_number(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let day = "2025-01-01T00:00:00Z";
    tenant.add(sample::footprint(1)).await;
    add_shown(&tenant, &[(2, "2026-01-01T00:00:00Z", "kilogram"), (3, day, "piece")]).await;
    tenant.add(sample::footprint(4)).await;
    add_shown(&tenant, &[(5, day, "liter"), (6, day, "liter")]).await;
    let mut tx = tenant.read().await;
    for (limit, until, expected) in [(1, 5, vec![2, 3, 5]), (2, u64::MAX, vec![2, 3, 5, 6]), (100, 2, vec![2])] {
        let (mut numbers, mut after) = (Vec::new(), 0);
        loop {
            let batch = tx.footprints().valid(Valid { after, until, limit }).await.expect("reads");
            assert!(batch.records.len() <= limit as usize);
            numbers.extend(batch.records.iter().map(|stored| stored.value.number));
            match batch.end {
                Some(end) => after = end,
                None => break,
            }
        }
        assert_eq!(numbers, expected, "{limit} {until}");
    }
}

pub async fn a_list_of_products_has_their_footprints_whatever_their_case(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let mut several = sample::shown_footprint(1, "2025-01-02T00:00:00Z", "kilogram");
    let ids = ["urn:x:Größe", "urn:x:b", "URN:X:B"].map(str::to_owned).to_vec();
    several.fields.set("productIds", FieldValue::Texts(ids)).expect("a field");
    // A set with an item twice is no valid one, so the third is taken out again.
    let mut valid = several.clone();
    let ids = ["urn:x:Größe", "urn:x:b"].map(str::to_owned).to_vec();
    valid.fields.set("productIds", FieldValue::Texts(ids)).expect("a field");
    let stored = tenant.add(several).await;
    let stored = tenant.update(stored.value.with_fields(valid.fields), stored.version).await;
    add_shown(&tenant, &[(2, "2025-01-01T00:00:00Z", "kilogram"), (3, "2025-01-03T00:00:00Z", "kilogram")]).await;
    let found = async |products: &[&str], limit: u32| {
        let products = Some(products.iter().map(|id| (*id).to_owned()).collect());
        let asked = Shown { edition: Edition::V3, after: None, until: u64::MAX, products, partner: None, limit };
        let batch = tenant.read().await.footprints().shown(asked).await.expect("reads");
        (batch.records.iter().map(|stored| stored.value.number).collect::<Vec<_>>(), batch.end.is_some())
    };
    assert_eq!(found(&["urn:x:größe"], 1).await, (vec![1], false));
    assert_eq!(found(&["urn:x:b", "urn:x:größe", "urn:gtin:2"], 10).await, (vec![2, 1], false));
    assert_eq!(found(&["urn:x:b", "urn:gtin:2"], 1).await, (vec![2], true));
    assert_eq!(found(&["urn:x:grösse"], 10).await, (vec![], false));
    assert_eq!(found(&[], 10).await, (vec![], false));
    tenant.remove(&stored).await;
    assert_eq!(found(&["urn:x:b"], 10).await, (vec![], false));
}

pub async fn the_newest_footprint_of_a_model_is_found(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for (id, model) in [(1, 7), (2, 8), (3, 7)] {
        let made = FromModel { model: sample::id(model), said: sample::filled_footprint(1).fields };
        let footprint = sample::footprint(id).with_from_model(Some(Box::new(made)));
        let added = tenant.add(footprint.clone()).await;
        let found = tenant.read().await.footprints().find(added.value.id).await.expect("reads").expect("is there");
        assert_eq!(found.value, footprint.with_number(id));
    }
    tenant.add(sample::footprint(4)).await;
    let mut tx = tenant.read().await;
    for (model, number) in [(7, Some(3)), (8, Some(2)), (9, None)] {
        let found = tx.footprints().of_model(sample::id(model)).await.expect("reads");
        assert_eq!(found.map(|stored| stored.value.number), number, "{model}");
    }
}

pub async fn verdicts_of_the_rules_of_now_are_not_renewed(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::filled_footprint(1)).await;
    let head = tenant.head().await;
    assert_eq!(store.renew_verdicts(tenant.grant()).await.expect("renews"), 0);
    assert_eq!(tenant.head().await, head);
}

pub async fn footprints_are_found_by_their_numbers(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for id in [5, 4, 3] {
        tenant.add(sample::footprint(id)).await;
    }
    let mut tx = tenant.read().await;
    let mut found = tx.footprints().numbered(&[3, 1, 3, 9, u64::MAX, 0]).await.expect("reads");
    found.sort_unstable();
    assert_eq!(found, [(1, sample::id(5)), (3, sample::id(3))]);
    assert_eq!(tx.footprints().numbered(&[]).await.expect("reads"), []);
}
