//! A transaction on a connection of the pool.
//!
//! sqlx counts a transaction once the server has answered its BEGIN. Whoever left before that would leave it open on a
//! connection that goes back to the pool, so the beginning is a task of its own that is never broken off.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use futures_util::FutureExt as _;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgPool, PgTransactionManager};
use sqlx::{AssertSqlSafe, PgConnection, Postgres, SqlSafeStr as _};
use sqlx_core::transaction::TransactionManager as _;

use crate::message::first_message;

/// A transaction that has begun. Dropping it undoes it.
pub(crate) struct PooledTransaction {
    conn: PoolConnection<Postgres>,
}

impl PooledTransaction {
    /// Begins a transaction by that statement, which may be several in one message, and waits for the answer that long.
    pub(crate) async fn begin(pool: PgPool, patience: Duration, statement: String) -> Result<Self, sqlx::Error> {
        let task = tokio::spawn(async move {
            let statement = AssertSqlSafe(statement).into_sql_str();
            let begun = first_message(&pool, patience, |conn| {
                let statement = statement.clone();
                async move { PgTransactionManager::begin(conn, Some(statement)).await }.boxed()
            });
            begun.await.map(|(conn, ())| Self { conn })
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
