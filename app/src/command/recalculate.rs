//! `tonne recalculate`: what factors that came later complete or correct.

use anyhow::Result;
use clap::Args;
use ports::inbound::{Recalculated, Recalculation, RecalculationOf, RecalculationStep};

use super::context::{Context, IfAbsent};
use super::json::{array, count, object, optional, text};
use super::{Ending, output};

/// Compute activities anew that a later factor completes, or whose factor was corrected; others stay as they are.
///
/// What --incomplete finds had no CO2e, so nothing that was reported changes but by what is added. What --outdated finds
/// has figures, which change only as a preview showed them: run it with --dry-run, then with --confirm and what that
/// printed.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(group = clap::ArgGroup::new("which").required(true).args(["incomplete", "outdated"]))]
pub(super) struct Recalculate {
    /// Those without CO2e that have a product and a quantity.
    #[arg(long)]
    incomplete: bool,
    /// Those computed from a factor that was corrected since.
    #[arg(long)]
    outdated: bool,
    /// Write nothing, only say what would be.
    #[arg(long, conflicts_with = "confirm")]
    dry_run: bool,
    /// What the preview printed, to write what it showed.
    #[arg(long, value_name = "PREVIEW")]
    confirm: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Recalculate {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let of = if self.outdated { RecalculationOf::Outdated } else { RecalculationOf::Incomplete };
        let step =
            if self.dry_run { RecalculationStep::Preview } else { RecalculationStep::Write { confirm: self.confirm } };
        let cause = format!("recalculate {}", of.as_str());
        let asked = Recalculation { of, step, cause, ..Recalculation::default() };
        let done = app.areas().activities.recalculate(&operator, asked).await?;
        done.failed.iter().for_each(|(id, detail)| output::note(&format!("activity {id}: {detail}")));
        output::say(&if self.json { json(of, &done) } else { summary(of, &done) })?;
        Ok(if done.failures == 0 { Ending::Done } else { Ending::Failed })
    }
}

fn summary(of: RecalculationOf, done: &Recalculated) -> String {
    let Recalculated { activities, changed, before, after, failures, confirm, .. } = done;
    let verb = if confirm.is_some() { "would change" } else { "changed" };
    let mut lines = vec![format!(
        "{activities} {}: {changed} {verb}, from {before} to {after} kg; {failures} cannot be computed",
        of.as_str()
    )];
    if let Some(confirm) = confirm.as_ref().filter(|_| *changed > 0) {
        lines.push(format!("to write this: tonne recalculate --{} --confirm {confirm}", of.as_str()));
    }
    lines.join("\n")
}

fn json(of: RecalculationOf, done: &Recalculated) -> String {
    let error = |(id, detail): &(domain::ActivityId, String)| object([("uuid", text(id)), ("detail", text(detail))]);
    object([
        ("of", text(of.as_str())),
        ("dryRun", files::Json::Bool(done.confirm.is_some())),
        ("activities", count(done.activities)),
        ("changed", count(done.changed)),
        ("CO2eBefore", text(done.before)),
        ("CO2eAfter", text(done.after)),
        ("confirm", optional(done.confirm.as_ref())),
        ("failures", count(done.failures)),
        ("errors", array(done.failed.iter().map(error))),
    ])
    .to_string()
}
