//! `tonne import undo`: taking back what an import wrote.

use anyhow::{Context as _, Result};
use clap::Args;
use files::Json;
use ports::ImportId;
use ports::import_batch::{ImportBatch, ImportState};
use ports::inbound::UndoPatience;

use super::super::context::{Context, IfAbsent};
use super::super::{Ending, output};
use super::list::shown;
use crate::counted::counted;

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
        let told = || format!("import {id}; `tonne import list` shows the imports there are");
        let before = app.imports().find(&operator, id).await.with_context(told)?;
        if before.state == ImportState::Undone {
            output::say(&if json { Json::Object(shown(&before)).to_string() } else { undone_before(&before) })?;
            return Ok(Ending::Done);
        }
        let undone = app.imports().undo(&operator, id, UndoPatience::Whole).await.with_context(told)?;
        output::say(&if json { Json::Object(shown(&undone)).to_string() } else { summary(&undone) })?;
        app.checkpoints().after_import(operator.tenant).await;
        Ok(Ending::Done)
    }
}

fn undone_before(batch: &ImportBatch) -> String {
    let ImportBatch { id, name, updated, undone_by, .. } = batch;
    let by = undone_by.as_ref().map(|who| format!(" by {who}")).unwrap_or_default();
    format!("{name} (import {id}) was undone already, at {updated}{by}; nothing was changed now")
}

fn summary(batch: &ImportBatch) -> String {
    let ImportBatch { id, name, counts, kept, .. } = batch;
    let stay = match kept {
        0 => String::new(),
        1 => "; 1 record stays as it is, for it was edited since or others use it".to_owned(),
        _ => format!("; {kept} records stay as they are, for they were edited since or others use them"),
    };
    let gone = counted(counts.created, "activity that it created is gone", "activities that it created are gone");
    let earlier = counted(counts.updated, "has its earlier content", "have their earlier content");
    format!("{name} (import {id}) is undone: {gone}, {earlier}{stay}")
}
