//! `tonne factor sets`: the sets there are.

use anyhow::Result;
use clap::Args;
use ports::factor_sets::InstalledSet;

use super::super::context::Context;
use super::super::json::array;
use super::super::terminal_table::{Align, Table};
use super::super::{Ending, output};
use super::view;
use crate::app::factor_reader;

/// List the sets of published factors, the newest edition first.
#[derive(Debug, Args)]
pub(in crate::command) struct ListSets {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl ListSets {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let app = context.app_to_read().await?;
        let sets = app.published_factors().list_factor_sets(&factor_reader()).await?;
        output::say(&if self.json {
            array(sets.iter().map(view::set)).to_string()
        } else if sets.is_empty() {
            "there is no set of factors; `tonne import factors FILE` adds one".to_owned()
        } else {
            table(&sets)
        })?;
        Ok(Ending::Done)
    }
}

fn table(sets: &[InstalledSet]) -> String {
    let words = ["set", "publisher", "title", "edition", "valid from"].map(|name| (name, Align::Left));
    let rest = [("factors", Align::Point), ("added", Align::Left), ("by", Align::Left), ("file", Align::Left)];
    let mut table = Table::new(words.into_iter().chain(rest));
    for InstalledSet { set, factors, added, by, .. } in sets {
        table.row([
            view::short(set.id),
            set.publisher.to_string(),
            set.title.to_string(),
            set.edition.to_string(),
            set.valid_from.to_string(),
            factors.to_string(),
            added.to_string(),
            by.clone(),
            set.file.to_string(),
        ]);
    }
    table.render()
}
