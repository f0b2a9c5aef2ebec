//! Attacks on the running program, in rounds: each is repeated by its seed, and a run that was broken off goes on where it
//! was. `docs/campaign.md` says what each part claims.

mod backup;
mod citus;
mod clock;
mod crash;
mod crowd;
mod disk;
mod fault_library;
mod fuzzing;
mod ground;
mod http;
mod isolation;
mod journal;
mod memory;
mod part;
mod preview;
mod service;
mod summary;
mod tally;
mod undo;
mod watch;
mod writer;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::cargo::{built, metadata};
use crate::postgres::check_citus;
use ground::Ground;
use journal::{Entry, Journal};
use part::{Form, Part, Round};

/// Which attacks are run, and how long.
#[derive(Args)]
pub(crate) struct Options {
    /// Run these parts alone.
    #[arg(value_enum, value_name = "PART")]
    parts: Vec<Part>,
    /// The short form of each part: about six minutes in all.
    #[arg(long)]
    short: bool,
    /// Go on with the run in the folder: rounds that passed are not run again.
    #[arg(long)]
    resume: bool,
    /// Where seeds, counts and the summary are kept; what a run with the same form left is replaced.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Attack this program, in place of the one that the tests use.
    #[arg(long)]
    program: Option<PathBuf>,
    /// Repeat a run: the seed that its summary tells.
    #[arg(long)]
    seed: Option<u64>,
    /// Run only rounds whose name begins so, such as `kill-sqlite`.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
}

/// Says so where a part is left out of the checks.
pub(crate) const WITHOUT_HTTP: &str =
    "WITHOUT REQUESTS FROM THE DOCUMENT: PyPI does not give the tool that makes them, or there is no Python.";

/// Whether there is what makes requests from the document.
pub(crate) fn has_http() -> bool {
    let folder = folder_of(None, Form::Short).map(|folder| folder.join("tools"));
    folder.and_then(|folder| http::can_be_installed(&folder)).unwrap_or_else(|error| {
        println!("{error:#}");
        false
    })
}

/// The short form of every part, as the checks run it; with or without requests made from the document.
pub(crate) fn check(has_http: bool) -> Result<()> {
    let parts = Part::ALL.iter().copied().filter(|part| has_http || *part != Part::Http).collect();
    let (folder, program, seed, only) = (None, None, None, None);
    let options = Options { parts, short: true, resume: false, folder, program, seed, only };
    ensure!(run(&options)?, "claims were broken; see the lines above, and docs/campaign.md");
    Ok(())
}

/// The parts that were named. Where none was, all; that of Citus is left out aloud where it is not installed.
fn chosen(named: &[Part], form: Form) -> Result<Vec<Part>> {
    if form == Form::Long && named.contains(&Part::Citus) {
        check_citus()?;
    }
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let missing = if form == Form::Long { check_citus().err() } else { None };
    if let Some(error) = &missing {
        println!("WITHOUT CITUS: {error:#}\n");
    }
    Ok(Part::ALL.iter().copied().filter(|part| missing.is_none() || *part != Part::Citus).collect())
}

fn folder_of(given: Option<&Path>, form: Form) -> Result<PathBuf> {
    Ok(match given {
        Some(folder) => std::path::absolute(folder)?,
        None => metadata()?.target_directory.join("campaign").join(form.word()),
    })
}

/// Runs the rounds; whether none failed.
pub(crate) fn run(options: &Options) -> Result<bool> {
    let form = if options.short { Form::Short } else { Form::Long };
    let program = match &options.program {
        Some(program) => fs::canonicalize(program).with_context(|| format!("no program {}", program.display()))?,
        None => built()?,
    };
    let folder = folder_of(options.folder.as_deref(), form)?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut journal = Journal::open(&folder, options.resume, options.seed)?;
    let mut ground = Ground::new(&program, &folder);
    let parts = chosen(&options.parts, form)?;
    let rounds = parts.iter().flat_map(|part| part.rounds(form));
    let wanted = rounds.filter(|round| options.only.as_ref().is_none_or(|only| round.name.starts_with(only.as_str())));
    let wanted: Vec<_> = wanted.collect();
    println!("seed {}, {} rounds, kept in {}", journal.seed(), wanted.len(), folder.display());
    ensure!(!wanted.is_empty(), "no round has such a name");
    let mut left_out = Vec::new();
    for round in &wanted {
        if journal.has_passed(&round.name) {
            continue;
        }
        if form == Form::Short && is_spent(round.part, &journal) {
            left_out.push(round.name.as_str());
            continue;
        }
        journal.add(attack(round, &mut ground, journal.seed_of(&round.name)))?;
        write_summary(&folder, &journal)?;
    }
    write_summary(&folder, &journal)?;
    println!("\n{}", summary::table(journal.entries()));
    if !left_out.is_empty() {
        println!("not begun, as the time of their part was over: {}", left_out.join(", "));
    }
    // A part without a round has shown nothing; that some rounds were not begun is a matter of time alone.
    let ran = |part: Part| journal.entries().iter().any(|entry| entry.part == part.word());
    let idle = parts.iter().filter(|part| wanted.iter().any(|round| round.part == **part) && !ran(**part));
    ensure!(idle.count() == 0, "a part has run no round");
    Ok(wanted.iter().all(|round| journal.has_passed(&round.name) || left_out.contains(&round.name.as_str())))
}

/// Whether the rounds of the part have taken as long as its short form may; its first round always runs.
fn is_spent(part: Part, journal: &Journal) -> bool {
    let mut of_part = journal.entries().iter().filter(|entry| entry.part == part.word()).peekable();
    let has_begun = of_part.peek().is_some();
    has_begun && Duration::from_secs_f64(of_part.map(|entry| entry.seconds).sum()) >= part.budget()
}

fn attack(round: &Round, ground: &mut Ground, seed: u64) -> Entry {
    let ready = watch::watched(&round.name, watch::PATIENCE, || round.prepare(ground));
    let begin = Instant::now();
    let tried = ready.and_then(|()| watch::watched(&round.name, watch::PATIENCE, || round.run(ground, seed)));
    let seconds = begin.elapsed().as_secs_f64();
    let (tally, error) = match tried {
        Ok(tally) => (tally, None),
        Err(error) => (tally::Tally::default(), Some(format!("{error:#}"))),
    };
    let part = round.part.word().to_owned();
    let entry = Entry { part, name: round.name.clone(), seed, seconds, error, tally };
    println!("{}", summary::line(&entry));
    entry
}

fn write_summary(folder: &Path, journal: &Journal) -> Result<()> {
    let text = format!("# Campaign\n\nSeed {}\n\n{}", journal.seed(), summary::table(journal.entries()));
    fs::write(folder.join("summary.md"), text).context("cannot write the summary")
}
