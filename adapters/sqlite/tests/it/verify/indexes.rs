//! What is wrong with the indexes of activities, or with the order of their rows, is found.

use std::fs;
use std::path::Path;

use ports::store::Store as _;
use rusqlite::{Connection, params};

use super::{PAGE, busy};
use crate::support::{Shop, by_hand, grant};

const INDEXES: [&str; 3] = ["activity_id", "activity_sync_id", "activity_incomplete"];

/// The definition of an index, and its root page.
fn definition(file: &Path, index: &str) -> (i64, String) {
    let sql = "SELECT rootpage, sql FROM sqlite_schema WHERE name = ?";
    let conn = Connection::open(file).unwrap();
    conn.query_row(sql, [index], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
}

/// Writes what SQLite takes a page for: the root of that index, or of none.
fn define(file: &Path, index: &str, root: i64, sql: Option<&str>) {
    let conn = Connection::open(file).unwrap();
    conn.pragma_update(None, "writable_schema", true).unwrap();
    conn.execute("DELETE FROM sqlite_schema WHERE name = ?", [index]).unwrap();
    if let Some(sql) = sql {
        let insert =
            "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('index', ?, 'activity', ?, ?)";
        conn.execute(insert, params![index, root, sql]).unwrap();
    }
}

/// Changes rows while SQLite has another definition of an index, or none.
fn behind_its_back(file: &Path, index: &str, other: Option<&str>, statement: &str) {
    let (root, sql) = definition(file, index);
    define(file, index, root, other);
    by_hand(file, statement);
    define(file, index, root, Some(&sql));
}

/// Adds a copy of an activity that meets the condition.
fn another(condition: &str) -> String {
    format!(
        "INSERT INTO activity SELECT randomblob(16), day, last, series, sync_id || '!', name, description, quantity, unit, \
         supplied_upstream, supplied_downstream, product, start_at, end_at, upstream, downstream, stated, measures, \
         factor, incomplete, created, updated, version, digest FROM activity WHERE {condition} ORDER BY name DESC LIMIT 1"
    )
}

/// Whether a finding is about that.
async fn names(shop: &Shop, subject: &str) -> bool {
    let found = shop.findings().await;
    let is_named = found.iter().any(|line| line.starts_with(subject));
    assert!(is_named, "no {subject} in {found:#?}");
    is_named
}

#[tokio::test]
async fn entries_that_are_missing_superfluous_or_of_something_else_are_found() {
    let add = &another("upstream IS NULL");
    let remove = "DELETE FROM activity WHERE sync_id = 'row 10'";
    let change = "UPDATE activity SET id = randomblob(16), sync_id = 'other' WHERE sync_id = 'row 10'";
    for index in INDEXES {
        for statement in [add.as_str(), remove, change] {
            let shop = busy().await;
            behind_its_back(&shop.file(), index, None, statement);
            assert!(names(&shop, &format!("index {index}: its")).await, "{statement}");
        }
    }
}

#[tokio::test]
async fn two_entries_exchanged_for_each_other_are_found() {
    let shop = busy().await;
    let exchange = "UPDATE activity SET sync_id = iif(sync_id = 'row 1', 'row 2', 'row 1') \
        WHERE sync_id IN ('row 1', 'row 2')";
    behind_its_back(&shop.file(), "activity_sync_id", None, exchange);
    assert!(names(&shop, "index activity_sync_id: its 399 entries are not those of the 399 activities").await);
}

#[tokio::test]
async fn entries_of_rows_that_do_not_belong_into_an_index_are_found() {
    let cases = [
        ("activity_sync_id", "CREATE INDEX activity_sync_id ON activity (sync_id)", "name = 'Activity 0'"),
        ("activity_incomplete", "CREATE INDEX activity_incomplete ON activity (day, id)", "name = 'Activity 1'"),
    ];
    for (index, other, condition) in cases {
        let shop = busy().await;
        behind_its_back(&shop.file(), index, Some(other), &another(condition));
        assert!(names(&shop, &format!("index {index}: its")).await);
    }
}

#[tokio::test]
async fn entries_and_rows_out_of_order_are_found() {
    let subjects = [
        ("activity_id", "index activity_id: its entries are not in order"),
        ("activity_sync_id", "index activity_sync_id: its entries are not in order"),
        ("activity_incomplete", "index activity_incomplete: its entries are not in order"),
        ("activity", "activities: are not in the order"),
    ];
    for (tree, subject) in subjects {
        let shop = busy().await;
        by_hand(&shop.file(), "PRAGMA wal_checkpoint(TRUNCATE)");
        let sql = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno LIMIT 1";
        let page: usize = Connection::open(shop.file()).unwrap().query_row(sql, [tree], |row| row.get(0)).unwrap();
        let mut bytes = fs::read(shop.file()).unwrap();
        // The places of a leaf's first two cells, behind its head of eight bytes.
        let cells = (page - 1) * PAGE + 8;
        let (first, second) = bytes[cells..cells + 4].split_at_mut(2);
        first.swap_with_slice(second);
        fs::write(shop.file(), bytes).unwrap();
        assert!(names(&shop, subject).await);
    }
}

#[tokio::test]
async fn what_an_integrity_check_finds_a_verification_finds_too() {
    let shop = busy().await;
    by_hand(&shop.file(), "PRAGMA wal_checkpoint(TRUNCATE)");
    let whole = fs::read(shop.file()).unwrap();
    let mut damaged = 0;
    for place in (100..whole.len()).step_by(3_001) {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x15;
        fs::write(shop.file(), bytes).unwrap();
        let conn = Connection::open(shop.file()).unwrap();
        let told = conn.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
        if told.as_deref() != Ok("ok") {
            damaged += 1;
            let found = shop.store.verify(&grant()).await;
            assert!(found.is_err() || found.is_ok_and(|report| !report.findings.is_empty()), "byte {place}: {told:?}");
        }
    }
    assert!(damaged > 10, "{damaged} places were damaged");
}

#[tokio::test]
async fn an_index_that_is_not_there_is_a_finding() {
    for index in INDEXES {
        let shop = busy().await;
        by_hand(&shop.file(), &format!("DROP INDEX {index}"));
        names(&shop, &format!("index {index}: is not there")).await;
    }
}

#[tokio::test]
async fn what_ends_one_check_early_hides_nothing_from_the_others() {
    let shop = busy().await;
    let missing = "DELETE FROM activity WHERE sync_id = 'row 10'";
    behind_its_back(&shop.file(), "activity_id", None, missing);
    by_hand(&shop.file(), "INSERT INTO activity_use VALUES (1, zeroblob(16), 3)");
    let (root, _) = definition(&shop.file(), "activity_sync_id");
    by_hand(&shop.file(), "PRAGMA wal_checkpoint(TRUNCATE)");
    let mut bytes = fs::read(shop.file()).unwrap();
    let page = (usize::try_from(root).unwrap() - 1) * PAGE;
    bytes[page..page + 100].fill(0xff);
    fs::write(shop.file(), bytes).unwrap();
    for subject in ["index activity_id", "activity ", "uses of "] {
        names(&shop, subject).await;
    }
}
