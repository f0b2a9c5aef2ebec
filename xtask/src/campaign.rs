//! Attacks on the running program, in rounds: each is repeated by its seed, and a run that was broken off goes on where it
//! was. `docs/campaign.md` says what each part claims.

mod clock;
mod crash;
mod crowd;
mod disk;
mod fault_library;
mod fuzzing;
mod ground;
mod http;
mod journal;
mod memory;
mod part;
mod service;
mod summary;
mod tally;
mod writer;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::cargo::{built, metadata};
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
const WITHOUT_HTTP: &str = "WITHOUT REQUESTS FROM THE DOCUMENT: PyPI does not give the tool that makes them.";

/// The short form of every part, as the checks run it. Without `PyPI` the requests made from the document are left out.
pub(crate) fn check() -> Result<()> {
    let has_http = http::can_be_installed(&folder_of(None, Form::Short)?.join("tools"))?;
    if !has_http {
        println!("{WITHOUT_HTTP}");
    }
    let parts = Part::ALL.iter().copied().filter(|part| has_http || *part != Part::Http).collect();
    let (folder, program, seed, only) = (None, None, None, None);
    let options = Options { parts, short: true, resume: false, folder, program, seed, only };
    ensure!(run(&options)?, "claims were broken; see the lines above, and docs/campaign.md");
    Ok(())
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
    let parts: &[Part] = if options.parts.is_empty() { Part::ALL } else { &options.parts };
    let rounds = parts.iter().flat_map(|part| part.rounds(form));
    let wanted = rounds.filter(|round| options.only.as_ref().is_none_or(|only| round.name.starts_with(only.as_str())));
    let wanted: Vec<_> = wanted.collect();
    println!("seed {}, {} rounds, kept in {}", journal.seed(), wanted.len(), folder.display());
    for round in &wanted {
        if journal.has_passed(&round.name) {
            continue;
        }
        journal.add(attack(round, &mut ground, journal.seed_of(&round.name)))?;
        write_summary(&folder, &journal)?;
    }
    write_summary(&folder, &journal)?;
    println!("\n{}", summary::table(journal.entries()));
    Ok(wanted.iter().all(|round| journal.has_passed(&round.name)))
}

fn attack(round: &Round, ground: &mut Ground, seed: u64) -> Entry {
    let begin = Instant::now();
    let tried = round.run(ground, seed);
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
