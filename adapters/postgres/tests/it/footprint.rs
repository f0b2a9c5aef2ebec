//! Texts of footprints that look like other members, how what is shared with a partner is read, and which verdicts lists go
//! by.

use domain::FootprintId;
use domain::footprint::{Edition, FieldValue, RULE_SET, Reference};
use ports::RecordKind;
use ports::contract::sample;
use ports::repo::{RENEWED_AT_ONCE, Shown, Use, Valid};
use ports::store::{Conflict, Store as _, StoreError};
use tonne_postgres::PostgresStore;

use sqlx::AssertSqlSafe;

use crate::harness::{Fresh, grant, reading, writing};

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

/// A store with so many footprints of one tenant that both lists show, all of them shared with partner 1.
async fn filled(fresh: &Fresh, count: u64) -> PostgresStore {
    let store = fresh.store().await;
    store.prepare(&grant(1)).await.unwrap();
    let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
    write.partners_mut().add(sample::partner(1)).await.unwrap();
    for number in 1..=count {
        let footprint = sample::shown_footprint(number, "2025-01-01T00:00:00Z", "kilogram");
        write.footprints_mut().add(footprint).await.unwrap();
        write.sharings_mut().add(sample::sharing(number)).await.unwrap();
    }
    write.commit().await.unwrap();
    store
}

/// How many the company's list of PACT, that of partner 1, that of a product, and the interface's own show.
async fn counts(store: &PostgresStore) -> [usize; 4] {
    let mut read = store.read(&reading(1)).await.unwrap();
    let product = read.footprints().find(sample::id(1)).await.unwrap().unwrap().value.product_keys();
    let asked =
        Shown { edition: Edition::V3, after: None, until: u64::MAX, products: None, partner: None, limit: 1_000 };
    let of_partner = Shown { partner: Some(sample::partner(1).id), ..asked.clone() };
    let of_product = Shown { products: Some(product), ..asked.clone() };
    let mut counts = [0; 4];
    for (count, asked) in counts.iter_mut().zip([asked, of_partner, of_product]) {
        *count = read.footprints().shown(asked).await.unwrap().records.len();
    }
    counts[3] = read.footprints().valid(Valid { after: 0, until: u64::MAX, limit: 1_000 }).await.unwrap().records.len();
    counts
}

async fn by_hand(fresh: &Fresh, statement: String) {
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut fresh.superuser().await).await.unwrap();
}

async fn findings(store: &PostgresStore) -> Vec<String> {
    let report = store.verify(&grant(1)).await.unwrap();
    report.findings.into_iter().map(|finding| format!("{}: {}", finding.subject, finding.detail)).collect()
}

#[tokio::test]
async fn a_list_takes_verdicts_of_the_rules_of_now_as_they_are_and_validates_nothing() {
    let fresh = Fresh::migrated().await;
    let store = filled(&fresh, 3).await;
    let [.., of_product, _] = counts(&store).await;
    assert_eq!(counts(&store).await, [3, 3, of_product, 3]);
    // Were records validated when they are listed, they would be listed all the same.
    by_hand(&fresh, "UPDATE tonne.footprint SET shown_v3 = false WHERE number = 1".to_owned()).await;
    by_hand(&fresh, "UPDATE tonne.footprint SET valid = false WHERE number > 1".to_owned()).await;
    assert_eq!(counts(&store).await, [2, 2, of_product - 1, 1]);
}

#[tokio::test]
async fn verdicts_of_other_rules_are_not_used_and_renewed_some_at_a_time() {
    let fresh = Fresh::migrated().await;
    let count = u64::from(RENEWED_AT_ONCE) + 1;
    let store = filled(&fresh, count).await;
    let before = counts(&store).await;
    let all = usize::try_from(count).unwrap();
    assert_eq!([before[0], before[1], before[3]], [all; 3]);
    let head = store.read(&reading(1)).await.unwrap().head().await.unwrap();
    for others in [RULE_SET - 1, RULE_SET + 1] {
        // As rules before or after those of now left them: what hides a record now did not, and the other way round.
        let text = format!(
            "UPDATE tonne.footprint SET rules = {others}, shown_v2 = false, shown_v3 = false, valid = false, \
             verdict = '{{\"rules\":0}}'"
        );
        by_hand(&fresh, text).await;
        assert_eq!(counts(&store).await, before);
        assert_eq!(findings(&store).await, Vec::<String>::new());
        let mut renewed = Vec::new();
        for _ in 0..3 {
            renewed.push(store.renew_verdicts(&grant(1)).await.unwrap());
        }
        assert_eq!(renewed, [u64::from(RENEWED_AT_ONCE), 1, 0]);
        let rules = format!("SELECT count(*) FROM tonne.footprint WHERE rules = {RULE_SET} AND shown_v3 AND valid");
        let mut conn = fresh.superuser().await;
        let current: i64 = sqlx::query_scalar(AssertSqlSafe(rules)).fetch_one(&mut conn).await.unwrap();
        assert_eq!(u64::try_from(current).unwrap(), count);
        assert_eq!(counts(&store).await, before);
        assert_eq!(findings(&store).await, Vec::<String>::new());
    }
    let mut read = store.read(&reading(1)).await.unwrap();
    assert_eq!(read.head().await.unwrap(), head);
    let id: FootprintId = sample::id(count);
    assert!(read.footprints().verdict(id).await.unwrap().unwrap().is_shown(Edition::V3));
}

#[tokio::test]
async fn a_record_that_the_rules_of_now_hide_is_not_listed_by_a_verdict_of_others() {
    let fresh = Fresh::migrated().await;
    let store = filled(&fresh, 2).await;
    let before = counts(&store).await;
    let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
    let mut hidden = sample::shown_footprint(3, "2025-01-01T00:00:00Z", "kilogram");
    hidden.fields.remove("companyName");
    write.footprints_mut().add(hidden).await.unwrap();
    write.sharings_mut().add(sample::sharing(3)).await.unwrap();
    write.commit().await.unwrap();
    let others = RULE_SET + 1;
    by_hand(
        &fresh,
        format!("UPDATE tonne.footprint SET rules = {others}, shown_v2 = true, shown_v3 = true, valid = true"),
    )
    .await;
    assert_eq!(counts(&store).await, before);
    assert_eq!(store.renew_verdicts(&grant(1)).await.unwrap(), 3);
    assert_eq!(counts(&store).await, before);
}

#[tokio::test]
async fn what_is_beside_a_footprint_is_counted_again() {
    let cases = [
        ("UPDATE tonne.footprint SET shown_v3 = false", "the verdict stored with it"),
        ("UPDATE tonne.footprint SET valid = false", "the verdict stored with it"),
        (
            "UPDATE tonne.footprint SET verdict = replace(verdict, 'field-advised', 'newest-report')",
            "the verdict stored with it",
        ),
        ("UPDATE tonne.footprint SET place_us = place_us + 1", "its place in lists"),
        ("DELETE FROM tonne.footprint_product", "the product ids that it is found by"),
    ];
    let fresh = Fresh::migrated().await;
    let store = filled(&fresh, 1).await;
    assert_eq!(findings(&store).await, Vec::<String>::new());
    for (statement, detail) in cases {
        let mut conn = fresh.superuser().await;
        let copies = "CREATE TEMPORARY TABLE one AS SELECT * FROM tonne.footprint";
        sqlx::raw_sql(copies).execute(&mut conn).await.unwrap();
        by_hand(&fresh, format!("SET session_replication_role = replica; {statement}")).await;
        let found = findings(&store).await;
        assert!(found.iter().any(|line| line.contains(detail)), "{statement}: {found:#?}");
        let back = "UPDATE tonne.footprint SET (shown_v3, valid, verdict, place_us) = \
                    (SELECT shown_v3, valid, verdict, place_us FROM one)";
        sqlx::raw_sql(back).execute(&mut conn).await.unwrap();
    }
}
