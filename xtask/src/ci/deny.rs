//! `cargo deny` over the locked dependencies, by the rules of `deny.toml`.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Result, ensure};

use crate::cargo::{cargo, metadata, root, succeeds};

/// The version that is installed where none is found.
const VERSION: &str = "0.20.2";

/// Fails if one of the checks (`bans`, `licenses`, `sources`, `advisories`) does. All but `advisories` run offline.
pub(crate) fn check(checks: &[&str]) -> Result<()> {
    let tool = find_or_install()?;
    ensure!(succeeds(&mut cargo(&["fetch", "--locked"]))?, "cannot fetch the locked dependencies; see above");
    let mut command = Command::new(tool);
    command.current_dir(root()).args(["--locked"]);
    if !checks.contains(&"advisories") {
        command.arg("--offline");
    }
    command.arg("check").args(checks);
    if checks.contains(&"bans") {
        // The rules name crates that are yet to come.
        command.args(["--allow", "unused-wrapper"]);
    }
    ensure!(
        succeeds(&mut command)?,
        "a dependency breaks deny.toml (see above): take another, or change the rule and say there why"
    );
    Ok(())
}

fn find_or_install() -> Result<PathBuf> {
    let own = metadata()?.target_directory.join("tools");
    let candidates = [PathBuf::from("cargo-deny"), own.join("bin").join("cargo-deny")];
    if let Some(found) = candidates.iter().find(|tool| answers(tool)) {
        return Ok(found.clone());
    }
    println!("cargo-deny is not installed: installing {VERSION} into {}, about a minute on two cores", own.display());
    let start = Instant::now();
    // A debug build: it is ready in half the time, and the check takes a second.
    let mut install = cargo(&["install", "cargo-deny", "--locked", "--debug", "--version", VERSION]);
    let installed = succeeds(install.arg("--root").arg(&own))?;
    ensure!(installed, "cannot install cargo-deny {VERSION}; see above");
    println!("cargo-deny installed in {} s", start.elapsed().as_secs());
    Ok(candidates[1].clone())
}

fn answers(tool: &PathBuf) -> bool {
    let version = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}
