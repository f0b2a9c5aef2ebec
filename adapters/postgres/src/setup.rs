//! Statements before a database is open: without parameters, a message each, so that they need no transaction to stay
//! on one connection behind a pooler.

use std::io;
use std::str::FromStr as _;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Decode, PgConnection, Postgres, Row as _, Type};
use tokio::time::timeout;

use crate::error::OpenError;
use crate::options::Pooler;

/// How long the server has to answer the first time.
const PATIENCE: Duration = Duration::from_secs(10);

/// How connections to that address are made.
pub(crate) fn connect_options(url: &str, pooler: Pooler) -> Result<PgConnectOptions, OpenError> {
    let options =
        PgConnectOptions::from_str(url).map_err(|cause| OpenError::Address(cause.into()))?.application_name("tonne");
    // There is no float to print, and PgBouncer refuses clients that ask for more of their digits.
    let options = options.extra_float_digits(None).disable_statement_logging();
    Ok(match pooler {
        Pooler::None => options,
        Pooler::Transaction => options.statement_cache_capacity(0),
    })
}

/// One connection, outside the pool.
pub(crate) async fn connect(options: &PgConnectOptions, pooler: Pooler) -> Result<PgConnection, OpenError> {
    let silent = || sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "the server does not answer"));
    let connected = timeout(PATIENCE, options.connect()).await.unwrap_or_else(|_| Err(silent()));
    let mut conn =
        connected.map_err(|cause| OpenError::Unreachable { address: address(options), cause: cause.into() })?;
    // What is asked here decides whether policies hold: nobody's function may answer in place of the server's own. Behind
    // a pooler the setting would stay with the connection of another client.
    if pooler == Pooler::None {
        run(&mut conn, "SET search_path = pg_catalog, pg_temp", "the connection").await?;
    }
    Ok(conn)
}

/// Where that is, without the password.
fn address(options: &PgConnectOptions) -> String {
    let (user, port) = (options.get_username(), options.get_port());
    let host = options.get_socket().map_or_else(|| options.get_host().into(), |socket| socket.to_string_lossy());
    format!("{user}@{host}:{port}/{}", options.get_database().unwrap_or(user))
}

/// Runs statements; `what` they are about is named when they fail.
pub(crate) async fn run(conn: &mut PgConnection, text: &str, what: &str) -> Result<(), OpenError> {
    sqlx::raw_sql(AssertSqlSafe(text)).execute(conn).await.map(drop).map_err(|cause| step(what, cause))
}

/// The rows that statements give.
pub(crate) async fn rows(conn: &mut PgConnection, text: &str, what: &str) -> Result<Vec<PgRow>, OpenError> {
    sqlx::raw_sql(AssertSqlSafe(text)).fetch_all(conn).await.map_err(|cause| step(what, cause))
}

/// The only value that statements give.
pub(crate) async fn value<T>(conn: &mut PgConnection, text: &str, what: &str) -> Result<T, OpenError>
where
    T: for<'r> Decode<'r, Postgres> + Type<Postgres>,
{
    let row = sqlx::raw_sql(AssertSqlSafe(text)).fetch_one(conn).await;
    row.and_then(|row| row.try_get(0)).map_err(|cause| step(what, cause))
}

/// A failure at that step.
pub(crate) fn step(what: &str, cause: sqlx::Error) -> OpenError {
    OpenError::Step { step: what.to_owned(), cause: cause.into() }
}
