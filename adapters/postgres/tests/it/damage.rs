//! What is changed by hand in the database is found, and named.

use ports::Version;
use ports::contract::sample;
use ports::repo::ActivityWrite;
use ports::store::{Store as _, StoreError};
use sqlx::{AssertSqlSafe, PgConnection};
use tonne_postgres::PostgresStore;

use crate::harness::{Fresh, grant, reading, tenant, writing};

/// Gives a tenant a record of every kind, one of them written twice and one removed.
async fn fill(store: &PostgresStore, number: u64) {
    store.prepare(&grant(number)).await.unwrap();
    let mut write = store.write(&writing(number), sample::intent()).await.unwrap();
    write.scopes_mut().add(sample::scope(1)).await.unwrap();
    write.orgs_mut().add(sample::org(1)).await.unwrap();
    write.taxonomies_mut().add(sample::taxonomy(1, "travel")).await.unwrap();
    let product = write.products_mut().add(sample::product(1)).await.unwrap().value;
    write.factors_mut().add(sample::factor(1, &product, "2025-01-01")).await.unwrap();
    let model = write.models_mut().add(sample::filled_model(1)).await.unwrap();
    write.inputs_mut().add(sample::input(1, &model.value, &product, 1)).await.unwrap();
    write.switches_mut().add(sample::switch(1, &[model.value.id])).await.unwrap();
    write.footprints_mut().add(sample::filled_footprint(1)).await.unwrap();
    write.partners_mut().add(sample::partner(1)).await.unwrap();
    write.sharings_mut().add(sample::sharing(1)).await.unwrap();
    write.activities_mut().add(sample::filled_activity(1)).await.unwrap();
    let gone = write.products_mut().add(sample::product(2)).await.unwrap();
    write.commit().await.unwrap();
    let mut write = store.write(&writing(number), sample::intent()).await.unwrap();
    let model = model.value.with_name(sample::name("Renamed"));
    write.models_mut().update(model, Version(1)).await.unwrap();
    write.products_mut().remove(gone.value.id, gone.version).await.unwrap();
    write.activities_mut().add(sample::activity(2)).await.unwrap();
    write.commit().await.unwrap();
}

/// What a verification of a tenant finds, line by line.
async fn findings(store: &PostgresStore, number: u64) -> Vec<String> {
    let report = store.verify(&grant(number)).await.unwrap();
    report.findings.into_iter().map(|finding| format!("{}: {}", finding.subject, finding.detail)).collect()
}

/// Changes a tenant's rows past everything that would keep them whole. In the statement `{its}` is the condition that
/// selects them.
async fn by_hand(conn: &mut PgConnection, number: u64, statement: &str) {
    let statement = statement.replace("{its}", &format!("tenant_id = '{}'", tenant(number)));
    let text = format!("SET session_replication_role = replica; {statement}");
    sqlx::raw_sql(AssertSqlSafe(text)).execute(conn).await.unwrap();
}

#[tokio::test]
async fn an_untouched_tenant_has_no_findings() {
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    fill(&store, 1).await;
    let report = store.verify(&grant(1)).await.unwrap();
    assert_eq!(report.findings, []);
    assert_eq!((report.records, report.changes, report.cells), (13, 2, 3));
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
async fn one_thing_changed_by_hand_is_found_and_named() {
    let id = |number: u64| sample::uuid(number).to_string();
    let (activity, other) = (format!("activity {}", id(1)), format!("activity {}", id(2)));
    let (scope, org) = (format!("scope {}", id(sample::SCOPE + 1)), format!("org {}", id(sample::ORG + 1)));
    let taxonomy = format!("taxonomy {}", id(sample::TAXONOMY + 1));
    let (of, uses) = (|kind: &str| format!("{kind} {}", id(1)), |kind: &str| format!("uses of {kind} {}", id(1)));
    let (cell, letter) = ("cell 2025-03-01 of series 1", "name = left(name, length(name) - 1) || '!'");
    let (zero, stranger) = ("decode(repeat('00', 32), 'hex')", id(77));
    let cases = [
        ("UPDATE tonne.activity SET upstream = 0.000000000000000002 WHERE {its} AND id = '{1}'", &*activity),
        ("UPDATE tonne.activity SET {letter} WHERE {its} AND sync_id IS NULL", &other),
        ("UPDATE tonne.activity SET quantity = 'NaN' WHERE {its} AND quantity IS NOT NULL", &activity),
        ("UPDATE tonne.activity SET quantity = NULL WHERE {its} AND quantity IS NOT NULL", &activity),
        ("UPDATE tonne.activity SET created = created + interval '1 second' WHERE {its}", &activity),
        ("UPDATE tonne.activity SET created = created + interval '1 microsecond' WHERE {its}", &activity),
        ("UPDATE tonne.activity SET version = 1 WHERE {its}", &other),
        ("UPDATE tonne.activity SET day = day + 1 WHERE {its}", &activity),
        ("UPDATE tonne.activity SET last = last + 1 WHERE {its}", &activity),
        ("UPDATE tonne.activity SET start_at = '2025-03-01' WHERE {its} AND end_at IS NOT NULL", &activity),
        ("UPDATE tonne.activity SET series = 0 WHERE {its}", &other),
        ("UPDATE tonne.activity SET id = '{77}' WHERE {its} AND sync_id IS NULL", &other),
        ("UPDATE tonne.activity SET id = '{77}' WHERE {its} AND sync_id IS NULL", "activity {77}"),
        ("DELETE FROM tonne.activity WHERE {its} AND sync_id IS NULL", &other),
        ("UPDATE tonne.scope SET {letter} WHERE {its}", &scope),
        ("UPDATE tonne.scope SET category = 7 WHERE {its}", &scope),
        ("DELETE FROM tonne.scope WHERE {its}", &scope),
        ("DELETE FROM tonne.scope WHERE {its}", &activity),
        ("UPDATE tonne.org SET {letter} WHERE {its}", &org),
        ("UPDATE tonne.taxonomy SET slug = 'trave1' WHERE {its}", &taxonomy),
        ("UPDATE tonne.org SET parent = id WHERE {its}", &org),
        ("UPDATE tonne.product SET {letter} WHERE {its}", &of("product")),
        ("DELETE FROM tonne.product WHERE {its}", &of("product")),
        ("UPDATE tonne.factor SET upstream = 9.25 WHERE {its}", &of("factor")),
        ("UPDATE tonne.factor SET valid_from = valid_from + 1 WHERE {its}", &of("factor")),
        ("UPDATE tonne.model SET amount = 7 WHERE {its}", &of("model")),
        ("UPDATE tonne.block SET {letter} WHERE {its}", &of("model")),
        ("DELETE FROM tonne.block WHERE {its} AND ordinal = 0", &of("model")),
        ("UPDATE tonne.input SET quantity = 17 WHERE {its}", &of("input")),
        ("UPDATE tonne.switch SET {letter} WHERE {its}", &of("switch")),
        ("DELETE FROM tonne.switch_source WHERE {its}", &of("switch")),
        ("UPDATE tonne.footprint SET fields = replace(fields, 'urn:a:1', 'urn:a:2') WHERE {its}", "footprint "),
        ("UPDATE tonne.footprint SET number = number + 1 WHERE {its}", "footprint "),
        ("UPDATE tonne.footprint SET shown_v3 = NOT shown_v3 WHERE {its}", "footprint "),
        ("UPDATE tonne.footprint SET valid = NOT valid WHERE {its}", "footprint "),
        ("UPDATE tonne.footprint SET place_us = place_us + 1 WHERE {its}", "footprint "),
        ("UPDATE tonne.footprint SET model = id WHERE {its}", "footprint "),
        ("DELETE FROM tonne.footprint_product WHERE {its}", "footprint "),
        ("DELETE FROM tonne.partner_client WHERE {its}", "partner "),
        ("DELETE FROM tonne.sharing_partner WHERE {its}", "sharing "),
        ("UPDATE tonne.sharing_partner SET partner = '{77}' WHERE {its} AND partner = '{1}'", "sharing "),
        ("UPDATE tonne.sharing_partner SET place_us = place_us + 1 WHERE {its}", "sharing "),
        ("DELETE FROM tonne.posting WHERE {its} AND change = 2", cell),
        (
            "UPDATE tonne.posting SET postings = (SELECT postings FROM tonne.posting AS other WHERE other.{its} AND other.change = 1) WHERE {its} AND change = 2",
            cell,
        ),
        (
            "UPDATE tonne.posting SET postings = overlay(postings PLACING '\\x07' FROM 1) WHERE {its} AND change = 2",
            "postings of change 2",
        ),
        (
            "UPDATE tonne.posting SET postings = substring(postings FROM 1 FOR 9) WHERE {its} AND change = 2",
            "postings of change 2",
        ),
        ("UPDATE tonne.activity SET measures = '{\"biogenic_co2\":\"1\"}' WHERE {its}", &activity),
        ("UPDATE tonne.activity_use SET activities = activities + 1 WHERE {its} AND kind = 4", &uses("product")),
        ("UPDATE tonne.activity_use SET activities = 0 WHERE {its} AND kind = 5", &uses("factor")),
        ("UPDATE tonne.activity_use SET id = '{77}' WHERE {its} AND kind = 4", "uses of product {77}"),
        ("DELETE FROM tonne.activity_use WHERE {its} AND kind = 5", &uses("factor")),
        ("DELETE FROM tonne.activity_use WHERE {its} AND kind = 1", "uses of scope "),
        ("UPDATE tonne.series SET org = '{77}' WHERE {its} AND key = 0", "series 0"),
        ("UPDATE tonne.series SET key = 5 WHERE {its} AND key = 1", "series 5"),
        ("UPDATE tonne.change SET at = at + interval '1 second' WHERE {its} AND number = 1", "change 1"),
        ("UPDATE tonne.change SET at = at + interval '1 microsecond' WHERE {its} AND number = 1", "change 1"),
        ("UPDATE tonne.change SET actor = 'nobody' WHERE {its} AND number = 2", "change 2"),
        ("UPDATE tonne.change SET cause = 'nothing' WHERE {its} AND number = 2", "change 2"),
        ("UPDATE tonne.change SET digest = {zero} WHERE {its} AND number = 1", "change 1"),
        ("DELETE FROM tonne.change WHERE {its} AND number = 1", "change 2"),
        ("DELETE FROM tonne.change WHERE {its} AND number = 2", "items of change 2"),
        ("UPDATE tonne.change_items SET items = set_byte(items, 40, get_byte(items, 40) # 1) WHERE {its}", "change 1"),
        ("UPDATE tonne.change_items SET items = set_byte(items, 0, 9) WHERE {its} AND change = 2", "change 2"),
        ("UPDATE tonne.change_items SET items = substring(items FROM 1 FOR 60) WHERE {its} AND change = 2", "change 2"),
        ("UPDATE tonne.change_items SET items = set_byte(items, length(items) - 9, 0) WHERE {its}", "change 2"),
        ("DELETE FROM tonne.change_items WHERE {its} AND change = 2", "change 2"),
        ("UPDATE tonne.change_items SET part = 1 WHERE {its} AND change = 2", "change 2"),
        ("UPDATE tonne.change_items SET change = 9 WHERE {its} AND change = 2", "items of change 9"),
        ("UPDATE tonne.removed SET change = 1 WHERE {its}", "removal of "),
        ("DELETE FROM tonne.removed WHERE {its}", "removal of product "),
        ("UPDATE tonne.head SET number = 1 WHERE {its}", "head"),
        ("UPDATE tonne.head SET digest = {zero} WHERE {its}", "head"),
        ("UPDATE tonne.head SET epoch = '{77}' WHERE {its}", "head"),
        ("UPDATE tonne.head SET catalog = 1 WHERE {its}", "head"),
        ("UPDATE tonne.head SET footprints = 0 WHERE {its}", "head"),
        ("UPDATE tonne.head SET seal = {zero} WHERE {its}", "head"),
        ("UPDATE tonne.head SET number = -1 WHERE {its}", "head"),
    ];
    let fresh = Fresh::migrated().await;
    let (store, mut superuser) = (fresh.store().await, fresh.superuser().await);
    fill(&store, 1).await;
    for ((statement, subject), number) in cases.into_iter().zip(2..) {
        fill(&store, number).await;
        let said = |text: &str| {
            let text = text.replace("{letter}", letter).replace("{zero}", zero);
            text.replace("{1}", &id(1)).replace("{77}", &stranger)
        };
        by_hand(&mut superuser, number, &said(statement)).await;
        let (found, subject) = (findings(&store, number).await, said(subject));
        assert!(found.iter().any(|line| line.starts_with(&subject)), "{statement}: no {subject} in {found:#?}");
    }
    assert_eq!(findings(&store, 1).await, Vec::<String>::new(), "another tenant's damage is none of this one");
}

#[tokio::test]
async fn a_damaged_row_is_named_when_it_is_read() {
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    fill(&store, 1).await;
    by_hand(&mut fresh.superuser().await, 1, "UPDATE tonne.activity SET day = day - 1 WHERE {its}").await;
    let mut read = store.read(&reading(1)).await.unwrap();
    let error = read.activities().find(sample::activity(2).id).await.unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    let expected = format!("activity {} in the store is damaged: day: ", sample::uuid(2));
    assert!(error.to_string().starts_with(&expected), "{error}");
}

#[tokio::test]
async fn cells_of_many_activities_are_recounted() {
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    store.prepare(&grant(1)).await.unwrap();
    let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
    let activity = |n: u64| {
        let day = format!("2025-{:02}-{:02}", n % 12 + 1, n % 28 + 1);
        ActivityWrite::Add(sample::activity_in(n, sample::span(&day, "2025-12-30"), "1.25"))
    };
    write.activities_mut().put_all((0..6_000).map(activity).collect()).await.unwrap();
    write.commit().await.unwrap();
    let report = store.verify(&grant(1)).await.unwrap();
    assert_eq!((report.findings, report.records, report.changes), (Vec::new(), 6_000, 1));
}
