//! The test run: `cargo test` passed through, with a Postgres for those tests that need one.

mod tally;

use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::cargo::cargo;
#[cfg(unix)]
use crate::postgres;
use tally::{Tally, pass_through};

/// Names the server for the tests: one that may hold many databases made and dropped by them.
const SERVER: &str = "TONNE_TEST_POSTGRES";
/// Names this program, for tests that start and stop servers of their own.
const PROGRAM: &str = "TONNE_TEST_XTASK";

/// Names the store and the form of addresses that the tests over HTTP run with.
const VARIANT: &str = "TONNE_TEST_VARIANT";
/// Besides `sqlite-single`, with which they run where nothing is named.
const VARIANTS: [&str; 3] = ["sqlite-path", "postgres-single", "postgres-path"];

const WITHOUT: &str = "WITHOUT POSTGRES (--skip postgres): the tests that need it do not run, its store is untested.";

/// What a run can leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Skip {
    /// All tests that need a Postgres: the package of its store, and every test with `postgres` in its path.
    Postgres,
}

/// What becomes of a test that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// It has failed.
    Never,
    /// It runs once more, alone. Where it passes then it counts as passed and is named as unsteady.
    FailedTests,
}

/// Runs every test of the workspace that is not left out; whether all passed. The last lines printed name the tests that
/// failed, then say `N passed, N failed`.
pub(crate) fn run(skip: Option<Skip>, repeat: Repeat, extra: &[String]) -> bool {
    if skip.is_some() {
        println!("{WITHOUT}\n");
    }
    let tally = counted(skip, repeat, extra).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        Tally::default().closing(false)
    });
    println!();
    if skip.is_some() {
        println!("{WITHOUT}");
    }
    for test in &tally.unsteady {
        println!("unsteady: {test} failed beside others and passed alone");
    }
    for failure in &tally.failures {
        println!("failed: {failure}");
    }
    println!("{} passed, {} failed", tally.passed, tally.failed);
    tally.failed == 0
}

/// The results, with a failure among them if the run was none.
fn counted(skip: Option<Skip>, repeat: Repeat, extra: &[String]) -> Result<Tally> {
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    let server = match skip {
        Some(Skip::Postgres) => None,
        None => Some(Server::find(&program)?),
    };
    let prepared = |words: &[&str]| {
        let mut command = cargo(words);
        command.env(PROGRAM, &program).env_remove(VARIANT);
        match &server {
            Some(server) => command.env(SERVER, server.url()),
            None => command.env_remove(SERVER),
        };
        command
    };
    let words = ["test", "--workspace", "--all-features", "--locked", "--no-fail-fast"];
    let mut tally = passed_through(prepared(&words).args(arguments(skip, extra)))?;
    if repeat == Repeat::FailedTests {
        tally = alone(tally, |names| {
            let mut again = prepared(&words);
            again.args(["--", "--test-threads=1", "--exact"]).args(names);
            again
        })?;
    }
    for variant in variants(skip, extra) {
        println!("\nThe tests over HTTP again, with {variant}:");
        // Of the whole workspace, as before: of one package alone much would be built again with other features.
        let mut again = prepared(&["test", "--workspace", "--test", "it", "--all-features", "--locked"]);
        again.args(arguments(skip, &[])).args(if skip.is_some() { &["http::"][..] } else { &["--", "http::"] });
        let mut results = passed_through(again.env(VARIANT, variant))?;
        if repeat == Repeat::FailedTests {
            results = alone(results, |names| {
                let mut again = prepared(&["test", "--workspace", "--test", "it", "--all-features", "--locked"]);
                again.args(["--", "--test-threads=1", "--exact"]).args(names).env(VARIANT, variant);
                again
            })?;
        }
        results.unsteady.iter_mut().for_each(|test| *test = format!("{test} (with {variant})"));
        results.failures.iter_mut().for_each(|failure| *failure = format!("{failure} (with {variant})"));
        tally = tally.plus(results);
    }
    Ok(tally)
}

/// The results when the tests that failed have run again, one after the other and beside no others.
fn alone(tally: Tally, command: impl FnOnce(&[String]) -> Command) -> Result<Tally> {
    if tally.failures.is_empty() {
        return Ok(tally);
    }
    println!("\nThe tests that failed, again and one by one:");
    let again = passed_through(&mut command(&tally.failures))?;
    Ok(tally.after(&again))
}

/// The variants in which the tests over HTTP run once more: none where the caller chose tests.
fn variants(skip: Option<Skip>, extra: &[String]) -> impl Iterator<Item = &'static str> {
    let with_postgres = skip.is_none();
    let wanted = VARIANTS.into_iter().filter(move |variant| with_postgres || !variant.starts_with("postgres"));
    wanted.take(if extra.is_empty() { VARIANTS.len() } else { 0 })
}

/// Runs it with its output passed through, and gives its results.
fn passed_through(command: &mut Command) -> Result<Tally> {
    let mut child = command.stdout(Stdio::piped()).spawn().context("cannot run `cargo test`")?;
    let output = child.stdout.take().context("`cargo test` has no standard output")?;
    let tally = pass_through(BufReader::new(output), &mut std::io::stdout())?;
    let failed = tally.failed;
    let closing = tally.closing(child.wait().context("cannot wait for `cargo test`")?.success());
    if closing.failed != failed {
        println!("\n`cargo test` failed although no test did (see above): counted as one failure.");
    }
    Ok(closing)
}

/// What `cargo test` is given beside what it always gets.
fn arguments(skip: Option<Skip>, extra: &[String]) -> Vec<String> {
    let mut arguments = extra.to_vec();
    if let Some(Skip::Postgres) = skip {
        arguments.splice(0..0, ["--exclude", "tonne-postgres"].map(str::to_owned));
        if !arguments.iter().any(|argument| argument == "--") {
            arguments.push("--".to_owned());
        }
        arguments.extend(["--skip", "postgres"].map(str::to_owned));
    }
    arguments
}

/// The server that the tests use.
enum Server {
    /// One that the caller named.
    Named(String),
    /// One that ends with this run.
    #[cfg(unix)]
    TemporaryServer(postgres::TemporaryServer),
}

impl Server {
    fn find(program: &Path) -> Result<Self> {
        match std::env::var(SERVER).ok().filter(|named| !named.is_empty()) {
            Some(named) => Ok(Self::Named(named)),
            None => Self::temporary(program),
        }
    }

    #[cfg(unix)]
    fn temporary(program: &Path) -> Result<Self> {
        postgres::prepare()?;
        postgres::TemporaryServer::borrow(program).map(Self::TemporaryServer)
    }

    #[cfg(not(unix))]
    fn temporary(_program: &Path) -> Result<Self> {
        anyhow::bail!(
            "servers are made on Unix alone: name one in {SERVER} (or leave its tests out: `--skip postgres`)"
        )
    }

    fn url(&self) -> &str {
        match self {
            Self::Named(url) => url,
            #[cfg(unix)]
            Self::TemporaryServer(server) => server.url(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(skip: Option<Skip>, extra: &[&str]) -> String {
        arguments(skip, &extra.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).join(" ")
    }

    #[test]
    fn what_is_given_to_cargo_test_passes_as_it_is() {
        assert_eq!(given(None, &[]), "");
        assert_eq!(given(None, &["a_name", "--", "--nocapture"]), "a_name -- --nocapture");
    }

    #[test]
    fn the_tests_over_http_run_with_every_store_unless_tests_were_chosen() {
        let chosen = ["a_name".to_owned()];
        assert_eq!(variants(None, &[]).collect::<Vec<_>>(), VARIANTS);
        assert_eq!(variants(Some(Skip::Postgres), &[]).collect::<Vec<_>>(), ["sqlite-path"]);
        assert_eq!(variants(None, &chosen).count(), 0);
    }

    #[test]
    fn skipping_leaves_out_the_store_and_every_test_of_that_path() {
        let all = "--exclude tonne-postgres";
        assert_eq!(given(Some(Skip::Postgres), &[]), format!("{all} -- --skip postgres"));
        assert_eq!(given(Some(Skip::Postgres), &["a_name"]), format!("{all} a_name -- --skip postgres"));
        assert_eq!(
            given(Some(Skip::Postgres), &["--", "--nocapture"]),
            format!("{all} -- --nocapture --skip postgres")
        );
    }
}
