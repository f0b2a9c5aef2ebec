//! `tonne report`: what activities add up to, as a table or as JSON.

mod render;

use anyhow::Result;
use clap::{Args, ValueEnum};
use domain::{Attribution, Day, DayError, Period};
use ports::inbound::{BreakdownBy, BreakdownQuery, Error};

use super::context::Context;
use super::{Ending, Usage, output};

/// Report what activities add up to; the rows add up to the totals, exactly.
#[derive(Debug, Args)]
#[command(name = "report")]
pub(super) struct ReportArgs {
    /// A year, a month or a day: YYYY, YYYY-MM or YYYY-MM-DD.
    #[arg(long, value_parser = date, conflicts_with_all = ["sd", "ed"])]
    date: Option<Period>,
    /// The first day.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    sd: Option<Day>,
    /// The last day.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    ed: Option<Day>,
    /// Only this org and those below: UUID, syncId or name.
    #[arg(long)]
    org: Option<String>,
    /// Only this scope and those below: UUID, syncId or name.
    #[arg(long)]
    scope: Option<String>,
    /// Only this taxonomy and those below: UUID, syncId or name.
    #[arg(long)]
    taxonomy: Option<String>,
    /// What a row is about.
    #[arg(long, value_enum, default_value_t = By::Scope)]
    by: By,
    /// How many levels of a tree to tell apart.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    depth: u8,
    /// The unit of CO2e.
    #[arg(long, value_enum, default_value_t = Unit::Kg)]
    unit: Unit,
    /// Whether an activity counts on its first day or is spread over its days.
    #[arg(long, value_enum, default_value_t = Spread::Start)]
    attribution: Spread,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    Scope,
    Org,
    Taxonomy,
    Month,
}

/// The unit of CO2e.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Unit {
    G,
    Kg,
    T,
}

impl Unit {
    const fn code(self) -> &'static str {
        match self {
            Self::G => "g",
            Self::Kg => "kg",
            Self::T => "t",
        }
    }

    /// How far kilograms are shifted to be in this unit, in powers of ten.
    const fn places(self) -> i8 {
        match self {
            Self::G => 3,
            Self::Kg => 0,
            Self::T => -3,
        }
    }
}

/// Which days an activity counts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Spread {
    /// On its first day.
    Start,
    /// On every day that it covers, the same share each.
    Daily,
}

impl From<Spread> for Attribution {
    fn from(spread: Spread) -> Self {
        match spread {
            Spread::Start => Self::Start,
            Spread::Daily => Self::Daily,
        }
    }
}

impl ReportArgs {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let query = self.query()?;
        let (app, operator) = context.operated_app_to_read().await?;
        let found = app.breakdowns().breakdown(&operator, query).await.map_err(wrong_use)?;
        let shown = render::Shown { found: &found, by: self.by, unit: self.unit, spread: self.attribution };
        output::say(&if self.json { shown.json().to_string() } else { shown.text() })?;
        Ok(Ending::Done)
    }

    fn query(&self) -> Result<BreakdownQuery, Usage> {
        let period = match self.date {
            Some(period) => period,
            None => Period::new(self.sd, self.ed).ok_or_else(|| Usage("--sd lies after --ed".to_owned()))?,
        };
        let depth = usize::from(self.depth);
        Ok(BreakdownQuery {
            period,
            attribution: self.attribution.into(),
            org: self.org.clone(),
            scope: self.scope.clone(),
            taxonomy: self.taxonomy.clone(),
            by: match self.by {
                By::Scope => BreakdownBy::Scope(depth),
                By::Org => BreakdownBy::Org(depth),
                By::Taxonomy => BreakdownBy::Taxonomy(depth),
                By::Month => BreakdownBy::Month,
            },
        })
    }
}

/// Faults of the question are wrong use of the flags that they name.
fn wrong_use(error: Error) -> anyhow::Error {
    let Error::Parameters(faults) = error else { return error.into() };
    let sentences: Vec<_> = faults.into_iter().map(|fault| format!("--{}: {}", fault.pointer, fault.detail)).collect();
    Usage(sentences.join("; ")).into()
}

fn date(text: &str) -> Result<Period, String> {
    Period::parse(text).map_err(|error| match error {
        DayError::Malformed => "is not of the form YYYY, YYYY-MM or YYYY-MM-DD".to_owned(),
        DayError::NoSuchDay => "is no year (YYYY), month (YYYY-MM) or day (YYYY-MM-DD) of the calendar".to_owned(),
    })
}

fn day(text: &str) -> Result<Day, DayError> {
    Day::parse(text)
}
