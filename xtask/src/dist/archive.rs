//! Archives of which the same files give the same bytes.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::cargo::succeeds;

/// Packs a folder of the parent into a new `.tar.gz`. Its files belong to root, are of that time (seconds since 1970) and may be
/// read by anyone; of their other permissions, the one to execute alone is kept.
pub(super) fn pack(parent: &Path, name: &str, to: &Path, time: &str) -> Result<()> {
    let mut tar = Command::new("tar");
    // Folders take set-group-ID from the one they are made in, and tar keeps it unless told otherwise.
    tar.args(["--create", "--format=gnu", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.args(["--mode=u=rwX,go=rX,ug-s", &format!("--mtime=@{time}"), "--use-compress-program", "gzip -9n"]);
    tar.arg("--directory").arg(parent).arg("--file").arg(to).arg(name);
    // Options that a user keeps for either program.
    tar.env_remove("TAR_OPTIONS").env_remove("GZIP");
    ensure!(succeeds(&mut tar)?, "the archive cannot be written; see above");
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File, Permissions};
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;
    use std::time::{Duration, SystemTime};

    use super::*;
    use crate::folder::Folder;

    /// The bytes of an archive of the files, made in this order, at this time and with these permissions.
    fn packed(parent: &str, files: [(&str, &str); 3], time: u64, modes: [u32; 2]) -> Vec<u8> {
        let parent = Folder::new(parent).unwrap();
        let staged = parent.path().join("tonne");
        let inner = staged.join("man");
        fs::create_dir_all(&inner).unwrap();
        let [of_files, of_folder] = modes;
        for (name, text) in files {
            let path = staged.join(name);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, Permissions::from_mode(of_files)).unwrap();
            let written = File::options().write(true).open(&path).unwrap();
            written.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(time)).unwrap();
        }
        fs::set_permissions(&inner, Permissions::from_mode(of_folder)).unwrap();
        let archive: PathBuf = parent.path().join("tonne.tar.gz");
        pack(parent.path(), "tonne", &archive, "1700000000").unwrap();
        fs::read(archive).unwrap()
    }

    #[test]
    fn the_same_files_give_the_same_bytes_whenever_in_what_order_and_by_whom_they_are_made() {
        let (a, b, c) = (("LICENCE", "free"), ("README.md", "read"), ("man/tonne.1", "page"));
        let first = packed("archive-first", [a, b, c], 1_000_000_000, [0o644, 0o755]);
        let second = packed("archive-second", [c, b, a], 1_500_000_000, [0o666, 0o2775]);
        assert!(first == second, "two archives of the same files differ");
    }

    #[test]
    fn other_contents_and_programs_give_other_bytes() {
        let (a, b, c) = (("LICENCE", "free"), ("README.md", "read"), ("man/tonne.1", "page"));
        let plain = packed("archive-plain", [a, b, c], 1_000_000_000, [0o644, 0o755]);
        let changed = packed("archive-changed", [a, ("README.md", "lead"), c], 1_000_000_000, [0o644, 0o755]);
        let programs = packed("archive-programs", [a, b, c], 1_000_000_000, [0o755, 0o755]);
        assert!(plain != changed && plain != programs, "what differs is not told apart");
    }
}
