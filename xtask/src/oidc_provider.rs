//! The provider of `OpenID` Connect that tests sign in at: `oidc-provider` of npm, a certified one, with all that it needs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use crate::cargo::{metadata, succeeds};
use crate::hex::hex;
use crate::tools;

/// The package and its version.
const PACKAGE: &str = "oidc-provider@8.8.1";
/// What npm is told to install.
const WANTED: &str = include_str!("oidc_provider/package.json");
/// Each package of it, with the checksum that npm compares.
const LOCK: &str = include_str!("oidc_provider/package-lock.json");
/// The file that says in a folder that all of it is there: it holds the checksum of the lock.
const COMPLETE: &str = "complete";

/// The variable that tells tests where it is.
pub(crate) const VARIABLE: &str = "TONNE_TEST_OIDC_PROVIDER";

/// Says so where it cannot be had.
pub(crate) const UNREACHABLE: &str =
    "WITHOUT PROVIDER: the package registry does not answer, so nobody signed in at a provider that is not ours.";

/// The folder that it is in: installed from npm once per build directory. None where npm's registry does not answer.
pub(crate) fn find() -> Result<Option<PathBuf>> {
    let folder = metadata()?.target_directory.join("tools").join(PACKAGE);
    if is_complete(&folder) {
        return Ok(Some(folder));
    }
    let npm = tools::npm().context("or leave out the tests that need it with `--skip provider`")?;
    let mut ping = Command::new(npm);
    ping.args(["ping", "--silent"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if !succeeds(&mut ping)? {
        return Ok(None);
    }
    // Beside, then in place: another run may do the same.
    let beside = folder.with_file_name(format!("{PACKAGE}.{}", std::process::id()));
    fs::create_dir_all(&beside)?;
    fs::write(beside.join("package.json"), WANTED)?;
    fs::write(beside.join("package-lock.json"), LOCK)?;
    let mut install = Command::new(npm);
    install.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]).current_dir(&beside);
    let is_installed = succeeds(install.stdin(Stdio::null()).stdout(Stdio::null()))?;
    ensure!(is_installed, "npm does not install {PACKAGE}; leave out the tests that need it with `--skip provider`");
    fs::write(beside.join(COMPLETE), checksum())?;
    if !is_complete(&folder) {
        // What was left of a lock that is not this one.
        let _ = fs::remove_dir_all(&folder);
        if fs::rename(&beside, &folder).is_err() {
            ensure!(is_complete(&folder), "{} cannot be put in its place", folder.display());
        }
    }
    let _ = fs::remove_dir_all(&beside);
    Ok(Some(folder))
}

fn is_complete(folder: &Path) -> bool {
    fs::read_to_string(folder.join(COMPLETE)).is_ok_and(|text| text == checksum())
}

fn checksum() -> String {
    hex(&Sha256::digest(LOCK))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Lock {
        packages: BTreeMap<String, Locked>,
    }

    #[derive(Deserialize)]
    struct Locked {
        version: Option<String>,
        integrity: Option<String>,
    }

    #[test]
    fn every_package_is_pinned_with_its_checksum() {
        let lock: Lock = serde_json::from_str(LOCK).unwrap();
        let packages = lock.packages.iter().filter(|(name, _)| !name.is_empty());
        for (name, package) in packages.clone() {
            assert!(package.integrity.as_ref().is_some_and(|sum| sum.starts_with("sha512-")), "{name}");
        }
        assert!(packages.count() > 50);
        let version = lock.packages["node_modules/oidc-provider"].version.as_deref().unwrap();
        assert_eq!(PACKAGE, format!("oidc-provider@{version}"));
    }
}
