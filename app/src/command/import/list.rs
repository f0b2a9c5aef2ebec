//! `tonne import list`: the imports of activities.

use anyhow::Result;
use clap::Args;
use files::Json;
use ports::import_batch::ImportBatch;
use ports::repo::Page;

use super::super::context::Context;
use super::super::json::{array, count, members, object, optional, text};
use super::super::terminal_table::{Align, Table};
use super::super::{Ending, output};

/// How many are listed unless more are asked for.
const LISTED: u32 = 20;

/// List the imports of activities, the newest first.
#[derive(Debug, Args)]
pub(in crate::command) struct ListImports {
    /// How many to list.
    #[arg(long, default_value_t = LISTED, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl ListImports {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app_to_read().await?;
        let page = Page { number: 1, size: self.limit };
        let listing = app.imports().list(&operator, page).await?;
        output::say(&if self.json {
            array(listing.data.iter().map(|batch| Json::Object(shown(batch)))).to_string()
        } else {
            table(&listing.data, listing.count)
        })?;
        Ok(Ending::Done)
    }
}

/// An import as members of JSON.
pub(super) fn shown(batch: &ImportBatch) -> Vec<(String, Json)> {
    let ImportBatch { id, name, actor, begun, updated, hash, state, counts, changes, kept, undone_by, .. } = batch;
    let changes = changes.map_or(Json::Null, |(first, last)| object([("first", count(first)), ("last", count(last))]));
    members([
        ("uuid", text(id)),
        ("name", text(name)),
        ("actor", text(actor)),
        ("created", text(begun)),
        ("updated", text(updated)),
        ("sha256", optional(*hash)),
        ("state", text(state.as_str())),
        (
            "counts",
            object([
                ("created", count(counts.created)),
                ("updated", count(counts.updated)),
                ("unchanged", count(counts.unchanged)),
                ("rejected", count(counts.rejected)),
                ("warnings", count(counts.warnings)),
            ]),
        ),
        ("changes", changes),
        ("kept", count(*kept)),
        ("undoneBy", optional(undone_by.as_ref())),
    ])
}

fn table(batches: &[ImportBatch], count: u64) -> String {
    let left = |name| (name, Align::Left);
    let number = |name| (name, Align::Point);
    let mut table = Table::new([
        left("uuid"),
        left("when"),
        left("state"),
        number("created"),
        number("updated"),
        number("unchanged"),
        number("rejected"),
        left("who"),
        left("name"),
    ]);
    for ImportBatch { id, name, actor, begun, state, counts, .. } in batches {
        table.row([
            id.to_string(),
            begun.to_string(),
            state.as_str().to_owned(),
            counts.created.to_string(),
            counts.updated.to_string(),
            counts.unchanged.to_string(),
            counts.rejected.to_string(),
            actor.clone(),
            name.clone(),
        ]);
    }
    let more = count.saturating_sub(batches.len() as u64);
    let rest = if more > 0 { format!("\n... and {more} earlier ones; --limit lists more") } else { String::new() };
    format!("{}{rest}", table.render())
}
