//! What a user or role may do: asked each time a database is opened.

use sqlx::{PgConnection, Row as _};

use crate::error::OpenError;
use crate::setup::{rows, step, value};

use super::Role;

/// The tables that are added to and never changed.
const HISTORY: &str = "relname IN ('change', 'change_items', 'change_item', 'posting', 'import_lines', 'removed')";

/// The tables of Tonne, as `pg_class` with `pg_namespace`.
pub(crate) const TABLES: &str = "pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace \
    AND nspname IN ('tonne', 'tonne_directory') AND relkind IN ('r', 'p')";

/// Whose rights are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// The user of the connection.
    User,
    /// A role that it takes.
    Role(Role),
}

/// What a user or role may do.
pub(super) struct Rights {
    subject: Subject,
    name: String,
    /// What it could do that it should not.
    pub(super) excess: Option<String>,
    /// Whether it may not do what the service does. Always false of a user, whose transactions take roles.
    pub(super) lacks: bool,
}

impl Rights {
    /// Reads them. The user of the connection must be allowed to take the role.
    pub(super) async fn read(conn: &mut PgConnection, subject: Subject) -> Result<Self, OpenError> {
        let (take, foreign, lack) = match subject {
            Subject::User => (String::new(), String::new(), "false".to_owned()),
            Subject::Role(role) => (format!("{}; ", role.take()), foreign(role), lack(role)),
        };
        // What a role may become counts like what it is, and a right on one column like one on the table.
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
             WHEN EXISTS (SELECT FROM {TABLES} WHERE {HISTORY} AND (has_table_privilege(pg_class.oid, 'DELETE') \
             OR has_any_column_privilege(pg_class.oid, 'UPDATE'))) \
             THEN 'may change or delete the history' \
             {foreign}\
             WHEN current_setting('server_version_num')::integer < 160000 AND EXISTS \
             (SELECT FROM pg_roles WHERE pg_has_role(current_user, oid, 'MEMBER') AND rolcreaterole) \
             THEN 'has CREATEROLE, which before PostgreSQL 16 gives itself any role' END, \
             {lack}; ROLLBACK"
        );
        let what = "what the role may do";
        let found = rows(conn, &text, what).await?;
        let row = found.first().ok_or(sqlx::Error::RowNotFound).map_err(|cause| step(what, cause))?;
        let read = || Ok(Self { subject, name: row.try_get(0)?, excess: row.try_get(1)?, lacks: row.try_get(2)? });
        read().map_err(|cause| step(what, cause))
    }

    /// Refuses who could do more than the service should.
    pub(super) fn must_not_exceed(self) -> Result<(), OpenError> {
        let Some(excess) = self.excess else { return Ok(()) };
        Err(match self.subject {
            Subject::User => OpenError::Excess { role: self.name, excess },
            Subject::Role(_) => OpenError::RoleExcess { role: self.name, excess },
        })
    }
}

/// Whether the migrator has to grant the roles their rights: one of them may not do what the service does, or more.
pub(crate) async fn lacks(conn: &mut PgConnection) -> Result<bool, OpenError> {
    for role in Role::ALL {
        if value(conn, &format!("SELECT {}", lack(role)), "the rights of the role").await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The condition that the role that is taken sees what is the other's alone, with what is said of it.
fn foreign(role: Role) -> String {
    let (schema, excess) = match role {
        Role::Tenants => ("tonne_directory", "sees the directory, which is tonne_directory''s alone"),
        Role::Directory => ("tonne", "sees companies'' records, which are tonne_app''s alone"),
    };
    let any = "'SELECT, INSERT, UPDATE, REFERENCES'";
    format!(
        "WHEN EXISTS (SELECT FROM {TABLES} WHERE nspname = '{schema}' AND relname <> 'migration' \
         AND (has_any_column_privilege(pg_class.oid, {any}) OR has_table_privilege(pg_class.oid, 'DELETE'))) \
         THEN '{excess}' "
    )
}

/// The condition that the role may not do with each of its tables what the service does.
fn lack(role: Role) -> String {
    let (name, schema) = match role {
        Role::Tenants => (role.name(), "tonne"),
        Role::Directory => (role.name(), "tonne_directory"),
    };
    let may = |right: &str| format!("has_table_privilege('{name}', pg_class.oid, '{right}')");
    let [select, insert, update, delete] = ["SELECT", "INSERT", "UPDATE", "DELETE"].map(may);
    format!(
        "EXISTS (SELECT FROM {TABLES} WHERE (nspname = '{schema}' OR relname = 'migration') \
         AND NOT (has_schema_privilege('{name}', nspname, 'USAGE') AND {select} \
         AND (relname = 'migration' OR ({insert} AND ({HISTORY} OR ({update} AND {delete}))))))"
    )
}
