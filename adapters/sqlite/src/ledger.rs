//! Series, postings, checkpoints and changes: what read models are built from and auditors read.

use domain::{PackedCells, SeriesKey};
use ports::ledger::{Checkpoint, PackedItems, PackedLines, PartPlace, Parts, Removal};
use ports::store::StoreError;
use ports::{Change, RecordKind, Version};
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use crate::error::StoreErr as _;
use crate::row::{Columns, Damage, collect};
use crate::series;

/// The series with the index `from` and above, in order.
pub(crate) fn series_from(conn: &Connection, from: u32) -> Result<Vec<SeriesKey>, StoreError> {
    let sql = format!("SELECT {} FROM series WHERE key >= ? ORDER BY key", series::COLUMNS);
    collect(conn, &sql, [from], "series", series::read)
}

/// Up to `limit` changes later than `number`, in order.
pub(crate) fn changes_since(conn: &Connection, number: u64, limit: u32) -> Result<Vec<Change>, StoreError> {
    let sql = "SELECT number, at, actor, cause, digest FROM change WHERE number > ? ORDER BY number LIMIT ?";
    collect(conn, sql, params![above(number), limit], "change", read_change)
}

/// A change from its columns: number, time, actor, cause, digest.
pub(crate) fn read_change(columns: &mut Columns<'_>) -> Result<Change, Damage> {
    Ok(Change {
        number: columns.take()?,
        at: columns.timestamp()?,
        actor: columns.take()?,
        cause: columns.take()?,
        digest: columns.digest()?,
    })
}

/// Up to `limit` parts of items behind that place, in order.
pub(crate) fn items_since(
    conn: &Connection,
    after: PartPlace,
    limit: u32,
) -> Result<Vec<(PartPlace, PackedItems)>, StoreError> {
    let sql = "SELECT change, part, items FROM change_items WHERE (change, part) > (?, ?) \
               ORDER BY change, part LIMIT ?";
    collect(conn, sql, params![above(after.change), after.part, limit], "change_items", |columns| {
        Ok((place(columns)?, PackedItems::from_stored(columns.take()?)))
    })
}

/// Up to `limit` parts of postings behind that place, in order.
pub(crate) fn postings_since(
    conn: &Connection,
    after: PartPlace,
    limit: u32,
) -> Result<Vec<(PartPlace, PackedCells)>, StoreError> {
    let sql = "SELECT change, part, postings FROM posting WHERE (change, part) > (?, ?) \
               ORDER BY change, part LIMIT ?";
    collect(conn, sql, params![above(after.change), after.part, limit], "posting", |columns| {
        Ok((place(columns)?, PackedCells::from_stored(columns.take()?)))
    })
}

/// Up to `limit` parts of lines behind that place, in order.
pub(crate) fn lines_since(
    conn: &Connection,
    after: PartPlace,
    limit: u32,
) -> Result<Vec<(PartPlace, PackedLines)>, StoreError> {
    let sql = "SELECT change, part, lines FROM import_lines WHERE (change, part) > (?, ?) \
               ORDER BY change, part LIMIT ?";
    collect(conn, sql, params![above(after.change), after.part, limit], "import_lines", |columns| {
        Ok((place(columns)?, PackedLines::from_stored(columns.take()?)))
    })
}

fn place(columns: &mut Columns<'_>) -> Result<PartPlace, Damage> {
    Ok(PartPlace { change: columns.take()?, part: columns.take()? })
}

/// A number that rows are compared with.
fn above(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The newest checkpoint that is whole.
pub(crate) fn checkpoint(conn: &Connection) -> Result<Option<Checkpoint>, StoreError> {
    conn.prepare_cached("SELECT number, part FROM checkpoint WHERE last = 1 ORDER BY number DESC LIMIT 1")
        .and_then(|mut statement| {
            statement.query_row([], |row| Ok(Checkpoint { number: row.get(0)?, parts: row.get(1)? })).optional()
        })
        .store_err()
}

/// A part of the newest checkpoint.
pub(crate) fn checkpoint_part(conn: &Connection, part: u32) -> Result<PackedCells, StoreError> {
    let newest = checkpoint(conn)?.filter(|newest| part < newest.parts);
    let missing = || StoreError::Corrupt { subject: "checkpoint".to_owned(), detail: format!("has no part {part}") };
    let number = newest.ok_or_else(missing)?.number;
    let cells: Option<Vec<u8>> = conn
        .prepare_cached("SELECT cells FROM checkpoint WHERE number = ? AND part = ?")
        .and_then(|mut statement| statement.query_row(params![number, part], |row| row.get(0)).optional())
        .store_err()?;
    cells.map(PackedCells::from_stored).ok_or_else(missing)
}

/// The version of a record.
pub(crate) fn version_of(conn: &Connection, kind: RecordKind, id: Uuid) -> Result<Option<Version>, StoreError> {
    // Tables are named like the kinds of their records.
    conn.prepare_cached(&format!("SELECT version FROM {kind} WHERE id = ?"))
        .and_then(|mut statement| statement.query_row([id], |row| row.get(0).map(Version)).optional())
        .store_err()
}

/// The newest change earlier than `number` that removed such a record.
pub(crate) fn removal_before(
    conn: &Connection,
    kind: RecordKind,
    id: Uuid,
    number: u64,
) -> Result<Option<u64>, StoreError> {
    conn.prepare_cached("SELECT max(change) FROM removed WHERE kind = ? AND id = ? AND change < ?")
        .and_then(|mut statement| statement.query_row(params![kind.code(), id, above(number)], |row| row.get(0)))
        .store_err()
}

/// Writes the row of a change.
pub(crate) fn insert_change(conn: &Connection, change: &Change) -> Result<(), StoreError> {
    let Change { number, at, actor, cause, digest } = change;
    conn.prepare_cached("INSERT INTO change (number, at, actor, cause, digest) VALUES (?, ?, ?, ?, ?)")
        .and_then(|mut statement| statement.execute(params![number, at.millis(), actor, cause, digest.as_bytes()]))
        .map(|_| ())
        .store_err()
}

/// Writes parts of a change.
pub(crate) fn insert_parts(conn: &Connection, parts: &Parts) -> Result<(), StoreError> {
    let Parts { items, postings, lines, removals } = parts;
    for (PartPlace { change, part }, items) in items {
        conn.prepare_cached("INSERT INTO change_items (change, part, items) VALUES (?, ?, ?)")
            .and_then(|mut statement| statement.execute(params![change, part, items.as_bytes()]))
            .store_err()?;
    }
    for (PartPlace { change, part }, postings) in postings {
        conn.prepare_cached("INSERT INTO posting (change, part, postings) VALUES (?, ?, ?)")
            .and_then(|mut statement| statement.execute(params![change, part, postings.as_bytes()]))
            .store_err()?;
    }
    for (PartPlace { change, part }, lines) in lines {
        conn.prepare_cached("INSERT INTO import_lines (change, part, lines) VALUES (?, ?, ?)")
            .and_then(|mut statement| statement.execute(params![change, part, lines.as_bytes()]))
            .store_err()?;
    }
    for Removal { kind, id, change } in removals {
        // One change may remove, add and remove again.
        conn.prepare_cached("INSERT OR IGNORE INTO removed (kind, id, change) VALUES (?, ?, ?)")
            .and_then(|mut statement| statement.execute(params![kind.code(), id, change]))
            .store_err()?;
    }
    Ok(())
}
