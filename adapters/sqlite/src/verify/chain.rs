//! The change chain, change by change, and the head. On the way the items are put aside by their records.

use domain::Digest;
use ports::ledger::{ChainWalk, LineCheck, PackedItems, PackedLines, PartPlace};
use ports::store::finding::HEAD_DIGEST;
use ports::store::{StoreError, Verification};
use rusqlite::Connection;

use super::find;
use super::join::Items;
use crate::error::StoreErr as _;
use crate::ledger::read_change;
use crate::row::{Columns, Damage};
use crate::session::read_head;

/// Checks numbers, digests and items. Gives the items, since what they replaced is compared record by record, and where the
/// chain ends.
pub(super) fn check(conn: &Connection, report: &mut Verification) -> Result<(Items, ChainWalk), StoreError> {
    let (mut walk, mut lines) = (ChainWalk::default(), LineCheck::default());
    let mut aside = Items::open()?;
    let mut changes =
        conn.prepare("SELECT number, at, actor, cause, digest FROM change ORDER BY number").store_err()?;
    let mut rows = changes.query([]).store_err()?;
    while let Some(row) = rows.next().store_err()? {
        match read_change(&mut Columns::new(row)) {
            Err(Damage(detail)) => {
                report.changes += 1;
                find(report, format!("change {}", report.changes), detail);
            }
            Ok(change) => {
                let number = change.number;
                walk.begin(change, report);
                lines.begin(number);
                check_items(conn, report, number, (&mut walk, &mut lines), &mut aside)?;
                walk.end(report);
                check_lines(conn, report, number, &mut lines)?;
            }
        }
    }
    for (table, what) in [("change_items", "items"), ("posting", "postings"), ("import_lines", "lines of files")] {
        let orphans: u64 = conn
            .query_row(
                &format!("SELECT count(*) FROM {table} WHERE change NOT IN (SELECT number FROM change)"),
                [],
                |row| row.get(0),
            )
            .store_err()?;
        if orphans > 0 {
            find(report, "the change chain", format!("parts of {what} that belong to no change: {orphans}"));
        }
    }
    Ok((aside, walk))
}

/// Checks the lines of a change, whose items were taken.
fn check_lines(
    conn: &Connection,
    report: &mut Verification,
    change: u64,
    check: &mut LineCheck,
) -> Result<(), StoreError> {
    let mut parts =
        conn.prepare_cached("SELECT part, lines FROM import_lines WHERE change = ? ORDER BY part").store_err()?;
    let mut rows = parts.query([change]).store_err()?;
    let mut checked = Ok(());
    while let Some(row) = rows.next().store_err()? {
        let place = PartPlace { change, part: row.get(0).store_err()? };
        let lines = PackedLines::from_stored(row.get(1).store_err()?);
        checked = checked.and_then(|()| check.part(place, &lines));
    }
    if let Err(wrong) = checked.and_then(|()| check.end()) {
        find(report, format!("change {change}"), wrong);
    }
    Ok(())
}

/// Checks the items of a change.
fn check_items(
    conn: &Connection,
    report: &mut Verification,
    change: u64,
    (walk, lines): (&mut ChainWalk, &mut LineCheck),
    aside: &mut Items,
) -> Result<(), StoreError> {
    let mut parts =
        conn.prepare_cached("SELECT part, items FROM change_items WHERE change = ? ORDER BY part").store_err()?;
    let mut rows = parts.query([change]).store_err()?;
    let mut expected = 0_u32;
    while let Some(row) = rows.next().store_err()? {
        let place = PartPlace { change, part: row.get(0).store_err()? };
        if place.part != expected {
            let detail = format!("part {} of its items stands where part {expected} is expected", place.part);
            find(report, format!("change {change}"), detail);
        }
        expected = place.part.saturating_add(1);
        let packed = PackedItems::from_stored(row.get(1).store_err()?);
        for item in packed.items() {
            match item {
                Ok(item) => {
                    lines.item(&item);
                    walk.item(&item, item.replaced().map(|replaced| replaced.digest), report);
                    aside.put(change, &item)?;
                }
                Err(error) => walk.damaged(&error, report),
            }
        }
    }
    Ok(())
}

/// Checks that the head is where the chain ends.
pub(super) fn check_head(conn: &Connection, report: &mut Verification, walk: &ChainWalk) -> Result<(), StoreError> {
    let row = read_head(conn)?;
    walk.head(&row.head, report);
    let seal: [u8; 32] = conn.query_row("SELECT seal FROM head", [], |row| row.get(0)).store_err()?;
    if Digest::from_stored(seal) != row.seal() {
        find(report, "head", HEAD_DIGEST);
    }
    Ok(())
}
