//! `tonne map suggest`: a first map, guessed from a table.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use files::{TableSample, suggest_map};

use super::super::import::{Content, Input, refused};
use super::super::{Ending, output};

/// Write a first map, guessed from a table.
///
/// How the table is written and what its columns mean is guessed from its first rows, each guess with the reason behind it.
/// Unsure guesses are commented out. Read the map, mend it, and let `tonne map check` try it.
#[derive(Debug, Args)]
pub(in crate::command) struct SuggestMap {
    /// The table: text or workbook, compressed or not; - is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The sheet of a workbook that shows several.
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
}

impl SuggestMap {
    pub(super) fn run(self) -> Result<Ending> {
        let input = Input::new(self.file);
        let (content, _) = input.open()?;
        let sample = match content {
            Content::Text(source) => TableSample::of_text(source),
            Content::Workbook(workbook) => TableSample::of_sheet(workbook, self.sheet.as_deref()),
        };
        let sample = sample.map_err(|error| refused(&input.name(), error))?;
        output::say(suggest_map(&sample).trim_end())?;
        Ok(Ending::Done)
    }
}
