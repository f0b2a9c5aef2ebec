//! `tonne config`: every setting, its value and where that came from.

use anyhow::Result;
use clap::Args;

use super::context::Context;
use super::json::{array, object, optional, text};
use super::terminal_table::{Align, Table};
use super::{Ending, output};

/// Show every setting with its value and where it came from; secrets as ***.
#[derive(Debug, Args)]
pub(super) struct ShowConfig {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl ShowConfig {
    pub(super) fn run(self, context: &Context) -> Result<Ending> {
        let config = context.config([])?;
        let entries = config.entries().iter();
        let shown = if self.json {
            let entry = |entry: &crate::config::Entry| {
                object([
                    ("key", text(&entry.key)),
                    ("value", optional(entry.value.as_ref())),
                    ("source", text(&entry.origin)),
                ])
            };
            array(entries.map(entry)).to_string()
        } else {
            let mut table = Table::new([("setting", Align::Left), ("value", Align::Left), ("from", Align::Left)]);
            for entry in entries {
                let value = entry.value.clone().unwrap_or_else(|| "-".to_owned());
                table.row([entry.key.clone(), value, entry.origin.to_string()]);
            }
            table.render()
        };
        output::say(&shown)?;
        Ok(Ending::Done)
    }
}
