//! The clock, against moments that must be past.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use domain::Timestamp;

use super::Finding;

/// How far a moment may be ahead: clocks of two machines differ a little.
pub(super) const TOLERANCE_MS: i64 = 5 * 60 * 1_000;

const MEND: &str = "set the clock right and have it kept right by NTP (`timedatectl set-ntp true`)";

/// Files that were changed in the future.
pub(super) fn look_at_files(folder: &Path, now: Timestamp) -> Vec<Finding> {
    let Ok(files) = fs::read_dir(folder) else { return Vec::new() };
    let is_ahead = |changed: SystemTime| millis(changed).is_some_and(|at| at - now.millis() > TOLERANCE_MS);
    let ahead = files.flatten().find(|file| {
        let changed = file.metadata().and_then(|metadata| metadata.modified());
        changed.is_ok_and(is_ahead)
    });
    let what = "it was changed in the future: the clock is behind, or was ahead";
    ahead.map(|file| Finding::warning("clock", file.path().display().to_string(), what, MEND)).into_iter().collect()
}

fn millis(at: SystemTime) -> Option<i64> {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_millis()).ok()
}

/// Whether a moment that must be past is ahead of the clock.
pub(super) fn compare(place: &str, what: &str, at: Timestamp, now: Timestamp) -> Option<Finding> {
    let ahead = at.millis() - now.millis();
    if ahead <= TOLERANCE_MS {
        return None;
    }
    let what = format!("{what} is {} minutes ahead of the clock here", ahead / 60_000);
    Some(Finding::warning("clock", place, what, MEND))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_ahead_beyond_five_minutes() {
        let at = |minutes: i64| Timestamp::from_millis(1_800_000_000_000 + minutes * 60_000).unwrap();
        assert_eq!(compare("main", "the newest change", at(5), at(0)), None);
        let found = compare("main", "the newest change", at(90), at(0)).unwrap();
        assert!(found.what.contains("90 minutes ahead"), "{}", found.what);
        assert_eq!(compare("main", "the newest change", at(90), at(90)), None, "once the clock is right");
    }

    #[test]
    fn a_file_of_the_future_is_found_until_the_clock_is_past_it() {
        let folder = tempfile::TempDir::new().unwrap();
        fs::write(folder.path().join("directory.db"), "x").unwrap();
        let changed = fs::metadata(folder.path().join("directory.db")).unwrap().modified().unwrap();
        let now = |behind_ms: i64| Timestamp::from_millis(millis(changed).unwrap() - behind_ms).unwrap();
        assert_eq!(look_at_files(folder.path(), now(TOLERANCE_MS * 2)).len(), 1);
        assert_eq!(look_at_files(folder.path(), now(0)), []);
    }
}
