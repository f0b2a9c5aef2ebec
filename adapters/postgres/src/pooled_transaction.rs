//! A transaction on a connection of the pool.
//!
//! sqlx counts a transaction once the server has answered its BEGIN. Whoever left before that would leave it open on a
//! connection that goes back to the pool, so the beginning is a task of its own that is never broken off.

use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgPool, PgTransactionManager};
use sqlx::{AssertSqlSafe, PgConnection, Postgres, SqlSafeStr as _};
use sqlx_core::transaction::TransactionManager as _;

/// A transaction that has begun. Dropping it undoes it.
pub(crate) struct PooledTransaction {
    conn: PoolConnection<Postgres>,
}

impl PooledTransaction {
    /// Begins a transaction by that statement, which may be several in one message.
    pub(crate) async fn begin(pool: PgPool, statement: String) -> Result<Self, sqlx::Error> {
        let task = tokio::spawn(async move {
            let mut conn = pool.acquire().await?;
            match PgTransactionManager::begin(&mut conn, Some(AssertSqlSafe(statement).into_sql_str())).await {
                Ok(()) => Ok(Self { conn }),
                Err(error) => {
                    // What the message did before it failed is not known.
                    conn.close_on_drop();
                    Err(error)
                }
            }
        });
        task.await.unwrap_or(Err(sqlx::Error::WorkerCrashed))
    }

    /// Makes it durable and visible.
    pub(crate) async fn commit(&mut self) -> Result<(), sqlx::Error> {
        PgTransactionManager::commit(&mut self.conn).await
    }

    /// Takes the connection for broken: it is closed in place of going back to the pool, where it would keep its place for
    /// as long as the server says nothing.
    pub(crate) fn close_on_drop(&mut self) {
        self.conn.close_on_drop();
    }
}

impl Deref for PooledTransaction {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.conn
    }
}

impl DerefMut for PooledTransaction {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.conn
    }
}

impl Drop for PooledTransaction {
    fn drop(&mut self) {
        // Nothing after a commit. The pool sends it before it hands the connection out again.
        PgTransactionManager::start_rollback(&mut self.conn);
    }
}
