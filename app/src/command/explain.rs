//! `tonne explain`: how a figure comes about.

use anyhow::{Context as _, Result};
use clap::Args;
use files::{composition_json, composition_text, explanation_json, explanation_text};
use ports::RecordKind;
use ports::inbound::ExplainedRecord;

use super::context::Context;
use super::find_record::find_of;
use super::{Ending, output};

/// The kinds of records with figures that have syncIds or names of their own.
const KINDS: [RecordKind; 3] = [RecordKind::Activity, RecordKind::Model, RecordKind::Switch];

/// Explain a figure: from what, by which factor, converted how, rounded where, written when and by whom.
///
/// The record is an activity, an input of a model, a model or a switch. Each line can be checked with a calculator, and the figure is computed
/// anew: exit status 1 where what is stored is not what it comes to.
#[derive(Debug, Args)]
pub(super) struct Explain {
    /// The record: its UUID; of an activity, a model or a switch its syncId or name too.
    #[arg(value_name = "RECORD")]
    word: String,
    /// Print JSON, from which the figure can be computed anew.
    #[arg(long)]
    json: bool,
}

impl Explain {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app_to_read().await?;
        let id = find_of(&app, &operator, &KINDS, &self.word).await?;
        let found = app.areas().explanations.find(&operator, id).await;
        let found = found.with_context(|| format!("{} cannot be explained", self.word))?;
        let (said, holds) = match &found {
            ExplainedRecord::Figure(view) => {
                let said = if self.json { explanation_json(view).to_string() } else { explanation_text(view) };
                (said, view.explanation.holds())
            }
            ExplainedRecord::Composition(view) => {
                let said = if self.json { composition_json(view).to_string() } else { composition_text(view) };
                (said, view.composition.holds())
            }
        };
        output::say(said.trim_end())?;
        Ok(if holds { Ending::Done } else { Ending::Failed })
    }
}
