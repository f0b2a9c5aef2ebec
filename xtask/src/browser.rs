//! What tests of the pages drive: Debian's Chromium with its driver, and axe-core from npm, which finds what keeps people
//! out of a page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use crate::cargo::{metadata, output};
use crate::folder::Folder;
use crate::hex::hex;
use crate::tools;

/// The package of axe-core, and the SHA-256 of the one file of it that is used.
const AXE: (&str, &str) = ("axe-core@4.14.1", "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c");

/// The programs and files that tests of the pages need.
pub(crate) struct Browser {
    axe: PathBuf,
}

impl Browser {
    /// Finds them, or installs what is missing: the browser and its driver as root with apt-get, axe-core below `target`.
    pub(crate) fn find() -> Result<Self> {
        tools::browser()?;
        Ok(Self { axe: axe()? })
    }

    /// The variables that tell tests where they are.
    pub(crate) fn variables(&self) -> [(&'static str, &Path); 3] {
        [
            ("TONNE_TEST_CHROMIUM", Path::new(tools::CHROMIUM)),
            ("TONNE_TEST_CHROMEDRIVER", Path::new(tools::CHROMEDRIVER)),
            ("TONNE_TEST_AXE", &self.axe),
        ]
    }
}

/// The script, taken from npm once per build directory. Its bytes are those that the tests were written with, or it is refused.
fn axe() -> Result<PathBuf> {
    let (package, _) = AXE;
    let folder = metadata()?.target_directory.join("tools").join(package);
    let script = folder.join("axe.min.js");
    if fs::read(&script).is_ok_and(|text| is_expected(&text)) {
        return Ok(script);
    }
    let npm = tools::npm()?;
    let download = Folder::new("axe")?;
    let mut pack = Command::new(npm);
    let packed = output(pack.args(["pack", "--silent", package]).current_dir(download.path())).with_context(|| {
        format!("npm does not give {package}; leave out the tests that need it with `--skip browser`")
    })?;
    let mut unpack = Command::new("tar");
    output(unpack.args(["--extract", "--gzip", "--file", packed.trim()]).current_dir(download.path()))?;
    let text = fs::read(download.path().join("package/axe.min.js"))?;
    ensure!(is_expected(&text), "{package} is not what its checksum in xtask/src/browser.rs says: do not run it");
    fs::create_dir_all(&folder)?;
    // Beside, then in place: another run may read it at the same time.
    let beside = folder.join(format!("axe.{}", std::process::id()));
    fs::write(&beside, text)?;
    fs::rename(beside, &script)?;
    Ok(script)
}

fn is_expected(text: &[u8]) -> bool {
    hex(&Sha256::digest(text)) == AXE.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_script_than_the_pinned_one_is_refused() {
        assert!(!is_expected(b""));
        assert!(!is_expected(b"alert(1)"));
        assert_eq!(AXE.1.len(), 64);
    }
}
