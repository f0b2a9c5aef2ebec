//! Whether the disk has room for what is to be written.

use std::fs;
use std::path::Path;

use ports::store::{NoRoom, StoreError};

/// So many bytes stay free on the disk.
pub(crate) const RESERVE: u64 = 256 << 20;
/// What needs fewer bytes is written wherever there is room for it.
const SMALL: u64 = 16 << 20;
/// The bytes that a row adds to a file, with those of indexes, of its change and of cells: 420 were measured, with short texts.
const ROW: u64 = 1 << 10;
/// The bytes of the pages that a row changes of those that a file has already: its own, and those of its identifiers in indexes.
const CHANGED: u64 = 4 * 4_096;

/// Refuses so many rows in one transaction where the disk of that file lacks the room. Where `free` is not given the system says
/// how much is free; where it does not, nothing is refused.
pub(crate) fn check_room(file: &Path, rows: u64, free: Option<u64>) -> Result<(), StoreError> {
    let length = fs::metadata(file).map_or(0, |metadata| metadata.len());
    compare(length, rows, free.or_else(|| free_bytes(file))).map_err(|no_room| StoreError::Failed(Box::new(no_room)))
}

fn compare(length: u64, rows: u64, free: Option<u64>) -> Result<(), NoRoom> {
    let own = needed(length, rows);
    let needed = own.saturating_add(RESERVE);
    match free {
        Some(free) if own >= SMALL && free < needed => Err(NoRoom { rows, needed, free }),
        Some(_) | None => Ok(()),
    }
}

/// The bytes that so many rows need in one transaction on a file of that length. The log has each page that they change, once,
/// and the file grows when the log is copied into it.
fn needed(length: u64, rows: u64) -> u64 {
    let growth = rows.saturating_mul(ROW);
    let log = length.saturating_add(growth).min(rows.saturating_mul(CHANGED + ROW));
    log.saturating_add(growth)
}

/// The bytes that are free on the disk of that file or folder; `None` where that cannot be told.
pub(crate) fn free_bytes(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let stat = rustix::fs::statvfs(path).ok()?;
        Some(stat.f_bavail.saturating_mul(stat.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn a_refusal_names_the_rows_and_the_bytes_that_are_needed_and_free() {
        let refused = compare(0, 1_000_000, Some(2_000_000_000)).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "1000000 rows at once need 2316435456 bytes on the disk of the store, and 2000000000 bytes are free: make room, or \
             import them in turn"
        );
        assert_eq!(compare(0, 1_000_000, Some(refused.needed)), Ok(()));
        assert!(compare(0, 1_000_000, Some(refused.needed - 1)).is_err());
    }

    #[test]
    fn the_log_takes_no_more_than_the_file_will_have_and_no_more_than_the_rows_change() {
        assert_eq!(needed(0, 1_024), 2 * MIB, "all of a new file is in the log once");
        assert_eq!(needed(5 * MIB, 1_024), 7 * MIB);
        assert_eq!(needed(u64::MAX, 1_024), 18 * MIB, "of a large file a few pages a row");
        assert_eq!(needed(u64::MAX, u64::MAX), u64::MAX);
    }

    #[test]
    fn little_is_written_wherever_there_is_room_and_nothing_is_refused_where_none_is_known() {
        assert_eq!(compare(0, 1_000, Some(1)), Ok(()));
        assert_eq!(compare(0, 1_000_000, None), Ok(()));
    }
}
