//! `tonne import`: bringing data in.

mod activities;
mod catalog;
mod outcome;
mod source;

use anyhow::Result;
use clap::Subcommand;

use super::Ending;
use super::context::Context;

/// Import activities or a catalogue.
#[derive(Debug, Subcommand)]
pub(super) enum Import {
    Activities(activities::ImportActivities),
    Catalog(catalog::ImportCatalog),
}

impl Import {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        match self {
            Self::Activities(command) => command.run(context).await,
            Self::Catalog(command) => command.run(context).await,
        }
    }
}
