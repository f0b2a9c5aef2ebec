//! `DuckDB` from `PyPI`, in a virtual environment of the bench's folder.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::bench::activities::Order;
use crate::bench::process::output;
use crate::bench::subject::Subject;

const SCRIPT: &str = include_str!("duckdb.py");

/// What it took, on the table with random days.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(in crate::bench) struct DuckDb {
    pub(in crate::bench) rows_per_second: f64,
    /// A report's median in memory, in milliseconds.
    pub(in crate::bench) report_p50_ms: f64,
    pub(in crate::bench) json_megabytes_per_second: f64,
}

/// Measures it; an error says in a few words what is missing.
pub(in crate::bench) fn measure(subject: &Subject) -> Result<DuckDb> {
    let python = python(&subject.folder)?;
    let exported = subject.folder.join("duckdb.json");
    let mut command = Command::new(python);
    command.args(["-c", SCRIPT]).arg(subject.table(subject.activities, Order::RandomDays)?).arg(&exported);
    let said = output(&mut command);
    // It is not there where the script failed before.
    let _ = std::fs::remove_file(&exported);
    serde_json::from_str(&said?).context("DuckDB said something else")
}

/// A Python that has `DuckDB`.
fn python(folder: &Path) -> Result<std::path::PathBuf> {
    let environment = folder.join("python");
    let python = environment.join("bin/python");
    let has = |python: &Path| output(Command::new(python).args(["-c", "import duckdb"])).is_ok();
    if !has(&python) {
        output(Command::new("python3").args(["-m", "venv"]).arg(&environment)).context("no Python with venv")?;
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "duckdb"];
        output(Command::new(&python).args(pip)).context("DuckDB cannot be installed")?;
    }
    Ok(python)
}
