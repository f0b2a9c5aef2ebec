//! Very many requests of many companies on one PostgreSQL, in rounds: the tests of `adapters/postgres/tests/it/isolation_run.rs`,
//! which say what they claim, at full size and optimized.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use super::ground::Ground;
use super::part::{Part, Round, Task};
use super::tally::Tally;
use super::watch;
use crate::cargo::{built_tests, root};
use crate::postgres::{self, TemporaryServer};

/// Companies.
const TENANTS: u64 = 32;
/// Requests of each company in a round.
const REQUESTS: u64 = 2_000;
/// Rounds of each kind: 100,000 requests of each company.
const ROUNDS: u32 = 50;

/// What keeps the companies apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// The queries and row-level security.
    Both,
    /// Row-level security alone.
    Policies,
    /// Nothing: the round must find foreign rows.
    Nothing,
}

impl Kept {
    const fn word(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Policies => "policies",
            Self::Nothing => "nothing",
        }
    }

    const fn test(self) -> &'static str {
        match self {
            Self::Both => "isolation_run::of_very_many_requests_none_meets_anything_of_another_tenant",
            Self::Policies => "isolation_run::without_the_tenant_in_the_queries_row_level_security_keeps_tenants_apart",
            Self::Nothing => "isolation_run::without_row_level_security_too_the_same_run_finds_foreign_rows",
        }
    }
}

/// The rounds, in turns, so that a run that is broken off has tried both.
pub(super) fn rounds() -> Vec<Round> {
    let round = |kept: Kept, number: u32| Round {
        part: Part::Isolation,
        name: format!("isolation-{}-{number:02}", kept.word()),
        task: Task::Isolation(kept),
    };
    let mut rounds = vec![round(Kept::Nothing, 1)];
    rounds.extend((1..=ROUNDS).flat_map(|number| [round(Kept::Both, number), round(Kept::Policies, number)]));
    rounds
}

/// The tests, built, and a server for them.
pub(super) struct Isolation {
    tests: PathBuf,
    server: TemporaryServer,
}

impl Isolation {
    pub(super) fn prepare() -> Result<Self> {
        postgres::prepare()?;
        let program = std::env::current_exe().context("this program does not find itself")?;
        Ok(Self { tests: built_tests("tonne-postgres", "quick")?, server: TemporaryServer::borrow(&program)? })
    }
}

/// Runs the requests of a round.
pub(super) fn run(ground: &mut Ground, kept: Kept, seed: u64) -> Result<Tally> {
    let Isolation { tests, server } = ground.isolation()?;
    watch::doing_for("the requests are made", Duration::from_hours(1));
    let mut test = Command::new(tests);
    test.args(["--exact", kept.test(), "--nocapture"]).current_dir(root().join("adapters/postgres"));
    test.env("TONNE_TEST_POSTGRES", server.url()).env("TONNE_ISOLATION_SEED", seed.to_string());
    test.env("TONNE_ISOLATION_TENANTS", TENANTS.to_string()).env("TONNE_ISOLATION_REQUESTS", REQUESTS.to_string());
    let output = test.stdin(Stdio::null()).output().context("cannot run the tests")?;
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success() && said.contains("1 passed"), "{said}");
    let mut tally = Tally::default();
    let counted = [
        ("compared", "compared"),
        ("own", "rows of its own"),
        ("foreign", "foreign rows"),
        ("left", "callers left"),
        ("panics", "panics"),
    ];
    for (name, what) in counted {
        tally.count(&format!("{what} ({})", kept.word()), number(&said, &format!("{name}: "))?);
    }
    tally.count("connections cut", number(&said, " statements lost the tenant, ")?);
    Ok(tally)
}

/// The number behind a word of what the test printed.
fn number(said: &str, word: &str) -> Result<u64> {
    let (_, behind) =
        said.split_once(word).with_context(|| format!("{word:?} is not in what the test printed: {said}"))?;
    let digits: String = behind.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().with_context(|| format!("no number behind {word:?}: {said}"))
}
