//! The pages of a file's log: counted, and copied into the file.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::file::make_durable;

/// How long a copy waits for one of another process.
const PATIENCE: Duration = Duration::from_secs(5);
/// The bytes of a page in a log's file, with its header.
const FRAME: u64 = 4_096 + 24;

/// How many pages are in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::writer) struct Pages {
    pub(super) all: u32,
    /// Those that are in the file already.
    pub(super) copied: u32,
}

impl Pages {
    /// Those that are not in the file yet.
    pub(super) const fn left(self) -> u32 {
        self.all.saturating_sub(self.copied)
    }
}

/// The pages in the log of that file. Where an error keeps them from being counted, as many as the log's file has: it may keep its
/// length when the log is started anew, so that there are at most as many.
pub(super) fn count(conn: &Connection, path: &Path) -> Pages {
    note(copy(conn, "NOOP")).unwrap_or_else(|| {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        let bytes = fs::metadata(log).map_or(0, |metadata| metadata.len());
        Pages { all: u32::try_from(bytes / FRAME).unwrap_or(u32::MAX), copied: 0 }
    })
}

/// Copies from a connection of its own what can be copied without waiting for readers and writers.
pub(super) fn copy_all(path: &Path) -> Result<Pages, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(PATIENCE)?;
    make_durable(&conn)?;
    copy(&conn, "PASSIVE")
}

/// Copies what can be copied without waiting for readers and writers; `NOOP` only counts.
pub(in crate::writer) fn copy(conn: &Connection, mode: &str) -> Result<Pages, rusqlite::Error> {
    let sql = format!("PRAGMA wal_checkpoint({mode})");
    conn.prepare_cached(&sql)?.query_row([], |row| {
        // What is unknown is -1: another process copies.
        let (all, copied): (i64, i64) = (row.get(1)?, row.get(2)?);
        let count = |pages: i64| u32::try_from(pages.max(0)).unwrap_or(u32::MAX);
        Ok(Pages { all: count(all), copied: count(copied) })
    })
}

/// The pages; an error is said, and the log grows up to its bound until a later copy succeeds.
pub(super) fn note(pages: Result<Pages, rusqlite::Error>) -> Option<Pages> {
    pages.inspect_err(|error| tracing::warn!(%error, "a file's log could not be copied into it")).ok()
}
