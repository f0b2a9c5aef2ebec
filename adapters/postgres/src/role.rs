//! The role that transactions work under: one that owns nothing and that row-level security binds.
//!
//! Roles belong to all databases of a server: whoever makes or grants this one may meet others who do the same for
//! another database.

use sqlx::error::DatabaseError;
use sqlx::{AssertSqlSafe, PgConnection, Row as _};

use crate::error::OpenError;
use crate::setup::{rows, step, value};

/// The restricted role that the migrator grants the use of the tables to.
pub(crate) const NAME: &str = "tonne_app";

/// How often a grant is tried that meets another.
const ATTEMPTS: u32 = 20;

/// How the user of the service's address stands to the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It may do more than it should, so each transaction takes the restricted role.
    Privileged,
    /// Row-level security binds it.
    Restricted,
}

impl Standing {
    /// What puts a transaction under the restricted role.
    pub(crate) fn take(self) -> String {
        match self {
            Self::Privileged => format!("SET LOCAL ROLE {NAME}; "),
            Self::Restricted => String::new(),
        }
    }
}

/// The tables that are added to and never changed.
const HISTORY: &str = "relname IN ('change', 'change_items', 'change_item', 'posting', 'removed')";

/// The tables of Tonne, as `pg_class` with `pg_namespace`.
pub(crate) const TABLES: &str = "pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace \
    AND nspname IN ('tonne', 'tonne_directory') AND relkind IN ('r', 'p')";

/// Makes the restricted role where there is none.
pub(crate) async fn make(conn: &mut PgConnection) -> Result<(), OpenError> {
    let known = format!("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = '{NAME}')");
    if value(conn, &known, "its roles").await? {
        return Ok(());
    }
    let text = format!("CREATE ROLE {NAME} NOLOGIN");
    match sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut *conn).await {
        Ok(_) => Ok(()),
        // Another made it meanwhile: duplicate_object, unique_violation.
        Err(cause) if is_code(&cause, &["42710", "23505"]) => Ok(()),
        Err(cause) => Err(OpenError::Role { role: NAME, user: user(conn).await?, cause: cause.into() }),
    }
}

/// Lets the user of that connection take the restricted role.
pub(crate) async fn take(conn: &mut PgConnection) -> Result<(), OpenError> {
    if try_take(conn).await.is_ok() {
        return Ok(());
    }
    let user = user(conn).await?;
    grant(conn, &user).await?;
    try_take(conn).await.map_err(|cause| OpenError::Grant { role: NAME, user, cause: cause.into() })
}

async fn try_take(conn: &mut PgConnection) -> Result<(), sqlx::Error> {
    let text = format!("BEGIN; SET LOCAL ROLE {NAME}");
    let taken = sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut *conn).await.map(drop);
    sqlx::raw_sql("ROLLBACK").execute(conn).await?;
    taken
}

/// Lets the user of the first connection work with the restricted role's rights; the second is the migrator's.
pub(crate) async fn admit(conn: &mut PgConnection, owner: &mut PgConnection) -> Result<(), OpenError> {
    let text = format!("SELECT pg_has_role(current_user, '{NAME}', 'USAGE')");
    if value(conn, &text, "the user's rights").await? {
        return Ok(());
    }
    grant(owner, &user(conn).await?).await
}

async fn grant(conn: &mut PgConnection, user: &str) -> Result<(), OpenError> {
    let text = format!("GRANT {NAME} TO \"{}\"", user.replace('"', "\"\""));
    let mut attempts = 1;
    loop {
        match sqlx::raw_sql(AssertSqlSafe(text.as_str())).execute(&mut *conn).await {
            Ok(_) => return Ok(()),
            // Two grants of the role at once: unique_violation, or internal_error ("tuple concurrently updated").
            Err(cause) if attempts < ATTEMPTS && is_code(&cause, &["23505", "XX000"]) => attempts += 1,
            Err(cause) => return Err(OpenError::Grant { role: NAME, user: user.to_owned(), cause: cause.into() }),
        }
    }
}

/// Whether the user of that connection could do more than the service should.
pub(crate) async fn exceeds(conn: &mut PgConnection) -> Result<bool, OpenError> {
    Ok(Rights::read(conn, Standing::Restricted).await?.excess.is_some())
}

/// Whether it may make schemas in the database.
pub(crate) async fn may_create(conn: &mut PgConnection) -> Result<bool, OpenError> {
    value(conn, "SELECT has_database_privilege(current_database(), 'CREATE')", "what the user may do").await
}

/// Refuses a role that row-level security does not bind or that could change the tables, and one that cannot use them.
pub(crate) async fn check(conn: &mut PgConnection, standing: Standing) -> Result<(), OpenError> {
    let rights = Rights::read(conn, standing).await?;
    if let Some(excess) = rights.excess {
        return Err(OpenError::Excess { role: rights.role, excess });
    }
    if rights.lacks { Err(OpenError::Lack { role: rights.role, granted: NAME }) } else { Ok(()) }
}

/// Refuses a role that cannot connect to the workers of a cluster, which transactions do under it.
pub(crate) async fn check_login(conn: &mut PgConnection, standing: Standing) -> Result<(), OpenError> {
    let text = format!("SELECT rolcanlogin FROM pg_roles WHERE rolname = '{NAME}'");
    if standing == Standing::Restricted || value(conn, &text, "the rights of the role").await? {
        return Ok(());
    }
    Err(OpenError::Login(NAME))
}

/// Whether the restricted role may not use every table.
pub(crate) async fn lacks(conn: &mut PgConnection) -> Result<bool, OpenError> {
    let text = format!("SELECT {}", lack(&format!("'{NAME}'")));
    value(conn, &text, "the rights of the role").await
}

/// Whether temporary tables are refused to a role.
pub(crate) async fn lacks_temporary(conn: &mut PgConnection, standing: Standing) -> Result<bool, OpenError> {
    let role = match standing {
        Standing::Privileged => format!("'{NAME}'"),
        Standing::Restricted => "current_user".to_owned(),
    };
    let text = format!("SELECT NOT has_database_privilege({role}, current_database(), 'TEMPORARY')");
    value(conn, &text, "the rights of the role").await
}

/// What the role may do that the service's transactions work under.
struct Rights {
    role: String,
    /// What it could do that it should not.
    excess: Option<String>,
    lacks: bool,
}

impl Rights {
    async fn read(conn: &mut PgConnection, standing: Standing) -> Result<Self, OpenError> {
        let take = standing.take();
        let lack = lack("current_user");
        // What a role may become counts like what it is.
        let text = format!(
            "BEGIN; {take}SELECT current_user::text, CASE \
             WHEN EXISTS (SELECT FROM pg_roles WHERE pg_has_role(current_user, oid, 'MEMBER') AND rolsuper) \
             THEN 'is a superuser, or can become one' \
             WHEN EXISTS (SELECT FROM pg_roles WHERE pg_has_role(current_user, oid, 'MEMBER') AND rolbypassrls) \
             THEN 'has BYPASSRLS, or can take a role that has it' \
             WHEN EXISTS (SELECT FROM {TABLES} WHERE pg_has_role(current_user, relowner, 'MEMBER') \
             OR pg_has_role(current_user, nspowner, 'MEMBER')) \
             THEN 'owns tables of Tonne, or can take the role that does' \
             WHEN EXISTS (SELECT FROM {TABLES} WHERE has_table_privilege(pg_class.oid, 'TRUNCATE')) \
             THEN 'may truncate tables of Tonne' \
             WHEN EXISTS (SELECT FROM {TABLES} WHERE {HISTORY} AND has_table_privilege(pg_class.oid, 'UPDATE, DELETE')) \
             THEN 'may change or delete the history' \
             WHEN current_setting('server_version_num')::integer < 160000 AND EXISTS \
             (SELECT FROM pg_roles WHERE pg_has_role(current_user, oid, 'MEMBER') AND rolcreaterole) \
             THEN 'has CREATEROLE, which before PostgreSQL 16 gives itself any role' END, \
             {lack}; ROLLBACK"
        );
        let what = "what the role may do";
        let found = rows(conn, &text, what).await?;
        let row = found.first().ok_or(sqlx::Error::RowNotFound).map_err(|cause| step(what, cause))?;
        let read = || Ok(Self { role: row.try_get(0)?, excess: row.try_get(1)?, lacks: row.try_get(2)? });
        read().map_err(|cause| step(what, cause))
    }
}

/// Whether a role may not do with every table what the service does.
fn lack(role: &str) -> String {
    let may = |right: &str| format!("has_table_privilege({role}, pg_class.oid, '{right}')");
    let [select, insert, update, delete] = ["SELECT", "INSERT", "UPDATE", "DELETE"].map(may);
    format!(
        "EXISTS (SELECT FROM {TABLES} WHERE NOT (has_schema_privilege({role}, nspname, 'USAGE') AND {select} \
         AND (relname = 'migration' OR ({insert} AND ({HISTORY} OR ({update} AND {delete}))))))"
    )
}

async fn user(conn: &mut PgConnection) -> Result<String, OpenError> {
    value(conn, "SELECT current_user::text", "who the user is").await
}

fn is_code(error: &sqlx::Error, codes: &[&str]) -> bool {
    let code = error.as_database_error().and_then(DatabaseError::code);
    code.is_some_and(|code| codes.contains(&&*code))
}
