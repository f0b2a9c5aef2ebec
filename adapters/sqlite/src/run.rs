//! Where the statements of a transaction run: on a reading connection, or on the thread that writes.
//! Every query is written once, against this seam.

use async_trait::async_trait;
use ports::ChainHead;
use ports::store::StoreError;
use rusqlite::Connection;
use tokio::task::spawn_blocking;

use crate::error::{StoreErr as _, Trouble};
use crate::owner::Owner;
use crate::pool::{Pool, PooledConn};
use crate::session::read_head;

/// Runs work on a transaction's connection.
#[async_trait]
pub(crate) trait Run: Send {
    /// The head at the transaction's begin.
    fn head(&self) -> ChainHead;

    /// Runs work that takes as long as a few look-ups.
    async fn run<T: Send + 'static>(
        &mut self,
        work: impl for<'c> FnOnce(&'c Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError>;

    /// Runs work that takes as long as there are rows, without keeping an asynchronous thread from others.
    async fn run_long<T: Send + 'static>(
        &mut self,
        work: impl for<'c> FnOnce(&'c Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError>;
}

/// A snapshot of a file.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pooled: PooledConn,
    head: ChainHead,
}

impl Snapshot {
    /// Fixes a snapshot by reading the head in it, which must be the owner's.
    pub(crate) async fn open(pool: &std::sync::Arc<Pool>, owner: &Owner) -> Result<Self, StoreError> {
        let pooled = pool.take().await?;
        let conn = pooled.conn()?;
        conn.execute_batch("BEGIN DEFERRED").store_err()?;
        let row = read_head(conn)?;
        owner.check(&row)?;
        pool.check_identity()?;
        Ok(Self { pooled, head: row.head })
    }
}

#[async_trait]
impl Run for Snapshot {
    fn head(&self) -> ChainHead {
        self.head
    }

    async fn run<T: Send + 'static>(
        &mut self,
        work: impl for<'c> FnOnce(&'c Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        work(self.pooled.conn()?)
    }

    async fn run_long<T: Send + 'static>(
        &mut self,
        work: impl for<'c> FnOnce(&'c Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let conn = self.pooled.lift()?;
        let thread = spawn_blocking(move || {
            let result = work(&conn);
            (conn, result)
        });
        let (conn, result) = thread.await.map_err(|error| StoreError::Failed(Box::new(Trouble(error.to_string()))))?;
        self.pooled.put_back(conn);
        result
    }
}
