//! What a report is asked for on the command line.

use clap::ValueEnum;
use domain::{Attribution, DayError, Faults, Period, Stretch};
use files::ReportUnit;
use ports::inbound::{BreakdownBy, BreakdownQuery, MAX_DIMENSIONS, Only, State};

use super::super::Usage;
use super::ReportArgs;

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum By {
    Scope,
    Org,
    Taxonomy,
    Product,
    Day,
    Month,
    Quarter,
    Year,
}

impl From<By> for BreakdownBy {
    fn from(by: By) -> Self {
        match by {
            By::Scope => Self::Scope,
            By::Org => Self::Org,
            By::Taxonomy => Self::Taxonomy,
            By::Product => Self::Product,
            By::Day => Self::Time(Stretch::Day),
            By::Month => Self::Time(Stretch::Month),
            By::Quarter => Self::Time(Stretch::Quarter),
            By::Year => Self::Time(Stretch::Year),
        }
    }
}

/// The unit of CO2e.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Unit {
    G,
    Kg,
    T,
}

impl From<Unit> for ReportUnit {
    fn from(unit: Unit) -> Self {
        match unit {
            Unit::G => Self::Gram,
            Unit::Kg => Self::Kilogram,
            Unit::T => Self::Tonne,
        }
    }
}

/// Which days an activity counts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Spread {
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
    pub(super) fn query(&self) -> Result<BreakdownQuery, Usage> {
        let period = match self.date {
            Some(period) => period,
            None => Period::new(self.sd, self.ed).ok_or_else(|| Usage("--sd lies after --ed".to_owned()))?,
        };
        let by: Vec<BreakdownBy> = self.by.iter().map(|by| (*by).into()).collect();
        let is_repeated = by.iter().enumerate().any(|(at, one)| by.iter().skip(at + 1).any(|other| one == other));
        if by.len() > MAX_DIMENSIONS || is_repeated {
            return Err(Usage(format!("--by names more than {MAX_DIMENSIONS}, or one twice")));
        }
        let states = [(self.incomplete, State::Incomplete), (self.uncategorized, State::Uncategorized)];
        Ok(BreakdownQuery {
            period,
            attribution: self.attribution.into(),
            org: self.org.clone(),
            scope: self.scope.clone(),
            taxonomy: self.taxonomy.clone(),
            only: Only {
                product: self.product.clone(),
                name: self.name.clone(),
                updated_since: self.updated_since,
                states: states.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, state)| state).collect(),
            },
            by,
            depth: self.depth.into(),
            year: self.year_start,
            compare: self.compare,
            faults: Faults::new(),
        })
    }
}

/// Reads a year, a month or a day.
pub(super) fn date(text: &str) -> Result<Period, String> {
    Period::parse(text).map_err(|error| match error {
        DayError::Malformed => "is not of the form YYYY, YYYY-MM or YYYY-MM-DD".to_owned(),
        DayError::NoSuchDay => "is no year (YYYY), month (YYYY-MM) or day (YYYY-MM-DD) of the calendar".to_owned(),
    })
}

/// Reads a year, a month, a day, or the first and the last of several days.
pub(super) fn span(text: &str) -> Result<Period, String> {
    let forms = "is no period of the calendar: YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DD/YYYY-MM-DD";
    Period::parse_span(text).map_err(|_| forms.to_owned())
}
