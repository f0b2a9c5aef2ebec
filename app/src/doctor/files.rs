//! The data folder: who may read it, and how much room is left beside it.

use std::fs;
use std::path::{Path, PathBuf};

use super::Finding;
use crate::app::{StoreSize, size_of};

const MIB: u64 = 1 << 20;
/// With less room than this the next writes fail.
const LEAST: u64 = 256 * MIB;
/// A log of that size beside smaller data says that something keeps it from being written back.
const LARGE_LOG: u64 = 256 * MIB;

/// Looks at the folder and its files.
pub(super) fn look(folder: &Path) -> Vec<Finding> {
    let mut findings = of_permissions(folder);
    if let Ok(size) = size_of(folder) {
        findings.extend(of_room(folder, size));
    }
    findings
}

/// Folders and files that others than their owner may read or write.
fn of_permissions(folder: &Path) -> Vec<Finding> {
    let mut paths: Vec<PathBuf> = vec![folder.to_owned(), folder.join("tenants")];
    for folder in [folder.to_owned(), folder.join("tenants")] {
        let Ok(files) = fs::read_dir(folder) else { continue };
        let files = files.flatten().map(|file| file.path()).filter(|path| path.is_file());
        paths.extend(files);
    }
    let open = paths.into_iter().filter(|path| others_may_read(path));
    open.map(|path| {
        let (path, mode) = (path.display().to_string(), if path.is_dir() { "700" } else { "600" });
        Finding::error(
            "permissions",
            &path,
            "others than its owner may read or write it",
            format!("chmod {mode} '{path}'"),
        )
    })
    .collect()
}

/// Whether others than the owner may read or write a file that is there.
#[cfg(unix)]
pub(super) fn others_may_read(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

/// Elsewhere the folder's own rights decide, which are not looked at.
#[cfg(not(unix))]
pub(super) const fn others_may_read(_: &Path) -> bool {
    false
}

/// What the sizes say.
fn of_room(folder: &Path, size: StoreSize) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (place, StoreSize { data, log, free }) = (folder.display().to_string(), size);
    let mib = |bytes: u64| bytes / MIB;
    if let Some(free) = free.filter(|free| *free < LEAST) {
        let what = format!("{} MiB are free on its disk: writes are about to fail", mib(free));
        findings.push(Finding::error("disk", &place, what, "make room, or move the folder to a larger disk"));
    } else if let Some(free) = free.filter(|free| *free < data + log) {
        let what = format!(
            "{} MiB are free on its disk, less than the {} MiB of the store: an upgrade and a backup need as much again",
            mib(free),
            mib(data + log)
        );
        findings.push(Finding::warning("disk", &place, what, "make room, or move the folder to a larger disk"));
    }
    if log > LARGE_LOG && log > data {
        let what = format!("the write-ahead logs take {} MiB, more than the data", mib(log));
        let mend = "end readers that hang, such as a copy of the files; a stop of the service writes the logs back";
        findings.push(Finding::warning("growth", &place, what, mend));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks(data: u64, log: u64, free: u64) -> Vec<(&'static str, &'static str)> {
        let size = StoreSize { data: data * MIB, log: log * MIB, free: Some(free * MIB) };
        of_room(Path::new("data"), size).into_iter().map(|one| (one.check, one.severity.as_str())).collect()
    }

    #[test]
    fn little_room_is_found_until_there_is_as_much_as_the_store_takes() {
        assert_eq!(checks(10, 1, 100), [("disk", "error")]);
        assert_eq!(checks(1_000, 0, 999), [("disk", "warning")]);
        assert_eq!(checks(1_000, 0, 1_000), []);
    }

    #[test]
    fn a_log_that_outgrows_the_data_is_found() {
        assert_eq!(checks(100, 300, 10_000), [("growth", "warning")]);
        assert_eq!(checks(400, 300, 10_000), []);
        assert_eq!(checks(1, 4, 10_000), []);
    }

    #[cfg(unix)]
    #[test]
    fn what_others_may_read_is_found_until_the_printed_command_was_run() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("directory.db");
        fs::write(&file, "x").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let found = of_permissions(folder.path());
        assert_eq!(found.len(), 2, "{found:?}");
        for finding in found {
            let ran = std::process::Command::new("sh").args(["-c", &finding.mend]).status().unwrap();
            assert!(ran.success(), "{}", finding.mend);
        }
        assert_eq!(of_permissions(folder.path()), []);
    }
}
