//! `tonne history blank`: texts of replaced versions that have to be forgotten.

use anyhow::{Context as _, Result};
use clap::Args;
use domain::{Faults, Reason};
use ports::Version;
use ports::inbound::{BlankDraft, Blanked, Field};

use super::super::context::{Context, IfAbsent};
use super::super::json::{array, count, object, text};
use super::super::{Ending, output};
use super::kind_of;
use crate::command::find_record::find;
use crate::counted::counted;

/// Blank what versions of a record were that are replaced by now, such as personal text in them. It cannot be undone.
///
/// Their digests stay, so that the chain of changes holds, and a change says who blanked them, when and why. What the record
/// is now stays as it is: change or remove it first where that has to be forgotten too. Backups and exports that were made
/// before still have the texts.
#[derive(Debug, Args)]
pub(super) struct Blank {
    /// The kind of the record: activity, scope, org, taxonomy, product, factor, model, input, switch, footprint, period.
    kind: String,
    /// The record: its UUID, syncId or name; one that was removed, a factor, input or footprint by its UUID.
    #[arg(value_name = "RECORD")]
    record: String,
    /// The replaced version, as the number of the change that wrote it; every replaced version unless given.
    #[arg(long, value_name = "NUMBER")]
    version: Option<u64>,
    /// Why. It is kept for ever: say nothing personal in it.
    #[arg(long, value_parser = Reason::parse)]
    reason: Reason,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Blank {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self { kind, record, version, reason, json } = self;
        let kind = kind_of(&kind)?;
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let id = find(&app, &operator, kind, &record).await?;
        let draft = BlankDraft {
            kind: Field::Given(kind),
            id: Field::Given(id),
            version: Field::of(version.map(Version)),
            reason: Field::Given(reason),
            faults: Faults::new(),
        };
        let blanked = app.areas().histories.blank(&operator, draft).await.context("nothing is blanked")?;
        output::say(&if json { shown(&blanked) } else { told(&blanked) })?;
        Ok(Ending::Done)
    }
}

fn shown(blanked: &Blanked) -> String {
    let Blanked { kind, id, change, versions, already } = blanked;
    object([
        ("kind", text(kind)),
        ("uuid", text(id)),
        ("change", change.map_or(files::Json::Null, count)),
        ("versions", array(versions.iter().map(|version| count(version.0)))),
        ("already", count(*already)),
    ])
    .to_string()
}

fn told(blanked: &Blanked) -> String {
    let Blanked { kind, id, change, versions, already } = blanked;
    let Some(change) = change else {
        return format!(
            "{kind} {id}: nothing is left to blank, {}",
            counted(*already, "text is blank", "texts are blank")
        );
    };
    let count = counted(versions.len() as u64, "text", "texts");
    let numbers: Vec<String> = versions.iter().map(ToString::to_string).collect();
    format!("{kind} {id}: blanked {count}, of version {}, in change {change}", numbers.join(", "))
}
