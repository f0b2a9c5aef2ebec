//! After the disk failed under a commit: what the file's log holds then is not known. It may lack the commit, or hold it for
//! whoever reads the log after a crash, while SQLite's index of the log in memory says that it is not there.
//!
//! So the file answers nobody until its log was rewritten: a new connection writes a transaction of no consequence, whose
//! pages take the place of the failed one's in the log, and has the log copied into the file. Once both are on the disk,
//! the failed commit is not and never will be.

use std::time::{Duration, Instant};

use ports::store::StoreError;
use rusqlite::Connection;

use super::Worker;
use super::log::{Log, copy};
use crate::error::{OpenError, busy};
use crate::file::open_another_writer;
use crate::keys::KnownKeys;
use crate::migration::TENANT;
use crate::options::Options;
use crate::queue::Queue;

/// How long the next try waits for the disk.
pub(super) const AGAIN: Duration = Duration::from_millis(500);

/// What callers are told meanwhile.
const SUSPENDED: &str = "the disk failed under a commit, and the file's log was not rewritten yet";

/// Why a log was not rewritten.
#[derive(Debug, thiserror::Error)]
enum Unwritten {
    #[error("the file cannot be opened again")]
    Open(#[source] OpenError),
    #[error("the file's log cannot be written")]
    Write(#[source] rusqlite::Error),
}

/// Commits what is under way.
pub(super) fn commit(conn: &Connection, options: &Options) -> Result<(), rusqlite::Error> {
    if options.takes_failure() {
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR_FSYNC);
        return Err(rusqlite::Error::SqliteFailure(code, None));
    }
    conn.execute_batch("COMMIT")
}

impl Worker {
    /// Has the file answer nobody until [`Self::recover`] succeeds.
    pub(super) fn suspend(&mut self) {
        self.is_suspended = true;
        if let Some(pool) = self.pool.upgrade() {
            pool.suspend();
        }
    }

    /// Rewrites the log, if it must be. Whether the file can be used.
    pub(super) fn recover(&mut self, queue: &Queue) -> bool {
        if !self.is_suspended {
            return true;
        }
        // Whoever asks meanwhile is refused at once.
        if self.tried.is_some_and(|tried| tried.elapsed() < AGAIN) {
            return false;
        }
        self.tried = Some(Instant::now());
        match self.rewrite_log(queue) {
            Ok(()) => {
                tracing::warn!(file = %self.owner.path.display(), "a file's log was rewritten after the disk failed");
                (self.is_suspended, self.is_told, self.tried) = (false, false, None);
                if let Some(pool) = self.pool.upgrade() {
                    pool.resume();
                }
            }
            // That does not end by itself, so it is told once; whoever asks is told it too.
            Err(Unwritten::Open(error @ OpenError::Replaced(_))) => {
                if !self.is_told {
                    let file = self.owner.path.display();
                    tracing::error!(%error, %file, "a file answers nobody until the service is restarted or the file put back");
                }
                self.is_told = true;
            }
            Err(error) => {
                let (cause, file): (&dyn std::error::Error, _) = (&error, self.owner.path.display());
                tracing::error!(cause, %file, "a file answers nobody: the disk failed, and its log is not rewritten yet");
            }
        }
        !self.is_suspended
    }

    /// What those are told who ask while the file answers nobody.
    pub(super) fn suspended(&self) -> StoreError {
        match self.identity.check() {
            Ok(()) => busy(SUSPENDED),
            Err(error) => error.into(),
        }
    }

    fn rewrite_log(&mut self, queue: &Queue) -> Result<(), Unwritten> {
        let Self { owner, identity, options, .. } = self;
        identity.check().map_err(Unwritten::Open)?;
        let conn = open_another_writer(&owner.path, &TENANT, options).map_err(Unwritten::Open)?;
        identity.check().map_err(Unwritten::Open)?;
        let log = Log::of(&conn, options).map_err(Unwritten::Write)?;
        let written = queue.begin(&conn, options.wait).and_then(|()| {
            conn.execute_batch("UPDATE head SET number = number")?;
            commit(&conn, options)
        });
        queue.end();
        written.and_then(|()| copy(&conn, "PASSIVE").map(drop)).map_err(Unwritten::Write)?;
        (self.conn, self.log, self.keys) = (conn, log, KnownKeys::default());
        Ok(())
    }
}
