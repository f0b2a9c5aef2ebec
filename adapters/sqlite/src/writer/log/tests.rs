//! Tests: what a log has room for where it cannot be copied.

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

#[test]
fn a_log_that_fails_to_be_copied_has_no_room_from_its_bound_on() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let conn = Connection::open(&path).unwrap();
    conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).unwrap();
    conn.execute_batch("CREATE TABLE t (x)").unwrap();
    let mut log = log(path);
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
