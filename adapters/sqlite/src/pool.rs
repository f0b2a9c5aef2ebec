//! The connections that read a file: opened when they are needed, kept for the next reader.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use ports::store::StoreError;
use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Meaning as _, Trouble, failed};
use crate::file::open_reader;
use crate::options::Options;

/// How many idle connections are kept.
const IDLE: usize = 16;

/// The connections that read one file.
#[derive(Debug)]
pub(crate) struct Pool {
    path: PathBuf,
    options: Options,
    idle: Mutex<Vec<Connection>>,
    places: Arc<Semaphore>,
}

impl Pool {
    /// A pool without connections yet.
    pub(crate) fn new(path: PathBuf, options: Options) -> Arc<Self> {
        let places = Arc::new(Semaphore::new(options.readers));
        Arc::new(Self { path, options, idle: Mutex::default(), places })
    }

    /// A connection outside any transaction, when there is a place.
    pub(crate) async fn take(self: &Arc<Self>) -> Result<Lent, StoreError> {
        let place = tokio::time::timeout(self.options.wait, Arc::clone(&self.places).acquire_owned())
            .await
            .map_err(|_| StoreError::Busy(Some(Box::new(Trouble("too many readers at a time".to_owned())))))?
            .map_err(|_| failed("the store is closed"))?;
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let conn = match idle {
            Some(conn) => conn,
            None => open_reader(&self.path, &self.options).meant()?,
        };
        Ok(Lent { conn: Some(conn), pool: Arc::clone(self), _place: place })
    }

    /// Closes the connections that nobody holds now, each other one when it comes back, and lends no more.
    pub(crate) fn close(&self) {
        self.places.close();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// A connection that goes back to its pool when it is dropped, its transaction ended.
#[derive(Debug)]
pub(crate) struct Lent {
    conn: Option<Connection>,
    pool: Arc<Pool>,
    _place: OwnedSemaphorePermit,
}

impl Lent {
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

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(conn) = self.conn.take() else { return };
        if !conn.is_autocommit() && conn.execute_batch("ROLLBACK").is_err() {
            return;
        }
        let mut idle = self.pool.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE && !self.pool.places.is_closed() {
            idle.push(conn);
        }
    }
}
