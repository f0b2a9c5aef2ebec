//! What SQLite says of the file.

use ports::store::Verification;
use rusqlite::Connection;

use super::find;

/// Has SQLite check a file: its pages, each row and each index entry, and its references.
pub(crate) fn check(conn: &Connection, report: &mut Verification) {
    run(conn, "PRAGMA integrity_check", report);
    check_references(conn, report);
}

/// The same but for the entries of activities' indexes, which `indexes` reads: to look up each would take longer than all
/// else.
pub(super) fn check_but_activities(conn: &Connection, report: &mut Verification) {
    run(conn, "PRAGMA quick_check", report);
    let tables: Result<Vec<String>, _> = conn
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'activity' ORDER BY name")
        .and_then(|mut statement| statement.query_map([], |row| row.get(0))?.collect());
    match tables {
        Ok(tables) => tables.iter().for_each(|table| check_table(conn, table, report)),
        Err(error) => find(report, "the file", error.to_string()),
    }
    check_references(conn, report);
}

/// Has SQLite check each row of a table and each entry of its indexes.
pub(super) fn check_table(conn: &Connection, table: &str, report: &mut Verification) {
    run(conn, &format!("PRAGMA integrity_check(\"{}\")", table.replace('"', "\"\"")), report);
}

/// Runs a check of SQLite's. What it finds is reported once, whichever check finds it.
fn run(conn: &Connection, check: &str, report: &mut Verification) {
    let mut lines = Vec::new();
    let done = conn.prepare(check).and_then(|mut statement| {
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            lines.push(row.get::<_, String>(0)?);
        }
        Ok(())
    });
    lines.retain(|line| line != "ok");
    lines.extend(done.err().map(|error| error.to_string()));
    for line in lines {
        if !report.findings.iter().any(|finding| finding.detail == line) {
            find(report, "the file", line);
        }
    }
}

fn check_references(conn: &Connection, report: &mut Verification) {
    let mut lines = Vec::new();
    let done = conn.prepare("PRAGMA foreign_key_check").and_then(|mut statement| {
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (table, key, parent): (String, Option<i64>, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let key = key.map(|key| format!(" {key}")).unwrap_or_default();
            lines.push(format!("row{key} of {table} refers to a row of {parent} that does not exist"));
        }
        Ok(())
    });
    lines.extend(done.err().map(|error| error.to_string()));
    for line in lines {
        find(report, "the file", line);
    }
}
