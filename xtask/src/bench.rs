//! The figures of `docs/benchmarks/`: one company's activities on a store, on this machine, in one run.
//!
//! Everything goes through the program as its users have it: commands and HTTP. Figures are printed beside their goals,
//! never judged by a test.

mod activities;
pub(crate) mod client;
mod company;
pub(crate) mod dice;
mod figure;
mod floor;
pub(crate) mod latencies;
mod load;
pub(crate) mod machine;
mod peer;
pub(crate) mod process;
mod question;
mod rows;
mod saved;
mod service;
pub(crate) mod store;
mod subject;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};

use crate::cargo::{cargo, metadata, succeeds};
use rows::Row;
use store::Kind;
use subject::Subject;

/// How it is measured.
#[derive(Args)]
pub(crate) struct Options {
    /// On which store.
    #[arg(long, value_enum, default_value = "both")]
    store: Stores,
    /// How many activities.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(10_000..=100_000_000))]
    activities: u32,
    /// Measure these rows alone.
    #[arg(long, value_enum, value_name = "ROW,...", value_delimiter = ',')]
    only: Vec<Row>,
    /// Measure this program, in place of one that is built here.
    #[arg(long)]
    program: Option<PathBuf>,
    /// Keep tables and stores in this folder, and use those that an earlier run made there.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Write the table to `docs/benchmarks/`.
    #[arg(long)]
    save: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Stores {
    Sqlite,
    Postgres,
    Both,
}

/// Measures the rows on each store and prints a table; always true, what goes wrong is an error.
pub(crate) fn run(options: &Options) -> Result<bool> {
    if cfg!(debug_assertions) {
        return run_optimized();
    }
    let program = match &options.program {
        Some(program) => fs::canonicalize(program).with_context(|| format!("no program {}", program.display()))?,
        None => build()?,
    };
    let folder = match &options.keep {
        Some(folder) => std::path::absolute(folder)?,
        None => std::env::temp_dir().join(format!("tonne-bench-{}", std::process::id())),
    };
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let measured = measure(options, &program, &fs::canonicalize(&folder)?);
    if options.keep.is_none() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    measured.map(|()| true)
}

fn measure(options: &Options, program: &Path, folder: &Path) -> Result<()> {
    let kinds: &[Kind] = match options.store {
        Stores::Sqlite => &[Kind::Sqlite],
        Stores::Postgres => &[Kind::Postgres],
        Stores::Both => &[Kind::Sqlite, Kind::Postgres],
    };
    let mut rows = if options.only.is_empty() { Row::value_variants().to_vec() } else { options.only.clone() };
    rows.sort_unstable();
    rows.dedup();
    for kind in kinds {
        eprintln!("== {}, {} activities", kind.name(), options.activities);
        // A page that is kept says nothing of where the machine has its folders.
        let place = std::env::current_dir()?;
        let shown = program.strip_prefix(&place).ok().or_else(|| program.file_name().map(Path::new)).unwrap_or(program);
        let machine = machine::lines(&shown.display().to_string());
        let subject = Subject::new(*kind, options.activities, folder, options.keep.is_some(), program)?;
        let figures: Vec<_> = rows.iter().flat_map(|row| row.measure(&subject)).collect();
        let page = saved::page(*kind, options.activities, &machine, &figures);
        println!("\n{page}");
        if options.save {
            saved::save(*kind, options.activities, &page)?;
        }
    }
    Ok(())
}

fn build() -> Result<PathBuf> {
    let words = ["build", "--release", "--locked", "--package", "tonne"];
    ensure!(succeeds(&mut cargo(&words))?, "the program does not build");
    Ok(metadata()?.target_directory.join("release").join("tonne"))
}

/// Runs this command once more in a program that is optimized: generator and floor programs are measured too.
fn run_optimized() -> Result<bool> {
    let words = ["build", "--quiet", "--profile", "quick", "--locked", "--package", "xtask"];
    ensure!(succeeds(&mut cargo(&words))?, "the generator does not build");
    let program = metadata()?.target_directory.join("quick").join("xtask");
    succeeds(Command::new(program).args(std::env::args_os().skip(1)))
}
