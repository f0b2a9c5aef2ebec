//! Messages to the server outside a transaction that is under way: the first one on a connection, and queries whose
//! transaction begins and ends with them.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use ports::TenantId;
use ports::store::StoreError;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgPool, PgRow};
use sqlx::{AssertSqlSafe, PgConnection, Postgres};

use crate::database::Database;
use crate::error::is_unreachable;

/// Sends the first message on a connection of the pool. Connections are not tried out before: where the server has closed
/// one while nobody used it, the message is sent again on another. After an error its connection is closed.
pub(crate) async fn first_message<T>(
    pool: &PgPool,
    send: impl for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, Result<T, sqlx::Error>>,
) -> Result<(PoolConnection<Postgres>, T), sqlx::Error> {
    // All that were open may have been closed.
    let mut spare = pool.options().get_max_connections();
    loop {
        let mut conn = pool.acquire().await?;
        match send(&mut conn).await {
            Ok(answer) => return Ok((conn, answer)),
            Err(error) => {
                conn.close_on_drop();
                if spare == 0 || !is_unreachable(&error) {
                    return Err(error);
                }
                spare -= 1;
            }
        }
    }
}

impl Database {
    /// The rows of a query without parameters on a tenant's records, by one message to the server. It is one statement, and so
    /// sees one snapshot. `None` where the tables are distributed: settings are carried to the workers by messages of
    /// their own.
    pub(crate) async fn ask(&self, tenant: TenantId, query: &str) -> Result<Option<Vec<PgRow>>, StoreError> {
        // Several statements in one message are a transaction, in which `SET LOCAL` holds.
        let Some(settings) = self.settings_in_one_message(tenant) else { return Ok(None) };
        let _held = self.place_to_read(tenant).await?;
        self.first_answer(&format!("{settings}; {query}")).await.map(Some)
    }

    /// The rows that a message gives, if the server can be reached.
    pub(crate) async fn first_answer(&self, message: &str) -> Result<Vec<PgRow>, StoreError> {
        let message: Arc<str> = message.into();
        let answer = first_message(self.pool(), |conn| {
            let query = sqlx::raw_sql(AssertSqlSafe(Arc::clone(&message)));
            async move { query.fetch_all(conn).await }.boxed()
        });
        self.reached(answer).await.map(|(_, rows)| rows)
    }
}
