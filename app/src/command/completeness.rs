//! `tonne completeness`: what is missing in a period, and why.

mod shown;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use domain::{Day, Faults, Period};
use files::{ByteOrderMark, Cells, completeness_table, table_csv};
use ports::inbound::CompletenessQuery;

use super::context::Context;
use super::{Ending, Usage, output};

/// Show what is missing in a year, and why.
///
/// Activities without CO2e by the reason why, months without data in series that usually have some, and scopes and categories
/// without activities, with the exclusions that say why.
#[derive(Debug, Args)]
pub(super) struct CompletenessArgs {
    /// The calendar year, YYYY.
    #[arg(long, value_parser = year, required_unless_present_all = ["first", "last"], conflicts_with_all = ["first", "last"])]
    year: Option<Period>,
    /// The first day, in place of a year.
    #[arg(long, value_name = "DAY", value_parser = Day::parse, requires = "last")]
    first: Option<Day>,
    /// The last day, included.
    #[arg(long, value_name = "DAY", value_parser = Day::parse, requires = "first")]
    last: Option<Day>,
    /// Only this org and those below, by its UUID.
    #[arg(long, value_parser = domain::parse_uuid)]
    org: Option<uuid::Uuid>,
    /// Write the findings to this file as CSV, one a row; - is standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    csv: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl CompletenessArgs {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self { year, first, last, org, csv, json } = self;
        let (app, operator) = context.operated_app_to_read().await?;
        let first = first.or_else(|| year?.first());
        let last = last.or_else(|| year?.last());
        let query = CompletenessQuery { first, last, org, without_reasons: false, faults: Faults::new() };
        let found = app.areas().completeness.completeness(&operator, query).await?;
        if let Some(path) = csv {
            let table = table_csv(&completeness_table(&found), Cells::Verbatim, ByteOrderMark::Absent)?;
            output::keep(&path, &table)?;
            return Ok(Ending::Done);
        }
        output::say(&if json { shown::json(&found).to_string() } else { shown::told(&found) })?;
        Ok(Ending::Done)
    }
}

/// Reads a year.
fn year(text: &str) -> Result<Period, Usage> {
    let wrong = || Usage("is not a year of the calendar: give YYYY".to_owned());
    if text.len() == 4 { Period::parse(text).map_err(|_| wrong()) } else { Err(wrong()) }
}
