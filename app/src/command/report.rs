//! `tonne report`: what activities add up to, as a table, as JSON or as files.

mod asked;
mod files_out;
mod render;
mod statement;

use anyhow::Result;
use clap::Args;
use domain::{Day, Timestamp, YearStart};
use files::{Look, ReportUnit, breakdown_json, breakdown_line_json, breakdown_line_text};
use ports::Caller;
use ports::inbound::{BreakdownQuery, Error};
use ports::repo::Page;

use super::context::Context;
use super::{Ending, Usage, output};
use crate::App;
use asked::{By, Scope2Arg, Spread, Unit, Years};

/// Report what activities add up to; the rows add up to the totals, exactly.
#[derive(Debug, Args)]
#[command(name = "report")]
pub(super) struct ReportArgs {
    /// A year, a quarter, a month or a day: YYYY, YYYY-Q1, YYYY-MM or YYYY-MM-DD; of years that begin on another day than
    /// 1 January, YYYY is the one that ends in it.
    #[arg(long, conflicts_with_all = ["sd", "ed"])]
    date: Option<String>,
    /// The first day.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = Day::parse)]
    sd: Option<Day>,
    /// The last day.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = Day::parse)]
    ed: Option<Day>,
    /// Another period to compare each row with: as --date, or FIRST/LAST.
    #[arg(long, value_name = "PERIOD")]
    compare: Option<String>,
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
    /// When years begin: calendar, fiscal (as `tonne tenant set` says it for the company) or a day MM-DD.
    #[arg(long, value_name = "YEAR", default_value = "calendar")]
    year: Years,
    /// The unit of CO2e.
    #[arg(long, value_enum, default_value_t = Unit::Kg)]
    unit: Unit,
    /// Whether an activity counts on its first day or is spread over its days.
    #[arg(long, value_enum, default_value_t = Spread::Start)]
    attribution: Spread,
    /// Scope 2 by where energy is used, by contract, or both side by side, never added.
    #[arg(long, value_enum, default_value_t = Scope2Arg::Location)]
    scope2: Scope2Arg,
    /// Show shares of the total in percent, with so many digits after the point.
    #[arg(long, value_name = "DIGITS", num_args = 0..=1, default_missing_value = "1",
        value_parser = clap::value_parser!(u8).range(..=6))]
    shares: Option<u8>,
    /// Round amounts to so many digits after the point, half to even, the total by itself.
    #[arg(long, value_name = "DIGITS", value_parser = clap::value_parser!(u8).range(..=18))]
    round: Option<u8>,
    /// Explain a row: the activities that it is made of, added up again one by one. ROW has the UUID of the record, the name
    /// of the stretch of time, or none, with a comma between two; all is the whole report.
    #[arg(long, value_name = "ROW", conflicts_with_all = ["compare", "shares"])]
    explain: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out: files_out::FilesOut,
    #[command(flatten)]
    statement: statement::StatementArgs,
}

impl ReportArgs {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        if let Some(year) = self.statement.year() {
            return self.state(context, year).await;
        }
        // What is wrong with the flags is told before a store is looked for, where nothing of it is needed.
        let known = self.year.known().map(|year| self.query(year)).transpose()?;
        let (app, operator) = context.operated_app_to_read().await?;
        let query = match known {
            Some(query) => query,
            None => self.query(fiscal(&app, &operator).await?)?,
        };
        if let Some(row) = &self.explain {
            return self.explain(&app, &operator, query, row).await;
        }
        let found = app.breakdowns().breakdown(&operator, query).await.map_err(wrong_use)?;
        let look = self.look();
        let tenant = app.find_tenant_by_id(operator.tenant).await?;
        let company = tenant.map(|tenant| tenant.name.to_string()).unwrap_or_default();
        if self.out.write(&found, look, &company)? {
            return Ok(Ending::Done);
        }
        let text = if self.json {
            breakdown_json(&found, look, "").to_string()
        } else {
            render::text(&found, look, render::room())
        };
        output::say(&text)?;
        Ok(Ending::Done)
    }

    /// Tells which activities a row is made of.
    async fn explain(&self, app: &App, operator: &Caller, query: BreakdownQuery, row: &str) -> Result<Ending> {
        let line = (row != "all").then(|| row.to_owned());
        let found = app.breakdowns().line(operator, query, line, Page::FIRST).await.map_err(wrong_use)?;
        let said = if self.json {
            breakdown_line_json(&found, self.look(), &|id| format!("/v1/activity/{id}/explanation")).to_string()
        } else {
            breakdown_line_text(&found, self.look())
        };
        output::say(said.trim_end())?;
        Ok(if found.holds() { Ending::Done } else { Ending::Failed })
    }

    fn look(&self) -> Look {
        Look { unit: ReportUnit::from(self.unit), decimals: self.round, percent_decimals: self.shares }
    }
}

/// The day on which the years of the operator's company begin.
async fn fiscal(app: &App, operator: &Caller) -> Result<YearStart> {
    let tenant = app.find_tenant_by_id(operator.tenant).await?;
    Ok(tenant.map(|tenant| tenant.year_start).unwrap_or_default())
}

/// Faults of the question are wrong use of the flags that they name.
fn wrong_use(error: Error) -> anyhow::Error {
    let Error::Parameters(faults) = error else { return error.into() };
    let sentences: Vec<_> = faults
        .into_iter()
        .map(|fault| {
            let flag = if fault.pointer == "line" { "explain" } else { &fault.pointer };
            format!("--{flag}: {}", fault.detail)
        })
        .collect();
    Usage(sentences.join("; ")).into()
}
