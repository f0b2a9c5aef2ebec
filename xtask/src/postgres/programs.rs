//! Where the server's programs are.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::debian::Debian;

/// Names the directory of the programs, before any other is looked into.
const NAMED_BY: &str = "PG_BIN";
/// Where Debian keeps a directory for each version.
const DEBIAN: &str = "/usr/lib/postgresql";
/// What must be there; a client's package leaves a directory with less.
const NEEDED: [&str; 4] = ["initdb", "pg_ctl", "postgres", "psql"];

const MISSING: &str = "no PostgreSQL server is installed: on Debian `apt-get install postgresql`, elsewhere name the \
                       directory of its programs in PG_BIN (or leave its tests out: `cargo xtask test --skip postgres`)";

/// The programs of one PostgreSQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Programs(PathBuf);

impl Programs {
    /// Those of `PG_BIN` if it is set, else those `pg_config` speaks of, else Debian's newest.
    pub(super) fn find() -> Result<Self> {
        Self::look()?.context(MISSING)
    }

    /// As [`find`](Self::find); where there are none and it may, it installs Debian's.
    pub(super) fn find_or_install() -> Result<Self> {
        if let Some(found) = Self::look()? {
            return Ok(found);
        }
        ensure!(Debian::may_install(), MISSING);
        Debian::install("postgresql")?;
        Self::find()
    }

    fn look() -> Result<Option<Self>> {
        if let Some(named) = std::env::var_os(NAMED_BY).filter(|named| !named.is_empty()) {
            let named = PathBuf::from(named);
            return match missing_in(&named) {
                None => Ok(Some(Self(named))),
                Some(program) => bail!("{NAMED_BY} is {}, where there is no `{program}`", named.display()),
            };
        }
        Ok(configured().or_else(|| newest(Path::new(DEBIAN))).map(Self))
    }

    /// Where they are.
    pub(super) fn folder(&self) -> &Path {
        &self.0
    }

    /// The path of one of them; any other full path is left as it is.
    pub(super) fn path(&self, program: impl AsRef<Path>) -> PathBuf {
        self.0.join(program)
    }
}

fn missing_in(directory: &Path) -> Option<&'static str> {
    NEEDED.into_iter().find(|program| !directory.join(program).is_file())
}

fn configured() -> Option<PathBuf> {
    let asked = Command::new("pg_config").arg("--bindir").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let directory = PathBuf::from(String::from_utf8(asked.stdout).ok()?.trim());
    (asked.status.success() && missing_in(&directory).is_none()).then_some(directory)
}

/// The complete `VERSION/bin` with the highest version.
fn newest(folder: &Path) -> Option<PathBuf> {
    let versions = std::fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut versions: Vec<_> = versions.filter_map(|name| Some((version(&name)?, name))).collect();
    versions.sort();
    let directories = versions.iter().rev().map(|(_, name)| folder.join(name).join("bin"));
    directories.into_iter().find(|directory| missing_in(directory).is_none())
}

/// The numbers of `15` or `9.6`.
fn version(name: &str) -> Option<Vec<u32>> {
    name.split('.').map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::directory::Scratch;

    fn install(folder: &Path, version: &str, programs: &[&str]) {
        let bin = folder.join(version).join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        for program in programs {
            std::fs::write(bin.join(program), "").unwrap();
        }
    }

    #[test]
    fn the_newest_version_goes_by_its_number() {
        let scratch = Scratch::new().unwrap();
        for version in ["9.6", "15", "9", "common"] {
            install(scratch.path(), version, &NEEDED);
        }
        assert_eq!(newest(scratch.path()), Some(scratch.path().join("15/bin")));
    }

    #[test]
    fn a_version_without_a_server_is_passed_over() {
        let scratch = Scratch::new().unwrap();
        install(scratch.path(), "15", &NEEDED);
        install(scratch.path(), "17", &["psql"]);
        assert_eq!(newest(scratch.path()), Some(scratch.path().join("15/bin")));
    }

    #[test]
    fn nothing_is_found_where_nothing_is() {
        let scratch = Scratch::new().unwrap();
        assert_eq!(newest(scratch.path()), None);
        assert_eq!(newest(&scratch.path().join("absent")), None);
    }

    #[test]
    fn what_is_missing_is_said_in_one_line() {
        assert!(!MISSING.contains('\n'));
        assert!(MISSING.contains("apt-get install postgresql") && MISSING.contains("--skip postgres"));
    }
}
