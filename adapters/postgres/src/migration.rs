//! Bringing a database to the latest format: plain SQL, in order, each step once, all that are missing in one
//! transaction, except for steps that cannot be in one.
//!
//! Steps expand before they contract, so that nodes of the version before work on while a newer one migrates: a step
//! says in `needs` which step a node must know to work with what it leaves. Nodes that do not know it stop writing.

mod steps;

use std::fmt::Write as _;
use std::time::Duration;

use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};

use crate::error::OpenError;
use crate::options::Pooler;
use crate::role::{self, Role};
use crate::setup::{connect, connect_options, rows, run, step, value};

pub use steps::{STEPS, Sql, Step};

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

/// What the roles may do: rows, each of its own tables, and never tables but temporary ones, where the database's owner
/// lets others have them.
const RIGHTS: &str = "GRANT USAGE ON SCHEMA tonne, tonne_directory TO tonne_app;
GRANT USAGE ON SCHEMA tonne_directory TO tonne_directory;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tonne TO tonne_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tonne_directory TO tonne_directory;
REVOKE UPDATE, DELETE ON tonne.change, tonne.change_items, tonne.posting, tonne.import_lines, tonne.removed FROM tonne_app;
REVOKE UPDATE, DELETE ON tonne_directory.change, tonne_directory.change_item FROM tonne_directory;
REVOKE INSERT, UPDATE, DELETE ON tonne_directory.migration FROM tonne_directory;
GRANT SELECT ON tonne_directory.migration TO tonne_app;
GRANT EXECUTE ON FUNCTION tonne.remove_tenant(bigint) TO tonne_app;
GRANT EXECUTE ON FUNCTION tonne.blank_text(bigint, integer, integer, integer) TO tonne_app;
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
/// As often as that: longer than a snapshot may be silent.
const TRIES: u32 = 200;
/// How long another node that migrates is left alone before the next look. The look is a statement of its own: one that
/// waited would keep an index from being built beside it, which waits for all statements that began before.
const LOOK: Duration = Duration::from_millis(100);
/// From here on nobody writes until the transaction ends: nodes that do not know the step find it when they begin.
const STOP_WRITERS: &str = "LOCK TABLE tonne.head, tonne_directory.head IN EXCLUSIVE MODE";

/// Everything that migrating runs on an empty database, for who wants to read it or run it by hand.
#[must_use]
pub fn script() -> String {
    script_of(STEPS)
}

fn script_of(steps: &[Step]) -> String {
    let mut text = format!(
        "-- Makes an empty database ready for Tonne. Whoever runs it owns the tables; the roles need a superuser or\n\
         -- CREATEROLE. The user of database.url, another one, then needs: GRANT {} TO \"user\";\n\n\
         BEGIN;\n\n\
         -- The roles that the service works under.\n",
        role::NAMES
    );
    for role in Role::ALL.map(Role::name) {
        let _ = write!(
            text,
            "DO $$ BEGIN\n    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN\n        \
             CREATE ROLE {role} NOLOGIN;\n    END IF;\nEND $$;\n"
        );
    }
    let _ = writeln!(text, "\n{BEFORE}");
    for step in steps {
        let _ = writeln!(text, "-- Step {}: {}\n", step.number, step.name);
        let _ = match step.sql {
            Sql::Together(sql) => writeln!(text, "{sql}"),
            Sql::Each(statements) => writeln!(text, "COMMIT;\n{};\nBEGIN;", statements.join(";\n")),
        };
        let _ = writeln!(text, "{}\n", step.note());
    }
    text.push_str("-- What the roles may do.\n");
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

/// Runs the steps that the database of that address has not seen, and grants the roles their rights. Steps that can be in
/// one transaction are done all or not at all, up to one that cannot.
pub(crate) async fn migrate(url: &str, pooler: Pooler, steps: &[Step]) -> Result<(), OpenError> {
    let address = connect_options(url, pooler)?;
    let mut conn = connect(&address, pooler).await?;
    supported(&mut conn).await?;
    role::make(&mut conn).await?;
    let mut tries = 1;
    loop {
        match attempt(&mut conn, steps).await {
            Ok(Attempt::Done) => return Ok(()),
            Ok(Attempt::Next) => {}
            Ok(Attempt::Each(step, statements)) => {
                // The transaction that is open on the first connection keeps the turn meanwhile.
                let mut other = connect(&address, pooler).await?;
                for statement in statements {
                    run(&mut other, statement, step.name).await?;
                }
                note(&mut conn, &step).await?;
            }
            Ok(Attempt::Taken) => tokio::time::sleep(LOOK).await,
            Err(OpenError::Step { cause, .. }) if cause.is_lock() && tries < TRIES => {
                tracing::warn!(tries, "the migration waits for transactions that use the tables");
                tries += 1;
                tokio::time::sleep(REST).await;
            }
            Err(error) => return Err(error),
        }
    }
}

/// How far an attempt came.
enum Attempt {
    /// Nothing is missing.
    Done,
    /// Some steps were done, and others are next.
    Next,
    /// These statements are next, outside of any transaction. The attempt's own is still open.
    Each(Step, &'static [&'static str]),
    /// Another node migrates.
    Taken,
}

async fn attempt(conn: &mut PgConnection, steps: &[Step]) -> Result<Attempt, OpenError> {
    let text = format!(
        "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '2s'; SET LOCAL idle_in_transaction_session_timeout = 0; \
         SELECT pg_try_advisory_xact_lock({LOCK})"
    );
    if !value::<bool>(conn, &text, "its turn to migrate").await? {
        run(conn, "ROLLBACK", "its turn to migrate").await?;
        return Ok(Attempt::Taken);
    }
    match advance(conn, steps).await {
        Ok(Advance { each: Some((step, statements)), names }) if names.is_empty() => {
            Ok(Attempt::Each(step, statements))
        }
        Ok(Advance { each, names }) => {
            run(conn, "COMMIT", "the migration").await?;
            for step in names {
                tracing::info!(step, "the database was migrated");
            }
            Ok(if each.is_some() { Attempt::Next } else { Attempt::Done })
        }
        Err(error) => {
            // Where this fails too, the connection is gone and the server undoes the transaction by itself.
            let _ = run(conn, "ROLLBACK", "the migration").await;
            Err(error)
        }
    }
}

/// Notes in the open transaction that a step is done, and ends it.
async fn note(conn: &mut PgConnection, step: &Step) -> Result<(), OpenError> {
    run(conn, &format!("{}\nCOMMIT", step.note()), step.name).await?;
    tracing::info!(step = step.name, "the database was migrated");
    Ok(())
}

/// What was done in a transaction, and what comes after it.
struct Advance {
    /// The names of the steps that were done.
    names: Vec<&'static str>,
    /// The step after them, which is not done in a transaction.
    each: Option<(Step, &'static [&'static str])>,
}

/// Runs what is missing, up to a step that is not done in a transaction.
async fn advance(conn: &mut PgConnection, steps: &[Step]) -> Result<Advance, OpenError> {
    let applied = if is_there(conn).await? {
        applied(conn).await?
    } else {
        run(conn, BEFORE, "its schemas").await?;
        Vec::new()
    };
    later(&applied, steps)?;
    let needed = applied.iter().map(|step| step.needs).max();
    let (mut names, mut each) = (Vec::new(), None);
    for step in steps.iter().filter(|step| !step.is_among(&applied)) {
        match step.sql {
            Sql::Together(sql) => {
                if needed.is_some_and(|needed| step.needs > needed) {
                    run(conn, STOP_WRITERS, step.name).await?;
                }
                run(conn, &format!("{sql}\n{}", step.note()), step.name).await?;
                names.push(step.name);
            }
            Sql::Each(statements) => {
                each = Some((*step, statements));
                break;
            }
        }
    }
    // What is open while a step is done outside of it has written nothing, and has no snapshot.
    let is_last = each.is_none() && role::lacks(conn).await?;
    if !names.is_empty() || is_last {
        run(conn, RIGHTS, "the rights of the roles").await?;
    }
    Ok(Advance { names, each })
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

/// The newest step that a version with these steps knows.
pub(crate) fn known(steps: &[Step]) -> i32 {
    steps.last().map_or(0, |step| step.number)
}

fn later(applied: &[Applied], steps: &[Step]) -> Result<(), OpenError> {
    let known = known(steps);
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
