//! `tonne report`: what activities add up to, as a table, as JSON or as files.

mod asked;
mod files_out;
mod render;

use anyhow::Result;
use clap::Args;
use domain::{Day, Period, Timestamp, YearStart};
use files::{Look, ReportUnit, breakdown_json};
use ports::inbound::Error;

use super::context::Context;
use super::{Ending, Usage, output};
use asked::{By, Spread, Unit};

/// Report what activities add up to; the rows add up to the totals, exactly.
#[derive(Debug, Args)]
#[command(name = "report")]
pub(super) struct ReportArgs {
    /// A year, a month or a day: YYYY, YYYY-MM or YYYY-MM-DD.
    #[arg(long, value_parser = asked::date, conflicts_with_all = ["sd", "ed"])]
    date: Option<Period>,
    /// The first day.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = Day::parse)]
    sd: Option<Day>,
    /// The last day.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = Day::parse)]
    ed: Option<Day>,
    /// Another period to compare each row with: as --date, or FIRST/LAST.
    #[arg(long, value_name = "PERIOD", value_parser = asked::span)]
    compare: Option<Period>,
    /// Only this org and those below: UUID, syncId or name.
    #[arg(long)]
    org: Option<String>,
    /// Only this scope and those below: UUID, syncId or name.
    #[arg(long)]
    scope: Option<String>,
    /// Only this taxonomy and those below: UUID, syncId or name.
    #[arg(long)]
    taxonomy: Option<String>,
    /// Only activities of this product: UUID, syncId or name.
    #[arg(long)]
    product: Option<String>,
    /// Only activities with this text in their name.
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Only activities that were added or changed since then.
    #[arg(long, value_name = "TIME", value_parser = Timestamp::parse)]
    updated_since: Option<Timestamp>,
    /// Only activities without CO2e.
    #[arg(long)]
    incomplete: bool,
    /// Only activities without a scope.
    #[arg(long)]
    uncategorized: bool,
    /// What a row is about; two with a comma between them.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "scope")]
    by: Vec<By>,
    /// How many levels of a tree to tell apart.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    depth: u8,
    /// The day on which years begin, where that is not 1 January.
    #[arg(long, value_name = "MM-DD", value_parser = YearStart::parse, default_value = "01-01")]
    year_start: YearStart,
    /// The unit of CO2e.
    #[arg(long, value_enum, default_value_t = Unit::Kg)]
    unit: Unit,
    /// Whether an activity counts on its first day or is spread over its days.
    #[arg(long, value_enum, default_value_t = Spread::Start)]
    attribution: Spread,
    /// Show shares of the total in percent, with so many digits after the point.
    #[arg(long, value_name = "DIGITS", num_args = 0..=1, default_missing_value = "1",
        value_parser = clap::value_parser!(u8).range(..=6))]
    shares: Option<u8>,
    /// Round amounts to so many digits after the point, half to even, the total by itself.
    #[arg(long, value_name = "DIGITS", value_parser = clap::value_parser!(u8).range(..=18))]
    round: Option<u8>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out: files_out::FilesOut,
}

impl ReportArgs {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let query = self.query()?;
        let (app, operator) = context.operated_app_to_read().await?;
        let found = app.breakdowns().breakdown(&operator, query).await.map_err(wrong_use)?;
        let look = self.look();
        if self.out.write(&found, look)? {
            return Ok(Ending::Done);
        }
        let text = if self.json { breakdown_json(&found, look, "").to_string() } else { render::text(&found, look) };
        output::say(&text)?;
        Ok(Ending::Done)
    }

    fn look(&self) -> Look {
        Look { unit: ReportUnit::from(self.unit), decimals: self.round, percent_decimals: self.shares }
    }
}

/// Faults of the question are wrong use of the flags that they name.
fn wrong_use(error: Error) -> anyhow::Error {
    let Error::Parameters(faults) = error else { return error.into() };
    let sentences: Vec<_> = faults.into_iter().map(|fault| format!("--{}: {}", fault.pointer, fault.detail)).collect();
    Usage(sentences.join("; ")).into()
}
