//! Very many generated files whose check must say what their import does: the test of `app/tests/it/usecase/staged/preview.rs`,
//! which says what it claims, at full size.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use super::part::{Part, Round, Task};
use super::tally::Tally;
use super::watch;
use crate::cargo::{built_tests, root};

/// Files: each is of a seed of its own, the same in every run.
const FILES: u64 = 1_000;
const TEST: &str = "usecase::staged::preview::what_a_check_says_is_what_the_run_does";

/// The one round that there is.
pub(super) fn rounds() -> Vec<Round> {
    vec![Round { part: Part::Preview, name: "preview".to_owned(), task: Task::Preview }]
}

/// The tests, built.
pub(super) fn build() -> Result<PathBuf> {
    watch::doing_for("the tests are built", Duration::from_hours(1));
    built_tests("tonne", "dev")
}

/// Checks and imports the files.
pub(super) fn run() -> Result<Tally> {
    let tests = build()?;
    watch::doing_for("the files are checked and imported", Duration::from_hours(1));
    let mut test = Command::new(tests);
    test.args(["--exact", TEST, "--nocapture"]).current_dir(root().join("app"));
    let output = test.env("TONNE_TEST_IMPORT_FILES", FILES.to_string()).stdin(Stdio::null()).output();
    let output = output.context("cannot run the tests")?;
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success() && said.contains("1 passed"), "{said}");
    let mut tally = Tally::default();
    tally.count("files", FILES);
    Ok(tally)
}
