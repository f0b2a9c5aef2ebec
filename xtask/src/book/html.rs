//! The book as HTML, by mdBook.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use crate::cargo::{cargo, metadata, root, succeeds};
use crate::deploy::Checked;
use crate::folder::Folder;

/// The version that the book is built with, and without its search, its server and its watcher.
const MDBOOK: &str = "0.5.2";

/// Builds the book into `target/book`.
pub(crate) fn build() -> Result<bool> {
    let target = metadata()?.target_directory;
    let mdbook = installed(&target.join("tools"))?;
    write(&mdbook, &target.join("book"))?;
    println!("the book is in {}", target.join("book/index.html").display());
    Ok(true)
}

/// Fails if mdBook does not build the book. It is not installed for that: it compiles for minutes.
pub(crate) fn check() -> Result<Checked> {
    let Some(mdbook) = there(&metadata()?.target_directory.join("tools")) else {
        return Ok(Checked::Not("the book is not built: `cargo xtask book` installs its mdBook"));
    };
    let folder = Folder::new("book")?;
    write(&mdbook, folder.path())?;
    ensure!(folder.path().join("index.html").is_file(), "mdbook wrote no index.html");
    Ok(Checked::Whole)
}

fn write(mdbook: &Path, folder: &Path) -> Result<()> {
    let mut build = Command::new(mdbook);
    build.arg("build").arg(root().join("docs")).arg("--dest-dir").arg(folder);
    ensure!(succeeds(&mut build)?, "mend what mdbook says above");
    Ok(())
}

/// The program, where it is there in this version.
fn there(tools: &Path) -> Option<PathBuf> {
    let program = tools.join("bin").join("mdbook");
    let output = Command::new(&program).arg("--version").output().ok()?;
    String::from_utf8_lossy(&output.stdout).trim().ends_with(MDBOOK).then_some(program)
}

/// The program, installed where it is not there in this version.
fn installed(tools: &Path) -> Result<PathBuf> {
    if let Some(program) = there(tools) {
        return Ok(program);
    }
    println!("installing mdbook {MDBOOK} into {}", tools.display());
    let mut install =
        cargo(&["install", "--quiet", "--locked", "--no-default-features", "--version", MDBOOK, "--root"]);
    ensure!(succeeds(install.arg(tools).arg("mdbook"))?, "mdbook cannot be installed, see above");
    Ok(tools.join("bin").join("mdbook"))
}
