//! `tonne report --statement`: the inventory statement of a year.

use anyhow::Result;
use clap::{Args, ValueEnum};
use domain::Faults;
use files::{ShownStatement, statement_json, statement_page, statement_text, statement_xlsx};
use ports::inbound::{Error, StatementQuery};

use super::super::context::Context;
use super::super::{Ending, Usage, output};
use super::{Look, ReportArgs, asked::Years};

/// Which statement.
#[derive(Debug, Args)]
pub(super) struct StatementArgs {
    /// The inventory statement of a year in place of a report: YYYY, or with --year YYYY/YYYY too.
    #[arg(long, value_name = "YEAR", conflicts_with_all = [
        "date", "sd", "ed", "compare", "org", "scope", "taxonomy", "product", "name", "updated_since", "incomplete",
        "uncategorized", "by", "depth", "scope2", "shares", "explain", "csv", "ndjson",
    ])]
    statement: Option<String>,
    /// The form in which the statement goes to standard output.
    #[arg(long, value_enum, requires = "statement", conflicts_with_all = ["json", "html", "xlsx"])]
    format: Option<Format>,
}

/// A form of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables in the terminal.
    Text,
    /// One object.
    Json,
    /// A page to print.
    Html,
    /// A workbook.
    Xlsx,
}

impl StatementArgs {
    /// The year, where a statement is asked for.
    pub(super) fn year(&self) -> Option<&str> {
        self.statement.as_deref()
    }
}

impl ReportArgs {
    /// Tells the statement of that year.
    pub(super) async fn state(&self, context: &Context, year: &str) -> Result<Ending> {
        let (app, operator) = context.operated_app_to_read().await?;
        let tenant = app.find_tenant_by_id(operator.tenant).await?;
        let tenant = tenant.ok_or_else(|| anyhow::anyhow!("the company was removed meanwhile"))?;
        let query = StatementQuery {
            year: Some(year.to_owned()),
            year_start: match self.year {
                Years::From(start) => start,
                Years::Fiscal => tenant.year_start,
            },
            attribution: self.attribution.into(),
            company: tenant.name,
            stated: tenant.statement,
            faults: Faults::new(),
        };
        let found = app.statements().statement(&operator, query).await.map_err(wrong_use)?;
        let look = Look { percent_decimals: None, ..self.look() };
        let shown = ShownStatement { found: &found, look, base: "" };
        if self.out.write_statement(shown)? {
            return Ok(Ending::Done);
        }
        match self.statement.format.unwrap_or(if self.json { Format::Json } else { Format::Text }) {
            Format::Text => output::say(statement_text(shown).trim_end())?,
            Format::Json => output::say(&statement_json(shown).to_string())?,
            Format::Html => output::say_bytes(statement_page(shown).as_bytes())?,
            Format::Xlsx => output::say_bytes(&statement_xlsx(shown)?)?,
        }
        Ok(Ending::Done)
    }
}

/// A fault of the year is wrong use of the flag.
fn wrong_use(error: Error) -> anyhow::Error {
    let Error::Parameters(faults) = error else { return error.into() };
    let sentences: Vec<_> = faults.into_iter().map(|fault| format!("--statement: {}", fault.detail)).collect();
    Usage(sentences.join("; ")).into()
}
