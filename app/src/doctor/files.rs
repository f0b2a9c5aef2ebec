//! The data folder: who may read it, how much room is left beside it, and how far its logs have grown.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Finding, logs};
use crate::app::{StoreSize, size_of};
use crate::config::Store as Settings;

const MIB: u64 = 1 << 20;
/// With less room than this the next writes fail.
const LEAST: u64 = 256 * MIB;
/// A log of that size beside smaller data says that something keeps it from being written back.
const LARGE_LOG: u64 = 256 * MIB;

/// Looks at the folder and its files.
pub(super) fn look(settings: &Settings) -> Vec<Finding> {
    let folder = settings.data_dir.as_path();
    let mut findings = of_permissions(folder);
    findings.extend(unwritable(folder));
    if let Ok(size) = size_of(folder) {
        findings.extend(of_room(folder, size));
    }
    findings.extend(logs::look(folder, settings.log_bytes));
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
    let what = "others may read it, or write it";
    paths.iter().filter_map(|path| open_to_others(path, what)).collect()
}

/// Folders and files that this account may not write, where it may read them.
#[cfg(unix)]
fn unwritable(folder: &Path) -> Vec<Finding> {
    use rustix::fs::{Access, access};
    let is_fixed = |path: &PathBuf| access(path, Access::READ_OK).is_ok() && access(path, Access::WRITE_OK).is_err();
    let finding = |path: PathBuf| {
        let what = "this account may read it, but not write it: every write fails";
        let mend = format!(
            "run tonne as the account that it belongs to, or give it to this one: chown -R USER {}",
            quoted(folder)
        );
        Finding::error("permissions", path.display().to_string(), what, mend)
    };
    let mut paths = vec![folder.to_owned(), folder.join("tenants")];
    for inside in [folder.to_owned(), folder.join("tenants")] {
        let Ok(files) = fs::read_dir(inside) else { continue };
        let is_store = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "db");
        paths.extend(files.flatten().map(|file| file.path()).filter(is_store));
    }
    paths.into_iter().filter(is_fixed).map(finding).collect()
}

#[cfg(not(unix))]
const fn unwritable(_: &Path) -> Vec<Finding> {
    Vec::new()
}

/// That others may use a file that is there, with the command that takes their rights away.
pub(super) fn open_to_others(path: &Path, what: impl Into<String>) -> Option<Finding> {
    let rights = too_many_rights(path)?;
    // What SQLite keeps beside a file has its rights.
    let beside = if path.extension().is_some_and(|extension| extension == "db") { "*" } else { "" };
    let mend = format!("chmod {rights} {}{beside}", quoted(path));
    Some(Finding::error("permissions", path.display().to_string(), what, mend))
}

/// What `chmod` has to change where every user has rights, or where the group may write what is this process's user's own. A
/// group may read: packages and clusters give the service files that way.
#[cfg(unix)]
fn too_many_rights(path: &Path) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = fs::metadata(path).ok()?;
    let is_own = metadata.uid() == rustix::process::geteuid().as_raw();
    if is_own && metadata.mode() & 0o020 != 0 {
        return Some("g-w,o=");
    }
    (metadata.mode() & 0o007 != 0).then_some("o=")
}

/// Elsewhere the folder's own rights decide, which are not looked at.
#[cfg(not(unix))]
const fn too_many_rights(_: &Path) -> Option<&'static str> {
    None
}

/// The path as a shell takes it, whatever is in it.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    // What begins with a dash would be an option.
    let here = if path.starts_with('-') { "./" } else { "" };
    format!("'{here}{}'", path.replace('\'', r"'\''"))
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
    fn what_others_may_use_is_found_until_the_printed_command_was_run() {
        use std::os::unix::fs::PermissionsExt as _;
        let place = tempfile::TempDir::new().unwrap();
        let folder = place.path().join("it's a 'folder'");
        fs::create_dir(&folder).unwrap();
        let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        let files = ["directory.db", "directory.db-wal", "secret.key"].map(|name| folder.join(name));
        for (file, rights) in files.iter().zip([0o644, 0o644, 0o660]) {
            fs::write(file, "x").unwrap();
            mode(file, rights);
        }
        mode(&folder, 0o755);
        let found = of_permissions(&folder);
        assert_eq!(found.len(), 4, "{found:?}");
        for finding in found {
            let ran = std::process::Command::new("sh").args(["-c", &finding.mend]).status().unwrap();
            assert!(ran.success(), "{}", finding.mend);
        }
        assert_eq!(of_permissions(&folder), []);
        let rights = files.map(|file| fs::metadata(file).unwrap().permissions().mode() & 0o777);
        assert_eq!(rights, [0o640; 3], "a group may read, as packages have it");
    }

    #[test]
    fn a_path_is_one_word_to_a_shell() {
        assert_eq!(quoted(Path::new("it's")), r"'it'\''s'");
        assert_eq!(quoted(Path::new("-R")), "'./-R'");
    }
}
