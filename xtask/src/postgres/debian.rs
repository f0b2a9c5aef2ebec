//! Debian's packages, where this program may install them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::account;
use crate::cargo::succeeds;

/// Read by the server's package before it makes a cluster of its own.
const SETTINGS: &str = "/etc/postgresql-common/createcluster.d";

/// A system with `apt-get`.
pub(super) struct Debian;

impl Debian {
    /// Whether packages can be installed: as root, with `apt-get` there.
    pub(super) fn may_install() -> bool {
        let there = Command::new("apt-get").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        there.is_ok_and(|status| status.success()) && account::is_root()
    }

    /// Installs a package without what it only recommends; no cluster is made and none is touched. What `apt-get` says
    /// goes to standard error.
    pub(super) fn install(package: &str) -> Result<()> {
        eprintln!("{package} is not installed: installing it with apt-get");
        let _no_cluster = NoCluster::declare()?;
        let remedy = format!("`apt-get install {package}` failed, see above: install it by hand, then run this again");
        ensure!(apt_get(&["update"])?, "{remedy}");
        ensure!(apt_get(&["install", "--yes", "--no-install-recommends", package])?, "{remedy}");
        Ok(())
    }
}

fn apt_get(arguments: &[&str]) -> Result<bool> {
    let mut command = Command::new("apt-get");
    command.args(["--option", "DPkg::Lock::Timeout=300"]).args(arguments);
    succeeds(command.env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null()).stdout(std::io::stderr()))
}

/// Keeps the server's package from making a cluster for as long as this lives.
struct NoCluster(PathBuf);

impl NoCluster {
    fn declare() -> Result<Self> {
        let file = Path::new(SETTINGS).join("tonne-tests.conf");
        let written = fs::create_dir_all(SETTINGS).and_then(|()| fs::write(&file, "create_main_cluster = false\n"));
        written.with_context(|| format!("cannot write {}", file.display()))?;
        Ok(Self(file))
    }
}

impl Drop for NoCluster {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.0) {
            eprintln!("cannot remove {}: {error}", self.0.display());
        }
    }
}
