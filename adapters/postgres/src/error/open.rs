//! Why a database cannot be opened.

use ports::store::StoreError;

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
