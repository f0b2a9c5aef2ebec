//! Bringing a database to the latest format: plain SQL, in order, each step once, all that are missing in one
//! transaction.
//!
//! Steps expand before they contract, so that nodes of the version before work on while a newer one migrates: a step
//! says in `needs` which step a node must know to work with what it leaves.

mod steps;

use std::fmt::Write as _;
use std::time::Duration;

use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};

use crate::error::OpenError;
use crate::role;
use crate::setup::{rows, run, step, value};

pub use steps::{STEPS, Step};

/// What is there before the first step.
const BEFORE: &str = "CREATE SCHEMA IF NOT EXISTS tonne;
CREATE SCHEMA IF NOT EXISTS tonne_directory;

CREATE TABLE tonne_directory.migration (
    number   integer PRIMARY KEY,
    name     text NOT NULL,
    needs    integer NOT NULL, -- the step that a node must know to work with the database after this one
    applied  timestamptz NOT NULL DEFAULT now()
);
";

/// What the restricted role may do: rows, never tables but temporary ones, where the database's owner lets others have
/// them.
const RIGHTS: &str = "GRANT USAGE ON SCHEMA tonne, tonne_directory TO tonne_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tonne, tonne_directory TO tonne_app;
REVOKE INSERT, UPDATE, DELETE ON tonne_directory.migration FROM tonne_app;
REVOKE UPDATE, DELETE ON tonne.change, tonne.change_items, tonne.posting, tonne.removed,
    tonne_directory.change, tonne_directory.change_item FROM tonne_app;
GRANT EXECUTE ON FUNCTION tonne.remove_tenant(bigint) TO tonne_app;
DO $$ BEGIN
    IF NOT has_database_privilege('tonne_app', current_database(), 'TEMPORARY') THEN
        EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO tonne_app', current_database());
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE WARNING 'imports are slow until the owner of the database runs: GRANT TEMPORARY ON DATABASE % TO tonne_app',
        quote_ident(current_database());
END $$;
";

/// Held while migrating, so that one node migrates and the others wait for it.
const LOCK: i64 = 0x0074_6f6e_6e65;

/// A step that waits for a table makes everybody after it wait too: so it waits for 2 s at most, rests, and begins anew.
const REST: Duration = Duration::from_secs(3);
/// As often as that: longer than a stream may take.
const TRIES: u32 = 150;

/// Everything that migrating runs on an empty database, for who wants to read it or run it by hand.
#[must_use]
pub fn script() -> String {
    let mut text = format!(
        "-- Makes an empty database ready for Tonne, all or nothing. Whoever runs it owns the tables; the role needs a\n\
         -- superuser or CREATEROLE. The user of database.url, another one, then needs: GRANT {role} TO \"user\";\n\n\
         BEGIN;\n\n\
         -- The role that the service works under.\n\
         DO $$ BEGIN\n    \
             IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN\n        \
                 CREATE ROLE {role} NOLOGIN;\n    \
             END IF;\n\
         END $$;\n\n{BEFORE}\n",
        role = role::NAME
    );
    for step in STEPS {
        let _ = writeln!(text, "-- Step {}: {}\n\n{}\n{}\n", step.number, step.name, step.sql, step.note());
    }
    text.push_str("-- What the role may do.\n");
    text.push_str(RIGHTS);
    text.push_str("\nCOMMIT;\n");
    text
}

impl Step {
    fn note(&self) -> String {
        let Self { number, name, needs, .. } = self;
        format!("INSERT INTO tonne_directory.migration (number, name, needs) VALUES ({number}, '{name}', {needs});")
    }

    fn is_among(&self, applied: &[Applied]) -> bool {
        applied.iter().any(|step| step.number == self.number)
    }
}

/// Runs the steps that the database has not seen, and grants the restricted role its rights. All or nothing.
pub(crate) async fn migrate(conn: &mut PgConnection, steps: &[Step]) -> Result<(), OpenError> {
    supported(conn).await?;
    role::make(conn).await?;
    let mut tries = 1;
    loop {
        match attempt(conn, steps).await {
            Err(OpenError::Step { cause, .. }) if cause.is_lock() && tries < TRIES => {
                tracing::warn!(tries, "the migration waits for transactions that use the tables");
                tries += 1;
                tokio::time::sleep(REST).await;
            }
            done => return done,
        }
    }
}

async fn attempt(conn: &mut PgConnection, steps: &[Step]) -> Result<(), OpenError> {
    let text = format!("BEGIN; SELECT pg_advisory_xact_lock({LOCK}); SET LOCAL lock_timeout = '2s'");
    run(conn, &text, "its turn to migrate").await?;
    match advance(conn, steps).await {
        Ok(names) => {
            run(conn, "COMMIT", "the migration").await?;
            for step in names {
                tracing::info!(step, "the database was migrated");
            }
            Ok(())
        }
        Err(error) => {
            // Where this fails too, the connection is gone and the server undoes the transaction by itself.
            let _ = run(conn, "ROLLBACK", "the migration").await;
            Err(error)
        }
    }
}

/// Runs what is missing, and gives the names of the steps.
async fn advance(conn: &mut PgConnection, steps: &[Step]) -> Result<Vec<&'static str>, OpenError> {
    let applied = if is_there(conn).await? {
        applied(conn).await?
    } else {
        run(conn, BEFORE, "its schemas").await?;
        Vec::new()
    };
    later(&applied, steps)?;
    let mut names = Vec::new();
    for step in steps.iter().filter(|step| !step.is_among(&applied)) {
        run(conn, &format!("{}\n{}", step.sql, step.note()), step.name).await?;
        names.push(step.name);
    }
    if !names.is_empty() || role::lacks(conn).await? {
        run(conn, RIGHTS, "the rights of the role").await?;
    }
    Ok(names)
}

/// Whether the database was ever migrated.
pub(crate) async fn is_there(conn: &mut PgConnection) -> Result<bool, OpenError> {
    let text = format!("SELECT EXISTS (SELECT FROM {} WHERE relname = 'migration')", role::TABLES);
    value(conn, &text, "its version").await
}

/// Checks that the database has every step that this version knows, and none that it cannot work with.
pub(crate) async fn check(conn: &mut PgConnection, steps: &[Step]) -> Result<(), OpenError> {
    supported(conn).await?;
    let applied = applied(conn).await?;
    later(&applied, steps)?;
    let missing = steps.iter().find(|step| !step.is_among(&applied));
    missing.map_or(Ok(()), |step| Err(OpenError::Unmigrated(step.name.to_owned())))
}

/// A step that a database has seen.
struct Applied {
    number: i32,
    name: String,
    needs: i32,
}

fn later(applied: &[Applied], steps: &[Step]) -> Result<(), OpenError> {
    let known = steps.last().map_or(0, |step| step.number);
    let beyond = applied.iter().find(|step| step.needs > known);
    beyond.map_or(Ok(()), |step| Err(OpenError::Later(step.name.clone())))
}

async fn applied(conn: &mut PgConnection) -> Result<Vec<Applied>, OpenError> {
    let what = "its version";
    let text = "SELECT number, name, needs FROM tonne_directory.migration ORDER BY number";
    let found = rows(conn, text, what).await?;
    let read = |row: &PgRow| Ok(Applied { number: row.try_get(0)?, name: row.try_get(1)?, needs: row.try_get(2)? });
    found.iter().map(read).collect::<Result<_, _>>().map_err(|cause| step(what, cause))
}

async fn supported(conn: &mut PgConnection) -> Result<(), OpenError> {
    let what = "the server's version";
    let number: i32 = value(conn, "SELECT current_setting('server_version_num')::integer", what).await?;
    if number >= 130_000 {
        return Ok(());
    }
    Err(OpenError::Outdated(value(conn, "SELECT current_setting('server_version')", what).await?))
}
