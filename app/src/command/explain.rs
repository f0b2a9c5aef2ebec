//! `tonne explain`: how a figure comes about.

use anyhow::{Context as _, Result};
use clap::Args;
use files::{composition_json, composition_text, explanation_json, explanation_text};
use ports::inbound::ExplainedRecord;
use uuid::Uuid;

use super::context::Context;
use super::{Ending, output};

/// Explain a figure: from what, by which factor, converted how, rounded where, written when and by whom.
///
/// The record is an activity, an input of a model, a model or a switch. Each line can be checked with a calculator, and the figure is computed
/// anew: exit status 1 where what is stored is not what it comes to.
#[derive(Debug, Args)]
pub(super) struct Explain {
    /// The record.
    id: Uuid,
    /// Print JSON, from which the figure can be computed anew.
    #[arg(long)]
    json: bool,
}

impl Explain {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app_to_read().await?;
        let found = app.areas().explanations.find(&operator, self.id).await;
        let found = found.with_context(|| format!("{} cannot be explained", self.id))?;
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
