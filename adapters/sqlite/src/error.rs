//! What can go wrong with a file, and what SQLite's errors mean to a caller.

use std::io;
use std::path::PathBuf;

use ports::TenantId;
use ports::store::{DiskFailed, StoreError};
use rusqlite::ErrorCode;

/// Why a store's file or folder cannot be used. Nothing of it was changed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another server has the folder.
    #[error("{0} is served by another process; stop that one first")]
    Served(PathBuf),
    /// The folder has a server of another version, and a file would have to be brought to a later format beside it.
    #[error(
        "{0} is served by another process, and its files have an earlier format than this version writes; stop that one first"
    )]
    ServedByOlder(PathBuf),
    /// The file is something else than a store.
    #[error("{0} is not a file of Tonne's; it was left as it is")]
    Foreign(PathBuf),
    /// The file is of a later version of Tonne.
    #[error("{path} has format {found}, and this version of Tonne knows formats up to {known}: run the later version")]
    Newer {
        /// The database file.
        path: PathBuf,
        /// The format that the file has.
        found: u32,
        /// The latest format that is known here.
        known: u32,
    },
    /// The file is of an earlier version of Tonne, and was only to be looked at.
    #[error(
        "{path} has format {found}, and this version of Tonne reads format {known}: use the version that wrote it, or \
         have any other command bring it up to date (a copy is kept); it was left as it is"
    )]
    Older {
        /// The database file.
        path: PathBuf,
        /// The format that the file has.
        found: u32,
        /// The format that is read here.
        known: u32,
    },
    /// A migration would leave a row that refers to what is not there.
    #[error("{path} cannot be brought up to date: a row of {table} refers to what is not there; it was left as it is")]
    Dangling {
        /// The database file.
        path: PathBuf,
        /// The table of the row.
        table: String,
    },
    /// The folder cannot be written, and the file's log holds what is not in the file yet.
    #[error(
        "{0} has a log (-wal) that can only be read where SQLite may write beside it: copy both into a folder of your own"
    )]
    Log(PathBuf),
    /// The file was changed while it was read from where SQLite may not write beside it.
    #[error(
        "{0} was changed while it was read from a folder that may not be written, so what was read may be of two states: \
         read it on the machine that writes it, or a copy that `tonne backup` made"
    )]
    Changed(PathBuf),
    /// The file is gone, and with it what it held.
    #[error("{0} is missing or empty, though this folder holds a company; restore it from a backup")]
    Lost(PathBuf),
    /// The file holds records of a tenant that the directory does not know.
    #[error(
        "{0} holds a company's records, and directory.db knows no such company; restore the two files from one backup, \
         or move the file away to begin anew"
    )]
    Unlisted(PathBuf),
    /// The file holds the records of another tenant.
    #[error(
        "{path} holds the records of another company: of {found}, not of {expected}; put back the file that it replaced"
    )]
    OtherTenant {
        /// The database file.
        path: PathBuf,
        /// Whose records it holds.
        found: TenantId,
        /// Whose records it should hold.
        expected: TenantId,
    },
    /// Another file is at the path, or none.
    #[error(
        "{0} was moved, removed or replaced while it was open, and nothing is read or written any more: put the file back, or \
         stop the service and restore a backup by `tonne restore`"
    )]
    Replaced(PathBuf),
    /// The tenant of the file was removed.
    #[error("the company of {0} was removed")]
    Removed(PathBuf),
    /// There is no file.
    #[error("{0} does not exist")]
    Missing(PathBuf),
    /// The SQLite that was linked has faults that matter here.
    #[error("SQLite {0} is too old: 3.51.3 or later is needed")]
    Outdated(&'static str),
    /// The operating system refused to open or make it.
    #[error("{path} cannot be used")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
    /// SQLite refused to open it.
    #[error("{path} cannot be opened{}", of_the_disk(cause).map(|why| format!(": {why}")).unwrap_or_default())]
    Sqlite {
        /// The database file.
        path: PathBuf,
        /// What SQLite said.
        #[source]
        cause: rusqlite::Error,
    },
}

impl OpenError {
    /// Whether the file, or the folder that it is in, may not be written.
    #[must_use]
    pub fn is_write_refused(&self) -> bool {
        if let Self::Io { cause, .. } = self {
            return matches!(cause.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem);
        }
        matches!(self, Self::Sqlite { cause, .. } if is_about_the_folder(cause))
    }

    /// Whether it is another process that stands in the way.
    pub(crate) fn is_busy(&self) -> bool {
        let Self::Sqlite { cause, .. } = self else { return false };
        matches!(cause.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
    }
}

/// Whether SQLite failed since it could not make or use what it needs beside a file, or may not write it.
pub(crate) fn is_about_the_folder(cause: &rusqlite::Error) -> bool {
    matches!(cause.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied))
}

/// Why nothing is written where files are only read.
pub(crate) fn only_read() -> StoreError {
    failed("the store was opened to be read alone")
}

impl From<OpenError> for StoreError {
    fn from(error: OpenError) -> Self {
        if matches!(&error, OpenError::Sqlite { cause, .. } if of_the_disk(cause).is_some()) {
            return disk_failed(error.to_string());
        }
        Self::Failed(Box::new(error))
    }
}

/// What is wrong with the disk, and how to mend it; `None` where that is not what failed. A reader needs room too: for the index of
/// the log, beside the file.
fn of_the_disk(cause: &rusqlite::Error) -> Option<&'static str> {
    use rusqlite::ffi;
    let room =
        "no room is left on its disk, of which reading needs a little too (64 KiB, for its -shm): free some space";
    match (cause.sqlite_error_code()?, cause.sqlite_error()?.extended_code) {
        (ErrorCode::DiskFull, _) | (_, ffi::SQLITE_IOERR_SHMSIZE) => Some(room),
        (ErrorCode::SystemIoFailure, _) => Some("its disk failed: the log of the system says why"),
        _ => None,
    }
}

/// Something that SQLite says no word about.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Trouble(pub(crate) String);

/// A failure with its reason in words.
pub(crate) fn failed(reason: impl Into<String>) -> StoreError {
    StoreError::Failed(Box::new(Trouble(reason.into())))
}

/// That another try may succeed, with the reason in words.
pub(crate) fn busy(reason: impl Into<String>) -> StoreError {
    StoreError::Busy(Some(Box::new(Trouble(reason.into()))))
}

/// What an error of SQLite means to the caller.
pub(crate) fn of_sqlite(error: rusqlite::Error) -> StoreError {
    let damaged = matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
    );
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy(Some(Box::new(error))),
        Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => {
            disk_failed(of_the_disk(&error).map_or_else(|| error.to_string(), |why| format!("{error}: {why}")))
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            StoreError::Corrupt { subject: "the file".to_owned(), detail: error.to_string() }
        }
        Some(_) | None if damaged => StoreError::Corrupt { subject: "a row".to_owned(), detail: error.to_string() },
        Some(_) | None => StoreError::Failed(Box::new(error)),
    }
}

/// That the disk is full or broken, and nothing of the transaction is stored.
pub(crate) fn disk_failed(reason: String) -> StoreError {
    StoreError::Failed(Box::new(DiskFailed(reason)))
}

/// What an error of a COMMIT means. Where the disk failed, what reached it may be found there after a crash.
pub(crate) fn of_commit(error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::SystemIoFailure) => StoreError::Unknown(Box::new(error)),
        Some(_) | None => of_sqlite(error),
    }
}

/// Reads an error of SQLite as one of the store.
pub(crate) trait StoreErr<T> {
    /// The same result in the store's words.
    fn store_err(self) -> Result<T, StoreError>;
}

impl<T> StoreErr<T> for Result<T, rusqlite::Error> {
    fn store_err(self) -> Result<T, StoreError> {
        self.map_err(of_sqlite)
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    #[test]
    fn a_commit_that_the_disk_failed_may_have_been_made() {
        let commit = |code| of_commit(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        assert!(matches!(commit(ffi::SQLITE_IOERR_FSYNC), StoreError::Unknown(_)));
        assert!(matches!(commit(ffi::SQLITE_FULL), StoreError::Failed(_)));
        assert!(matches!(commit(ffi::SQLITE_BUSY), StoreError::Busy(_)));
    }

    #[test]
    fn a_disk_that_is_full_or_broken_is_told_from_other_failures() {
        let of = |code| of_sqlite(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_IOERR_READ, ffi::SQLITE_IOERR_WRITE] {
            assert!(DiskFailed::is_cause_of(&of(code)), "{code}");
        }
        assert!(!DiskFailed::is_cause_of(&of(ffi::SQLITE_MISUSE)));
    }

    #[test]
    fn a_file_that_cannot_be_read_on_a_full_disk_says_how_to_mend_it() {
        let opened = |code| OpenError::Sqlite {
            path: PathBuf::from("main.db"),
            cause: rusqlite::Error::SqliteFailure(ffi::Error::new(code), None),
        };
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_IOERR_SHMSIZE] {
            let error = opened(code);
            assert!(error.to_string().starts_with("main.db cannot be opened: no room is left on its disk"), "{error}");
            assert!(error.to_string().ends_with("free some space"), "{error}");
            assert!(DiskFailed::is_cause_of(&StoreError::from(error)), "{code}");
        }
        assert!(opened(ffi::SQLITE_IOERR_READ).to_string().contains("its disk failed"));
        assert_eq!(opened(ffi::SQLITE_CANTOPEN).to_string(), "main.db cannot be opened");
        assert!(!DiskFailed::is_cause_of(&StoreError::from(opened(ffi::SQLITE_CANTOPEN))));
    }
}
