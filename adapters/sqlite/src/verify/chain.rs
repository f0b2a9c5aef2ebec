//! The change chain, change by change, and the head. On the way the newest item of each record is noted.

use domain::Digest;
use ports::store::{StoreError, Verification};
use ports::{ChangeDigest, ChangeItem, RecordKind, Verb};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::find;
use crate::error::Meaning as _;
use crate::ledger::{ITEM, read_change, read_item};
use crate::row::{Columns, Damage};
use crate::session::{kind_code, read_head, verb_code};

/// What the chain says of each record; `seen` is set when the record is found.
const NEWEST: &str = "CREATE TEMP TABLE newest (kind INTEGER NOT NULL, id BLOB NOT NULL, verb INTEGER NOT NULL, \
     change INTEGER NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID";

/// Checks numbers, digests, items and what they replaced.
pub(super) fn check(conn: &Connection, report: &mut Verification) -> Result<(), StoreError> {
    conn.execute_batch(NEWEST).meant()?;
    let (mut previous, mut expected, mut catalog) = (Digest::ZERO, 1, 0);
    let mut statement = conn.prepare("SELECT number, at, actor, cause, digest FROM change ORDER BY number").meant()?;
    let mut rows = statement.query([]).meant()?;
    while let Some(row) = rows.next().meant()? {
        report.changes += 1;
        match read_change(&mut Columns::new(row)) {
            Err(Damage(detail)) => find(report, format!("change {expected}"), detail),
            Ok(change) => {
                let number = change.number;
                if number != expected {
                    find(report, format!("change {number}"), format!("stands where change {expected} is expected"));
                }
                let mut chain = ChangeDigest::new(previous, number, change.at, &change.actor, &change.cause);
                if check_items(conn, report, number, &mut chain)? {
                    catalog = number;
                }
                if chain.finish() != change.digest {
                    find(report, format!("change {number}"), "does not have the digest that stands beside it");
                }
                (previous, expected) = (change.digest, number);
            }
        }
        expected += 1;
    }
    let orphans: u64 = conn
        .query_row("SELECT count(*) FROM change_item WHERE change NOT IN (SELECT number FROM change)", [], |row| {
            row.get(0)
        })
        .meant()?;
    if orphans > 0 {
        find(report, "the change chain", format!("{orphans} items belong to no change"));
    }
    check_head(conn, report, expected - 1, previous, catalog)
}

/// Checks the items of a change; whether one of them is a node or a product.
fn check_items(
    conn: &Connection,
    report: &mut Verification,
    change: u64,
    chain: &mut ChangeDigest,
) -> Result<bool, StoreError> {
    let sql = format!("SELECT {ITEM}, ordinal FROM change_item WHERE change = ? ORDER BY ordinal");
    let mut statement = conn.prepare_cached(&sql).meant()?;
    let mut rows = statement.query([change]).meant()?;
    let (mut touches_catalog, mut expected) = (false, 0_u32);
    while let Some(row) = rows.next().meant()? {
        let mut columns = Columns::new(row);
        let item = read_item(&mut columns).and_then(|item| Ok((item, columns.take::<u32>()?)));
        match item {
            Err(Damage(detail)) => find(report, format!("change {change}"), detail),
            Ok((item, ordinal)) => {
                if ordinal != expected {
                    let detail = format!("item {ordinal} stands where item {expected} is expected");
                    find(report, format!("change {change}"), detail);
                }
                chain.item(&item);
                note(conn, report, change, &item)?;
                touches_catalog |= matches!(
                    item.kind,
                    RecordKind::Scope | RecordKind::Org | RecordKind::Taxonomy | RecordKind::Product
                );
            }
        }
        expected += 1;
    }
    if expected == 0 {
        find(report, format!("change {change}"), "has no items");
    }
    Ok(touches_catalog)
}

/// Notes an item as the newest of its record, and checks that it continues the one before it.
fn note(conn: &Connection, report: &mut Verification, change: u64, item: &ChangeItem) -> Result<(), StoreError> {
    let before: Option<(i64, [u8; 32])> = conn
        .prepare_cached("SELECT verb, digest FROM newest WHERE kind = ? AND id = ?")
        .and_then(|mut statement| {
            statement.query_row(params![kind_code(item.kind), item.id], |row| Ok((row.get(0)?, row.get(1)?))).optional()
        })
        .meant()?;
    let before = before.filter(|(verb, _)| *verb != verb_code(Verb::Removed));
    let before = before.map(|(_, digest)| Digest::from_stored(digest));
    let replaced = item.replaced.as_ref().map(|text| Digest::of(text.as_bytes()));
    let fits = match item.verb {
        Verb::Added => before.is_none() && replaced.is_none(),
        Verb::Updated => replaced.is_some() && replaced == before,
        Verb::Removed => replaced.is_some() && replaced == before && before == Some(item.digest),
    };
    if !fits {
        let detail = format!("what it replaced of {} {} is not what stood there", item.kind, item.id);
        find(report, format!("change {change}"), detail);
    }
    conn.prepare_cached("INSERT OR REPLACE INTO newest (kind, id, verb, change, digest) VALUES (?, ?, ?, ?, ?)")
        .and_then(|mut statement| {
            statement.execute(params![
                kind_code(item.kind),
                item.id,
                verb_code(item.verb),
                change,
                item.digest.as_bytes()
            ])
        })
        .map(|_| ())
        .meant()
}

fn check_head(
    conn: &Connection,
    report: &mut Verification,
    number: u64,
    digest: Digest,
    catalog: u64,
) -> Result<(), StoreError> {
    let row = read_head(conn)?;
    let head = row.head;
    if head.number != number {
        find(report, "head", format!("is at change {}, but the newest change is {number}", head.number));
    }
    if head.digest != digest {
        find(report, "head", "does not have the digest of the newest change");
    }
    if head.catalog != catalog {
        let detail = format!("says that change {} was the last of the catalog, but {catalog} was", head.catalog);
        find(report, "head", detail);
    }
    let seal: [u8; 32] = conn.query_row("SELECT seal FROM head", [], |row| row.get(0)).meant()?;
    if Digest::from_stored(seal) != row.seal() {
        find(report, "head", "its columns do not have the digest that stands beside them");
    }
    Ok(())
}
