//! The directory's change chain. Its newest number is the directory's version.

use domain::Digest;
use ports::Verb;
use ports::directory::{DirectoryChange, DirectoryHead, DirectoryItem, EntryKind};
use ports::store::StoreError;
use rusqlite::{Connection, params};

use crate::error::StoreErr as _;
use crate::row::{Columns, Damage};

/// Appends a change to the chain and moves the head.
pub(super) fn append(conn: &Connection, change: &DirectoryChange) -> Result<(), StoreError> {
    let DirectoryChange { number, at, actor, cause, items, digest } = change;
    conn.execute(
        "INSERT INTO change (number, at, actor, cause, digest) VALUES (?, ?, ?, ?, ?)",
        params![number, at.millis(), actor, cause, digest.as_bytes()],
    )
    .store_err()?;
    let mut insert = conn
        .prepare_cached(
            "INSERT INTO change_item (change, ordinal, verb, kind, id, digest, replaced) VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .store_err()?;
    for (item, ordinal) in items.iter().zip(0_u32..) {
        let DirectoryItem { verb, kind, id, digest, replaced } = item;
        insert
            .execute(params![number, ordinal, verb.as_str(), kind.as_str(), id, digest.as_bytes(), replaced])
            .store_err()?;
    }
    conn.execute("UPDATE head SET number = ?, digest = ?", params![number, digest.as_bytes()]).store_err()?;
    Ok(())
}

/// Where the chain ends.
pub(super) fn head(conn: &Connection) -> Result<DirectoryHead, StoreError> {
    conn.prepare_cached("SELECT number, digest FROM head")
        .and_then(|mut statement| {
            statement.query_row([], |row| {
                Ok(DirectoryHead { number: row.get(0)?, digest: Digest::from_stored(row.get(1)?) })
            })
        })
        .store_err()
}

/// Writes the head row of a new directory, where there is none. Where there is one it takes no lock.
pub(super) fn make_head(conn: &Connection) -> Result<(), rusqlite::Error> {
    if conn.query_row("SELECT EXISTS (SELECT 1 FROM head)", [], |row| row.get(0))? {
        return Ok(());
    }
    conn.execute("INSERT OR IGNORE INTO head (one, number, digest) VALUES (1, 0, ?)", [Digest::ZERO.as_bytes()])?;
    Ok(())
}

/// An item from its columns: verb, kind, id, digest, replaced.
pub(super) fn read_item(columns: &mut Columns<'_>) -> Result<DirectoryItem, Damage> {
    Ok(DirectoryItem {
        verb: columns.parse(|word| Verb::parse(word).ok_or("is no verb"))?,
        kind: columns.parse(|word| EntryKind::parse(word).ok_or("is no kind"))?,
        id: columns.take()?,
        digest: columns.digest()?,
        replaced: columns.take()?,
    })
}
