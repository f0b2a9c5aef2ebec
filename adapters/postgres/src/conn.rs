//! The one place where statements go to the server: a transaction, what it is bound to, and how it runs them.
//!
//! Queries are built by `SeaORM` and run on sqlx, which alone can leave a statement unnamed: behind a pooler that gives a
//! connection for a transaction at a time, a name would meet another client's statement.

use std::io;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use futures_util::TryStreamExt as _;
use ports::TenantId;
use ports::store::StoreError;
use sea_orm::sea_query::Values;
use sea_orm::{DbBackend, FromQueryResult, QueryResult, Statement, Value};
use sea_query_sqlx::SqlxValues;
use sqlx::postgres::PgArguments;
use sqlx::{AssertSqlSafe, Postgres};
use tokio::time::timeout;

use crate::connection_slots::Held;
use crate::error::{OpenError, StoreErr as _, of_commit};
use crate::migration::known;
use crate::options::{Options, Pooler};
use crate::pooled_transaction::PooledTransaction;

/// A transaction. Dropping it undoes it.
pub(crate) struct Conn {
    // Ends before its place among the connections is free again.
    tx: PooledTransaction,
    pooler: Pooler,
    patience: Duration,
    /// The newest step of the format that is known here.
    known: i32,
    /// Whether an answer is outstanding: it is waited for, or was given up.
    is_awaited: bool,
    held: Option<Held>,
}

/// How much longer than a statement may run its answer may take. The server ends the statement itself, unless it or the
/// way to it has fallen silent.
pub(crate) const GRACE: Duration = Duration::from_secs(5);

impl Conn {
    /// A transaction that has begun, in that place.
    pub(crate) fn new(tx: PooledTransaction, options: &Options, held: Held) -> Self {
        let (pooler, patience) = (options.pooler, options.statement + GRACE);
        Self { tx, pooler, patience, known: known(options.steps), is_awaited: false, held: Some(held) }
    }

    /// Refuses to write in a database that a later version has brought to a format that is not known here; `needs` is the
    /// step that has to be known.
    pub(crate) fn must_know(&self, needs: i32) -> Result<(), StoreError> {
        if needs <= self.known { Ok(()) } else { Err(OpenError::Outgrown.into()) }
    }

    /// Lets the statements of this transaction run as long as they take.
    pub(crate) async fn lift_limit(&mut self) -> Result<(), StoreError> {
        self.batch("SET LOCAL statement_timeout = 0").await?;
        self.patience = Duration::MAX;
        Ok(())
    }

    /// The rows of a query, one after another, without keeping them.
    pub(crate) async fn each(
        &mut self,
        statement: Statement,
        mut take: impl FnMut(&QueryResult) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let query = query(statement, self.pooler);
        let mut rows = query.fetch(self.tx.conn().store_err()?);
        while let Some(row) = answered(self.patience, &mut self.is_awaited, rows.try_next()).await? {
            take(&QueryResult::from(row))?;
        }
        Ok(())
    }

    /// The rows of a query that has few.
    pub(crate) async fn all<M: FromQueryResult>(&mut self, statement: Statement) -> Result<Vec<M>, StoreError> {
        let conn = self.tx.conn().store_err()?;
        let rows = answered(self.patience, &mut self.is_awaited, query(statement, self.pooler).fetch_all(conn)).await?;
        rows.into_iter().map(|row| M::from_query_result(&QueryResult::from(row), "").map_err(unreadable)).collect()
    }

    /// The only row of a query, if there is one.
    pub(crate) async fn one<M: FromQueryResult>(&mut self, statement: Statement) -> Result<Option<M>, StoreError> {
        let conn = self.tx.conn().store_err()?;
        let row =
            answered(self.patience, &mut self.is_awaited, query(statement, self.pooler).fetch_optional(conn)).await?;
        row.map(|row| M::from_query_result(&QueryResult::from(row), "").map_err(unreadable)).transpose()
    }

    /// The first column of the only row of a query, if there is one.
    pub(crate) async fn value<T: sea_orm::TryGetable>(
        &mut self,
        statement: Statement,
    ) -> Result<Option<T>, StoreError> {
        let conn = self.tx.conn().store_err()?;
        let row =
            answered(self.patience, &mut self.is_awaited, query(statement, self.pooler).fetch_optional(conn)).await?;
        row.map(|row| QueryResult::from(row).try_get_by_index(0).map_err(unreadable)).transpose()
    }

    /// Runs a statement that writes, and gives the number of rows it touched.
    pub(crate) async fn execute(&mut self, statement: Statement) -> Result<u64, StoreError> {
        let conn = self.tx.conn().store_err()?;
        let done = answered(self.patience, &mut self.is_awaited, query(statement, self.pooler).execute(conn)).await?;
        Ok(done.rows_affected())
    }

    /// Runs a statement that writes, with parameters that are in the server's form already.
    pub(crate) async fn execute_encoded(&mut self, text: String, values: PgArguments) -> Result<u64, StoreError> {
        let query = sqlx::query_with(AssertSqlSafe(text), values).persistent(false);
        let conn = self.tx.conn().store_err()?;
        Ok(answered(self.patience, &mut self.is_awaited, query.execute(conn)).await?.rows_affected())
    }

    /// The same for a statement that will be run again, with other values.
    pub(crate) async fn execute_again(&mut self, text: String, values: PgArguments) -> Result<u64, StoreError> {
        let query = sqlx::query_with(AssertSqlSafe(text), values).persistent(self.pooler == Pooler::None);
        let conn = self.tx.conn().store_err()?;
        Ok(answered(self.patience, &mut self.is_awaited, query.execute(conn)).await?.rows_affected())
    }

    /// Runs statements without parameters, in one message.
    pub(crate) async fn batch(&mut self, statements: &str) -> Result<(), StoreError> {
        let conn = self.tx.conn().store_err()?;
        answered(self.patience, &mut self.is_awaited, sqlx::raw_sql(AssertSqlSafe(statements)).execute(conn))
            .await
            .map(drop)
    }

    /// Runs `COPY ... FROM STDIN` with that data.
    pub(crate) async fn copy(&mut self, statement: &str, data: &[u8]) -> Result<u64, StoreError> {
        let copied = async {
            let mut copy = self.tx.conn()?.copy_in_raw(statement).await?;
            copy.send(data).await?;
            copy.finish().await
        };
        answered(self.patience, &mut self.is_awaited, copied).await
    }

    /// Makes it durable and visible. `Unknown` when the server does not say whether it did.
    pub(crate) async fn commit(mut self) -> Result<(), StoreError> {
        let committed = answer_within(self.patience, &mut self.is_awaited, self.tx.commit()).await;
        committed.map_err(of_commit)
    }

    /// Ends a transaction that wrote nothing, or nothing that harms when it is written again.
    pub(crate) async fn end(mut self) -> Result<(), StoreError> {
        answered(self.patience, &mut self.is_awaited, self.tx.commit()).await
    }
}

impl Drop for Conn {
    fn drop(&mut self) {
        if self.is_awaited {
            self.tx.give_up(self.held.take());
        }
    }
}

/// What the server answers, if it does within that time. As long as it did not, `is_awaited` is true.
async fn answered<T>(
    patience: Duration,
    is_awaited: &mut bool,
    answer: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, StoreError> {
    answer_within(patience, is_awaited, answer).await.store_err()
}

/// The same, in the words of the server.
async fn answer_within<T>(
    patience: Duration,
    is_awaited: &mut bool,
    answer: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    let late = || sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "the server does not answer"));
    // It stays so when whoever waits leaves.
    *is_awaited = true;
    let answer = timeout(patience, answer).await;
    *is_awaited = answer.is_err();
    answer.unwrap_or_else(|_| Err(late()))
}

/// A transaction that sees and writes the rows of one tenant.
pub(crate) struct TenantConn {
    conn: Conn,
    tenant: TenantId,
}

impl TenantConn {
    /// A transaction in which that tenant is set.
    pub(crate) const fn new(conn: Conn, tenant: TenantId) -> Self {
        Self { conn, tenant }
    }

    /// The tenant. Queries say it too, beside the policies.
    pub(crate) const fn tenant(&self) -> TenantId {
        self.tenant
    }

    /// Makes it durable and visible. `Unknown` when the server does not say whether it did.
    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        self.conn.commit().await
    }

    /// Ends a transaction that wrote nothing, or nothing that harms when it is written again.
    pub(crate) async fn end(self) -> Result<(), StoreError> {
        self.conn.end().await
    }
}

impl Deref for TenantConn {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        &self.conn
    }
}

impl DerefMut for TenantConn {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.conn
    }
}

/// A statement in SQL, its parameters `$1` and on.
pub(crate) fn sql(text: &str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, text, values)
}

fn query(statement: Statement, pooler: Pooler) -> sqlx::query::Query<'static, Postgres, sqlx::postgres::PgArguments> {
    use sqlx::IntoArguments as _;
    let values = SqlxValues(statement.values.unwrap_or(Values(Vec::new())));
    sqlx::query_with(AssertSqlSafe(statement.sql), values.into_arguments()).persistent(pooler == Pooler::None)
}

/// A column of a row, by its place from 0.
pub(crate) fn column<T: sea_orm::TryGetable>(row: &QueryResult, place: usize) -> Result<T, StoreError> {
    row.try_get_by_index(place).map_err(unreadable)
}

/// A row that does not have the columns that it should.
pub(crate) fn unreadable(error: sea_orm::DbErr) -> StoreError {
    StoreError::Failed(Box::new(Unreadable(error)))
}

#[derive(Debug, thiserror::Error)]
#[error("a row cannot be read")]
struct Unreadable(#[source] sea_orm::DbErr);
