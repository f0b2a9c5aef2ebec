//! The package for Debian: made by `cargo-deb` as `app/Cargo.toml` says, with pages and completions that the program prints.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};

use super::Checked;
use crate::cargo::{built, cargo, metadata, output, root, succeeds};
use crate::folder::Folder;
use crate::tools;

/// The version of cargo-deb that is installed where none is found.
const VERSION: &str = "3.8.0";
/// Shells, and what the file of completions is called there.
const COMPLETIONS: [(&str, &str); 3] = [("bash", "tonne"), ("zsh", "_tonne"), ("fish", "tonne.fish")];

/// How a package is packed.
#[derive(Clone, Copy)]
pub(crate) enum Packing<'a> {
    /// In little time.
    Quick,
    /// In little room.
    Tight,
    /// The same, its files dated by that number of seconds since 1970.
    At(&'a str),
}

/// Makes a package of an optimised build.
pub(crate) fn make() -> Result<()> {
    let tool = cargo_deb()?;
    ensure!(succeeds(&mut cargo(&["build", "--release", "--locked", "--package", "tonne"]))?, "it does not build");
    let folder = metadata()?.target_directory;
    let package = package(&tool, &folder.join("release").join("tonne"), &folder.join("deb"), Packing::Tight)?;
    println!("{}", package.display());
    Ok(())
}

/// Fails if no package can be made of the debug build, or `lintian` finds an error in it or warns of it.
pub(super) fn check() -> Result<Checked> {
    // What the program is linked with becomes what the package depends on.
    if !(tools::is_there_or_installed("dpkg-shlibdeps", &["--version"], &["dpkg-dev"])?
        && tools::is_there_or_installed("lintian", &["--version"], &["lintian"])?)
    {
        return Ok(Checked::Not("dpkg-shlibdeps or lintian is missing: `apt-get install dpkg-dev lintian`"));
    }
    let tool = cargo_deb()?;
    let folder = Folder::new("deb")?;
    let package = package(&tool, &built()?, folder.path(), Packing::Quick)?;
    lint(&package)?;
    let listed = output(Command::new("dpkg-deb").arg("--contents").arg(&package).stdin(Stdio::null()))?;
    for file in ["./usr/bin/tonne", "./etc/tonne/tonne.toml", "./usr/share/man/man1/tonne-key-create.1.gz"] {
        ensure!(listed.lines().any(|line| line.ends_with(file)), "the package has no {file}");
    }
    Ok(Checked::Whole)
}

/// Fails if lintian finds an error or a warning.
pub(crate) fn lint(package: &Path) -> Result<()> {
    let mut lintian = Command::new("lintian");
    // It runs as whoever runs the checks, root too.
    lintian.args(["--allow-root", "--fail-on", "error,warning"]).arg(package).stdin(Stdio::null());
    ensure!(succeeds(&mut lintian)?, "lintian finds fault with the package; see above");
    Ok(())
}

/// Makes a package of that program in the folder.
pub(crate) fn package(tool: &Path, program: &Path, folder: &Path, packing: Packing<'_>) -> Result<PathBuf> {
    // The tool takes what it packs from the folder of a release build, whatever profile and target this one is of.
    let staged = Folder::new("packaging")?;
    let release = staged.path().join("release");
    fs::create_dir_all(&release).with_context(|| format!("cannot make {}", release.display()))?;
    fs::copy(program, release.join("tonne")).with_context(|| format!("cannot copy {}", program.display()))?;
    write_pages(program, &release.join("packaging"))?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut command = Command::new(tool);
    command.args(["--no-build", "--locked", "--package", "tonne", "--output"]).arg(folder);
    match packing {
        Packing::Quick => drop(command.arg("--fast")),
        Packing::Tight => {}
        Packing::At(time) => drop(command.env("SOURCE_DATE_EPOCH", time)),
    }
    let made = output(command.current_dir(root()).env("CARGO_TARGET_DIR", staged.path()).stdin(Stdio::null()))?;
    made.lines().last().map(PathBuf::from).context("cargo-deb names no package")
}

/// Writes the manual pages and completions that the program prints, and the list of changes, as a package has them.
pub(crate) fn write_pages(program: &Path, folder: &Path) -> Result<()> {
    let completions = folder.join("completions");
    fs::create_dir_all(&completions).with_context(|| format!("cannot make {}", completions.display()))?;
    let man = folder.join("man");
    ensure!(succeeds(Command::new(program).arg("man").arg("--to").arg(&man))?, "no pages were written; see above");
    for (shell, name) in COMPLETIONS {
        fs::write(completions.join(name), output(Command::new(program).args(["completions", shell]))?)?;
    }
    let changes = folder.join("changelog");
    fs::copy(root().join("CHANGELOG.md"), &changes).context("cannot copy CHANGELOG.md")?;
    // Without the time and the name of the file, so that the same text gives the same bytes.
    let mut gzip = Command::new("gzip");
    gzip.arg("-9n").arg(changes);
    for page in fs::read_dir(&man)? {
        gzip.arg(page?.path());
    }
    ensure!(succeeds(&mut gzip)?, "the pages cannot be packed; see above");
    Ok(())
}

/// The program `cargo-deb`, installed below the target folder where there is none.
pub(crate) fn cargo_deb() -> Result<PathBuf> {
    let own = metadata()?.target_directory.join("tools");
    let candidates = [PathBuf::from("cargo-deb"), own.join("bin").join("cargo-deb")];
    let answers = |tool: &PathBuf| {
        let asked = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    };
    if let Some(found) = candidates.iter().find(|tool| answers(tool)) {
        return Ok(found.clone());
    }
    println!("cargo-deb is not installed: installing {VERSION} into {}, about a minute on two cores", own.display());
    let start = Instant::now();
    // A debug build: it is ready in half the time, and packs in seconds.
    let mut install = cargo(&["install", "cargo-deb", "--locked", "--debug", "--version", VERSION]);
    ensure!(succeeds(install.arg("--root").arg(&own))?, "cannot install cargo-deb {VERSION}; see above");
    println!("cargo-deb installed in {} s", start.elapsed().as_secs());
    Ok(candidates[1].clone())
}
