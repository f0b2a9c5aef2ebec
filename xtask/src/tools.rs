//! The programs that checks are made with: found, or installed where that is allowed.

use std::process::{Command, Stdio};

use anyhow::{Result, bail, ensure};

use crate::cargo::succeeds;

/// What asks and reads the interface in a shell.
pub(crate) fn shell() -> Result<()> {
    found("bash", &["--version"], &["bash"])?;
    found("curl", &["--version"], &["curl", "ca-certificates"])?;
    found("jq", &["--version"], &["jq"]).map(drop)
}

/// A proxy to put before the service.
pub(crate) fn nginx() -> Result<()> {
    found("/usr/sbin/nginx", &["-v"], &["nginx-light"]).map(drop)
}

/// A Python that can make virtual environments.
pub(crate) fn python() -> Result<&'static str> {
    found("python3", &["-c", "import venv, ensurepip"], &["python3", "python3-venv"])
}

/// npm, and with it node.
pub(crate) fn npm() -> Result<&'static str> {
    found("node", &["--version"], &["nodejs", "npm"])?;
    found("npm", &["--version"], &["nodejs", "npm"])
}

/// What checks alert rules and pages of metrics.
pub(crate) fn promtool() -> Result<&'static str> {
    found("promtool", &["--version"], &["prometheus"])
}

/// The browser that tests drive, as Debian's package of it names it.
pub(crate) const CHROMIUM: &str = "/usr/bin/chromium";
/// What drives it.
pub(crate) const CHROMEDRIVER: &str = "/usr/bin/chromedriver";

/// A browser and what drives it.
pub(crate) fn browser() -> Result<()> {
    found(CHROMIUM, &["--version"], &["chromium", "chromium-driver", "fonts-dejavu-core"])?;
    found(CHROMEDRIVER, &["--version"], &["chromium-driver"]).map(drop)
}

/// The program, once it answers; what it needs is installed from Debian's packages where it does not and root asks.
fn found(program: &'static str, probe: &[&str], packages: &[&str]) -> Result<&'static str> {
    if answers(program, probe) {
        return Ok(program);
    }
    let by_hand = format!("{program} is missing: install {}, then run this again", packages.join(" and "));
    if !(is_root() && answers("apt-get", &["--version"])) {
        bail!("{by_hand}");
    }
    eprintln!("{program} is not installed: installing {} with apt-get", packages.join(" and "));
    let apt_get = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(["--option", "DPkg::Lock::Timeout=300"]).args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        succeeds(command.stdin(Stdio::null()).stdout(std::io::stderr()))
    };
    let install = [&["install", "--yes", "--no-install-recommends"], packages].concat();
    ensure!(apt_get(&["update"])? && apt_get(&install)? && answers(program, probe), "{by_hand}");
    Ok(program)
}

/// Whether the program answers, after it was installed from Debian's packages where root asks.
pub(crate) fn is_there_or_installed(program: &'static str, probe: &[&str], packages: &[&str]) -> Result<bool> {
    if !(answers(program, probe) || is_root() && answers("apt-get", &["--version"])) {
        return Ok(false);
    }
    found(program, probe, packages).map(|_| true)
}

fn answers(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    let status = command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
