//! `tonne factor remove-set`: taking a set away.

use anyhow::{Result, anyhow};
use clap::Args;
use ports::inbound::{Error, SetPrefix};

use super::super::context::{Context, IfAbsent};
use super::super::{Ending, output};
use super::view;
use crate::app::installation;
use crate::counted::counted;

/// Remove a set of published factors.
///
/// No figure changes: companies keep the factors that they copied of it. The same file can be imported again.
#[derive(Debug, Args)]
pub(in crate::command) struct RemoveSet {
    /// The set: its id, or at least the first eight digits of it.
    #[arg(value_parser = SetPrefix::parse)]
    set: SetPrefix,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl RemoveSet {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self { set, json } = self;
        let app = context.app_without_tenant(IfAbsent::Refuse).await?;
        let removed = app.factor_set_imports().remove_factor_set(&installation(), &set).await;
        let removed = removed.map_err(|error| {
            if matches!(error, Error::NotFound) {
                anyhow!(
                "there is no one set of factors whose id begins with {set}; `tonne factor sets` lists those there are"
            )
            } else {
                error.into()
            }
        })?;
        output::say(&if json {
            view::set(&removed).to_string()
        } else {
            let factors = counted(removed.factors, "factor", "factors");
            format!("removed {}: {factors} of {}", view::short(removed.set.id), removed.set.file)
        })?;
        Ok(Ending::Done)
    }
}
