//! The change chain, change by change, and the head. On the way the newest item of each record is noted.

use domain::Digest;
use ports::ledger::{ChainWalk, PackedItems, PartPlace};
use ports::store::finding::HEAD_DIGEST;
use ports::store::{StoreError, Verification};
use ports::{ChangeItem, Verb};
use rusqlite::{CachedStatement, Connection, OptionalExtension as _, params};

use super::find;
use crate::error::StoreErr as _;
use crate::ledger::read_change;
use crate::row::{Columns, Damage};
use crate::session::read_head;

/// What the chain says of each record; a record that is found is taken out.
const NEWEST: &str = "CREATE TEMP TABLE newest (kind INTEGER NOT NULL, id BLOB NOT NULL, verb INTEGER NOT NULL, \
     change INTEGER NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID";

/// Checks numbers, digests, items and what they replaced.
pub(super) fn check(conn: &Connection, report: &mut Verification) -> Result<(), StoreError> {
    conn.execute_batch(NEWEST).store_err()?;
    let mut walk = ChainWalk::default();
    let mut noted = Noted::new(conn)?;
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
                check_items(conn, report, number, &mut walk, &mut noted)?;
                walk.end(report);
            }
        }
    }
    for (table, what) in [("change_items", "items"), ("posting", "postings")] {
        let orphans: u64 = conn
            .query_row(
                &format!("SELECT count(*) FROM {table} WHERE change NOT IN (SELECT number FROM change)"),
                [],
                |row| row.get(0),
            )
            .store_err()?;
        if orphans > 0 {
            find(report, "the change chain", format!("{orphans} parts of {what} belong to no change"));
        }
    }
    check_head(conn, report, &walk)
}

/// Checks the items of a change.
fn check_items(
    conn: &Connection,
    report: &mut Verification,
    change: u64,
    walk: &mut ChainWalk,
    noted: &mut Noted<'_>,
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
                    walk.item(&item, noted.before(&item)?, report);
                    noted.put(change, &item)?;
                }
                Err(error) => walk.damaged(&error, report),
            }
        }
    }
    Ok(())
}

/// The newest item of each record so far.
struct Noted<'c> {
    find: CachedStatement<'c>,
    put: CachedStatement<'c>,
}

impl<'c> Noted<'c> {
    fn new(conn: &'c Connection) -> Result<Self, StoreError> {
        let put = "INSERT OR REPLACE INTO newest (kind, id, verb, change, digest) VALUES (?, ?, ?, ?, ?)";
        Ok(Self {
            find: conn.prepare_cached("SELECT verb, digest FROM newest WHERE kind = ? AND id = ?").store_err()?,
            put: conn.prepare_cached(put).store_err()?,
        })
    }

    /// What the last item of the record left.
    fn before(&mut self, item: &ChangeItem) -> Result<Option<Digest>, StoreError> {
        let found: Option<(u8, [u8; 32])> = self
            .find
            .query_row(params![item.kind.code(), item.id], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()
            .store_err()?;
        let left = found.filter(|(verb, _)| *verb != Verb::Removed.code());
        Ok(left.map(|(_, digest)| Digest::from_stored(digest)))
    }

    fn put(&mut self, change: u64, item: &ChangeItem) -> Result<(), StoreError> {
        let digest = item.left().unwrap_or(Digest::ZERO);
        let (kind, verb) = (item.kind.code(), item.verb().code());
        self.put.execute(params![kind, item.id, verb, change, digest.as_bytes()]).map(|_| ()).store_err()
    }
}

fn check_head(conn: &Connection, report: &mut Verification, walk: &ChainWalk) -> Result<(), StoreError> {
    let row = read_head(conn)?;
    walk.head(&row.head, report);
    let seal: [u8; 32] = conn.query_row("SELECT seal FROM head", [], |row| row.get(0)).store_err()?;
    if Digest::from_stored(seal) != row.seal() {
        find(report, "head", HEAD_DIGEST);
    }
    Ok(())
}
