//! What a report is asked for on the command line.

use std::str::FromStr;

use clap::ValueEnum;
use domain::{Attribution, Faults, Period, Scope2, Stretch, YearStart};
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
    Gas,
    Quality,
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
            By::Gas => Self::Gas,
            By::Quality => Self::Quality,
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

/// Which figures of scope 2 count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Scope2Arg {
    Location,
    Market,
    Both,
}

impl From<Scope2Arg> for Scope2 {
    fn from(scope2: Scope2Arg) -> Self {
        match scope2 {
            Scope2Arg::Location => Self::Location,
            Scope2Arg::Market => Self::Market,
            Scope2Arg::Both => Self::Both,
        }
    }
}

/// When years begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Years {
    /// On that day.
    From(YearStart),
    /// On the day that is set for the company.
    Fiscal,
}

impl Years {
    /// The day, where the company need not be asked.
    pub(super) fn known(self) -> Option<YearStart> {
        match self {
            Self::From(start) => Some(start),
            Self::Fiscal => None,
        }
    }
}

impl FromStr for Years {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "calendar" => Ok(Self::From(YearStart::default())),
            "fiscal" => Ok(Self::Fiscal),
            day => {
                let read = YearStart::parse(day);
                read.map(Self::From).map_err(|_| "is not calendar, fiscal or a day MM-DD, with a day from 01 to 28")
            }
        }
    }
}

impl ReportArgs {
    /// What is asked, with years that begin on that day.
    pub(super) fn query(&self, year: YearStart) -> Result<BreakdownQuery, Usage> {
        let wrong = |flag: &str, text: &str, forms: &str| Usage(format!("--{flag} {text:?} is no {forms}"));
        let date = "year (YYYY), quarter (YYYY-Q1), month (YYYY-MM) or day (YYYY-MM-DD)";
        let compare = match &self.compare {
            None => None,
            Some(text) => {
                let forms = format!("{date}, nor FIRST/LAST");
                Some(year.span(text).map_err(|_| wrong("compare", text, &forms))?)
            }
        };
        let period = match &self.date {
            Some(text) => year.period(text).map_err(|_| wrong("date", text, date))?,
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
            scope2: self.scope2.into(),
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
            year,
            compare,
            faults: Faults::new(),
        })
    }
}
