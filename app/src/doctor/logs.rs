//! Logs of companies' files that have no room left.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::Finding;
use crate::app::is_read_elsewhere;

const MIB: u64 = 1 << 20;
/// How often it is looked whether a file is read, and how long between: short reads by a service that runs keep no log full.
const LOOKS: (usize, Duration) = (5, Duration::from_millis(100));
/// What becomes of a log beside which nothing reads.
const EMPTIED: &str = "the next write empties the log, as the stop of a service does, unless it cannot be copied into its file, \
                       which the service's messages say: free disk space then";

/// Looks at the logs of the companies of that folder, which may have so many bytes. Comes before their files are opened here.
pub(super) fn look(folder: &Path, most: u64) -> Vec<Finding> {
    let Ok(files) = fs::read_dir(folder.join("tenants")) else { return Vec::new() };
    let is_full = |log: &PathBuf| fs::metadata(log).is_ok_and(|metadata| metadata.len() >= most);
    let is_log = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "db-wal");
    let full = files.flatten().map(|file| file.path()).filter(is_log).filter(is_full);
    full.map(|log| finding(&log, most, is_held(&log.with_extension("db")))).collect()
}

/// Whether the file is read for as long as it is looked at; `None` where that cannot be told.
fn is_held(file: &Path) -> Option<bool> {
    let (looks, pause) = LOOKS;
    for look in 0..looks {
        if look > 0 {
            thread::sleep(pause);
        }
        if !is_read_elsewhere(file)? {
            return Some(false);
        }
    }
    Some(true)
}

/// That a log of so many bytes is full: nothing is written only while something reads.
fn finding(log: &Path, most: u64, is_held: Option<bool>) -> Finding {
    let place = log.display().to_string();
    let long = format!("the log has {} MiB or more (store.log_bytes)", most / MIB);
    match is_held {
        Some(true) => Finding::error(
            "log",
            place,
            format!(
                "{long}, and something reads the company's file: nothing is written into it while that sees an older state"
            ),
            "end what reads for long: a backup, an export, a check or a copy of the file, here or elsewhere; the next write \
             empties the log then",
        ),
        Some(false) => Finding::warning(
            "log",
            place,
            format!("{long}, and nothing reads the company's file any more"),
            format!("nothing has to be ended: {EMPTIED}"),
        ),
        None => Finding::warning(
            "log",
            place,
            format!(
                "{long}: nothing is written into the company's file while something reads an older state of it, which \
                 cannot be seen from here"
            ),
            format!(
                "where something reads for long (a backup, an export, a check or a copy of the file), end it; where nothing \
                 does, {EMPTIED}"
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_log_without_room_that_nobody_holds_is_a_warning_with_its_file() {
        let folder = tempfile::TempDir::new().unwrap();
        fs::create_dir(folder.path().join("tenants")).unwrap();
        for (name, length) in [("full.db-wal", MIB), ("short.db-wal", MIB - 1), ("full.db", MIB)] {
            fs::File::create(folder.path().join("tenants").join(name)).unwrap().set_len(length).unwrap();
        }
        let found = look(folder.path(), MIB);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].severity.as_str(), found[0].check), ("warning", "log"));
        assert!(found[0].place.ends_with("full.db-wal") && found[0].what.contains("1 MiB"), "{found:?}");
        assert!(found[0].mend.contains("the next write empties the log"), "{found:?}");
        assert!(found[0].mend.contains("unless it cannot be copied into its file"), "{found:?}");
    }

    #[test]
    fn a_log_without_room_is_an_error_only_where_something_is_seen_to_read() {
        let severity = |is_held| finding(Path::new("main.db-wal"), MIB, is_held).severity.as_str();
        assert_eq!([Some(true), Some(false), None].map(severity), ["error", "warning", "warning"]);
    }
}
