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

/// A build of the program.
pub(crate) struct Build {
    /// The program itself, in the folder of its profile.
    pub(crate) program: PathBuf,
    /// The profile's name.
    pub(crate) profile: &'static str,
    /// The target, where one was named.
    pub(crate) target: Option<String>,
}

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
    let build = Build { program: folder.join("release").join("tonne"), profile: "release", target: None };
    let package = package(&tool, &build, &folder.join("deb"), Packing::Tight)?;
    println!("{}", package.display());
    Ok(())
}

/// Fails if no package can be made of the debug build, or `lintian` finds an error in it or warns of it.
pub(super) fn check() -> Result<Checked> {
    if !(tools::is_there_or_installed("dpkg-deb", &["--version"], &["dpkg"])?
        && tools::is_there_or_installed("lintian", &["--version"], &["lintian"])?)
    {
        return Ok(Checked::Not("dpkg-deb or lintian is missing: `apt-get install lintian`"));
    }
    let tool = cargo_deb()?;
    let folder = Folder::new("deb")?;
    let build = Build { program: built()?, profile: "dev", target: None };
    let package = package(&tool, &build, folder.path(), Packing::Quick)?;
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

/// Makes a package of the build in the folder.
pub(crate) fn package(tool: &Path, build: &Build, folder: &Path, packing: Packing<'_>) -> Result<PathBuf> {
    write_pages(&build.program)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut command = Command::new(tool);
    command.args(["--no-build", "--locked", "--package", "tonne", "--profile", build.profile, "--output"]).arg(folder);
    command.args(build.target.iter().flat_map(|target| ["--target", target.as_str()]));
    match packing {
        Packing::Quick => drop(command.arg("--fast")),
        Packing::Tight => {}
        Packing::At(time) => drop(command.env("SOURCE_DATE_EPOCH", time)),
    }
    let made = output(command.current_dir(root()).stdin(Stdio::null()))?;
    let path = made.lines().last().map(PathBuf::from).context("cargo-deb names no package")?;
    Ok(path)
}

/// Writes what the program prints for the package, beside it.
fn write_pages(program: &Path) -> Result<()> {
    let folder = program.with_file_name("packaging");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    let completions = folder.join("completions");
    fs::create_dir_all(&completions).with_context(|| format!("cannot make {}", completions.display()))?;
    let man = folder.join("man");
    ensure!(succeeds(Command::new(program).arg("man").arg("--to").arg(man))?, "no pages were written; see above");
    for (shell, name) in COMPLETIONS {
        fs::write(completions.join(name), output(Command::new(program).args(["completions", shell]))?)?;
    }
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
