//! The compose file and the Helm chart: rendered by Helm's own engine, which a package of `PyPI` holds, and read by a script
//! that knows what belongs together in them. Their settings are given to the program, which refuses those that there are not.

use std::process::{Command, Stdio};

use anyhow::{Result, ensure};

use super::Checked;
use crate::cargo::{built, root, succeeds};
use crate::folder::Folder;
use crate::tools;

/// What the script stands on, with digests.
const REQUIREMENTS: &str = "xtask/src/deploy/requirements.txt";

/// Fails if the chart does not render, or a manifest names what there is not.
pub(super) fn check() -> Result<Checked> {
    let python = tools::python()?;
    let folder = Folder::new("manifests")?;
    let venv = folder.path().join("venv");
    let made = succeeds(Command::new(python).args(["-m", "venv"]).arg(&venv).stdin(Stdio::null()))?;
    ensure!(made, "no virtual environment can be made; see above");
    let python = venv.join("bin").join("python");
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]);
    install.args(["--only-binary", ":all:", "--requirement", REQUIREMENTS]).current_dir(root()).stdin(Stdio::null());
    if !succeeds(&mut install)? {
        return Ok(Checked::Not("PyPI does not give Helm's engine for this machine: the chart is not rendered"));
    }
    let mut script = Command::new(&python);
    script.arg("xtask/src/deploy/manifests.py").arg(built()?).current_dir(root()).stdin(Stdio::null());
    ensure!(succeeds(&mut script)?, "mend what is said of the manifests above");
    Ok(Checked::Whole)
}
