//! `tonne factor search`: finding a factor by words.

use anyhow::Result;
use clap::Args;
use domain::{Name, PublishedUse, SearchWords, Unit};
use ports::inbound::{Error, FactorQuestion, FoundFactor, SetPrefix};
use ports::repo::{Listing, Page};

use super::super::context::Context;
use super::super::json::{array, count, object};
use super::super::terminal_table::{Align, Table};
use super::super::{Ending, Usage, output};
use super::view;
use crate::app::factor_reader;

/// Find published factors by words, the best first.
///
/// Every word is the beginning of a word of the factor's name, path, region or unit, or of its publisher; case and marks
/// do not count. Whole words stand before beginnings, words of the name before words of the path, shorter names before
/// longer ones, newer sets before older ones.
#[derive(Debug, Args)]
pub(in crate::command) struct Search {
    /// The words, such as `natural gas`; none gives all that the filters leave.
    #[arg(value_name = "WORDS")]
    words: Vec<String>,
    /// Only of this set: its id, or at least the first eight digits of it.
    #[arg(long, value_name = "SET", value_parser = SetPrefix::parse)]
    set: Option<SetPrefix>,
    /// Only of this region and those within it: US finds US-RFCW too.
    #[arg(long, value_name = "REGION", value_parser = Name::parse)]
    region: Option<Name>,
    /// Only per this unit, such as `kWh_gross`.
    #[arg(long, value_name = "UNIT", value_parser = Unit::parse)]
    unit: Option<Unit>,
    /// Only of sets that hold for this calendar year.
    #[arg(long, value_name = "YEAR", value_parser = clap::value_parser!(i32).range(1..=9999))]
    year: Option<i32>,
    /// Only of this use: direct, purchased-energy, upstream, grid-loss, value-chain or outside-scopes.
    #[arg(long = "use", value_name = "USE", value_parser = PublishedUse::parse)]
    usage: Option<PublishedUse>,
    /// At most so many, 1 to 1000.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Search {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self { words, set, region, unit, year, usage, limit, json } = self;
        let text = words.join(" ");
        let words = if text.is_empty() { None } else { Some(SearchWords::parse(&text).map_err(used_wrongly)?) };
        let question = FactorQuestion { words, set, region, unit, year, usage, ..FactorQuestion::default() };
        let app = context.app_to_read().await?;
        let page = Page { number: 1, size: limit };
        let found = app.published_factors().search_factors(&factor_reader(), question, page).await;
        let found = match found {
            Err(Error::Parameters(faults)) => return Err(used_wrongly(faults)),
            found => found?,
        };
        output::say(&if json {
            let data = array(found.data.iter().map(view::factor));
            object([("count", count(found.count)), ("data", data)]).to_string()
        } else {
            table(&found)
        })?;
        Ok(Ending::Done)
    }
}

fn used_wrongly(error: impl std::fmt::Display) -> anyhow::Error {
    Usage(error.to_string()).into()
}

fn table(found: &Listing<FoundFactor>) -> String {
    if found.data.is_empty() {
        return "no factor answers; `tonne factor sets` lists the sets there are".to_owned();
    }
    let rest = ["per", "name", "path", "region", "use", "set", "cell"].map(|name| (name, Align::Left));
    let mut table = Table::new([("kg CO2e", Align::Point)].into_iter().chain(rest));
    for FoundFactor { installed, factor } in &found.data {
        table.row([
            factor.intensity().map_or_else(|_| "none".to_owned(), |co2e| co2e.to_string()),
            factor.unit.to_string(),
            factor.name.to_string(),
            view::path(factor),
            factor.region.as_ref().map(Name::to_string).unwrap_or_default(),
            factor.usage.to_string(),
            view::short(installed.set.id),
            factor.cell.to_string(),
        ]);
    }
    format!("{}\n{} of {}", table.render(), found.data.len(), found.count)
}
