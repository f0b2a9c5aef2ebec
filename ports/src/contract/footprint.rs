//! The numbers of footprints: counted, never used again, and kept while others name them.

use crate::RecordKind;
use domain::Footprint;
use domain::footprint::{FieldValue, Reference};

use super::sample;
use super::tenant::Tenant;
use crate::repo::Use;
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
