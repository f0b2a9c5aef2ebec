//! Texts of footprints that look like other members, and how what is shared with a partner is read.

use domain::footprint::{FieldValue, Reference};
use ports::RecordKind;
use ports::contract::sample;
use ports::repo::Use;
use ports::store::{Conflict, Store as _, StoreError};

use sqlx::AssertSqlSafe;

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

#[tokio::test]
async fn a_partners_list_is_read_in_order_and_no_further() {
    let fresh = Fresh::migrated().await;
    let mut conn = fresh.superuser().await;
    // So few rows are read whole, unless that is not done.
    sqlx::raw_sql("SET enable_seqscan = off; SET enable_bitmapscan = off").execute(&mut conn).await.unwrap();
    let of = |partner: &str| {
        format!(
            "(SELECT place_us, number, footprint FROM tonne.sharing_partner WHERE tenant_id = gen_random_uuid() \
             AND partner = '{partner}' AND (place_us, number) > (1, 2) ORDER BY place_us, number LIMIT 33)"
        )
    };
    let [named, all] = ["00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000000"].map(of);
    let text = format!("EXPLAIN {named} UNION ALL {all} ORDER BY place_us, number LIMIT 33");
    let text = text.replace("gen_random_uuid()", "'00000000-0000-0000-0000-000000000002'");
    let steps: Vec<String> = sqlx::query_scalar(AssertSqlSafe(text)).fetch_all(&mut conn).await.unwrap();
    let plan = steps.join("\n");
    assert_eq!(plan.matches("Scan using sharing_partner_pkey").count(), 2, "{plan}");
    assert!(plan.contains("Merge Append") && !plan.contains("Sort  "), "{plan}");
    assert!(plan.contains("(ROW(place_us, number) > ROW(1, 2))"), "{plan}");
}

#[tokio::test]
async fn what_is_due_for_a_partner_is_looked_up() {
    let fresh = Fresh::migrated().await;
    let mut conn = fresh.superuser().await;
    sqlx::raw_sql("SET enable_seqscan = off; SET enable_bitmapscan = off").execute(&mut conn).await.unwrap();
    let one = "'00000000-0000-0000-0000-000000000001'";
    let due = format!("SELECT id, due FROM tonne.exchange WHERE tenant_id = {one} AND partner = {one} AND due <= 7");
    let next = format!("SELECT partner FROM tonne.exchange WHERE tenant_id = {one} AND due IS NOT NULL");
    for statement in [
        format!("{due} ORDER BY due, id LIMIT 9"),
        format!("{due} ORDER BY due LIMIT 1"),
        format!("{next} AND partner > {one} ORDER BY partner LIMIT 1"),
    ] {
        let text = AssertSqlSafe(format!("EXPLAIN {statement}"));
        let plan = sqlx::query_scalar::<_, String>(text).fetch_all(&mut conn).await.unwrap().join("\n");
        assert!(plan.contains("using exchange_due") && !plan.contains("Sort"), "{plan}");
        assert!(plan.contains("Index Cond: ((tenant_id = ") && !plan.contains("Filter"), "{plan}");
    }
}
