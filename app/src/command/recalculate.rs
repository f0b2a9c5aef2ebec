//! `tonne recalculate`: what factors that came later complete or correct.

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use ports::RecalculationId;
use ports::inbound::{
    Cause, Field, Named, Recalculated, RecalculatedGroup, Recalculation, RecalculationOf, RecalculationStep, Reference,
    UndoneRecalculation,
};

use super::context::{Context, IfAbsent};
use super::json::{array, count, object, optional, text};
use super::terminal_table::{Align, Table};
use super::{Ending, Usage, output};
use crate::counted::counted;

/// Compute activities anew that a later factor completes, or whose factor was corrected; others stay as they are.
///
/// What --incomplete finds had no CO2e, so nothing that was reported changes but by what is added. What --outdated finds
/// has figures, which change only as a preview showed them: run it with --dry-run, then with --confirm and what that
/// printed.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(
    group = clap::ArgGroup::new("which").required(true).args(["incomplete", "outdated"]),
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(super) struct Recalculate {
    #[command(subcommand)]
    undo: Option<Undo>,
    /// Those without CO2e that have a product and a quantity.
    #[arg(long)]
    incomplete: bool,
    /// Those computed from a factor that was corrected, or ended by a later one, since, or chosen by a rule or for a region
    /// that is another by now.
    #[arg(long)]
    outdated: bool,
    /// Write nothing, only say what would be.
    #[arg(long, conflicts_with = "confirm")]
    dry_run: bool,
    /// What the preview printed, to write what it showed.
    #[arg(long, value_name = "PREVIEW")]
    confirm: Option<String>,
    /// Only activities of this org and those below: UUID, syncId or name.
    #[arg(long)]
    org: Option<String>,
    /// Only activities of this scope and those below: UUID, syncId or name.
    #[arg(long)]
    scope: Option<String>,
    /// Only what changes for this cause: factor, correction, gwp, rule or structure.
    #[arg(long, requires = "outdated", value_parser = parse_cause)]
    cause: Option<Cause>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Undo {
    /// Undo a recalculation: what it changed gets the figures that it had before.
    ///
    /// Many are undone change by change; the same command goes on with an undoing that was broken off. One on whose figures later
    /// changes stand is not undone, and the message names some of them.
    Undo {
        /// The recalculation, as it printed it and as the causes of its changes name it.
        #[arg(value_name = "UUID")]
        id: RecalculationId,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

fn parse_cause(word: &str) -> Result<Cause, String> {
    let words = || Cause::OUTDATED.map(Cause::as_str).join(", ");
    let cause = Cause::parse(word).filter(|cause| Cause::OUTDATED.contains(cause));
    cause.ok_or_else(|| format!("must be one of {}", words()))
}

/// A node by what was said of it.
fn named(word: Option<&String>) -> Field<Reference> {
    let Some(word) = word else { return Field::Absent };
    Field::Given(word.parse().map_or_else(|_| Reference::Word(word.clone()), Reference::Id))
}

impl Recalculate {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        if let Some(Undo::Undo { id, json }) = self.undo {
            return undo(context, id, json).await;
        }
        if self.outdated && !self.dry_run && self.confirm.is_none() {
            let detail = "figures that are there change only as a preview showed them: run it with --dry-run, then with \
                          --confirm and what that printed";
            return Err(Usage(detail.to_owned()).into());
        }
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let of = if self.outdated { RecalculationOf::Outdated } else { RecalculationOf::Incomplete };
        let flags = self.flags();
        let step =
            if self.dry_run { RecalculationStep::Preview } else { RecalculationStep::Write { confirm: self.confirm } };
        let (org, scope) = (named(self.org.as_ref()), named(self.scope.as_ref()));
        let only = self.cause.map_or(Field::Absent, Field::Given);
        let asked = Recalculation { of, step, org, scope, only, ..Recalculation::default() };
        let done = app.areas().activities.recalculate(&operator, asked).await?;
        done.failed.iter().for_each(|(id, detail)| output::note(&format!("activity {id}: {detail}")));
        output::say(&if self.json { json(of, &done) } else { summary(of, &done, &flags) })?;
        Ok(if done.failures == 0 { Ending::Done } else { Ending::Failed })
    }
}

impl Recalculate {
    /// What narrows it, as it is written on the command line.
    fn flags(&self) -> String {
        let quoted = |name: &str, word: &String| format!(" --{name} '{}'", word.replace('\'', r"'\''"));
        let org = self.org.as_ref().map(|word| quoted("org", word));
        let scope = self.scope.as_ref().map(|word| quoted("scope", word));
        let cause = self.cause.map(|cause| format!(" --cause {}", cause.as_str()));
        org.into_iter().chain(scope).chain(cause).collect()
    }
}

async fn undo(context: &Context, id: RecalculationId, json: bool) -> Result<Ending> {
    let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
    let told = || format!("recalculation {id}; `tonne history` shows the changes, whose causes name it");
    let undone = app.areas().activities.undo_recalculation(&operator, id).await.with_context(told)?;
    let UndoneRecalculation { id, activities, restored, kept } = undone;
    let said = if json {
        let of = |name, number| (name, count(number));
        object([("uuid", text(id)), of("activities", activities), of("restored", restored), of("kept", kept)])
            .to_string()
    } else {
        let stay = match kept {
            0 => String::new(),
            many => format!("; {}", counted(many, "stays as it is", "stay as they are")),
        };
        format!(
            "recalculation {id} of {} is undone: {} given back{stay}",
            counted(activities, "activity", "activities"),
            counted(restored, "earlier figure was", "earlier figures were")
        )
    };
    output::say(&said)?;
    Ok(Ending::Done)
}

fn summary(of: RecalculationOf, done: &Recalculated, flags: &str) -> String {
    let Recalculated { activities, changed, before, after, market_before, market_after, failures, .. } = done;
    let Recalculated { confirm, closed, .. } = done;
    let what = match of {
        RecalculationOf::Incomplete => "without CO2e, with a product and a quantity",
        RecalculationOf::Outdated => {
            "outdated: of a factor that was corrected or ended since, or of a rule or region that is another by now"
        }
    };
    let verb = match (of, confirm.is_some()) {
        (RecalculationOf::Incomplete, true) => "would get it",
        (RecalculationOf::Incomplete, false) => "have it now",
        (RecalculationOf::Outdated, true) => "would change",
        (RecalculationOf::Outdated, false) => "changed",
    };
    let mut lines = vec![format!(
        "{} {what}: {changed} {verb}, together from {before} to {after} kg; {failures} cannot be computed",
        counted(*activities, "activity", "activities")
    )];
    if (before, after) != (market_before, market_after) {
        lines.push(format!("with scope 2 market-based from {market_before} to {market_after} kg"));
    }
    if !done.groups.is_empty() {
        lines.push(groups(&done.groups));
    }
    if *closed > 0 {
        let stand =
            counted(*closed, "stands in a closed period and is left out", "stand in closed periods and are left out");
        lines.push(format!("{stand}; open the period again to compute them anew"));
    }
    if let Some(confirm) = confirm.as_ref().filter(|_| *changed > 0) {
        lines.push(format!("to write this: tonne recalculate --{}{flags} --confirm {confirm}", of.as_str()));
    }
    if let Some(id) = done.id {
        lines.push(format!("to undo this: tonne recalculate undo {id}"));
    }
    lines.join("\n")
}

/// What becomes of which scope and org.
fn groups(groups: &[RecalculatedGroup]) -> String {
    let (left, point) = (|name| (name, Align::Left), |name| (name, Align::Point));
    let mut head =
        vec![left("cause"), left("scope"), left("org"), point("activities"), point("before"), point("after")];
    let of_market = |group: &RecalculatedGroup| (group.market_before, group.market_after);
    let is_both = groups.iter().any(|group| of_market(group) != (group.before, group.after));
    if is_both {
        head.extend([point("market-based before"), point("market-based after")]);
    }
    let mut table = Table::new(head);
    for group in groups {
        let name = |node: Option<&Named>| node.map_or_else(String::new, |node| node.name.to_string());
        let mut row = vec![
            group.cause.as_str().to_owned(),
            name(group.scope.as_ref()),
            name(group.org.as_ref()),
            group.changed.to_string(),
            group.before.to_string(),
            group.after.to_string(),
        ];
        if is_both {
            row.extend([group.market_before.to_string(), group.market_after.to_string()]);
        }
        table.row(row);
    }
    table.render()
}

fn json(of: RecalculationOf, done: &Recalculated) -> String {
    let error = |(id, detail): &(domain::ActivityId, String)| object([("uuid", text(id)), ("detail", text(detail))]);
    let group = |group: &RecalculatedGroup| {
        object([
            ("cause", text(group.cause.as_str())),
            ("scope", optional(group.scope.as_ref().map(|scope| scope.id))),
            ("org", optional(group.org.as_ref().map(|org| org.id))),
            ("changed", count(group.changed)),
            ("CO2eBefore", text(group.before)),
            ("CO2eAfter", text(group.after)),
            ("marketCO2eBefore", text(group.market_before)),
            ("marketCO2eAfter", text(group.market_after)),
        ])
    };
    object([
        ("of", text(of.as_str())),
        ("uuid", optional(done.id)),
        ("dryRun", files::Json::Bool(done.confirm.is_some())),
        ("activities", count(done.activities)),
        ("changed", count(done.changed)),
        ("CO2eBefore", text(done.before)),
        ("CO2eAfter", text(done.after)),
        ("marketCO2eBefore", text(done.market_before)),
        ("marketCO2eAfter", text(done.market_after)),
        ("groups", array(done.groups.iter().map(group))),
        ("closed", count(done.closed)),
        ("confirm", optional(done.confirm.as_ref())),
        ("failures", count(done.failures)),
        ("errors", array(done.failed.iter().map(error))),
    ])
    .to_string()
}
