//! Connections to a file: how they are opened and what is set on each.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::error::{OpenError, is_about_the_folder};
use crate::look::Look;
use crate::migration::{Format, unreadable};
use crate::options::Options;
use crate::private;

/// The oldest SQLite that is free of the faults that matter here, as `sqlite3_libversion_number` counts.
const OLDEST: i32 = 3_051_003;
/// What every SQLite file starts with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// How many statements a connection keeps prepared.
const STATEMENTS: usize = 256;
/// How much of the file a reader keeps in memory: there may be many, and most read in order.
const READER_CACHE_KIB: i32 = 8_000;
/// How much of the file the writer keeps in memory: a page that leaves it early is written twice.
const WRITER_CACHE_KIB: i32 = 64_000;

/// How long another process is left alone before the next try.
const PAUSE: Duration = Duration::from_millis(10);

/// What becomes of a file that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absent {
    /// A missing file is made.
    Make,
    /// It is an error, and so is an empty one.
    Refuse,
}

/// Opens a file to write in it and brings it to the latest format. A file of another kind is left as it is.
pub(crate) fn open_writer(
    path: &Path,
    format: &Format,
    absent: Absent,
    options: &Options,
) -> Result<Connection, OpenError> {
    if rusqlite::version_number() < OLDEST {
        return Err(OpenError::Outdated(rusqlite::version()));
    }
    if !starts_like_sqlite(path)? {
        return Err(OpenError::Foreign(path.to_owned()));
    }
    match absent {
        Absent::Make => {
            if let Some(folder) = path.parent() {
                private::make_folder(folder).map_err(|cause| OpenError::Io { path: folder.to_owned(), cause })?;
            }
            // What SQLite puts beside the file gets its mode.
            private::open_or_make(path).map_err(|cause| OpenError::Io { path: path.to_owned(), cause })?;
        }
        Absent::Refuse if is_blank(path)? => return Err(OpenError::Lost(path.to_owned())),
        Absent::Refuse => {}
    }
    patiently(options.wait, || open_once(path, format, options))
}

/// Opens once more a file that this process may have open, which must be one of Tonne's.
///
/// It is not looked into before: when a process closes a file, by whichever descriptor, the system takes away all locks
/// that it has on it (<https://www.sqlite.org/howtocorrupt.html>, section 2.2).
pub(crate) fn open_another_writer(path: &Path, format: &Format, options: &Options) -> Result<Connection, OpenError> {
    if is_blank(path)? {
        return Err(OpenError::Lost(path.to_owned()));
    }
    patiently(options.wait, || open_once(path, format, options))
}

/// Brings a file that is there to the latest format, if it has an older one; whether it had. This process may have it open.
pub(crate) fn bring_up_to_date(path: &Path, format: &Format, options: &Options) -> Result<bool, OpenError> {
    let conn = open_reader(path, options).map_err(|cause| unreadable(path, cause))?;
    let is_older = !format.needs_nothing(&conn, path)?;
    drop(conn);
    if is_older {
        drop(open_another_writer(path, format, options)?);
    }
    Ok(is_older)
}

/// Opens a file that is there to write in it.
fn open_once(path: &Path, format: &Format, options: &Options) -> Result<Connection, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut conn = Connection::open_with_flags(path, flags).map_err(|cause| sqlite(path, cause))?;
    conn.busy_timeout(options.wait).map_err(|cause| sqlite(path, cause))?;
    // Nothing is written before the file is known to be ours, or empty.
    let settled = format.needs_nothing(&conn, path)?;
    prepare_writer(&conn, options).map_err(|cause| sqlite(path, cause))?;
    if !settled {
        format.bring_up(&mut conn, path, options.clock.now())?;
    }
    Ok(conn)
}

/// Tries again while another process makes the file or closes it: not all that is done first has SQLite's own patience.
fn patiently<T>(wait: Duration, work: impl Fn() -> Result<T, OpenError>) -> Result<T, OpenError> {
    let started = Instant::now();
    loop {
        match work() {
            Err(error) if error.is_busy() && started.elapsed() < wait => thread::sleep(PAUSE),
            done => return done,
        }
    }
}

/// Opens a file to look at it. It must have the latest format; nothing is made, brought up or checkpointed. Where SQLite may
/// not write beside the file, it is taken for one that nobody changes.
pub(crate) fn open_as_is(path: &Path, format: &Format, options: &Options) -> Result<Look, OpenError> {
    if rusqlite::version_number() < OLDEST {
        return Err(OpenError::Outdated(rusqlite::version()));
    }
    if !path.try_exists().map_err(|cause| OpenError::Io { path: path.to_owned(), cause })? {
        return Err(OpenError::Missing(path.to_owned()));
    }
    // It is not looked into before: this process may have it open, see `open_another_writer`.
    let as_usual = || {
        let conn = open_reader(path, options).map_err(|cause| unreadable(path, cause))?;
        format.must_be_latest(&conn, path).map(|()| Look::of(conn))
    };
    match as_usual() {
        Err(OpenError::Sqlite { cause, .. }) if is_about_the_folder(&cause) => {
            let look = Look::without_sharing(path, prepare)?;
            let checked = format.must_be_latest(look.conn(), path);
            look.check()?;
            checked.map(|()| look)
        }
        opened => opened,
    }
}

/// Opens a file to read it. Only temporary tables can be written through it.
pub(crate) fn open_reader(path: &Path, options: &Options) -> Result<Connection, rusqlite::Error> {
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_timeout(options.wait)?;
    prepare(&conn)?;
    Ok(conn)
}

/// Whether the file is absent or empty.
pub(crate) fn is_blank(path: &Path) -> Result<bool, OpenError> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.len() == 0),
        Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(true),
        Err(cause) => Err(OpenError::Io { path: path.to_owned(), cause }),
    }
}

/// An absent or empty file is as good as one that starts like SQLite's.
fn starts_like_sqlite(path: &Path) -> Result<bool, OpenError> {
    let io = |cause| OpenError::Io { path: path.to_owned(), cause };
    let mut start = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(MAGIC.len() as u64).read_to_end(&mut start).map_err(io)?,
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(true),
        Err(cause) => return Err(io(cause)),
    };
    Ok(start.is_empty() || start == MAGIC)
}

fn prepare(conn: &Connection) -> Result<(), rusqlite::Error> {
    conn.set_prepared_statement_cache_capacity(STATEMENTS);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    conn.pragma_update(None, "trusted_schema", false)?;
    conn.pragma_update(None, "cell_size_check", true)?;
    conn.pragma_update(None, "cache_size", -READER_CACHE_KIB)
}

fn prepare_writer(conn: &Connection, options: &Options) -> Result<(), rusqlite::Error> {
    prepare(conn)?;
    conn.pragma_update(None, "cache_size", -WRITER_CACHE_KIB)?;
    conn.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))?;
    make_durable(conn)?;
    conn.pragma_update(None, "foreign_keys", true)?;
    // Pages that many transactions touch are copied into the file once for all of them.
    conn.pragma_update_and_check(None, "wal_autocheckpoint", 8_000, |row| row.get::<_, i64>(0))?;
    conn.pragma_update_and_check(None, "journal_size_limit", 64 << 20, |row| row.get::<_, i64>(0))?;
    if let Some(pages) = options.max_pages {
        conn.pragma_update_and_check(None, "max_page_count", pages, |row| row.get::<_, i64>(0))?;
    }
    Ok(())
}

/// Has each commit, and each copy of the log into the file, wait until the disk has it.
pub(crate) fn make_durable(conn: &Connection) -> Result<(), rusqlite::Error> {
    conn.pragma_update(None, "synchronous", "FULL")?;
    // On macOS a sync alone leaves it in the memory of the disk; elsewhere these do nothing.
    conn.pragma_update(None, "fullfsync", true)?;
    conn.pragma_update(None, "checkpoint_fullfsync", true)
}

fn sqlite(path: &Path, cause: rusqlite::Error) -> OpenError {
    OpenError::Sqlite { path: path.to_owned(), cause }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ports::contract::sample::{SampleClock, SampleIds};
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_writer_syncs_to_the_disk_itself() {
        let folder = TempDir::new().unwrap();
        let conn = Connection::open(folder.path().join("a.db")).unwrap();
        let options = Options::new(Arc::new(SampleClock), Arc::new(SampleIds::default()));
        prepare_writer(&conn, &options).unwrap();
        for (setting, expected) in [("synchronous", 2), ("fullfsync", 1), ("checkpoint_fullfsync", 1)] {
            let found: i64 = conn.pragma_query_value(None, setting, |row| row.get(0)).unwrap();
            assert_eq!(found, expected, "{setting}");
        }
    }
}
