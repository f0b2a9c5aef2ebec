//! The book as HTML, by mdBook.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::cargo::{cargo, metadata, root, succeeds};

/// The version that the book is built with, and without its search, its server and its watcher.
const MDBOOK: &str = "0.5.2";

/// Builds the book into `target/book`.
pub(crate) fn build() -> Result<bool> {
    let target = metadata()?.target_directory;
    let mdbook = installed(&target.join("tools"))?;
    let mut build = Command::new(mdbook);
    build.arg("build").arg(root().join("docs")).arg("--dest-dir").arg(target.join("book"));
    ensure!(succeeds(&mut build)?, "mend what mdbook says above");
    println!("the book is in {}", target.join("book/index.html").display());
    Ok(true)
}

/// The program, installed where it is not there in this version.
fn installed(tools: &std::path::Path) -> Result<PathBuf> {
    let program = tools.join("bin").join("mdbook");
    let output = Command::new(&program).arg("--version").output();
    if output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim().ends_with(MDBOOK)) {
        return Ok(program);
    }
    println!("installing mdbook {MDBOOK} into {}", tools.display());
    let mut install =
        cargo(&["install", "--quiet", "--locked", "--no-default-features", "--version", MDBOOK, "--root"]);
    ensure!(succeeds(install.arg(tools).arg("mdbook"))?, "mdbook cannot be installed, see above");
    Ok(program)
}
