//! The connections that read a file: opened when they are needed, kept for the next reader.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use ports::store::StoreError;
use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{StoreErr as _, busy, failed};
use crate::file::{open_as_is, open_reader};
use crate::identity::Identity;
use crate::look::Unchanging;
use crate::migration::Format;
use crate::options::{Access, Options};
use crate::reading::{Reading, Readings};

/// How many idle connections of a file are kept.
const IDLE: usize = 16;

/// The connections that read one file.
#[derive(Debug)]
pub(crate) struct Pool {
    path: PathBuf,
    identity: Identity,
    format: &'static Format,
    options: Options,
    idle: Mutex<Idle>,
    /// Of idle connections, this file's and others'.
    idle_places: Arc<Semaphore>,
    /// Of connections in use.
    places: Arc<Semaphore>,
    /// Since when they are.
    readings: Readings,
    /// Whether nobody is to read the file.
    is_suspended: AtomicBool,
    /// What must stay as it is, where a file is read that nobody is to change: as it was when the first connection was opened.
    unchanging: OnceLock<Arc<Unchanging>>,
}

/// The connections that nobody has, the one that came back last at the end.
#[derive(Debug, Default)]
struct Idle {
    conns: Vec<(Connection, OwnedSemaphorePermit)>,
    /// How many there were at least since they were last trimmed.
    least: usize,
}

impl Pool {
    /// A pool without connections yet. Of those that are idle it keeps as many as have a place.
    pub(crate) fn new(
        (path, identity): (PathBuf, Identity),
        format: &'static Format,
        options: Options,
        idle_places: Arc<Semaphore>,
    ) -> Arc<Self> {
        let places = Arc::new(Semaphore::new(options.readers));
        let (idle, is_suspended) = (Mutex::default(), AtomicBool::new(false));
        let (readings, unchanging) = (Readings::default(), OnceLock::new());
        Arc::new(Self {
            path,
            identity,
            format,
            options,
            idle,
            idle_places,
            places,
            readings,
            is_suspended,
            unchanging,
        })
    }

    /// A connection outside any transaction, when there is a place.
    pub(crate) async fn take(self: &Arc<Self>) -> Result<PooledConn, StoreError> {
        let place = tokio::time::timeout(self.options.wait, Arc::clone(&self.places).acquire_owned())
            .await
            .map_err(|_| busy("other readers were not done in time"))?
            .map_err(|_| failed("the store is closed"))?;
        if self.is_suspended() {
            self.identity.check()?;
            return Err(busy("the file is not read until its log was rewritten, since the disk failed"));
        }
        let idle = self.idle().pop();
        let conn = idle.map_or_else(|| self.open(), Ok)?;
        let lifted = Lifted { conn, _place: place, _reading: self.readings.begin() };
        Ok(PooledConn { lifted: Some(lifted), pool: Arc::clone(self) })
    }

    /// How long the connection has been in use that was taken first; `None` where none is.
    pub(crate) fn longest_reading(&self) -> Option<Duration> {
        self.readings.longest()
    }

    /// A new connection to the file that was opened before.
    fn open(&self) -> Result<Connection, StoreError> {
        self.identity.check()?;
        let conn = match self.options.access {
            Access::Write => open_reader(&self.path, &self.options).store_err()?,
            Access::Read => {
                let (conn, unchanging) = open_as_is(&self.path, self.format, &self.options)?.into_parts();
                if let Some(unchanging) = unchanging {
                    self.unchanging.get_or_init(|| unchanging);
                }
                conn
            }
        };
        // One of another file would be kept for later readers.
        self.identity.check()?;
        Ok(conn)
    }

    /// Refuses to read from a file that is not at its path any more.
    pub(crate) fn check_identity(&self) -> Result<(), StoreError> {
        self.identity.check()?;
        self.check_unchanged()
    }

    /// Refuses what was read of a file that somebody changed though nobody was to.
    pub(crate) fn check_unchanged(&self) -> Result<(), StoreError> {
        Ok(self.unchanging.get().map_or(Ok(()), |unchanging| unchanging.check())?)
    }

    /// Closes the connections that nobody holds now, each other one when it comes back, and hands out no more.
    pub(crate) fn close(&self) {
        self.places.close();
        self.idle().conns.clear();
    }

    /// Closes the connections that nobody holds now, and hands out no more until [`Self::resume`].
    pub(crate) fn suspend(&self) {
        self.is_suspended.store(true, Ordering::Release);
        self.idle().conns.clear();
    }

    /// Hands out connections again.
    pub(crate) fn resume(&self) {
        self.is_suspended.store(false, Ordering::Release);
    }

    fn is_suspended(&self) -> bool {
        self.is_suspended.load(Ordering::Acquire)
    }

    /// Closes the connections that were idle ever since the last call.
    pub(crate) fn trim(&self) {
        let surplus: Vec<_> = {
            let mut idle = self.idle();
            let surplus = idle.least.min(idle.conns.len());
            idle.least = idle.conns.len() - surplus;
            idle.conns.drain(..surplus).collect()
        };
        drop(surplus);
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Idle {
    /// The connection that came back last.
    fn pop(&mut self) -> Option<Connection> {
        let last = self.conns.pop();
        self.least = self.least.min(self.conns.len());
        last.map(|(conn, _)| conn)
    }
}

/// A connection that goes back to its pool when it is dropped, its transaction ended.
#[derive(Debug)]
pub(crate) struct PooledConn {
    lifted: Option<Lifted>,
    pool: Arc<Pool>,
}

/// A connection on its way to another thread, with its place among those in use.
#[derive(Debug)]
pub(crate) struct Lifted {
    pub(crate) conn: Connection,
    _place: OwnedSemaphorePermit,
    _reading: Reading,
}

impl PooledConn {
    /// Refuses what was read of a file that somebody changed though nobody was to.
    pub(crate) fn check_unchanged(&self) -> Result<(), StoreError> {
        self.pool.check_unchanged()
    }

    /// The connection, unless a thread that was given up took it along.
    pub(crate) fn conn(&self) -> Result<&Connection, StoreError> {
        self.lifted.as_ref().map(|lifted| &lifted.conn).ok_or_else(given_up)
    }

    /// Takes the connection to another thread.
    pub(crate) fn lift(&mut self) -> Result<Lifted, StoreError> {
        self.lifted.take().ok_or_else(given_up)
    }

    /// Brings the connection back.
    pub(crate) fn put_back(&mut self, lifted: Lifted) {
        self.lifted = Some(lifted);
    }
}

fn given_up() -> StoreError {
    failed("an earlier call in this transaction was given up")
}

impl Drop for PooledConn {
    fn drop(&mut self) {
        let Some(Lifted { conn, _place, _reading }) = self.lifted.take() else { return };
        if !conn.is_autocommit() && conn.execute_batch("ROLLBACK").is_err() {
            return;
        }
        let Ok(place) = Arc::clone(&self.pool.idle_places).try_acquire_owned() else { return };
        let mut idle = self.pool.idle();
        if idle.conns.len() < IDLE && !self.pool.places.is_closed() && !self.pool.is_suspended() {
            idle.conns.push((conn, place));
        }
    }
}
