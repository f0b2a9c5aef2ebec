//! Tests: what a log has room for where it cannot be copied.

use std::path::Path;

use super::*;

fn log(path: PathBuf) -> Log {
    Log {
        path,
        long: 64,
        most: 400,
        copying: None,
        copied_before: 0,
        next_at: 0,
        hindered: None,
        is_failing: false,
        room: Room::Many,
        wait: Duration::ZERO,
    }
}

/// A connection to a file in that folder, and the log.
fn connection(folder: &Path) -> (Connection, Log) {
    let path = folder.join("a.db");
    let conn = Connection::open(&path).unwrap();
    conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).unwrap();
    conn.execute_batch("CREATE TABLE t (x)").unwrap();
    (conn, log(path))
}

#[test]
fn a_log_that_fails_to_be_copied_has_no_room_from_its_bound_on() {
    let folder = tempfile::TempDir::new().unwrap();
    let (conn, mut log) = connection(folder.path());
    // Within a transaction SQLite neither copies the log nor counts it.
    conn.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(copy(&conn, "NOOP").is_err());
    for (all, room) in [(399, Room::Few), (400, Room::Nothing)] {
        log.start_anew(&conn, Pages { all, copied: 0 });
        assert_eq!((log.room(), log.is_failing()), (room, true), "{all} pages");
    }
    conn.execute_batch("ROLLBACK").unwrap();
    log.start_anew(&conn, Pages { all: 400, copied: 0 });
    assert_eq!((log.room(), log.is_failing()), (Room::Many, false), "it was emptied");
}

#[test]
fn a_log_that_cannot_be_counted_has_the_room_that_its_file_leaves() {
    let folder = tempfile::TempDir::new().unwrap();
    let (conn, mut log) = connection(folder.path());
    // Each row takes 50 pages, and one or two of the table.
    for (rows, room) in [(0, Room::Many), (7, Room::Few), (1, Room::Nothing)] {
        for _ in 0..rows {
            conn.execute_batch("INSERT INTO t VALUES (randomblob(50 * 4096))").unwrap();
        }
        conn.execute_batch("BEGIN IMMEDIATE").unwrap();
        log.keep_short(&conn);
        assert_eq!(log.room(), room, "{rows} rows more");
        conn.execute_batch("ROLLBACK").unwrap();
    }
    log.keep_short(&conn);
    assert_eq!((log.room(), log.is_failing()), (Room::Many, false), "it was emptied");
}
