//! `tonne head`: the digest of everything that was written, to be kept elsewhere.

use anyhow::{Context as _, Result};
use clap::Args;

use super::context::Context;
use super::json::{count, object, text};
use super::{Ending, output};

/// Print the head of the company's chain of changes: one line, to be signed and kept outside the store.
///
/// Its digest covers every change up to the newest one. `tonne verify --head` tells later whether any of them was altered, removed
/// or put in between, also by somebody who can write the store's files.
#[derive(Debug, Args)]
pub(super) struct Head {
    /// The head as it was at the change of this number.
    #[arg(long, value_name = "NUMBER")]
    at: Option<u64>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Head {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app_to_read().await?;
        let head = app.areas().histories.head(&operator, self.at).await?;
        let head = head.with_context(|| format!("there is no change {}", self.at.unwrap_or_default()))?;
        output::say(&if self.json {
            let members = [
                ("head", text(head)),
                ("epoch", text(head.epoch)),
                ("number", count(head.number)),
                ("digest", text(head.digest)),
            ];
            object(members).to_string()
        } else {
            head.to_string()
        })?;
        Ok(Ending::Done)
    }
}
