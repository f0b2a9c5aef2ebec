//! The roles that transactions work under: they own nothing, row-level security binds them, and each sees its own tables
//! alone.
//!
//! Roles belong to all databases of a server: whoever makes or grants these may meet others who do the same for
//! another database.

mod rights;

use sqlx::error::DatabaseError;
use sqlx::{AssertSqlSafe, PgConnection};

use crate::error::OpenError;
use crate::setup::value;

use rights::{Rights, Subject};
pub(crate) use rights::{TABLES, lacks};

/// A role that transactions work under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// That of tenants' transactions: it sees nothing of the directory.
    Tenants,
    /// That of the directory's: it sees nothing of tenants' records.
    Directory,
}

/// Both, as a statement grants them.
pub(crate) const NAMES: &str = "tonne_app, tonne_directory";

impl Role {
    pub(crate) const ALL: [Self; 2] = [Self::Tenants, Self::Directory];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Tenants => "tonne_app",
            Self::Directory => "tonne_directory",
        }
    }

    /// The statement that puts a transaction under it.
    pub(crate) const fn take(self) -> &'static str {
        match self {
            Self::Tenants => "SET LOCAL ROLE tonne_app",
            Self::Directory => "SET LOCAL ROLE tonne_directory",
        }
    }
}

/// How often a grant is tried that meets another.
const ATTEMPTS: u32 = 20;

/// How the user of the service's address stands to the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// By itself it may do more than the roles that its transactions take.
    Privileged,
    /// It may do no more than they.
    Restricted,
}

/// Makes the roles that there are not.
pub(crate) async fn make(conn: &mut PgConnection) -> Result<(), OpenError> {
    let mut missing = Vec::new();
    for role in Role::ALL {
        let known = format!("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = '{}')", role.name());
        if !value::<bool>(conn, &known, "its roles").await? {
            missing.push(role);
        }
    }
    for role in &missing {
        let text = format!("CREATE ROLE {} NOLOGIN", role.name());
        match sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut *conn).await {
            Ok(_) => {}
            // Another made it meanwhile: duplicate_object, unique_violation.
            Err(cause) if is_code(&cause, &["42710", "23505"]) => {}
            Err(cause) => {
                let makes =
                    missing.iter().fold(String::new(), |text, role| text + "CREATE ROLE " + role.name() + " NOLOGIN; ");
                let statements = format!("{makes}GRANT {NAMES} TO {}", quoted(&user(conn).await?));
                return Err(OpenError::Role { statements, cause: cause.into() });
            }
        }
    }
    Ok(())
}

/// Lets the user of that connection take the roles.
pub(crate) async fn take(conn: &mut PgConnection) -> Result<(), OpenError> {
    if try_take(conn).await.is_ok() {
        return Ok(());
    }
    let user = user(conn).await?;
    grant(conn, &user).await?;
    try_take(conn).await.map_err(|cause| OpenError::Grant { roles: NAMES, user: quoted(&user), cause: cause.into() })
}

async fn try_take(conn: &mut PgConnection) -> Result<(), sqlx::Error> {
    let text = Role::ALL.iter().fold("BEGIN".to_owned(), |text, role| format!("{text}; {}", role.take()));
    let taken = sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut *conn).await.map(drop);
    sqlx::raw_sql("ROLLBACK").execute(conn).await?;
    taken
}

/// Lets the user of the first connection take the roles; the second is the migrator's.
pub(crate) async fn admit(conn: &mut PgConnection, owner: &mut PgConnection) -> Result<(), OpenError> {
    if try_take(conn).await.is_ok() {
        return Ok(());
    }
    grant(owner, &user(conn).await?).await
}

async fn grant(conn: &mut PgConnection, user: &str) -> Result<(), OpenError> {
    let text = format!("GRANT {NAMES} TO {}", quoted(user));
    let mut attempts = 1;
    loop {
        match sqlx::raw_sql(AssertSqlSafe(text.as_str())).execute(&mut *conn).await {
            Ok(_) => return Ok(()),
            // Two grants of a role at once: unique_violation, or internal_error ("tuple concurrently updated").
            Err(cause) if attempts < ATTEMPTS && is_code(&cause, &["23505", "XX000"]) => attempts += 1,
            Err(cause) => return Err(OpenError::Grant { roles: NAMES, user: quoted(user), cause: cause.into() }),
        }
    }
}

/// Whether the user of that connection could do more than the service should.
pub(crate) async fn exceeds(conn: &mut PgConnection) -> Result<bool, OpenError> {
    Ok(Rights::read(conn, Subject::User).await?.excess.is_some())
}

/// Whether the user of that connection is a superuser.
pub(crate) async fn is_superuser(conn: &mut PgConnection) -> Result<bool, OpenError> {
    let text = "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = session_user AND rolsuper)";
    value(conn, text, "who the user is").await
}

/// Whether it may make schemas in the database.
pub(crate) async fn may_create(conn: &mut PgConnection) -> Result<bool, OpenError> {
    value(conn, "SELECT has_database_privilege(current_database(), 'CREATE')", "what the user may do").await
}

/// Refuses a user and roles that row-level security does not bind, that could change the tables or see more than their
/// own, and those that cannot use them.
pub(crate) async fn check(conn: &mut PgConnection, standing: Standing) -> Result<(), OpenError> {
    if standing == Standing::Restricted {
        Rights::read(conn, Subject::User).await?.must_not_exceed()?;
    }
    if try_take(conn).await.is_err() {
        return lack(conn).await;
    }
    for role in Role::ALL {
        let rights = Rights::read(conn, Subject::Role(role)).await?;
        if rights.lacks {
            return lack(conn).await;
        }
        rights.must_not_exceed()?;
    }
    Ok(())
}

async fn lack(conn: &mut PgConnection) -> Result<(), OpenError> {
    Err(OpenError::Lack { role: user(conn).await?, granted: NAMES })
}

/// Refuses a role of tenants' transactions that cannot connect to the workers of a cluster, which they do under it.
pub(crate) async fn check_login(conn: &mut PgConnection) -> Result<(), OpenError> {
    let role = Role::Tenants.name();
    let text = format!("SELECT rolcanlogin FROM pg_roles WHERE rolname = '{role}'");
    if value(conn, &text, "the rights of the role").await? { Ok(()) } else { Err(OpenError::Login(role)) }
}

/// Whether temporary tables are refused to tenants' transactions.
pub(crate) async fn lacks_temporary(conn: &mut PgConnection) -> Result<bool, OpenError> {
    let role = Role::Tenants.name();
    let text = format!("SELECT NOT has_database_privilege('{role}', current_database(), 'TEMPORARY')");
    value(conn, &text, "the rights of the role").await
}

async fn user(conn: &mut PgConnection) -> Result<String, OpenError> {
    value(conn, "SELECT current_user::text", "who the user is").await
}

fn quoted(user: &str) -> String {
    format!("\"{}\"", user.replace('"', "\"\""))
}

fn is_code(error: &sqlx::Error, codes: &[&str]) -> bool {
    let code = error.as_database_error().and_then(DatabaseError::code);
    code.is_some_and(|code| codes.contains(&&*code))
}
