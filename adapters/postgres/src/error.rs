//! What errors of the server mean: to the caller of a transaction, and to whoever opens a database.

mod open;
mod shared;

use ports::store::{DiskFailed, StoreError};
use sqlx::error::DatabaseError;
use sqlx::postgres::{PgDatabaseError, PgSeverity};

pub use open::{OpenError, Reason};
pub(crate) use shared::SharedError;

/// Something that the server says no word about.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Trouble(pub(crate) String);

/// A failure with its reason in words.
pub(crate) fn failed(reason: impl Into<String>) -> StoreError {
    StoreError::Failed(Box::new(Trouble(reason.into())))
}

/// That the server's disk is full, and nothing of the transaction is stored.
fn disk_failed(reason: String) -> StoreError {
    StoreError::Failed(Box::new(DiskFailed(reason)))
}

/// What an error of the server, or of the way to it, means to the caller.
pub(crate) fn of_server(error: sqlx::Error) -> StoreError {
    let is_way = matches!(
        &error,
        sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::BeginFailed
    );
    let Some(refusal) = error.as_database_error() else {
        return if is_way { StoreError::Busy(Some(Box::new(error))) } else { StoreError::Failed(Box::new(error)) };
    };
    if passes(refusal) {
        return StoreError::Busy(Some(Box::new(error)));
    }
    // disk_full
    if refusal.code().as_deref() == Some("53100") {
        return disk_failed(format!("the disk of the database server is full: {}", refusal.message()));
    }
    match lasting(refusal) {
        Some(what) => failed(format!("{what}: {}", refusal.message())),
        None => StoreError::Failed(Box::new(error)),
    }
}

/// What an error of a commit that was sent means: where the server did not refuse it, it may have been made.
pub(crate) fn of_commit(error: sqlx::Error) -> StoreError {
    let refuses = |refusal: &dyn DatabaseError| match refusal.code().as_deref() {
        // Connection exceptions, transaction_resolution_unknown among them; the server stops while it commits.
        Some(code) => !(code.starts_with("08") || matches!(code, "57P01" | "57P02") || is_lost_in_commit(refusal)),
        None => false,
    };
    let is_refused = error.as_database_error().is_some_and(refuses);
    if is_refused { of_server(error) } else { StoreError::Unknown(Box::new(error)) }
}

/// What somebody has to mend before any transaction can succeed.
fn lasting(refusal: &dyn DatabaseError) -> Option<&'static str> {
    match refusal.code()?.as_ref() {
        // invalid_authorization_specification, invalid_password
        "28000" | "28P01" => Some("the database server refuses the user or password of the address"),
        _ => None,
    }
}

/// Whether the same transaction may succeed later. Classes and codes: PostgreSQL, appendix A.
fn passes(refusal: &dyn DatabaseError) -> bool {
    let code = refusal.code().unwrap_or_default();
    match code.get(..2) {
        // Connection exceptions; the server stops, starts or lacks connections.
        Some("08") => true,
        Some("XX") => is_worker_lost(refusal),
        _ => matches!(
            &*code,
            // too_many_connections, serialization_failure, deadlock_detected, lock_not_available, query_canceled
            "53300" | "40001" | "40P01" | "55P03" | "57014"
            // admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout
            | "57P01" | "57P02" | "57P03" | "57P05"
            // idle_in_transaction_session_timeout, read_only_sql_transaction (a server that became a replica)
            | "25P03" | "25006"
        ),
    }
}

/// Whether a cluster (Citus), which has no code for it, lost a worker within the transaction. Also where it says so in answer
/// to a commit, it has told no worker to commit, and nothing is stored.
fn is_worker_lost(refusal: &dyn DatabaseError) -> bool {
    let said = refusal.message();
    said.starts_with("failure on connection marked as essential") || said.starts_with("could not make changes to shard")
}

/// Whether a cluster (Citus), which has no code for it, lost the worker that it had told to commit.
fn is_lost_in_commit(refusal: &dyn DatabaseError) -> bool {
    refusal.message().starts_with("could not commit transaction")
}

/// Whether the server itself is away: it does not answer, or says that it stops or starts.
pub(crate) fn is_unreachable(error: &sqlx::Error) -> bool {
    let stops = |refusal: &dyn DatabaseError| {
        matches!(&*refusal.code().unwrap_or_default(), "57P01" | "57P02" | "57P03") // as above
    };
    matches!(error, sqlx::Error::Io(_) | sqlx::Error::Tls(_)) || error.as_database_error().is_some_and(stops)
}

/// Whether the connection was closed from the other end, as idle ones may be: the server says why as a last word, if at all.
pub(crate) fn is_closed(error: &sqlx::Error) -> bool {
    let is_last_word = |refusal: &dyn DatabaseError| {
        refusal
            .try_downcast_ref::<PgDatabaseError>()
            .is_some_and(|refusal| matches!(refusal.severity(), PgSeverity::Fatal | PgSeverity::Panic))
    };
    matches!(error, sqlx::Error::Io(_) | sqlx::Error::Tls(_)) || error.as_database_error().is_some_and(is_last_word)
}

/// Whether the server refused a row because one of its keys is taken.
pub(crate) fn is_taken(error: &StoreError) -> bool {
    let StoreError::Failed(cause) = error else { return false };
    let refusal = cause.downcast_ref::<sqlx::Error>().and_then(sqlx::Error::as_database_error);
    refusal.is_some_and(DatabaseError::is_unique_violation)
}

/// Reads an error of the server as one of the store.
pub(crate) trait StoreErr<T> {
    /// The same result in the store's words.
    fn store_err(self) -> Result<T, StoreError>;
}

impl<T> StoreErr<T> for Result<T, sqlx::Error> {
    fn store_err(self) -> Result<T, StoreError> {
        self.map_err(of_server)
    }
}

#[cfg(test)]
mod tests;
