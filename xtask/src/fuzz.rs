//! Hostile inputs for what reads text, each target for a time: the tests of `app/tests/it/fuzz`, which say what they claim.
//!
//! They run on the stable toolchain: inputs are made from a kept corpus by a seed, and one that is told of in new words is
//! kept, since engines that follow coverage need a nightly compiler.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};

use crate::cargo::{built_tests, metadata, root};

/// What is fuzzed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    Dates,
    Decimals,
    Json,
    Map,
    Ndjson,
    TokenForm,
    Jwt,
    Canonical,
    Tenant,
}

impl Target {
    /// The name of its folders.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Dates => "dates",
            Self::Decimals => "decimals",
            Self::Json => "json",
            Self::Map => "map",
            Self::Ndjson => "ndjson",
            Self::TokenForm => "token-form",
            Self::Jwt => "jwt",
            Self::Canonical => "canonical",
            Self::Tenant => "tenant",
        }
    }

    /// The module of its test.
    const fn module(self) -> &'static str {
        match self {
            Self::Dates => "fuzz::date::",
            Self::Decimals => "fuzz::decimal::",
            Self::Json => "fuzz::json::",
            Self::Map => "fuzz::map::",
            Self::Ndjson => "fuzz::ndjson::",
            Self::TokenForm => "http::token::form::",
            Self::Jwt => "fuzz::jwt::",
            Self::Canonical => "fuzz::canonical::",
            Self::Tenant => "fuzz::tenant::",
        }
    }
}

/// How it is fuzzed.
#[derive(Args)]
pub(crate) struct Options {
    /// Only these; all where none is named.
    #[arg(value_enum, value_name = "TARGET")]
    targets: Vec<Target>,
    /// How long each.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Repeat a run; its inputs hang on the seed and on the corpus.
    #[arg(long)]
    seed: Option<u64>,
    /// Try one input alone, on the one target that is named.
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Where inputs that are new or that fail are kept [default: target/fuzz].
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Fuzzes one target after the other; whether no claim was broken.
pub(crate) fn run(options: &Options) -> Result<bool> {
    let folder = match &options.folder {
        Some(folder) => std::path::absolute(folder)?,
        None => metadata()?.target_directory.join("fuzz"),
    };
    let fuzzer = Fuzzer::build(&folder)?;
    let targets = if options.targets.is_empty() { Target::value_variants() } else { &options.targets };
    if let Some(input) = &options.input {
        let [target] = options.targets[..] else { bail!("name the one target that the input is for") };
        println!("{}", fuzzer.one(target, &fs::canonicalize(input).context("no such input")?)?);
        return Ok(true);
    }
    let mut is_well = true;
    for (target, seed) in targets.iter().zip(options.seed.map_or(1, |seed| seed)..) {
        match fuzzer.run(*target, options.seconds, options.seed.unwrap_or(seed)) {
            Ok(Fuzzed { line, .. }) => println!("{line}"),
            Err(error) => {
                is_well = false;
                println!("{}: FAILED: {error:#}", target.name());
            }
        }
    }
    Ok(is_well)
}

/// What became of a run.
pub(crate) struct Fuzzed {
    /// In words.
    pub(crate) line: String,
    /// How many inputs were tried.
    pub(crate) inputs: u64,
    /// How many of them were told of in words of their own.
    pub(crate) outcomes: u64,
}

/// The tests, built.
pub(crate) struct Fuzzer {
    tests: PathBuf,
    folder: PathBuf,
}

impl Fuzzer {
    /// Builds the tests; what is kept goes below the folder.
    pub(crate) fn build(folder: &Path) -> Result<Self> {
        let tests = built_tests("tonne", "dev")?;
        Ok(Self { tests, folder: folder.to_owned() })
    }

    /// Fuzzes a target for so many seconds.
    pub(crate) fn run(&self, target: Target, seconds: u64, seed: u64) -> Result<Fuzzed> {
        let mut test = self.test(target);
        test.env("TONNE_FUZZ_SECONDS", seconds.to_string()).env("TONNE_FUZZ_SEED", seed.to_string());
        let output = test.env("TONNE_FUZZ_FOLDER", &self.folder).output().context("cannot run the tests")?;
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            let failure = said.lines().rev().find(|line| line.contains("kept in") || line.contains(" KiB"));
            bail!("{}", failure.map_or_else(|| said.to_string(), str::to_owned));
        }
        let line = said.lines().find(|line| line.contains(" inputs, ")).context("the test did not run")?;
        let line = line.rsplit(" ... ").next().unwrap_or(line);
        let mut numbers = line.split([' ', ',']).filter_map(|word| word.parse().ok());
        let (inputs, outcomes) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
        Ok(Fuzzed { line: line.to_owned(), inputs, outcomes })
    }

    /// Tries one input, and gives what was said.
    fn one(&self, target: Target, input: &Path) -> Result<String> {
        let output = self.test(target).env("TONNE_FUZZ_INPUT", input).output().context("cannot run the tests")?;
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{said}");
        Ok(said.into_owned())
    }

    fn test(&self, target: Target) -> Command {
        let mut command = Command::new(&self.tests);
        command.args([target.module(), "--nocapture", "--test-threads", "1"]);
        command.current_dir(root().join("app")).stdin(Stdio::null()).env("RUST_BACKTRACE", "0");
        command
    }
}
