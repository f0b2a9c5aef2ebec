//! Bytes put aside until they are read again, so that memory stays bounded.

use ports::store::StoreError;
use rusqlite::{Connection, params};

use crate::error::StoreErr as _;

/// How much of the file is kept in memory.
const CACHE_KIB: i32 = 4_000;

/// A file for bytes in the system's folder for temporary files. It has no name and goes with this value.
#[derive(Debug)]
pub(super) struct Spool(Connection);

impl Spool {
    /// An empty one.
    pub(super) fn open() -> Result<Self, StoreError> {
        let conn = Connection::open("").store_err()?;
        conn.pragma_update(None, "cache_size", -CACHE_KIB).store_err()?;
        conn.pragma_update_and_check(None, "journal_mode", "OFF", |_| Ok(())).store_err()?;
        conn.execute_batch("CREATE TABLE spool (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT; BEGIN")
            .store_err()?;
        Ok(Self(conn))
    }

    /// Puts bytes aside, and gives their place.
    pub(super) fn put(&self, bytes: &[u8]) -> Result<i64, StoreError> {
        self.0
            .prepare_cached("INSERT INTO spool (bytes) VALUES (?)")
            .and_then(|mut statement| statement.insert(params![bytes]))
            .store_err()
    }

    /// The bytes of that place.
    pub(super) fn get(&self, place: i64) -> Result<Vec<u8>, StoreError> {
        self.0
            .prepare_cached("SELECT bytes FROM spool WHERE place = ?")
            .and_then(|mut statement| statement.query_row([place], |row| row.get(0)))
            .store_err()
    }
}
