//! Texts of footprints that look like other members.

use domain::footprint::{FieldValue, Reference};
use ports::RecordKind;
use ports::contract::sample;
use ports::repo::Use;
use ports::store::{Conflict, Store as _, StoreError};

use crate::harness::{Fresh, grant, writing};

#[tokio::test]
async fn a_footprint_is_kept_and_removed_beside_one_with_its_number_in_strange_texts() {
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    store.prepare(&grant(1)).await.unwrap();
    let mut tx = store.write(&writing(1), sample::intent()).await.unwrap();
    let named = tx.footprints_mut().add(sample::footprint(1)).await.unwrap();
    let mut other = sample::footprint(2);
    other.fields.set("companyName", FieldValue::Text("a\u{1}1\",\"precedingPfIds\":[1]".into())).unwrap();
    other.fields.set("precedingPfIds", FieldValue::References(vec![Reference::Number(1)])).unwrap();
    let other = tx.footprints_mut().add(other).await.unwrap();
    assert_eq!(tx.footprints().find(other.value.id).await.unwrap().as_ref(), Some(&other));

    let kept = tx.footprints_mut().remove(named.value.id, named.version).await.unwrap_err();
    let uses = vec![Use { kind: RecordKind::Footprint, count: 1 }];
    assert!(matches!(kept, StoreError::Conflict(Conflict::InUse(found)) if found == uses));
    tx.footprints_mut().remove(other.value.id, other.version).await.unwrap();
    tx.footprints_mut().remove(named.value.id, named.version).await.unwrap();
    tx.commit().await.unwrap();
}
