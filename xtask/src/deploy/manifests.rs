//! The container file, the compose file and the Helm chart, which Helm's own engine renders (a package of `PyPI` holds it): read
//! by a script that knows what belongs together in them. Their settings are given to the program, which refuses those that
//! there are not.

use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};

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
    let made =
        succeeds(Command::new(python).args(["-m", "venv", "--system-site-packages"]).arg(&venv).stdin(Stdio::null()))?;
    ensure!(made, "no virtual environment can be made; see above");
    let python = venv.join("bin").join("python");
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]);
    install.args(["--only-binary", ":all:", "--requirement", REQUIREMENTS]).current_dir(root()).stdin(Stdio::null());
    let installed = install.output().context("cannot run pip")?;
    let said = String::from_utf8_lossy(&installed.stderr);
    let is_whole = installed.status.success();
    ensure!(is_whole || is_out_of_reach(&said), "pip does not install {REQUIREMENTS}:\n{said}");
    let has_yaml =
        succeeds(Command::new(&python).args(["-c", "import yaml"]).stdin(Stdio::null()).stderr(Stdio::null()))?;
    if !has_yaml {
        return Ok(Checked::Not("PyPI cannot be reached: neither container and compose file nor the chart is read"));
    }
    let mut script = Command::new(&python);
    script.arg("xtask/src/deploy/manifests.py").arg(built()?).current_dir(root()).stdin(Stdio::null());
    if !is_whole {
        script.arg("compose");
    }
    ensure!(succeeds(&mut script)?, "mend what is said of the manifests above");
    Ok(if is_whole { Checked::Whole } else { Checked::Not("PyPI cannot be reached: the chart is not rendered") })
}

/// Whether that is what pip says where the index does not answer, rather than that it has not what is asked for.
fn is_out_of_reach(said: &str) -> bool {
    ["NewConnectionError", "NameResolutionError", "ConnectTimeoutError", "ReadTimeoutError", "ProxyError"]
        .iter()
        .any(|error| said.contains(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_digest_or_a_missing_version_is_no_index_out_of_reach() {
        assert!(is_out_of_reach("Retrying after connection broken by 'NewConnectionError(...)': /simple/pyyaml/"));
        assert!(!is_out_of_reach("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE"));
        assert!(!is_out_of_reach("ERROR: No matching distribution found for helm-python-sdk==9.9"));
    }
}
