//! What is changed by hand in a file is found, and named.

mod indexes;

use std::fs;
use std::sync::Arc;

use domain::Activity;
use ports::contract::sample;
use ports::store::{Store as _, StoreError};

use crate::support::{Shop, by_hand, findings, grant};

const PAGE: usize = 4096;

/// A shop with a record of every kind, one of them written twice and one removed.
async fn full() -> Shop {
    let shop = Shop::open().await;
    let mut write = shop.write().await;
    write.scopes_mut().add(sample::scope(1)).await.unwrap();
    write.orgs_mut().add(sample::org(1)).await.unwrap();
    write.taxonomies_mut().add(sample::taxonomy(1, "travel")).await.unwrap();
    let product = write.products_mut().add(sample::product(1)).await.unwrap().value;
    write.factors_mut().add(sample::factor(1, &product, "2025-01-01")).await.unwrap();
    let model = write.models_mut().add(sample::filled_model(1)).await.unwrap();
    write.inputs_mut().add(sample::input(1, &model.value, &product, 1)).await.unwrap();
    write.switches_mut().add(sample::switch(1, &[model.value.id])).await.unwrap();
    write.footprints_mut().add(sample::filled_footprint(1)).await.unwrap();
    write.activities_mut().add(sample::filled_activity(1)).await.unwrap();
    let gone = write.products_mut().add(sample::product(2)).await.unwrap();
    write.commit().await.unwrap();
    let mut write = shop.write().await;
    let model = model.value.with_name(sample::name("Renamed"));
    let seen = ports::Version(1);
    write.models_mut().update(model, seen).await.unwrap();
    write.products_mut().remove(gone.value.id, gone.version).await.unwrap();
    write.activities_mut().add(sample::activity(2)).await.unwrap();
    write.commit().await.unwrap();
    shop
}

#[tokio::test]
async fn an_untouched_store_has_no_findings() {
    let shop = full().await;
    let report = shop.store.verify(&crate::support::grant()).await.unwrap();
    assert_eq!(report.findings, []);
    assert_eq!((report.records, report.changes, report.cells), (11, 2, 3));
}

#[tokio::test]
async fn one_thing_changed_by_hand_is_found_and_named() {
    let id = |number: u64| sample::uuid(number).to_string();
    let digit = "substr(name, 1, length(name) - 1) || '!'";
    let cases = [
        ("UPDATE activity SET upstream = '0.000000000000000002'".to_owned(), format!("activity {}", id(1))),
        (format!("UPDATE activity SET name = {digit}"), format!("activity {}", id(2))),
        ("UPDATE activity SET quantity = '1x' WHERE quantity NOT NULL".to_owned(), format!("activity {}", id(1))),
        ("UPDATE activity SET created = created + 1".to_owned(), format!("activity {}", id(1))),
        ("UPDATE activity SET version = 1".to_owned(), format!("activity {}", id(2))),
        ("UPDATE activity SET day = day + 1".to_owned(), format!("activity {}", id(1))),
        (format!("UPDATE scope SET name = {digit}"), format!("scope {}", id(sample::SCOPE + 1))),
        (format!("UPDATE org SET name = {digit}"), format!("org {}", id(sample::ORG + 1))),
        ("UPDATE taxonomy SET slug = 'trave1'".to_owned(), format!("taxonomy {}", id(sample::TAXONOMY + 1))),
        (format!("UPDATE product SET name = {digit}"), format!("product {}", id(1))),
        ("UPDATE factor SET upstream = '9.25'".to_owned(), format!("factor {}", id(1))),
        ("UPDATE factor SET valid_from = valid_from + 1".to_owned(), format!("factor {}", id(1))),
        ("UPDATE model SET amount = '7'".to_owned(), format!("model {}", id(1))),
        (format!("UPDATE block SET name = {digit}"), format!("model {}", id(1))),
        ("UPDATE input SET quantity = '17'".to_owned(), format!("input {}", id(1))),
        (format!("UPDATE switch SET name = {digit}"), format!("switch {}", id(1))),
        ("DELETE FROM switch_source".to_owned(), format!("switch {}", id(1))),
        ("UPDATE footprint SET fields = replace(fields, 'urn:a:1', 'urn:a:2')".to_owned(), "footprint ".to_owned()),
        ("UPDATE footprint SET number = number + 1".to_owned(), "footprint ".to_owned()),
        (
            "UPDATE posting SET postings = (SELECT postings FROM posting WHERE change = 1) WHERE change = 2".to_owned(),
            "cell 2025-03-01 of series ".to_owned(),
        ),
        (
            "UPDATE posting SET postings = x'01' WHERE change = 2".to_owned(),
            "part 0 of the postings of change 2".to_owned(),
        ),
        ("DELETE FROM posting WHERE change = 2".to_owned(), "cell 2025-03-01 of series 1".to_owned()),
        (
            "INSERT INTO posting SELECT 7, part, postings FROM posting WHERE change = 2".to_owned(),
            "the change chain".to_owned(),
        ),
        ("UPDATE activity SET measures = NULL".to_owned(), format!("activity {}", id(1))),
        (
            "UPDATE activity_use SET activities = 2 WHERE kind = 2".to_owned(),
            format!("uses of org {}", id(sample::ORG + 1)),
        ),
        ("DELETE FROM activity_use WHERE kind = 4".to_owned(), format!("uses of product {}", id(1))),
        ("DELETE FROM org".to_owned(), format!("activity {}: its org is", id(1))),
        ("UPDATE series SET org = x'01900000000070008000000000000009' WHERE key = 0".to_owned(), "series 0".to_owned()),
        ("UPDATE change SET at = at + 1 WHERE number = 1".to_owned(), "change 1".to_owned()),
        ("UPDATE change SET actor = 'nobody' WHERE number = 2".to_owned(), "change 2".to_owned()),
        ("UPDATE change SET cause = 'nothing' WHERE number = 2".to_owned(), "change 2".to_owned()),
        ("UPDATE change SET digest = zeroblob(32) WHERE number = 1".to_owned(), "change 1".to_owned()),
        ("DELETE FROM change WHERE number = 1".to_owned(), "change 2".to_owned()),
        ("UPDATE change_items SET items = substr(items, 1, 40) WHERE change = 1".to_owned(), "change 1".to_owned()),
        (
            "UPDATE change_items SET items = CAST(replace(CAST(items AS TEXT), 'kg', 'mg') AS BLOB) WHERE change = 2"
                .to_owned(),
            "change 2".to_owned(),
        ),
        ("UPDATE change_items SET part = 1 WHERE change = 2".to_owned(), "change 2".to_owned()),
        ("DELETE FROM change_items WHERE change = 2".to_owned(), "change 2".to_owned()),
        ("UPDATE head SET number = 1".to_owned(), "head".to_owned()),
        ("UPDATE head SET digest = zeroblob(32)".to_owned(), "head".to_owned()),
        ("UPDATE head SET epoch = zeroblob(16)".to_owned(), "head".to_owned()),
        ("UPDATE head SET catalog = 1".to_owned(), "head".to_owned()),
        ("UPDATE head SET footprints = 0".to_owned(), "head".to_owned()),
        ("DELETE FROM product".to_owned(), format!("product {}", id(1))),
    ];
    for (statement, subject) in cases {
        let shop = full().await;
        by_hand(&shop.file(), &statement);
        let found = findings(&shop.store).await;
        assert!(found.iter().any(|line| line.starts_with(&subject)), "{statement}: no {subject} in {found:#?}");
    }
}

#[tokio::test]
async fn a_checkpoint_changed_by_hand_is_found() {
    for (statement, subject) in [
        ("UPDATE checkpoint SET cells = x'0100' WHERE last = 0", "cell "),
        ("UPDATE checkpoint SET cells = x'0101' WHERE last = 0", "part 0 of the checkpoint of change 2"),
        ("DELETE FROM checkpoint WHERE last = 0", "part 0 of the checkpoint of change 2"),
    ] {
        let shop = full().await;
        let mut read = shop.store.read(&crate::support::grant().to_read()).await.unwrap();
        let revision = read.head().await.unwrap().revision();
        let cube = Arc::new(ports::ledger::cells(read.ledger()).await.unwrap().cube());
        shop.store.checkpoint(&crate::support::grant(), revision, cube).await.unwrap();
        assert_eq!(findings(&shop.store).await, Vec::<String>::new());
        by_hand(&shop.file(), statement);
        let found = findings(&shop.store).await;
        assert!(found.iter().any(|line| line.starts_with(subject)), "{statement}: no {subject} in {found:#?}");
    }
}

#[tokio::test]
async fn a_damaged_row_is_named_when_it_is_read() {
    let shop = full().await;
    by_hand(&shop.file(), "UPDATE activity SET upstream = '1O' WHERE upstream = '10'");
    let mut read = shop.store.read(&crate::support::grant().to_read()).await.unwrap();
    let error = read.activities().find(sample::activity(2).id).await.unwrap_err();
    let expected = format!("activity {} in the store is damaged: upstream: \"1O\"", sample::uuid(2));
    assert!(error.to_string().starts_with(&expected), "{error}");
}

#[tokio::test]
async fn a_page_that_was_overwritten_is_found() {
    let shop = busy().await;
    by_hand(&shop.file(), "PRAGMA wal_checkpoint(TRUNCATE)");
    let whole = fs::read(shop.file()).unwrap();
    for page in [whole.len() / PAGE / 2, whole.len() / PAGE - 1] {
        let mut torn = whole.clone();
        torn[page * PAGE..(page + 1) * PAGE].fill(0xA5);
        fs::write(shop.file(), torn).unwrap();
        // What is damaged where the walk begins ends it.
        match shop.store.verify(&grant()).await {
            Ok(told) => assert_ne!(told.findings, Vec::new(), "page {page}"),
            Err(error) => assert!(matches!(error, StoreError::Corrupt { .. }), "page {page}: {error}"),
        }
    }
    fs::write(shop.file(), whole).unwrap();
    assert_eq!(shop.findings().await, Vec::<String>::new());
}

#[tokio::test]
async fn cells_of_many_activities_are_recounted() {
    assert_eq!(busy().await.findings().await, Vec::<String>::new());
}

/// A shop with many activities, one of them without a syncId, some without CO2e.
async fn busy() -> Shop {
    let shop = Shop::open().await;
    let mut activities: Vec<Activity> = Vec::new();
    for n in 0..400 {
        let day = format!("2025-{:02}-{:02}", n % 12 + 1, n % 28 + 1);
        let kilograms = (n % 10 > 0).then_some("1.25");
        let activity = sample::measured_activity(n, sample::span(&day, "2025-12-30"), kilograms, "0.5");
        activities.push(activity.with_sync_id((n > 0).then(|| sample::sync_id(&format!("row {n}")))));
    }
    let mut write = shop.write().await;
    let batch = activities.into_iter().map(ports::repo::ActivityWrite::Add).collect();
    write.activities_mut().put_all(batch).await.unwrap();
    write.commit().await.unwrap();
    shop
}
