//! The test run: `cargo test` passed through, with a Postgres and a browser for those tests that need one.

mod tally;

use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::browser::Browser;
use crate::cargo::cargo;
use crate::oidc_provider;
#[cfg(unix)]
use crate::postgres;
use tally::{Tally, pass_through};

/// Names the server for the tests: one that may hold many databases made and dropped by them.
const SERVER: &str = "TONNE_TEST_POSTGRES";
/// Names this program, for tests that start and stop servers of their own.
const PROGRAM: &str = "TONNE_TEST_XTASK";

/// Names the store and the form of addresses that the tests over HTTP run with.
const VARIANT: &str = "TONNE_TEST_VARIANT";
/// What the paths of these tests have in them.
const OVER_HTTP: &str = "http::";
/// Besides `sqlite-single`, with which they run where nothing is named.
const VARIANTS: [&str; 3] = ["sqlite-path", "postgres-single", "postgres-path"];

/// What the path of a test has in it that drives a browser.
const BROWSER: &str = "browser::";
/// What the path of a test has in it that signs in at a provider that is not ours.
const PROVIDER: &str = "real_provider::";

/// Names the folder of tables that their publishers own, which are no part of the repository.
const SHARED_DATA: &str = "TONNE_SHARED_DATA";
const WITHOUT_SHARED_DATA: &str = "WITHOUT SHARED DATA (TONNE_SHARED_DATA is not set): no test reads whole official factor \
                                   files or the city's table.";

/// What a run can leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Skip {
    /// All tests that need a Postgres: the package of its store, and every test with `postgres` in its path.
    Postgres,
    /// All tests that drive a browser: every test with `browser::` in its path.
    Browser,
    /// All tests that sign in at a provider of `OpenID` Connect from npm: every test with `real_provider::` in its path.
    Provider,
}

impl Skip {
    /// Says so where it is left out.
    const fn without(self) -> &'static str {
        match self {
            Self::Postgres => {
                "WITHOUT POSTGRES (--skip postgres): the tests that need it do not run, its store is untested."
            }
            Self::Browser => {
                "WITHOUT BROWSER (--skip browser): the tests that drive one do not run, the pages were opened by nothing."
            }
            Self::Provider => "WITHOUT PROVIDER (--skip provider): nobody signed in at a provider that is not ours.",
        }
    }
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
pub(crate) fn run(skip: &[Skip], repeat: Repeat, extra: &[String]) -> bool {
    let mut left_out: Vec<_> = skip.iter().map(|skip| skip.without()).collect();
    left_out.extend((extra.is_empty() && std::env::var_os(SHARED_DATA).is_none()).then_some(WITHOUT_SHARED_DATA));
    let mut skip = skip.to_vec();
    let tally = provider(&mut skip, &mut left_out, extra).and_then(|provider| {
        for why in &left_out {
            println!("{why}\n");
        }
        counted(&skip, repeat, extra, provider.as_deref())
    });
    let tally = tally.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        Tally::default().closing(false)
    });
    println!();
    for why in &left_out {
        println!("{why}");
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

/// The folder of the provider, where tests that sign in there are among those that were chosen. Where it cannot be had they are
/// left out, with the reason among those that are told.
fn provider(skip: &mut Vec<Skip>, left_out: &mut Vec<&'static str>, extra: &[String]) -> Result<Option<PathBuf>> {
    if skip.contains(&Skip::Provider) || !chooses_outside(extra) {
        return Ok(None);
    }
    let found = oidc_provider::find()?;
    if found.is_none() {
        skip.push(Skip::Provider);
        left_out.push(oidc_provider::UNREACHABLE);
    }
    Ok(found)
}

/// The results, with a failure among them if the run was none.
fn counted(skip: &[Skip], repeat: Repeat, extra: &[String], provider: Option<&Path>) -> Result<Tally> {
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    let server = if skip.contains(&Skip::Postgres) { None } else { Some(Server::find(&program)?) };
    // Where tests were chosen, what they need is taken as it is found: most choices drive no browser.
    let needs_browser = !skip.contains(&Skip::Browser) && chooses_outside(extra);
    let browser = needs_browser.then(Browser::find).transpose()?;
    let prepared = |words: &[&str]| {
        let mut command = cargo(words);
        command.env(PROGRAM, &program).env_remove(VARIANT);
        match &server {
            Some(server) => command.env(SERVER, server.url()),
            None => command.env_remove(SERVER),
        };
        if let Some(browser) = &browser {
            command.envs(browser.variables());
        }
        if let Some(provider) = provider {
            command.env(oidc_provider::VARIABLE, provider);
        }
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
        let mut words = arguments(skip, &[]);
        if !words.iter().any(|word| word == "--") {
            words.push("--".to_owned());
        }
        again.args(words).arg(OVER_HTTP);
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
fn variants(skip: &[Skip], extra: &[String]) -> impl Iterator<Item = &'static str> {
    let with_postgres = !skip.contains(&Skip::Postgres);
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
fn arguments(skip: &[Skip], extra: &[String]) -> Vec<String> {
    let mut arguments = extra.to_vec();
    if skip.contains(&Skip::Postgres) {
        arguments.splice(0..0, ["--exclude", "tonne-postgres"].map(str::to_owned));
    }
    if !skip.is_empty() && !arguments.iter().any(|argument| argument == "--") {
        arguments.push("--".to_owned());
    }
    for left_out in skip {
        let path = match left_out {
            Skip::Postgres => "postgres",
            Skip::Browser => BROWSER,
            Skip::Provider => PROVIDER,
        };
        arguments.extend(["--skip", path].map(str::to_owned));
    }
    arguments
}

/// Whether tests that drive a browser or sign in at a provider are among those that were chosen: all where none were. Some do both.
fn chooses_outside(extra: &[String]) -> bool {
    extra.is_empty() || extra.iter().any(|word| word.contains("browser") || word.contains("real_provider"))
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

    fn given(skip: &[Skip], extra: &[&str]) -> String {
        arguments(skip, &owned(extra)).join(" ")
    }

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn what_is_given_to_cargo_test_passes_as_it_is() {
        assert_eq!(given(&[], &[]), "");
        assert_eq!(given(&[], &["a_name", "--", "--nocapture"]), "a_name -- --nocapture");
    }

    #[test]
    fn the_tests_over_http_run_with_every_store_unless_tests_were_chosen() {
        let chosen = ["a_name".to_owned()];
        assert_eq!(variants(&[], &[]).collect::<Vec<_>>(), VARIANTS);
        assert_eq!(variants(&[Skip::Browser], &[]).collect::<Vec<_>>(), VARIANTS);
        assert_eq!(variants(&[Skip::Postgres], &[]).collect::<Vec<_>>(), ["sqlite-path"]);
        assert_eq!(variants(&[], &chosen).count(), 0);
    }

    #[test]
    fn a_browser_is_found_for_all_tests_and_for_those_that_drive_one() {
        assert!(chooses_outside(&[]));
        assert!(chooses_outside(&owned(&["browser::sign_in"])) && chooses_outside(&owned(&["real_provider::"])));
        assert!(!chooses_outside(&owned(&["report", "--", "--nocapture"])));
    }

    #[test]
    fn skipping_leaves_out_the_store_and_every_test_of_that_path() {
        let all = "--exclude tonne-postgres";
        let postgres = &[Skip::Postgres];
        assert_eq!(given(postgres, &[]), format!("{all} -- --skip postgres"));
        assert_eq!(given(postgres, &["a_name"]), format!("{all} a_name -- --skip postgres"));
        assert_eq!(given(postgres, &["--", "--nocapture"]), format!("{all} -- --nocapture --skip postgres"));
        assert_eq!(given(&[Skip::Browser], &[]), "-- --skip browser::");
        assert_eq!(given(&[Skip::Provider], &[]), "-- --skip real_provider::");
        let both = &[Skip::Postgres, Skip::Browser];
        assert_eq!(given(both, &[]), format!("{all} -- --skip postgres --skip browser::"));
    }
}
