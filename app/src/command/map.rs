//! `tonne map`: maps of tables, suggested and tried.

mod check;
mod suggest;

use anyhow::Result;
use clap::Subcommand;

use super::Ending;

/// Suggest and check the maps by which tables become activities.
#[derive(Debug, Subcommand)]
pub(super) enum MapCommand {
    Suggest(suggest::SuggestMap),
    Check(check::CheckMap),
}

impl MapCommand {
    pub(super) fn run(self) -> Result<Ending> {
        match self {
            Self::Suggest(command) => command.run(),
            Self::Check(command) => command.run(),
        }
    }
}
