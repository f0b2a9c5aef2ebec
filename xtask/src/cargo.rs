//! Calling cargo in the repository, and what it says about the workspace.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// The repository's directory: the parent of this package's.
pub(crate) fn root() -> PathBuf {
    // As `cargo run` says it now: a build shared between checkouts may have been compiled in another one.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let package = Path::new(&package);
    package.parent().unwrap_or(package).to_path_buf()
}

/// A call of the cargo that runs this program, in the repository.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

/// Runs it with its output passed through; whether it succeeded.
pub(crate) fn succeeds(command: &mut Command) -> Result<bool> {
    let status = command.status().with_context(|| format!("cannot run {}", shown(command)))?;
    Ok(status.success())
}

/// Runs it and gives what it wrote to standard output; what it says on standard error is passed through.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot run {}", shown(command)))?;
    if !output.status.success() {
        bail!("{} ended with {}", shown(command), output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("{} printed bytes that are not UTF-8", shown(command)))
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    format!("`{}`", words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "))
}

/// The part of `cargo metadata` that the chores read.
#[derive(Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    pub(crate) target_directory: PathBuf,
}

/// A package of the workspace.
#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
}

/// One line of a manifest's dependency tables.
#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// The name the code uses, where it is not the package's.
    pub(crate) rename: Option<String>,
    #[serde(default)]
    pub(crate) kind: Option<Kind>,
    /// Present for packages of the workspace.
    pub(crate) path: Option<PathBuf>,
}

/// The table a dependency is in, where it is not the plain one.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Dev,
    Build,
}

/// The packages of the workspace as their manifests describe them, without resolving anything.
pub(crate) fn metadata() -> Result<Metadata> {
    let text = output(&mut cargo(&["metadata", "--no-deps", "--offline", "--format-version", "1"]))?;
    serde_json::from_str(&text).context("cannot read what `cargo metadata` printed")
}

/// Builds the program and returns its path.
pub(crate) fn built() -> Result<PathBuf> {
    if !succeeds(&mut cargo(&["build", "--quiet", "--locked", "--package", "tonne"]))? {
        bail!("the program does not build, see above");
    }
    Ok(metadata()?.target_directory.join("debug").join("tonne"))
}

/// Builds the integration tests of a package in a profile and returns the path of the program that runs them.
pub(crate) fn built_tests(package: &str, profile: &str) -> Result<PathBuf> {
    let words = ["test", "--no-run", "--quiet", "--locked", "--package", package, "--test", "it", "--profile", profile];
    let mut build = cargo(&words);
    let output = build.arg("--message-format=json").stderr(Stdio::inherit()).output().context("cannot run cargo")?;
    if !output.status.success() {
        bail!("the tests do not build, see above");
    }
    let messages = String::from_utf8(output.stdout).context("cargo printed bytes that are not UTF-8")?;
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut tests = messages.filter(|message| message["target"]["kind"][0] == "test");
    let executable = tests.find_map(|message| message["executable"].as_str().map(PathBuf::from));
    executable.context("cargo did not say where the tests are")
}
