//! `tonne factor`: the published factors of an installation.

mod remove_set;
mod search;
mod sets;
mod show;
mod use_factor;
mod view;

use anyhow::Result;
use clap::Subcommand;

use super::Ending;
use super::context::Context;
use crate::counted::counted;

pub(super) use view::{set as set_json, short};

/// Look up published factors and use them in products; list the sets of them and remove one.
///
/// Sets belong to the installation and are the same for every company, so --tenant counts for `use` alone. `tonne import
/// factors` adds one from the file of its publisher.
#[derive(Debug, Subcommand)]
pub(super) enum FactorCommand {
    Sets(sets::ListSets),
    Search(search::Search),
    Show(show::Show),
    Use(use_factor::UseFactor),
    RemoveSet(remove_set::RemoveSet),
}

impl FactorCommand {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        match self {
            Self::Sets(command) => command.run(context).await,
            Self::Search(command) => command.run(context).await,
            Self::Show(command) => command.run(context).await,
            Self::Use(command) => command.run(context).await,
            Self::RemoveSet(command) => command.run(context).await,
        }
    }
}

/// What new factors could complete, and the command that does; nothing where that is no activity.
pub(super) fn completable(fills: u64) -> Option<String> {
    let activities = counted(fills, "activity", "activities");
    (fills > 0).then(|| format!("{activities} without CO2e could be completed: tonne recalculate --incomplete"))
}
