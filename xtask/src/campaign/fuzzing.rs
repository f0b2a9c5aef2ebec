//! `cargo xtask fuzz` as a part: each target for a time.

use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum as _;

use super::ground::Ground;
use super::part::{Form, Part, Round, Task};
use super::tally::Tally;
use super::watch;
use crate::fuzz;

/// A target and for how many seconds.
#[derive(Clone, Debug)]
pub(super) struct Target(fuzz::Target, u32);

/// A round for each target.
pub(super) fn rounds(form: Form) -> Vec<Round> {
    let round = |target: &fuzz::Target| Round {
        part: Part::Fuzz,
        name: format!("fuzz-{}", target.name()),
        task: Task::Fuzz(Target(*target, form.pick(4, 600))),
    };
    fuzz::Target::value_variants().iter().map(round).collect()
}

/// Fuzzes the target.
pub(super) fn run(ground: &mut Ground, target: &Target, seed: u64) -> Result<Tally> {
    let fuzzer = ground.fuzzer()?;
    watch::doing_for("a target", Duration::from_secs(u64::from(target.1)));
    let fuzzed = fuzzer.run(target.0, u64::from(target.1), seed)?;
    let mut tally = Tally::default();
    tally.count("inputs", fuzzed.inputs);
    tally.count("outcomes", fuzzed.outcomes);
    Ok(tally)
}
