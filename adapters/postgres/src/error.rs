//! What errors of the server mean: to the caller of a transaction, and to whoever opens a database.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use ports::store::StoreError;
use sqlx::error::DatabaseError;
use sqlx::postgres::{PgDatabaseError, PgSeverity};

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address is none.
    #[error("the database address cannot be read; it looks like postgres://user:password@host/database")]
    Address(#[source] Reason),
    /// The address has a parameter that is not known.
    #[error("the database address has the parameter {0:?}, which is not known")]
    Parameter(String),
    /// The address has a `@` behind its `?`.
    #[error("the database address cannot be read: in a password ? is written %3F; in a parameter @ is written %40")]
    Question,
    /// The server does not answer, or refuses the user.
    #[error("the database {address} cannot be reached")]
    Unreachable {
        /// The address without its password: `user@host:port/database`.
        address: String,
        /// What the server or the network said.
        #[source]
        cause: Reason,
    },
    /// The server is too old.
    #[error("PostgreSQL {0} is too old: 13 or later is needed")]
    Outdated(String),
    /// The tables are not there or of an earlier version, and the user of the address may not make them.
    #[error(
        "the database lacks {0}; run `tonne migrate` with the address of the tables' owner in database.migrator_url"
    )]
    Unmigrated(String),
    /// Another version has changed the tables in a way that this one does not know.
    #[error("the database was brought to {0} by a later version, which this one cannot work with; update this node")]
    Later(String),
    /// The same, while this one has it open.
    #[error("the database was brought to a later format, which this version cannot write; update this node")]
    Outgrown,
    /// A role that transactions take could do more than it should.
    #[error("the role {role} {excess}; take back what it has beside what `tonne migrate --print-sql` grants")]
    RoleExcess {
        /// The name of the role.
        role: String,
        /// What it could do, such as `may truncate tables of Tonne`.
        excess: String,
    },
    /// The user of the service's address could do more than it should.
    #[error("the role {role} {excess}; give database.url a user that owns nothing and is bound by row-level security")]
    Excess {
        /// The name of the user.
        role: String,
        /// What it could do, such as `is a superuser`.
        excess: String,
    },
    /// The user of the service's address, or a role that it takes, may not use the tables.
    #[error(
        "the role {role} may not use the tables; as a superuser run: GRANT {granted} TO \"{role}\"; where it has that \
         already, run `tonne migrate`"
    )]
    Lack {
        /// The name of the user.
        role: String,
        /// The roles that may.
        granted: &'static str,
    },
    /// The tables are distributed over a cluster, whose workers a role cannot connect to.
    #[error("the tables are distributed, and the role {0} cannot log in to the workers: run deploy/citus.sql")]
    Login(&'static str),
    /// The roles that transactions work under cannot be made.
    #[error("the roles that the service works under cannot be made; as a superuser run: {statements}")]
    Role {
        /// What a superuser has to run.
        statements: String,
        /// What the server said.
        #[source]
        cause: Reason,
    },
    /// The roles are there and cannot be taken.
    #[error("the roles {roles} cannot be granted; as a superuser run: GRANT {roles} TO {user}")]
    Grant {
        /// The names of the roles.
        roles: &'static str,
        /// Who is to take them, in double quotes.
        user: String,
        /// What the server said.
        #[source]
        cause: Reason,
    },
    /// Tables whose rows are not kept apart by tenant.
    #[error("row-level security does not protect {0}; restore the policy that `tonne migrate --print-sql` shows")]
    Unprotected(String),
    /// A statement failed while the database was opened.
    #[error("the database cannot be prepared: {step}")]
    Step {
        /// What was being done.
        step: String,
        /// What the server said.
        #[source]
        cause: Reason,
    },
}

/// Why the server, or the way to it, refused: in its own words, once.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct Reason {
    text: String,
    code: Option<String>,
}

impl Reason {
    /// Whether a lock was not free in time.
    pub(crate) fn is_lock(&self) -> bool {
        self.code.as_deref() == Some("55P03") // lock_not_available
    }
}

impl From<sqlx::Error> for Reason {
    fn from(error: sqlx::Error) -> Self {
        if let Some(refusal) = error.as_database_error() {
            let code = refusal.code().map(std::borrow::Cow::into_owned);
            return Self { text: refusal.message().to_owned(), code };
        }
        // Each says what the one that it comes from says.
        let mut last: &dyn std::error::Error = &error;
        while let Some(source) = last.source() {
            last = source;
        }
        Self { text: last.to_string(), code: None }
    }
}

impl From<OpenError> for StoreError {
    fn from(error: OpenError) -> Self {
        Self::Failed(Box::new(error))
    }
}

/// Something that the server says no word about.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Trouble(pub(crate) String);

/// A failure with its reason in words.
pub(crate) fn failed(reason: impl Into<String>) -> StoreError {
    StoreError::Failed(Box::new(Trouble(reason.into())))
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
    match lasting(refusal) {
        Some(what) => failed(format!("{what}: {}", refusal.message())),
        None => StoreError::Failed(Box::new(error)),
    }
}

/// What an error of a commit that was sent means: where the server did not refuse it, it may have been made.
pub(crate) fn of_commit(error: sqlx::Error) -> StoreError {
    let is_refused = match error.as_database_error().and_then(DatabaseError::code).as_deref() {
        // Connection exceptions, transaction_resolution_unknown among them; the server stops while it commits.
        Some(code) => !(code.starts_with("08") || matches!(code, "57P01" | "57P02")),
        None => false,
    };
    if is_refused { of_server(error) } else { StoreError::Unknown(Box::new(error)) }
}

/// What somebody has to mend before any transaction can succeed.
fn lasting(refusal: &dyn DatabaseError) -> Option<&'static str> {
    match refusal.code()?.as_ref() {
        // invalid_authorization_specification, invalid_password
        "28000" | "28P01" => Some("the database server refuses the user or password of the address"),
        // disk_full
        "53100" => Some("the disk of the database server is full"),
        _ => None,
    }
}

/// Whether the same transaction may succeed later. Classes and codes: PostgreSQL, appendix A.
fn passes(refusal: &dyn DatabaseError) -> bool {
    let code = refusal.code().unwrap_or_default();
    match code.get(..2) {
        // Connection exceptions; the server stops, starts or lacks connections.
        Some("08") => true,
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

/// An error that several callers get.
#[derive(Clone, Debug)]
pub(crate) struct SharedError(Arc<StoreError>);

impl SharedError {
    pub(crate) fn of(error: StoreError) -> Self {
        Self(Arc::new(error))
    }

    /// The error for one of them, with all of its causes.
    pub(crate) fn again(&self) -> StoreError {
        let cause = || Box::new(self.clone());
        match &*self.0 {
            StoreError::Busy(None) => StoreError::Busy(None),
            StoreError::Busy(Some(_)) => StoreError::Busy(Some(cause())),
            StoreError::Unknown(_) => StoreError::Unknown(cause()),
            StoreError::Failed(_) | StoreError::Stale | StoreError::Conflict(_) => StoreError::Failed(cause()),
            StoreError::Corrupt { subject, detail } => {
                StoreError::Corrupt { subject: subject.clone(), detail: detail.clone() }
            }
        }
    }

    /// What caused it, or itself where nothing did.
    fn cause(&self) -> &(dyn Error + 'static) {
        self.0.source().unwrap_or(&*self.0)
    }
}

impl fmt::Display for SharedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.cause(), f)
    }
}

impl Error for SharedError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause().source()
    }
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
mod tests {
    use std::borrow::Cow;
    use std::error::Error as _;
    use std::fmt;

    use sqlx::error::ErrorKind;

    use super::*;

    /// A refusal with that code.
    #[derive(Debug)]
    struct Refusal(&'static str);

    impl fmt::Display for Refusal {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("as the server says")
        }
    }

    impl std::error::Error for Refusal {}

    impl DatabaseError for Refusal {
        fn message(&self) -> &'static str {
            "as the server says"
        }

        fn code(&self) -> Option<Cow<'_, str>> {
            Some(Cow::Borrowed(self.0))
        }

        fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
            self
        }

        fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
            self
        }

        fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
            self
        }

        fn kind(&self) -> ErrorKind {
            ErrorKind::Other
        }
    }

    fn meant(code: &'static str) -> StoreError {
        of_server(sqlx::Error::Database(Box::new(Refusal(code))))
    }

    #[test]
    fn what_passes_by_itself_is_busy_and_keeps_its_cause() {
        for code in ["08006", "53300", "40001", "57P01", "25006"] {
            let error = meant(code);
            assert!(matches!(error, StoreError::Busy(Some(_))), "{code}");
            assert!(error.source().unwrap().to_string().contains("as the server says"), "{code}");
        }
        assert!(matches!(of_server(sqlx::Error::PoolTimedOut), StoreError::Busy(Some(_))));
    }

    #[test]
    fn a_commit_that_the_server_did_not_refuse_may_have_been_made() {
        let commit = |code| of_commit(sqlx::Error::Database(Box::new(Refusal(code))));
        for error in [of_commit(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())), commit("08007"), commit("57P01")]
        {
            assert!(matches!(error, StoreError::Unknown(_)), "{error:?}");
        }
        assert!(matches!(commit("40001"), StoreError::Busy(_)));
        assert!(matches!(commit("53100"), StoreError::Failed(_)));
    }

    #[test]
    fn what_somebody_has_to_mend_has_failed_and_says_what() {
        for (code, what) in [("53100", "is full"), ("28P01", "user or password"), ("28000", "user or password")] {
            let StoreError::Failed(cause) = meant(code) else { panic!("{code}") };
            let told = cause.to_string();
            assert!(told.contains(what) && told.contains("as the server says"), "{told}");
        }
    }

    #[test]
    fn a_key_that_is_taken_keeps_the_error_of_the_server() {
        let StoreError::Failed(cause) = meant("23505") else { panic!("not failed") };
        assert!(cause.downcast_ref::<sqlx::Error>().is_some());
    }
}
