//! `tonne verify` of the whole store.

use anyhow::Result;

use super::Figures;
use crate::bench::figure::{Figure, Goal, Unit};
use crate::bench::floor;
use crate::bench::process::{Watch, run};
use crate::bench::subject::Subject;

/// The goal for a million activities, in seconds.
const SECONDS: f64 = 10.0;

pub(super) fn measure(subject: &Subject, figures: &mut Figures) -> Result<()> {
    let store = subject.store()?;
    let usage = run(&mut store.command(["verify"]), Watch::default())?;
    let seconds = SECONDS * f64::from(subject.activities) / 1e6;
    let figure = Figure::new("verify", Unit::Seconds, Ok(usage.took.as_secs_f64()));
    figures.add(figure.goal(Goal::AtMost(seconds)).floor(floor::digest::seconds(subject, &store)));
    figures.add(Figure::new("verify: processor time", Unit::Seconds, usage.processor_seconds()));
    figures.add(Figure::new("verify: memory at most", Unit::Megabytes, usage.megabytes()));
    Ok(())
}
