//! Formats of files: what marks them, how a new one is made and an older one brought up to date.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use domain::Timestamp;
use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, TransactionBehavior};

use crate::error::OpenError;
use crate::{lock, private};

/// A kind of file, and the statements that lead to its latest format one after another.
#[derive(Debug)]
pub(crate) struct Format {
    /// What marks a file as one of the kind.
    pub(crate) application: i32,
    /// How many folders above a file of the kind the data folder is.
    pub(crate) depth: usize,
    /// The first makes format 1 of an empty file, each further one the next format of the one before it.
    pub(crate) migrations: &'static [&'static str],
}

/// The format of a tenant's file.
pub(crate) const TENANT: Format =
    Format { application: 0x544e_4e45, depth: 2, migrations: &[include_str!("../migrations/tenant/0001_initial.sql")] };

/// The format of the directory's file.
pub(crate) const DIRECTORY: Format = Format {
    application: 0x544e_4e44,
    depth: 1,
    migrations: &[include_str!("../migrations/directory/0001_initial.sql")],
};

/// What a file says about itself.
enum State {
    Empty,
    Format(u32),
    Foreign,
}

impl Format {
    fn latest(&self) -> u32 {
        u32::try_from(self.migrations.len()).unwrap_or(u32::MAX)
    }

    /// Brings a file to the latest format in one transaction. One of an earlier format is copied first, to
    /// `<file>.backup-v<format>-<moment>`, unless another process serves the folder; one of a later format, or of another
    /// kind, is refused and left as it is.
    pub(crate) fn bring_up(&self, conn: &mut Connection, path: &Path, now: Timestamp) -> Result<(), OpenError> {
        let sqlite = |cause| OpenError::Sqlite { path: path.to_owned(), cause };
        if self.needs_nothing(conn, path)? {
            return Ok(());
        }
        // A migration may rebuild a table that others refer to: they are compared at its end. Inside of a transaction the
        // setting cannot be changed.
        let enforced: bool = conn.pragma_query_value(None, "foreign_keys", |row| row.get(0)).map_err(sqlite)?;
        conn.pragma_update(None, "foreign_keys", false).map_err(sqlite)?;
        let done = self.migrate(conn, path, now);
        conn.pragma_update(None, "foreign_keys", enforced).map_err(sqlite)?;
        done
    }

    fn migrate(&self, conn: &mut Connection, path: &Path, now: Timestamp) -> Result<(), OpenError> {
        let sqlite = |cause| OpenError::Sqlite { path: path.to_owned(), cause };
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sqlite)?;
        let from = match self.state(&tx).map_err(sqlite)? {
            State::Empty => 0,
            State::Format(format) => format,
            State::Foreign => return Err(OpenError::Foreign(path.to_owned())),
        };
        let is_older = from > 0 && from < self.latest();
        let _no_server = if is_older { self.keep_servers_away(path)? } else { None };
        if is_older {
            backup(path, from, now)?;
        }
        for migration in self.migrations.iter().skip(from as usize) {
            tx.execute_batch(migration).map_err(sqlite)?;
        }
        if is_older && let Some(table) = dangling(&tx).map_err(sqlite)? {
            return Err(OpenError::Dangling { path: path.to_owned(), table });
        }
        tx.pragma_update(None, "application_id", self.application).map_err(sqlite)?;
        tx.pragma_update(None, "user_version", self.latest()).map_err(sqlite)?;
        tx.commit().map_err(sqlite)
    }

    /// Keeps other servers away from the file's folder until it is dropped.
    fn keep_servers_away(&self, path: &Path) -> Result<Option<File>, OpenError> {
        path.ancestors().nth(self.depth).map_or(Ok(None), lock::keep_servers_away)
    }

    /// Refuses a file that a later version has brought to a format that is not known here, since it was opened.
    pub(crate) fn must_be_known(&self, conn: &Connection, path: &Path) -> Result<(), OpenError> {
        let found: u32 = conn
            .prepare_cached("PRAGMA user_version")
            .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
            .map_err(|cause| OpenError::Sqlite { path: path.to_owned(), cause })?;
        if found <= self.latest() {
            return Ok(());
        }
        Err(OpenError::Newer { path: path.to_owned(), found, known: self.latest() })
    }

    /// Whether the file has the latest format; an error when nothing can be done about it.
    pub(crate) fn needs_nothing(&self, conn: &Connection, path: &Path) -> Result<bool, OpenError> {
        match self.state(conn).map_err(|cause| unreadable(path, cause))? {
            State::Foreign => Err(OpenError::Foreign(path.to_owned())),
            State::Format(found) if found > self.latest() => {
                Err(OpenError::Newer { path: path.to_owned(), found, known: self.latest() })
            }
            State::Format(found) => Ok(found == self.latest()),
            State::Empty => Ok(false),
        }
    }

    /// Refuses a file that does not have the latest format.
    pub(crate) fn must_be_latest(&self, conn: &Connection, path: &Path) -> Result<(), OpenError> {
        if self.needs_nothing(conn, path)? {
            return Ok(());
        }
        match self.state(conn).map_err(|cause| unreadable(path, cause))? {
            State::Empty | State::Foreign => Err(OpenError::Foreign(path.to_owned())),
            State::Format(found) => Err(OpenError::Older { path: path.to_owned(), found, known: self.latest() }),
        }
    }

    fn state(&self, conn: &Connection) -> Result<State, rusqlite::Error> {
        // In one statement, which is one snapshot: another process may be making the file.
        let sql = "SELECT (SELECT count(*) FROM sqlite_schema), application_id, user_version \
                   FROM pragma_application_id, pragma_user_version";
        let (objects, application, version): (u32, i32, u32) =
            conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        Ok(match (application, version) {
            (0, 0) if objects == 0 => State::Empty,
            (application, version) if application == self.application && version > 0 => State::Format(version),
            _ => State::Foreign,
        })
    }
}

/// A table with a row that refers to what is not there.
fn dangling(conn: &Connection) -> Result<Option<String>, rusqlite::Error> {
    conn.query_row("SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1", [], |row| row.get(0)).optional()
}

/// A file that SQLite finds to be no database is somebody else's.
pub(crate) fn unreadable(path: &Path, cause: rusqlite::Error) -> OpenError {
    if cause.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) {
        OpenError::Foreign(path.to_owned())
    } else {
        OpenError::Sqlite { path: path.to_owned(), cause }
    }
}

/// Copies a file as it was before the transaction that is under way, and puts the copy on the disk.
fn backup(path: &Path, format: u32, now: Timestamp) -> Result<(), OpenError> {
    let to = backup_path(path, format, now);
    let io = |cause| OpenError::Io { path: to.clone(), cause };
    let sqlite = |cause| OpenError::Sqlite { path: to.clone(), cause };
    drop(private::make_new(&to).map_err(io)?);
    let copied = (|| {
        let from = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(sqlite)?;
        let mut copy = Connection::open(&to).map_err(sqlite)?;
        Backup::new(&from, &mut copy)
            .and_then(|backup| backup.run_to_completion(1000, Duration::ZERO, None))
            .map_err(sqlite)?;
        copy.close().map_err(|(_, cause)| sqlite(cause))?;
        File::open(&to).and_then(|file| file.sync_all()).map_err(io)
    })();
    if copied.is_err() {
        // A half copy is worth nothing, and its name may be needed for the next try.
        let _ = fs::remove_file(&to);
    }
    copied
}

fn backup_path(path: &Path, format: u32, now: Timestamp) -> PathBuf {
    let stamp: String = now.to_string().chars().filter(|c| !matches!(c, '-' | ':' | '.')).collect();
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".backup-v{format}-{stamp}"));
    path.with_file_name(name)
}

#[cfg(test)]
mod rebuild;

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::lock::ServeLock;

    const FIRST: &str = "CREATE TABLE a (b INTEGER NOT NULL) STRICT;";
    const SECOND: &str = "CREATE TABLE c (d INTEGER NOT NULL) STRICT; INSERT INTO c SELECT b FROM a;";
    const fn format(migrations: &'static [&'static str]) -> Format {
        Format { application: 7, depth: 1, migrations }
    }

    const OLD: Format = format(&[FIRST]);
    const NEW: Format = format(&[FIRST, SECOND]);
    const BROKEN: Format = format(&[FIRST, "CREATE TABLE e (f); NONSENSE;"]);

    fn now() -> Timestamp {
        Timestamp::from_millis(1_735_689_600_000).unwrap()
    }

    fn old_file(folder: &TempDir) -> (PathBuf, Connection) {
        let path = folder.path().join("a.db");
        let mut conn = Connection::open(&path).unwrap();
        OLD.bring_up(&mut conn, &path, now()).unwrap();
        conn.execute_batch("INSERT INTO a VALUES (42)").unwrap();
        (path, conn)
    }

    fn rows(conn: &Connection, table: &str) -> i64 {
        conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn an_older_file_is_copied_and_brought_up() {
        let folder = TempDir::new().unwrap();
        let (path, mut conn) = old_file(&folder);
        NEW.bring_up(&mut conn, &path, now()).unwrap();
        assert!(NEW.needs_nothing(&conn, &path).unwrap());
        assert_eq!(rows(&conn, "c"), 1);
        let copy = Connection::open(folder.path().join("a.db.backup-v1-20250101T000000000Z")).unwrap();
        assert!(OLD.needs_nothing(&copy, &path).unwrap());
        assert_eq!(rows(&copy, "a"), 1);
    }

    #[test]
    fn a_new_file_is_not_copied() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.db");
        let mut conn = Connection::open(&path).unwrap();
        NEW.bring_up(&mut conn, &path, now()).unwrap();
        NEW.bring_up(&mut conn, &path, now()).unwrap();
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_migration_that_fails_leaves_the_older_file() {
        let folder = TempDir::new().unwrap();
        let (path, mut conn) = old_file(&folder);
        assert!(matches!(BROKEN.bring_up(&mut conn, &path, now()), Err(OpenError::Sqlite { .. })));
        assert!(OLD.needs_nothing(&conn, &path).unwrap());
        let tables: i64 = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).unwrap();
        assert_eq!(tables, 1);
    }

    #[test]
    fn a_backup_never_replaces_a_file() {
        let folder = TempDir::new().unwrap();
        let (path, mut conn) = old_file(&folder);
        let taken = backup_path(&path, 1, now());
        fs::write(&taken, "mine").unwrap();
        assert!(matches!(NEW.bring_up(&mut conn, &path, now()), Err(OpenError::Io { .. })));
        assert_eq!(fs::read(&taken).unwrap(), b"mine");
        assert!(OLD.needs_nothing(&conn, &path).unwrap());
    }

    #[test]
    fn a_file_that_is_only_looked_at_must_have_the_latest_format() {
        let folder = TempDir::new().unwrap();
        let (path, conn) = old_file(&folder);
        OLD.must_be_latest(&conn, &path).unwrap();
        let error = NEW.must_be_latest(&conn, &path).unwrap_err();
        assert!(matches!(error, OpenError::Older { found: 1, known: 2, .. }), "{error}");
        let empty = Connection::open(folder.path().join("empty.db")).unwrap();
        assert!(matches!(NEW.must_be_latest(&empty, &path), Err(OpenError::Foreign(_))));
    }

    #[test]
    fn a_later_file_is_refused() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.db");
        let mut conn = Connection::open(&path).unwrap();
        NEW.bring_up(&mut conn, &path, now()).unwrap();
        let error = OLD.bring_up(&mut conn, &path, now()).unwrap_err();
        assert!(matches!(error, OpenError::Newer { found: 2, known: 1, .. }), "{error}");
    }

    #[test]
    fn no_file_is_brought_up_beside_the_server_of_another_process() {
        let folder = TempDir::new().unwrap();
        let (path, mut conn) = old_file(&folder);
        // As another process has it.
        let server = private::open_or_make(&folder.path().join("serve.lock")).unwrap();
        server.lock().unwrap();
        let error = NEW.bring_up(&mut conn, &path, now()).unwrap_err();
        assert!(matches!(error, OpenError::ServedByOlder(_)), "{error}");
        assert!(OLD.needs_nothing(&conn, &path).unwrap());
        assert!(!backup_path(&path, 1, now()).exists());
        drop(server);
        NEW.bring_up(&mut conn, &path, now()).unwrap();
    }

    #[test]
    fn a_server_brings_its_own_files_up() {
        let folder = TempDir::new().unwrap();
        let (path, mut conn) = old_file(&folder);
        let _server = ServeLock::take(folder.path()).unwrap();
        NEW.bring_up(&mut conn, &path, now()).unwrap();
    }

    #[test]
    fn no_server_starts_while_a_file_is_brought_up() {
        let folder = TempDir::new().unwrap();
        let first = lock::keep_servers_away(folder.path()).unwrap();
        let second = lock::keep_servers_away(folder.path()).unwrap();
        drop(first);
        assert!(matches!(ServeLock::take(folder.path()), Err(OpenError::Served(_))));
        drop(second);
        ServeLock::take(folder.path()).unwrap();
    }
}
