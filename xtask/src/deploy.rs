//! What the service is installed with: the unit of systemd, the package of Debian, the manifests of containers. Each check
//! says what is missing where a tool cannot be had.

pub(crate) mod deb;
mod manifests;
mod unit;

use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};

use crate::cargo::{root, succeeds};
use crate::tools;

/// How a check ended that found nothing wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checked {
    /// All was looked at.
    Whole,
    /// Nothing was, and why.
    Not(&'static str),
}

/// A check, by its name in the table.
pub(crate) type Check = (&'static str, fn() -> Result<Checked>);

/// The checks of `deploy/`, in their order.
pub(crate) const CHECKS: [Check; 4] =
    [("unit", unit::check), ("scripts", check_scripts), ("manifests", manifests::check), ("deb", deb::check)];

/// Runs them all; whether none failed.
pub(crate) fn run() -> bool {
    let mut all_passed = true;
    for (name, check) in CHECKS {
        match check() {
            Ok(Checked::Whole) => println!("{name}: ok"),
            Ok(Checked::Not(why)) => println!("{name}: skipped: {why}"),
            Err(error) => {
                all_passed = false;
                println!("{name}: {error:#}");
            }
        }
    }
    all_passed
}

/// Fails if a shell cannot read one of the scripts, or `shellcheck` finds something in it.
fn check_scripts() -> Result<Checked> {
    if !cfg!(unix) {
        return Ok(Checked::Not("the scripts are those of a Unix system"));
    }
    let scripts = scripts()?;
    ensure!(!scripts.is_empty(), "there are no scripts in deploy/");
    for script in &scripts {
        let read = succeeds(Command::new("sh").arg("-n").arg(script).current_dir(root()).stdin(Stdio::null()))?;
        ensure!(read, "sh cannot read {script}; see above");
    }
    if !tools::is_there_or_installed("shellcheck", &["--version"], &["shellcheck"])? {
        return Ok(Checked::Not("shellcheck is missing: `apt-get install shellcheck`"));
    }
    let clean = succeeds(Command::new("shellcheck").args(&scripts).current_dir(root()).stdin(Stdio::null()))?;
    ensure!(clean, "mend what shellcheck says above");
    Ok(Checked::Whole)
}

/// The scripts in the folders of the package and of compose, by their first line.
fn scripts() -> Result<Vec<String>> {
    let mut scripts = Vec::new();
    for folder in ["deploy/debian", "deploy/compose"] {
        for entry in std::fs::read_dir(root().join(folder)).with_context(|| format!("cannot read {folder}"))? {
            let entry = entry?;
            if entry.file_type()?.is_file() && std::fs::read(entry.path())?.starts_with(b"#!") {
                scripts.push(format!("{folder}/{}", entry.file_name().to_string_lossy()));
            }
        }
    }
    scripts.sort();
    Ok(scripts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scripts_are_those_that_a_shell_runs() {
        let scripts = scripts().unwrap();
        for script in ["deploy/debian/postinst", "deploy/debian/postrm", "deploy/compose/roles.sh"] {
            assert!(scripts.iter().any(|found| found == script), "{scripts:?}");
        }
        assert!(!scripts.iter().any(|found| found.ends_with("tonne.toml")));
    }
}
