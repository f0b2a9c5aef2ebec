//! `tonne import undo`: taking back what an import wrote.

use anyhow::{Context as _, Result};
use clap::Args;
use files::Json;
use ports::ImportId;
use ports::import_batch::ImportBatch;
use ports::inbound::UndoPatience;

use super::super::context::{Context, IfAbsent};
use super::super::{Ending, output};
use super::list::shown;

/// Undo an import: what it created goes, what it changed gets its earlier content.
///
/// A large import is undone batch by batch and reads as undoing meanwhile; the same command goes on with one that was left
/// so. An import whose activities somebody has edited since is not undone, and the message names some of them.
#[derive(Debug, Args)]
pub(in crate::command) struct UndoImport {
    /// The import, as `tonne import list` shows it.
    #[arg(value_name = "ID")]
    id: ImportId,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl UndoImport {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self { id, json } = self;
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let undone = app.imports().undo(&operator, id, UndoPatience::Whole).await;
        let undone = undone.with_context(|| format!("import {id}; `tonne import list` shows the imports there are"))?;
        output::say(&if json { Json::Object(shown(&undone)).to_string() } else { summary(&undone) })?;
        app.checkpoints().after_import(operator.tenant).await;
        Ok(Ending::Done)
    }
}

fn summary(batch: &ImportBatch) -> String {
    let ImportBatch { id, name, counts, kept, .. } = batch;
    let stay = match kept {
        0 => String::new(),
        _ => format!("; {kept} records stay as they are, for they were edited since or others use them"),
    };
    format!(
        "{name} (import {id}) is undone: {} activities that it created are gone, {} have their earlier content{stay}",
        counts.created, counts.updated
    )
}
