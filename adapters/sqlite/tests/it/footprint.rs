//! What is kept beside footprints: lists go by it, other rules make it anew, and damage to it is found.

use domain::FootprintId;
use domain::footprint::{Edition, RULE_SET};
use ports::contract::sample;
use ports::repo::{RENEWED_AT_ONCE, Shown, Valid};
use ports::store::Store as _;

use crate::support::{Shop, by_hand, findings, grant};

/// A shop with so many footprints that both lists show.
async fn filled(count: u64) -> Shop {
    let shop = Shop::open().await;
    let mut write = shop.write().await;
    for number in 1..=count {
        write.footprints_mut().add(sample::shown_footprint(number, "2025-01-01T00:00:00Z", "kilogram")).await.unwrap();
    }
    write.commit().await.unwrap();
    shop
}

/// How many the lists of both kinds show.
async fn counts(shop: &Shop) -> [usize; 2] {
    let mut read = shop.store.read(&grant().to_read()).await.unwrap();
    let asked =
        Shown { edition: Edition::V3, after: None, until: u64::MAX, products: None, partner: None, limit: 1_000 };
    let shown = read.footprints().shown(asked).await.unwrap().records.len();
    let valid = read.footprints().valid(Valid { after: 0, until: u64::MAX, limit: 1_000 }).await.unwrap().records.len();
    [shown, valid]
}

#[tokio::test]
async fn a_list_takes_verdicts_of_the_rules_of_now_as_they_are_and_validates_nothing() {
    let shop = filled(3).await;
    assert_eq!(counts(&shop).await, [3, 3]);
    // Were records validated when they are listed, they would be listed all the same.
    by_hand(&shop.file(), "UPDATE footprint SET shown_v3 = 0 WHERE number = 1");
    by_hand(&shop.file(), "UPDATE footprint SET valid = 0 WHERE number > 1");
    assert_eq!(counts(&shop).await, [2, 1]);
}

#[tokio::test]
async fn verdicts_of_other_rules_are_not_used_and_renewed_some_at_a_time() {
    let count = u64::from(RENEWED_AT_ONCE) + 1;
    let shop = filled(count).await;
    let head = shop.store.read(&grant().to_read()).await.unwrap().head().await.unwrap();
    let others = RULE_SET + 1;
    by_hand(
        &shop.file(),
        &format!(
            "UPDATE footprint SET rules = {others}, shown_v2 = 0, shown_v3 = 0, valid = 0, verdict = '{{\"rules\":0}}'"
        ),
    );
    let all = usize::try_from(count).unwrap();
    assert_eq!(counts(&shop).await, [all, all]);
    assert_eq!(findings(&shop.store).await, Vec::<String>::new());
    assert_eq!(shop.store.renew_verdicts(&grant()).await.unwrap(), u64::from(RENEWED_AT_ONCE));
    assert_eq!(shop.store.renew_verdicts(&grant()).await.unwrap(), 1);
    assert_eq!(shop.store.renew_verdicts(&grant()).await.unwrap(), 0);
    assert_eq!(counts(&shop).await, [all, all]);
    assert_eq!(findings(&shop.store).await, Vec::<String>::new());
    let mut read = shop.store.read(&grant().to_read()).await.unwrap();
    assert_eq!(read.head().await.unwrap(), head);
    let id: FootprintId = sample::id(count);
    assert!(read.footprints().verdict(id).await.unwrap().unwrap().is_shown(Edition::V3));
}

#[tokio::test]
async fn what_is_beside_a_footprint_is_counted_again() {
    let cases = [
        ("UPDATE footprint SET shown_v3 = 0", "the verdict stored with it"),
        ("UPDATE footprint SET valid = 0", "the verdict stored with it"),
        (
            "UPDATE footprint SET verdict = replace(verdict, 'field-advised', 'newest-report')",
            "the verdict stored with it",
        ),
        ("UPDATE footprint SET place_us = place_us + 1", "its place in lists"),
        ("UPDATE footprint SET model = zeroblob(16)", "its place in lists"),
        ("DELETE FROM footprint_product", "the product ids that it is found by"),
        ("UPDATE footprint_product SET product = 'urn:x:1'", "the product ids that it is found by"),
    ];
    for (statement, detail) in cases {
        let shop = filled(1).await;
        assert_eq!(findings(&shop.store).await, Vec::<String>::new());
        by_hand(&shop.file(), statement);
        let found = findings(&shop.store).await;
        assert!(found.iter().any(|line| line.contains(detail)), "{statement}: {found:#?}");
    }
}

/// How a statement is answered, step by step.
fn plan(shop: &Shop, statement: &str) -> Vec<String> {
    let conn = rusqlite::Connection::open(shop.file()).unwrap();
    let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {statement}")).unwrap();
    statement.query_map([], |row| row.get(3)).unwrap().map(Result::unwrap).collect()
}

#[tokio::test]
async fn a_partners_list_is_read_in_order_and_no_further_and_its_client_is_looked_up() {
    let shop = filled(1).await;
    let of =
        "SELECT place_us, number, footprint FROM sharing_partner WHERE partner = x'00' AND (place_us, number) > (1, 2)";
    let steps = plan(&shop, &format!("{of} UNION ALL {of} ORDER BY place_us, number LIMIT 33"));
    let search = "SEARCH sharing_partner USING PRIMARY KEY (partner=? AND (place_us,number)>(?,?))";
    assert_eq!(steps.iter().filter(|step| *step == search).count(), 2, "{steps:?}");
    assert!(steps.iter().any(|step| step == "MERGE (UNION ALL)"), "{steps:?}");
    assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{steps:?}");
    let steps = plan(&shop, "SELECT partner FROM partner_client WHERE client = x'00' ORDER BY partner LIMIT 1");
    assert_eq!(steps, ["SEARCH partner_client USING PRIMARY KEY (client=?)"]);
    let of_product =
        "SELECT 1 FROM sharing_partner WHERE sharing_partner.footprint = x'00' AND partner IN (x'00', x'01')";
    let steps = plan(&shop, of_product);
    assert!(steps[0].contains("sharing_partner_footprint (footprint=? AND partner=?)"), "{steps:?}");
}

#[tokio::test]
async fn what_is_due_for_a_partner_is_looked_up() {
    let shop = filled(1).await;
    let rows = "SELECT id, content FROM exchange WHERE partner = x'00' AND due <= 7 ORDER BY due, id LIMIT 9";
    let search = "SEARCH exchange USING INDEX exchange_due (partner=? AND due<?)";
    assert_eq!(plan(&shop, rows), [search]);
    let next = "SELECT min(partner) FROM exchange WHERE due IS NOT NULL AND partner > x'00'";
    let first = "SELECT min(due) FROM exchange WHERE due IS NOT NULL AND partner = x'00'";
    let search = "SEARCH exchange USING COVERING INDEX exchange_due";
    assert_eq!(plan(&shop, next), [format!("{search} (partner>?)")]);
    assert_eq!(plan(&shop, first), [format!("{search} (partner=? AND due>?)")]);
}

#[tokio::test]
async fn what_partners_are_found_by_and_what_they_find_is_counted_again() {
    let cases = [
        ("DELETE FROM partner_client", "partner", "the clients that it is found by"),
        (
            "UPDATE partner_client SET client = zeroblob(16) WHERE client IN (SELECT client FROM partner_client LIMIT 1)",
            "partner",
            "the clients that it is found by",
        ),
        (
            "DELETE FROM sharing_partner WHERE partner IN (SELECT partner FROM sharing_partner LIMIT 1)",
            "sharing",
            "the partners that find it",
        ),
        ("UPDATE sharing_partner SET place_us = place_us + 1", "sharing", "the partners that find it"),
        (
            "UPDATE sharing_partner SET partner = zeroblob(16) WHERE partner IN (SELECT partner FROM sharing_partner LIMIT 1)",
            "sharing",
            "the partners that find it",
        ),
    ];
    for (statement, kind, detail) in cases {
        let shop = filled(1).await;
        let mut write = shop.write().await;
        write.partners_mut().add(sample::partner(1)).await.unwrap();
        write.sharings_mut().add(sample::sharing(1)).await.unwrap();
        write.commit().await.unwrap();
        assert_eq!(findings(&shop.store).await, Vec::<String>::new());
        by_hand(&shop.file(), statement);
        let found = findings(&shop.store).await;
        assert!(found.iter().any(|line| line.starts_with(kind) && line.contains(detail)), "{statement}: {found:#?}");
    }
}

#[tokio::test]
async fn a_list_of_a_product_looks_its_footprints_up() {
    let shop = filled(1).await;
    let steps = plan(
        &shop,
        "SELECT id FROM footprint WHERE shown_v3 = 1 AND footprint.key IN \
                (SELECT footprint FROM footprint_product WHERE product IN (SELECT value FROM json_each('[\"a\"]'))) \
                ORDER BY place_us, number LIMIT 10",
    );
    assert!(
        steps.iter().any(|step| step.contains("SEARCH footprint_product USING PRIMARY KEY (product=?)")),
        "{steps:?}"
    );
    assert!(!steps.iter().any(|step| step.starts_with("SCAN footprint")), "{steps:?}");
}
