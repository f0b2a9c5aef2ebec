//! Pictures of every page of the demo, in both sets of colors, and the one of the README among them.

use std::fs;

use anyhow::{Context, Result};

use crate::cargo::{metadata, root, succeeds};

/// The picture of the README.
const README: &str = "docs/images/dashboard.png";

/// Takes them into `target/screenshots`, and copies the README's to where it is kept. Whether all were taken.
pub(crate) fn take() -> Result<bool> {
    let folder = metadata()?.target_directory.join("screenshots");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    let mut test = std::process::Command::new(program);
    test.args(["test", "--", "--test", "it", "browser::pictures"]);
    let is_taken = succeeds(test.current_dir(root()).env("TONNE_TEST_PICTURES", &folder))?;
    if is_taken {
        let kept = root().join(README);
        fs::copy(folder.join("dashboard-light.png"), &kept).with_context(|| format!("cannot write {README}"))?;
        println!("{} has the pictures; {README} written", folder.display());
    }
    Ok(is_taken)
}
