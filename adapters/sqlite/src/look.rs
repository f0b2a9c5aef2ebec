//! A file that was opened to look at it. Where SQLite may not write beside it, nothing tells a reader that somebody else writes
//! the file: so whoever reads compares what the system says of it before and after.

use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use ports::store::StoreError;
use rusqlite::{Connection, OpenFlags};

use crate::error::OpenError;
use crate::identity::Identity;

/// A connection that looks at a file.
#[derive(Debug)]
pub(crate) struct Look {
    conn: Connection,
    /// Where the file is taken for one that nobody changes.
    unchanging: Option<Arc<Unchanging>>,
}

impl Look {
    /// By a connection that shares its locks with whoever writes.
    pub(crate) const fn of(conn: Connection) -> Self {
        Self { conn, unchanging: None }
    }

    /// At a file that nobody changes, without anything beside it; `prepare` sets up the connection. One with a log is not whole.
    pub(crate) fn without_sharing(
        path: &Path,
        prepare: fn(&Connection) -> Result<(), rusqlite::Error>,
    ) -> Result<Self, OpenError> {
        let unchanging = Some(Arc::new(Unchanging::of(path)?));
        let mut uri = "file:".to_owned();
        for byte in path.as_os_str().as_encoded_bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                    uri.push(char::from(*byte));
                }
                _ => {
                    let _ = write!(uri, "%{byte:02X}");
                }
            }
        }
        uri.push_str("?immutable=1");
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let opened = Connection::open_with_flags(uri, flags);
        let conn = opened.and_then(|conn| prepare(&conn).map(|()| conn));
        let conn = conn.map_err(|cause| OpenError::Sqlite { path: path.to_owned(), cause })?;
        Ok(Self { conn, unchanging })
    }

    /// The connection.
    pub(crate) const fn conn(&self) -> &Connection {
        &self.conn
    }

    /// The connection, and what must stay as it is while it is used.
    pub(crate) fn into_parts(self) -> (Connection, Option<Arc<Unchanging>>) {
        (self.conn, self.unchanging)
    }

    /// Refuses a file that was changed since it was opened.
    pub(crate) fn check(&self) -> Result<(), OpenError> {
        self.unchanging.as_ref().map_or(Ok(()), |unchanging| unchanging.check())
    }

    /// What looking came to, unless the file was changed meanwhile: then it may be of two states.
    pub(crate) fn end<T>(&self, found: Result<T, StoreError>) -> Result<T, StoreError> {
        self.check()?;
        found
    }
}

/// What the system says of a file that nobody changes.
#[derive(Debug)]
pub(crate) struct Unchanging {
    identity: Identity,
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

impl Unchanging {
    fn of(path: &Path) -> Result<Self, OpenError> {
        let io = |cause| OpenError::Io { path: path.to_owned(), cause };
        let metadata = fs::metadata(path).map_err(io)?;
        let (length, modified) = (metadata.len(), metadata.modified().ok());
        let found = Self { identity: Identity::of(path)?, path: path.to_owned(), length, modified };
        // After the file itself: a log that is copied into it and removed between is seen by its time.
        if found.has_log()? { Err(OpenError::Log(path.to_owned())) } else { Ok(found) }
    }

    fn has_log(&self) -> Result<bool, OpenError> {
        let mut log = self.path.as_os_str().to_owned();
        log.push("-wal");
        match fs::metadata(Path::new(&log)) {
            Ok(metadata) => Ok(metadata.len() > 0),
            Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(false),
            Err(cause) => Err(OpenError::Io { path: self.path.clone(), cause }),
        }
    }

    /// Refuses a file that was changed.
    pub(crate) fn check(&self) -> Result<(), OpenError> {
        let changed = || OpenError::Changed(self.path.clone());
        self.identity.check().map_err(|_| changed())?;
        let metadata = fs::metadata(&self.path).map_err(|_| changed())?;
        let is_same = (metadata.len(), metadata.modified().ok()) == (self.length, self.modified);
        if is_same && !self.has_log()? { Ok(()) } else { Err(changed()) }
    }
}
