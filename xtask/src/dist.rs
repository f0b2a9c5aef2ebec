//! What a release consists of, made so that the same source can give the same bytes in whatever folder and at whatever
//! time: no path of the machine is in the program, and every time is that of the commit.

mod archive;
mod bundled;
mod place;
mod sbom;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use sha2::{Digest as _, Sha256};

use crate::cargo::{cargo, metadata, output, root, succeeds};
use crate::deploy::deb::{self, Packing};
use crate::folder::Folder;
use crate::hex::hex;

/// Where a release is put, and for what machine.
#[derive(Args)]
pub(crate) struct Options {
    /// The folder, which holds nothing but a release; an earlier one is removed.
    #[arg(long, value_name = "DIR", default_value = "target/dist")]
    to: PathBuf,
    /// The machine; a static program of musl runs on every Linux. Needs `rustup target add` and, on Debian, musl-tools.
    #[arg(long, value_name = "TRIPLE", default_value = "x86_64-unknown-linux-musl")]
    target: String,
    /// Takes changes along that are not committed: nobody can make the same release again.
    #[arg(long)]
    dirty: bool,
}

/// Makes the release.
pub(crate) fn run(options: &Options) -> Result<()> {
    if !options.dirty {
        must_be_committed()?;
    }
    let tool = deb::cargo_deb()?;
    let workspace = metadata()?;
    let version =
        &workspace.packages.iter().find(|package| package.name == "tonne").context("no package tonne")?.version;
    let time = commit_time()?;
    let folder = root().join(&options.to);
    place::make_ready(&folder)?;
    println!("building for {}", options.target);
    build(&options.target, &workspace.target_directory)?;
    let program = workspace.target_directory.join(&options.target).join("release").join("tonne");
    let package = deb::package(&tool, &program, &folder, Packing::At(&time))?;
    let name = format!("tonne-{version}-{}", options.target);
    write_archive(&program, &folder, &name, &time)?;
    let listed = folder.join(format!("tonne-{version}.cdx.json"));
    fs::write(&listed, sbom::of(version, &options.target)?)?;
    write_sums(&folder)?;
    println!("{}: made in {}", package.file_name().unwrap_or_default().to_string_lossy(), folder.display());
    print!("{}", fs::read_to_string(folder.join("SHA256SUMS"))?);
    Ok(())
}

/// Fails where files differ from the commit. Source without a repository is taken as it is.
fn must_be_committed() -> Result<()> {
    if !root().join(".git").exists() {
        return Ok(());
    }
    let mut git = Command::new("git");
    let changed = output(git.args(["status", "--porcelain"]).current_dir(root()).stdin(Stdio::null()))?;
    ensure!(changed.is_empty(), "these are not committed: commit them, or give --dirty\n{changed}");
    Ok(())
}

/// Seconds since 1970 of the commit that is released, or what `SOURCE_DATE_EPOCH` says.
fn commit_time() -> Result<String> {
    if let Ok(time) = std::env::var("SOURCE_DATE_EPOCH") {
        return Ok(time);
    }
    let mut git = Command::new("git");
    let time = output(git.args(["log", "-1", "--format=%ct"]).current_dir(root()).stdin(Stdio::null()))?;
    Ok(time.trim().to_owned())
}

/// Builds the program without the paths of this machine in it.
fn build(target: &str, target_directory: &Path) -> Result<()> {
    let cargo_home =
        std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let cargo_home = cargo_home.context("there is no home folder: set CARGO_HOME")?;
    // The last that fits counts, and the target folder mostly stands in the repository.
    let folders = [(cargo_home, "/cargo"), (root(), "/tonne"), (target_directory.to_path_buf(), "/target")];
    let (mut rust, mut c) = (Vec::new(), Vec::new());
    for (from, to) in folders {
        let from = from.to_str().context("a folder's name is not UTF-8")?.to_owned();
        ensure!(!from.contains(' '), "{from} has a space in it: build in another folder");
        rust.push(format!("--remap-path-prefix={from}={to}"));
        c.push(format!("-ffile-prefix-map={from}={to}"));
    }
    let mut command = cargo(&["build", "--release", "--locked", "--package", "tonne", "--target", target]);
    command
        .env("CARGO_ENCODED_RUSTFLAGS", rust.join("\u{1f}"))
        .env("CFLAGS", c.join(" "))
        .env("CARGO_INCREMENTAL", "0");
    ensure!(succeeds(&mut command)?, "the program does not build for {target}; see above");
    Ok(())
}

/// The program with its pages, completions, unit, configuration and licences, for machines without a package.
fn write_archive(program: &Path, folder: &Path, name: &str, time: &str) -> Result<()> {
    let parent = Folder::new("dist")?;
    let staged = parent.path().join(name);
    fs::create_dir_all(&staged)?;
    fs::copy(program, staged.join("tonne"))?;
    for (from, to) in [
        ("LICENSE-APACHE", "LICENSE-APACHE"),
        ("LICENSE-MIT", "LICENSE-MIT"),
        ("README.md", "README.md"),
        ("CHANGELOG.md", "CHANGELOG.md"),
        ("deploy/systemd/tonne.service", "tonne.service"),
        ("deploy/debian/tonne.toml", "tonne.toml"),
    ] {
        fs::copy(root().join(from), staged.join(to)).with_context(|| format!("cannot copy {from}"))?;
    }
    deb::write_pages(program, &staged)?;
    fs::remove_file(staged.join("changelog.gz"))?;
    archive::pack(parent.path(), name, &folder.join(format!("{name}.tar.gz")), time)
}

/// Writes the digest of every file of the folder, as `sha256sum --check` reads them.
fn write_sums(folder: &Path) -> Result<()> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() == place::SUMS {
            continue;
        }
        let digest = Sha256::digest(fs::read(entry.path())?);
        lines.push(format!("{}  {}\n", hex(&digest), entry.file_name().to_string_lossy()));
    }
    lines.sort_by(|a, b| a[64..].cmp(&b[64..]));
    fs::write(folder.join(place::SUMS), lines.concat()).context("cannot write SHA256SUMS")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;

    #[test]
    fn sums_are_those_of_all_files_by_name() {
        let folder = Folder::new("sums").unwrap();
        fs::write(folder.path().join("b"), "two").unwrap();
        fs::write(folder.path().join("a"), "").unwrap();
        write_sums(folder.path()).unwrap();
        let sums = fs::read_to_string(folder.path().join("SHA256SUMS")).unwrap();
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n";
        assert!(sums.starts_with(empty) && sums.lines().count() == 2, "{sums}");
        assert!(sums.ends_with("  b\n"), "{sums}");
    }
}
