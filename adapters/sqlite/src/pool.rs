//! The connections that read a file: opened when they are needed, kept for the next reader.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ports::store::StoreError;
use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{StoreErr as _, busy, failed};
use crate::file::open_reader;
use crate::options::Options;

/// How many idle connections of a file are kept.
const IDLE: usize = 16;

/// The connections that read one file.
#[derive(Debug)]
pub(crate) struct Pool {
    path: PathBuf,
    options: Options,
    idle: Mutex<Idle>,
    /// Of idle connections, this file's and others'.
    idle_places: Arc<Semaphore>,
    /// Of connections in use.
    places: Arc<Semaphore>,
    /// Whether nobody is to read the file.
    is_suspended: AtomicBool,
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
    pub(crate) fn new(path: PathBuf, options: Options, idle_places: Arc<Semaphore>) -> Arc<Self> {
        let places = Arc::new(Semaphore::new(options.readers));
        let (idle, is_suspended) = (Mutex::default(), AtomicBool::new(false));
        Arc::new(Self { path, options, idle, idle_places, places, is_suspended })
    }

    /// A connection outside any transaction, when there is a place.
    pub(crate) async fn take(self: &Arc<Self>) -> Result<PooledConn, StoreError> {
        let place = tokio::time::timeout(self.options.wait, Arc::clone(&self.places).acquire_owned())
            .await
            .map_err(|_| busy("other readers were not done in time"))?
            .map_err(|_| failed("the store is closed"))?;
        if self.is_suspended() {
            return Err(busy("the file is not read until its log was rewritten, since the disk failed"));
        }
        let conn = match self.idle().pop() {
            Some(conn) => conn,
            None => open_reader(&self.path, &self.options).store_err()?,
        };
        Ok(PooledConn { conn: Some(conn), pool: Arc::clone(self), _place: place })
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
    conn: Option<Connection>,
    pool: Arc<Pool>,
    _place: OwnedSemaphorePermit,
}

impl PooledConn {
    /// The connection, unless a thread that was given up took it along.
    pub(crate) fn conn(&self) -> Result<&Connection, StoreError> {
        self.conn.as_ref().ok_or_else(|| failed("an earlier call in this transaction was given up"))
    }

    /// Takes the connection to another thread.
    pub(crate) fn lift(&mut self) -> Result<Connection, StoreError> {
        self.conn.take().ok_or_else(|| failed("an earlier call in this transaction was given up"))
    }

    /// Brings the connection back.
    pub(crate) fn put_back(&mut self, conn: Connection) {
        self.conn = Some(conn);
    }
}

impl Drop for PooledConn {
    fn drop(&mut self) {
        let Some(conn) = self.conn.take() else { return };
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
