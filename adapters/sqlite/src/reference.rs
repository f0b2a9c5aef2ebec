//! What records refer to and are referred to by.

use ports::RecordKind;
use ports::repo::Use;
use ports::store::{Conflict, StoreError};
use rusqlite::{Connection, OptionalExtension as _};
use uuid::Uuid;

use crate::error::StoreErr as _;

/// The integer key of a record that another one refers to; `Conflict::Missing` when it is not there.
pub(crate) fn key_of(conn: &Connection, table: &str, kind: RecordKind, id: impl Into<Uuid>) -> Result<i64, StoreError> {
    let id = id.into();
    conn.prepare_cached(&format!("SELECT key FROM {table} WHERE id = ?"))
        .and_then(|mut statement| statement.query_row([id], |row| row.get(0)).optional())
        .store_err()?
        .ok_or(StoreError::Conflict(Conflict::Missing { kind, id }))
}

/// Counts the records of each kind that refer to one: each statement takes its identifier. Kinds without any are left
/// out.
pub(crate) fn count_uses(conn: &Connection, id: Uuid, counts: &[(RecordKind, &str)]) -> Result<Vec<Use>, StoreError> {
    let mut uses = Vec::new();
    for (kind, statement) in counts {
        let count: Option<u64> = conn
            .prepare_cached(statement)
            .and_then(|mut statement| statement.query_row([id], |row| row.get(0)).optional())
            .store_err()?;
        let count = count.unwrap_or_default();
        if count > 0 {
            uses.push(Use { kind: *kind, count });
        }
    }
    Ok(uses)
}
