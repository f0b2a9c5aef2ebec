//! Statements before a database is open: without parameters, a message each, so that they need no transaction to stay
//! on one connection behind a pooler.

use std::io;
use std::str::FromStr as _;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Decode, PgConnection, Postgres, Row as _, Type};
use sqlx_core::Url;
use tokio::time::timeout;

use crate::error::OpenError;
use crate::options::Pooler;

/// How long the server has to answer the first time.
const PATIENCE: Duration = Duration::from_secs(10);

/// What may be behind the `?` of an address, in the spellings that sqlx reads.
const PARAMETERS: [&str; 18] = [
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "statement-cache-capacity",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
];

/// How connections to that address are made.
pub(crate) fn connect_options(url: &str, pooler: Pooler) -> Result<PgConnectOptions, OpenError> {
    check_parameters(url)?;
    let options =
        PgConnectOptions::from_str(url).map_err(|cause| OpenError::Address(cause.into()))?.application_name("tonne");
    // There is no float to print, and PgBouncer refuses clients that ask for more of their digits.
    let options = options.extra_float_digits(None).disable_statement_logging();
    Ok(match pooler {
        Pooler::None => options,
        Pooler::Transaction => options.statement_cache_capacity(0),
    })
}

/// Refuses parameters that are not known, by their names: sqlx ignores them, and logs what they hold.
fn check_parameters(url: &str) -> Result<(), OpenError> {
    let url = Url::parse(url).map_err(|cause| OpenError::Address(sqlx::Error::config(cause).into()))?;
    if url.query().is_some_and(|query| query.contains('@')) {
        return Err(OpenError::Question);
    }
    for (name, _) in url.query_pairs() {
        let is_option = name.starts_with("options[") && name.ends_with(']');
        if !is_option && !PARAMETERS.contains(&&*name) {
            return Err(OpenError::Parameter(name.into_owned()));
        }
    }
    Ok(())
}

/// What the server is to do for each connection: notice within some 30 s that the other end is gone, also while it sends.
/// Over a socket in the file system it does so anyway, and the settings do nothing.
const NOTICE: &str = "SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; \
                      SET tcp_user_timeout = 30000";
/// To notice it while a statement runs: from PostgreSQL 14 on, where the server's system can.
const LOOK: &str =
    "SELECT set_config(name, '1s', false) FROM pg_settings WHERE name = 'client_connection_check_interval'";

/// Prepares a connection of the pool. Behind a pooler it is another's, whose settings stay as they are.
pub(crate) async fn settle(conn: &mut PgConnection, pooler: Pooler) -> Result<(), sqlx::Error> {
    if pooler == Pooler::Transaction {
        return Ok(());
    }
    sqlx::raw_sql(NOTICE).execute(&mut *conn).await?;
    match sqlx::raw_sql(LOOK).execute(conn).await {
        // The server's system cannot look.
        Ok(_) | Err(sqlx::Error::Database(_)) => Ok(()),
        Err(error) => Err(error),
    }
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

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    #[test]
    fn a_node_that_is_gone_is_noticed_within_half_a_minute() {
        let of = |name: &str| -> u32 {
            let is_it = |statement: &&str| statement.starts_with(&format!("SET {name} = "));
            let statement = NOTICE.split("; ").find(is_it).unwrap_or_else(|| panic!("{name} is not set"));
            statement.rsplit(' ').next().unwrap().parse().unwrap()
        };
        let silence = of("tcp_keepalives_idle") + of("tcp_keepalives_interval") * of("tcp_keepalives_count");
        assert!((1..=30).contains(&silence), "{silence} s");
        assert!((1..=30_000).contains(&of("tcp_user_timeout")));
    }

    /// What is said about an address that is refused.
    fn told(url: &str) -> String {
        let error = connect_options(url, Pooler::None).unwrap_err();
        let source = error.source().map_or_else(String::new, |source| format!(": {source}"));
        format!("{error}{source}")
    }

    #[test]
    fn every_parameter_that_sqlx_reads_is_known() {
        let url = "postgres://u:p@h:5432/d?sslmode=require&ssl-root-cert=a&sslcert=b&ssl-key=c&host=h&hostaddr=127.0.0.1\
                   &port=1&dbname=d&user=u&password=p%40%3F&application_name=a&options=-c%20a%3Db&options[a]=b\
                   &statement-cache-capacity=7";
        let options = connect_options(url, Pooler::None).unwrap();
        assert_eq!((options.get_port(), options.get_database()), (1, Some("d")));
    }

    #[test]
    fn an_unknown_parameter_is_refused_by_its_name_alone() {
        let told = told("postgres://u@h/d?sslmode=require&passwrod=SECRETPW");
        assert!(told.contains("passwrod") && !told.contains("SECRETPW"), "{told}");
        assert!(self::told("postgres://u@h/d?options[a=b").contains("options[a"));
    }

    #[test]
    fn no_part_of_a_password_is_told() {
        for url in [
            "postgres://u:SECRET?PW=x@h/d",
            "postgres://u:12?SECRET=PW@h/d",
            "postgres://u:12?SECRETPW@h/d",
            "postgres://u:SECRET#PW@h/d",
            "postgres://u:SECRET/PW@h/d",
            "postgres://u:SECRETPW@h:port/d",
            "postgres://u:SECRETPW@h/d?sslmode=often",
        ] {
            let told = told(url);
            assert!(!told.contains("SECRET") && !told.contains("PW"), "{told}");
        }
    }
}
