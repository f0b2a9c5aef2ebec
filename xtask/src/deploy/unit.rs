//! The unit of systemd: that systemd reads it, and how much of the machine it leaves open to the service.

use std::fs;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};

use super::Checked;
use crate::cargo::{output, root, succeeds};
use crate::folder::Folder;
use crate::tools;

const UNIT: &str = "deploy/systemd/tonne.service";
/// The program as the unit starts it, and its page.
const PROGRAM: &str = "/usr/bin/tonne";
const PAGE: &str = "Documentation=man:tonne(1)";
/// Above this, of 100, `systemd-analyze security` finds too much left open.
const MOST_EXPOSED: &str = "15";

/// Fails if systemd warns of the unit, or finds it more exposed than the limit.
pub(super) fn check() -> Result<Checked> {
    if !tools::is_there_or_installed("systemd-analyze", &["--version"], &["systemd"])? {
        return Ok(Checked::Not("systemd-analyze is missing: `apt-get install systemd`"));
    }
    let text = fs::read_to_string(root().join(UNIT)).with_context(|| format!("cannot read {UNIT}"))?;
    ensure!(text.contains(&format!("ExecStart={PROGRAM} serve\n")), "{UNIT} does not start `{PROGRAM} serve`");
    ensure!(text.contains(PAGE), "{UNIT} does not name its page by {PAGE}");
    // Neither the program nor its page is installed where this runs, which systemd would say.
    let folder = Folder::new("unit")?;
    let copy = folder.path().join("tonne.service");
    fs::write(&copy, text.replace(PROGRAM, "/bin/true").replace(PAGE, ""))?;
    let said = Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&copy).stdin(Stdio::null()).output()?;
    let said = String::from_utf8_lossy(&[said.stdout, said.stderr].concat()).into_owned();
    // Other units of the machine that it stands beside are not this check's.
    let of_ours: Vec<_> = said.lines().filter(|line| line.contains("tonne.service")).collect();
    ensure!(of_ours.is_empty(), "systemd says of {UNIT}:\n{}", of_ours.join("\n"));

    let mut exposure = Command::new("systemd-analyze");
    exposure.args(["security", "--offline=true", "--no-pager"]).arg(&copy).stdin(Stdio::null());
    let report = output(&mut exposure)?;
    println!("{}", report.lines().last().unwrap_or_default());
    let mut bounded = Command::new("systemd-analyze");
    bounded.args(["security", "--offline=true", "--no-pager", "--threshold", MOST_EXPOSED]).arg(&copy);
    let within = succeeds(bounded.stdin(Stdio::null()).stdout(Stdio::null()))?;
    ensure!(
        within,
        "{UNIT} leaves more open than {MOST_EXPOSED} of 100: `systemd-analyze security --offline=true {UNIT}`"
    );
    Ok(Checked::Whole)
}
