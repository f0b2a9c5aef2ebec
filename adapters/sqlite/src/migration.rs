//! Formats of files: what marks them, how a new one is made and an older one brought up to date.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use domain::Timestamp;
use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::error::OpenError;

/// A kind of file, and the statements that lead to its latest format one after another.
#[derive(Debug)]
pub(crate) struct Format {
    /// What marks a file as one of the kind.
    pub(crate) application: i32,
    /// The first makes format 1 of an empty file, each further one the next format of the one before it.
    pub(crate) migrations: &'static [&'static str],
}

/// A tenant's file.
pub(crate) const TENANT: Format =
    Format { application: 0x544e_4e45, migrations: &[include_str!("../migrations/tenant/0001_initial.sql")] };

/// The directory's file.
pub(crate) const DIRECTORY: Format =
    Format { application: 0x544e_4e44, migrations: &[include_str!("../migrations/directory/0001_initial.sql")] };

/// What a file says about itself.
enum State {
    Empty,
    Format(u32),
    Foreign,
}

impl Format {
    fn latest(&self) -> u32 {
        u32::try_from(self.migrations.len()).unwrap_or(u32::MAX)
    }

    /// Brings a file to the latest format in one transaction. One of an earlier format is copied first, to
    /// `<file>.backup-v<format>-<moment>`; one of a later format, or of another kind, is refused and left as it is.
    pub(crate) fn bring_up(&self, conn: &mut Connection, path: &Path, now: Timestamp) -> Result<(), OpenError> {
        let sqlite = |cause| OpenError::Sqlite { path: path.to_owned(), cause };
        if self.needs_nothing(conn, path)? {
            return Ok(());
        }
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sqlite)?;
        let from = match self.state(&tx).map_err(sqlite)? {
            State::Empty => 0,
            State::Format(format) => format,
            State::Foreign => return Err(OpenError::Foreign(path.to_owned())),
        };
        if from > 0 && from < self.latest() {
            backup(path, from, now)?;
        }
        for migration in self.migrations.iter().skip(from as usize) {
            tx.execute_batch(migration).map_err(sqlite)?;
        }
        tx.pragma_update(None, "application_id", self.application).map_err(sqlite)?;
        tx.pragma_update(None, "user_version", self.latest()).map_err(sqlite)?;
        tx.commit().map_err(sqlite)
    }

    /// Whether the file has the latest format; an error when nothing can be done about it.
    pub(crate) fn needs_nothing(&self, conn: &Connection, path: &Path) -> Result<bool, OpenError> {
        match self.state(conn).map_err(|cause| unreadable(path, cause))? {
            State::Foreign => Err(OpenError::Foreign(path.to_owned())),
            State::Format(found) if found > self.latest() => {
                Err(OpenError::Newer { path: path.to_owned(), found, known: self.latest() })
            }
            State::Format(found) => Ok(found == self.latest()),
            State::Empty => Ok(false),
        }
    }

    fn state(&self, conn: &Connection) -> Result<State, rusqlite::Error> {
        let application: i32 = conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
        let version: u32 = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let objects: u32 = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        Ok(match (application, version) {
            (0, 0) if objects == 0 => State::Empty,
            (application, version) if application == self.application && version > 0 => State::Format(version),
            _ => State::Foreign,
        })
    }
}

/// A file that SQLite finds to be no database is somebody else's.
fn unreadable(path: &Path, cause: rusqlite::Error) -> OpenError {
    if cause.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) {
        OpenError::Foreign(path.to_owned())
    } else {
        OpenError::Sqlite { path: path.to_owned(), cause }
    }
}

/// Copies a file as it was before the transaction that is under way, and puts the copy on the disk.
fn backup(path: &Path, format: u32, now: Timestamp) -> Result<(), OpenError> {
    let to = backup_path(path, format, now);
    let io = |cause| OpenError::Io { path: to.clone(), cause };
    let sqlite = |cause| OpenError::Sqlite { path: to.clone(), cause };
    drop(File::create_new(&to).map_err(io)?);
    let copied = (|| {
        let from = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(sqlite)?;
        let mut copy = Connection::open(&to).map_err(sqlite)?;
        Backup::new(&from, &mut copy)
            .and_then(|backup| backup.run_to_completion(1000, Duration::ZERO, None))
            .map_err(sqlite)?;
        copy.close().map_err(|(_, cause)| sqlite(cause))?;
        File::open(&to).and_then(|file| file.sync_all()).map_err(io)
    })();
    if copied.is_err() {
        // A half copy is worth nothing, and its name may be needed for the next try.
        let _ = fs::remove_file(&to);
    }
    copied
}

fn backup_path(path: &Path, format: u32, now: Timestamp) -> PathBuf {
    let stamp: String = now.to_string().chars().filter(|c| !matches!(c, '-' | ':' | '.')).collect();
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".backup-v{format}-{stamp}"));
    path.with_file_name(name)
}
