//! Series: the combinations of scope, org and taxonomy in use, counted from 0 in the order of their first use.

use domain::SeriesKey;
use ports::RecordKind;
use ports::ledger::series_seal;
use ports::store::StoreError;
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use crate::error::{StoreErr as _, failed};
use crate::reference::key_of;
use crate::row::{Columns, Damage};

/// The columns that [`read`] takes.
pub(crate) const COLUMNS: &str = "series.scope, series.org, series.taxonomy";

/// A series from its columns.
pub(crate) fn read(columns: &mut Columns<'_>) -> Result<SeriesKey, Damage> {
    Ok(SeriesKey { scope: columns.id_or_empty()?, org: columns.id_or_empty()?, taxonomy: columns.id_or_empty()? })
}

/// The index of a series, a new one where it is not in use yet. `Conflict::Missing` when one of its nodes is not there.
pub(crate) fn index_of(conn: &Connection, key: SeriesKey) -> Result<u32, StoreError> {
    let nodes = [
        (RecordKind::Scope, key.scope.map(Uuid::from)),
        (RecordKind::Org, key.org.map(Uuid::from)),
        (RecordKind::Taxonomy, key.taxonomy.map(Uuid::from)),
    ];
    for (tree, id) in nodes {
        if let Some(id) = id {
            key_of(conn, tree.as_str(), tree, id)?;
        }
    }
    if let Some(index) = look_up(conn, &key)? {
        return Ok(index);
    }
    let last: Option<u32> = conn
        .prepare_cached("SELECT max(key) FROM series")
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
        .store_err()?;
    let index = match last {
        Some(last) => last.checked_add(1).ok_or_else(|| failed("there are too many series"))?,
        None => 0,
    };
    insert(conn, index, key)?;
    Ok(index)
}

/// The index of a series that an activity carries.
pub(crate) fn find(conn: &Connection, key: SeriesKey) -> Result<u32, StoreError> {
    let missing = || StoreError::Corrupt { subject: "series".to_owned(), detail: format!("has no row of {key:?}") };
    look_up(conn, &key)?.ok_or_else(missing)
}

fn look_up(conn: &Connection, key: &SeriesKey) -> Result<Option<u32>, StoreError> {
    let [scope, org, taxonomy] = columns(key);
    conn.prepare_cached("SELECT key FROM series WHERE scope = ? AND org = ? AND taxonomy = ?")
        .and_then(|mut statement| statement.query_row(params![scope, org, taxonomy], |row| row.get(0)).optional())
        .store_err()
}

/// Writes the row of a new series.
pub(crate) fn insert(conn: &Connection, index: u32, key: SeriesKey) -> Result<(), StoreError> {
    let [scope, org, taxonomy] = columns(&key);
    let digest = series_seal(index, &key);
    conn.prepare_cached("INSERT INTO series (key, scope, org, taxonomy, digest) VALUES (?, ?, ?, ?, ?)")
        .and_then(|mut statement| statement.execute(params![index, scope, org, taxonomy, digest.as_bytes()]))
        .map(|_| ())
        .store_err()
}

/// The identifiers as a series' row has them: none is empty.
fn columns(key: &SeriesKey) -> [Vec<u8>; 3] {
    let SeriesKey { scope, org, taxonomy } = key;
    [scope.map(Uuid::from), org.map(Uuid::from), taxonomy.map(Uuid::from)]
        .map(|id| id.map_or_else(Vec::new, |id| id.as_bytes().to_vec()))
}
