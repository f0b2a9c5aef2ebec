//! Several readers of one state of a file.

use std::num::NonZero;
use std::thread;

use ports::store::StoreError;
use rusqlite::Connection;

use crate::error::StoreErr as _;

/// How many readers there are at most: each has a cache and sums of its own.
const MOST: usize = 4;
/// How often they are opened anew where somebody wrote meanwhile.
const TRIES: usize = 100;

/// As many readers as there are processors, up to [`MOST`], all in a snapshot of the same state; one alone where somebody
/// writes without pause.
pub(super) fn readers(open: impl Fn() -> Result<Connection, StoreError>) -> Result<Vec<Connection>, StoreError> {
    let count = thread::available_parallelism().map_or(1, NonZero::get).min(MOST);
    let mut readers = (0..count).map(|_| open()).collect::<Result<Vec<_>, _>>()?;
    for _ in 0..TRIES {
        if together(&readers)? {
            return Ok(readers);
        }
        readers.iter().try_for_each(|reader| reader.execute_batch("ROLLBACK")).store_err()?;
    }
    readers.truncate(1);
    readers.iter().try_for_each(begin)?;
    Ok(readers)
}

/// Begins a snapshot on each; whether all are of one state. The first one looks before and after the others began: its
/// `data_version` is another once anybody has committed between.
fn together(readers: &[Connection]) -> Result<bool, StoreError> {
    let Some((first, others)) = readers.split_first() else { return Ok(true) };
    let before = version(first)?;
    others.iter().try_for_each(begin)?;
    begin(first)?;
    Ok(version(first)? == before)
}

/// Begins a snapshot: its state is that of the first row that is read.
fn begin(reader: &Connection) -> Result<(), StoreError> {
    reader.execute_batch("BEGIN DEFERRED").store_err()?;
    version(reader).map(|_| ())
}

fn version(reader: &Connection) -> Result<i64, StoreError> {
    reader.query_row("PRAGMA data_version", [], |row| row.get(0)).store_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(folder: &tempfile::TempDir) -> Connection {
        let conn = Connection::open(folder.path().join("file.db")).unwrap();
        conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).unwrap();
        conn.execute_batch("CREATE TABLE IF NOT EXISTS n (n INTEGER)").unwrap();
        conn
    }

    #[test]
    fn readers_are_of_one_state_unless_somebody_commits_between() {
        let folder = tempfile::TempDir::new().unwrap();
        let writer = file(&folder);
        let readers = [file(&folder), file(&folder)];
        assert!(together(&readers).unwrap());
        for reader in &readers {
            reader.execute_batch("ROLLBACK").unwrap();
        }

        let before = version(&readers[0]).unwrap();
        begin(&readers[1]).unwrap();
        writer.execute_batch("INSERT INTO n VALUES (1)").unwrap();
        begin(&readers[0]).unwrap();
        assert_ne!(version(&readers[0]).unwrap(), before);
    }
}
