//! A made-up format 2 that rebuilds a table that another refers to.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use tempfile::TempDir;

use super::*;

const FIRST: &str = "CREATE TABLE parent (key INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
    CREATE TABLE child (key INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parent (key)) STRICT;
    CREATE INDEX child_parent ON child (parent);";
/// As <https://www.sqlite.org/lang_altertable.html>, section 7, has it.
const STATEMENTS: [&str; 5] = [
    "CREATE TABLE parent_new (key INTEGER PRIMARY KEY, name TEXT NOT NULL, length INTEGER NOT NULL) STRICT;",
    "INSERT INTO parent_new SELECT key, name, length(name) FROM parent;",
    "DROP TABLE parent;",
    "ALTER TABLE parent_new RENAME TO parent;",
    "CREATE INDEX parent_name ON parent (name);",
];
/// The file that a process started by a test migrates.
const FILE: &str = "TONNE_TEST_FILE";
/// Before which statement that process dies.
const DEATH: &str = "TONNE_TEST_DEATH";

fn made_of(migrations: Vec<String>) -> Format {
    let migrations: Vec<&'static str> = migrations.into_iter().map(|sql| &*sql.leak()).collect();
    Format { application: 7, depth: 1, migrations: migrations.leak() }
}

fn old() -> Format {
    made_of(vec![FIRST.to_owned()])
}

fn new() -> Format {
    made_of(vec![FIRST.to_owned(), STATEMENTS.concat()])
}

fn now() -> Timestamp {
    Timestamp::from_millis(1_735_689_600_000).unwrap()
}

/// Opened as the store opens files to write.
fn open(path: &Path) -> Connection {
    let conn = Connection::open(path).unwrap();
    conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).unwrap();
    conn.pragma_update(None, "synchronous", "FULL").unwrap();
    conn.pragma_update(None, "foreign_keys", true).unwrap();
    conn
}

fn old_file(path: &Path) -> Connection {
    let mut conn = open(path);
    old().bring_up(&mut conn, path, now()).unwrap();
    conn.execute_batch("INSERT INTO parent VALUES (1, 'one'), (2, 'two'); INSERT INTO child VALUES (7, 1), (8, 2)")
        .unwrap();
    conn
}

/// The rows of both tables, and whether references are enforced.
fn content(conn: &Connection) -> (i64, i64, bool) {
    let count = |sql| conn.query_row(sql, [], |row| row.get(0)).unwrap();
    let refused = conn.execute("INSERT INTO child VALUES (9, 9)", []).is_err();
    (count("SELECT count(*) FROM parent"), count("SELECT count(*) FROM child"), refused)
}

#[test]
fn a_file_that_nobody_asked_for_since_an_upgrade_is_brought_up_to_date_and_can_be_looked_at_then() {
    use std::sync::Arc;

    use ports::contract::sample::{SampleClock, SampleIds};

    use crate::file::{bring_up_to_date, open_as_is};
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    drop(old_file(&path));
    let options = crate::options::Options::new(Arc::new(SampleClock), Arc::new(SampleIds::default()));
    // What a backup beside a service does.
    assert!(matches!(open_as_is(&path, &new(), &options), Err(OpenError::Older { .. })));
    assert!(bring_up_to_date(&path, &new(), &options).unwrap());
    assert!(open_as_is(&path, &new(), &options).is_ok());
    assert!(!bring_up_to_date(&path, &new(), &options).unwrap(), "once is enough");
}

#[test]
fn a_table_that_others_refer_to_is_rebuilt() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let mut conn = old_file(&path);
    new().bring_up(&mut conn, &path, now()).unwrap();
    assert!(new().needs_nothing(&conn, &path).unwrap());
    assert_eq!(content(&conn), (2, 2, true));
    let length: i64 = conn.query_row("SELECT length FROM parent WHERE key = 1", [], |row| row.get(0)).unwrap();
    assert_eq!(length, 3);
}

#[test]
fn a_rebuild_that_loses_what_is_referred_to_is_undone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let mut conn = old_file(&path);
    let losing = STATEMENTS.concat().replace("FROM parent;", "FROM parent WHERE key = 1;");
    let error = made_of(vec![FIRST.to_owned(), losing]).bring_up(&mut conn, &path, now()).unwrap_err();
    assert!(matches!(&error, OpenError::Dangling { table, .. } if table == "child"), "{error}");
    assert!(old().needs_nothing(&conn, &path).unwrap());
    assert_eq!(content(&conn), (2, 2, true));
}

#[test]
fn a_rebuild_that_is_killed_at_any_statement_is_done_by_the_next_who_opens_the_file() {
    if let (Ok(file), Ok(death)) = (env::var(FILE), env::var(DEATH)) {
        return die(Path::new(&file), death.parse().unwrap());
    }
    for death in 0..=STATEMENTS.len() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.db");
        drop(old_file(&path));
        let status = Command::new(env::current_exe().unwrap())
            .args([
                "--exact",
                "migration::rebuild::a_rebuild_that_is_killed_at_any_statement_is_done_by_the_next_who_opens_the_file",
            ])
            .env(FILE, &path)
            .env(DEATH, death.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(!status.success(), "it died before statement {death}");
        let mut conn = open(&path);
        assert!(old().needs_nothing(&conn, &path).unwrap(), "before statement {death}");
        // The copy that it took is there; the next one has another name.
        let later = Timestamp::from_millis(now().millis() + 1).unwrap();
        new().bring_up(&mut conn, &path, later).unwrap();
        assert_eq!(content(&conn), (2, 2, true), "before statement {death}");
        let copies = fs::read_dir(folder.path())
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains(".backup-v1-"));
        assert_eq!(copies.count(), 2);
    }
}

/// Migrates the file and dies before that statement.
fn die(path: &Path, death: usize) {
    let mut conn = open(path);
    // SQLite asks when it comes to this one, behind those before it.
    let dying = made_of(vec![FIRST.to_owned(), format!("{} PRAGMA cache_spill;", STATEMENTS[..death].concat())]);
    let authorize = |context: AuthContext<'_>| {
        if let AuthAction::Pragma { pragma_name: "cache_spill", .. } = context.action {
            std::process::abort();
        }
        Authorization::Allow
    };
    conn.authorizer(Some(authorize)).unwrap();
    drop(dying.bring_up(&mut conn, path, now()));
}
