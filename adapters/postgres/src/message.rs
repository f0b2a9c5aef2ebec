//! The first message on a connection of the pool, which finds out whether the connection is still there.

use std::io;
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::pool::PoolConnection;
use sqlx::postgres::PgPool;
use sqlx::{PgConnection, Postgres};
use tokio::time::timeout;

use crate::error::is_closed;

/// Sends a message that does no harm when it is sent twice. Connections are not tried out before: where the server has
/// closed one while nobody used it, the message is sent again on another. A connection that is silent for longer than
/// `patience`, or had an error, is closed.
///
/// To be called in a task of its own: whoever leaves would give the connection back as it is.
pub(crate) async fn first_message<T>(
    pool: &PgPool,
    patience: Duration,
    send: impl for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, Result<T, sqlx::Error>>,
) -> Result<(PoolConnection<Postgres>, T), sqlx::Error> {
    // All that were open may have been closed.
    let mut spare = pool.options().get_max_connections();
    loop {
        let mut conn = pool.acquire().await?;
        let answer = timeout(patience, send(&mut conn)).await;
        let error = match answer {
            Ok(Ok(answer)) => return Ok((conn, answer)),
            Ok(Err(error)) => error,
            Err(_) => {
                conn.close_on_drop();
                return Err(io::Error::new(io::ErrorKind::TimedOut, "the server does not answer").into());
            }
        };
        conn.close_on_drop();
        if spare == 0 || !is_closed(&error) {
            return Err(error);
        }
        spare -= 1;
    }
}
