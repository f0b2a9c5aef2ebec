//! Series: the combinations of scope, org and taxonomy in use, counted from 0 in the order of their first use.

use domain::{Canonical, CanonicalWriter, SeriesKey};
use ports::RecordKind;
use ports::store::StoreError;
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use crate::error::{Meaning as _, failed};
use crate::row::{Columns, Damage};
use crate::table::node_key;

/// A series with its index, which its row's digest binds together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbered {
    /// Its index.
    pub(crate) index: u32,
    /// The series.
    pub(crate) key: SeriesKey,
}

impl Canonical for Numbered {
    fn write(&self, record: &mut CanonicalWriter) {
        record.text("series", self.index);
        record.optional("scope", self.key.scope);
        record.optional("org", self.key.org);
        record.optional("taxonomy", self.key.taxonomy);
    }
}

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
            node_key(conn, tree, id)?;
        }
    }
    let [scope, org, taxonomy] = nodes.map(|(_, id)| bytes(id));
    let known: Option<u32> = conn
        .prepare_cached("SELECT key FROM series WHERE scope = ? AND org = ? AND taxonomy = ?")
        .and_then(|mut statement| statement.query_row(params![scope, org, taxonomy], |row| row.get(0)).optional())
        .meant()?;
    if let Some(index) = known {
        return Ok(index);
    }
    let last: Option<u32> = conn
        .prepare_cached("SELECT max(key) FROM series")
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
        .meant()?;
    let index = match last {
        Some(last) => last.checked_add(1).ok_or_else(|| failed("there are too many series"))?,
        None => 0,
    };
    insert(conn, Numbered { index, key })?;
    Ok(index)
}

/// Writes the row of a new series.
pub(crate) fn insert(conn: &Connection, series: Numbered) -> Result<(), StoreError> {
    let SeriesKey { scope, org, taxonomy } = series.key;
    let [scope, org, taxonomy] = [scope.map(Uuid::from), org.map(Uuid::from), taxonomy.map(Uuid::from)].map(bytes);
    let digest = series.digest();
    conn.prepare_cached("INSERT INTO series (key, scope, org, taxonomy, digest) VALUES (?, ?, ?, ?, ?)")
        .and_then(|mut statement| statement.execute(params![series.index, scope, org, taxonomy, digest.as_bytes()]))
        .map(|_| ())
        .meant()
}

/// An identifier as a series' row has it: none is empty.
fn bytes(id: Option<Uuid>) -> Vec<u8> {
    id.map_or_else(Vec::new, |id| id.as_bytes().to_vec())
}
