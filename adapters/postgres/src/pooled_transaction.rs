//! A transaction on a connection of the pool.
//!
//! sqlx counts a transaction once the server has answered its BEGIN. Whoever left before that would leave it open on a
//! connection that goes back to the pool, so the beginning is a task of its own that is never broken off.

use std::time::Duration;

use futures_util::FutureExt as _;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgPool, PgTransactionManager};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Postgres, SqlSafeStr as _};
use sqlx_core::transaction::TransactionManager as _;
use tokio::runtime::Handle;
use tokio::time::timeout;

use crate::connection_slots::Held;
use crate::message::first_message;

/// A transaction that has begun. Dropping it undoes it.
pub(crate) struct PooledTransaction {
    /// None once the transaction was given up.
    conn: Option<PoolConnection<Postgres>>,
}

/// How long an answer that nobody reads any more may take until its connection is closed: most come sooner, and a new
/// connection takes longer than they do.
const REST: Duration = Duration::from_millis(100);

impl PooledTransaction {
    /// Begins a transaction by that statement, which may be several in one message, and waits for the answer that long.
    pub(crate) async fn begin(pool: PgPool, patience: Duration, statement: String) -> Result<Self, sqlx::Error> {
        let task = tokio::spawn(async move {
            let statement = AssertSqlSafe(statement).into_sql_str();
            let begun = first_message(&pool, patience, |conn| {
                let statement = statement.clone();
                async move { PgTransactionManager::begin(conn, Some(statement)).await }.boxed()
            });
            begun.await.map(|(conn, ())| Self { conn: Some(conn) })
        });
        task.await.unwrap_or(Err(sqlx::Error::WorkerCrashed))
    }

    /// The connection, which is in the transaction.
    pub(crate) fn conn(&mut self) -> Result<&mut PgConnection, sqlx::Error> {
        self.conn.as_deref_mut().ok_or(sqlx::Error::WorkerCrashed)
    }

    /// Makes it durable and visible.
    pub(crate) async fn commit(&mut self) -> Result<(), sqlx::Error> {
        PgTransactionManager::commit(self.conn()?).await
    }

    /// Undoes it while an answer is outstanding that nobody waits for. Where that does not come soon the connection is closed,
    /// by which the server notices that it need not go on; else the pool gets it back. Until then its place is taken.
    pub(crate) fn give_up(&mut self, place: Option<Held>) {
        let Some(mut conn) = self.conn.take() else { return };
        PgTransactionManager::start_rollback(&mut conn);
        let Ok(runtime) = Handle::try_current() else { return conn.close_on_drop() };
        runtime.spawn(async move {
            if !matches!(timeout(REST, conn.ping()).await, Ok(Ok(()))) {
                conn.close_on_drop();
            }
            drop(conn);
            drop(place);
        });
    }
}

impl Drop for PooledTransaction {
    fn drop(&mut self) {
        // Nothing after a commit. The pool sends it before it hands the connection out again.
        if let Some(conn) = &mut self.conn {
            PgTransactionManager::start_rollback(conn);
        }
    }
}
