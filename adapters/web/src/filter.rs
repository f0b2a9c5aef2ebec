//! Which activities a page is about: read from its address, written into links, said in words.

use std::fmt;

use domain::{Attribution, Period, Scope2, YearStart};
use ports::inbound::{BreakdownBy, BreakdownQuery, ReportQuery};
use uuid::Uuid;

use crate::params::Params;

/// Which activities a page is about. Its default is all of the company's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The days.
    pub days: Days,
    /// Only this org and those below.
    pub org: Option<Uuid>,
    /// Only this scope and those below.
    pub scope: Option<Uuid>,
    /// Only this taxonomy and those below.
    pub taxonomy: Option<Uuid>,
    /// How activities and days belong together.
    pub attribution: Attribution,
    /// Which figures of scope 2 count.
    pub scope2: Scope2,
}

/// The days of a filter, as they were named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Days {
    /// All there are.
    #[default]
    All,
    /// A year, quarter, month or day of that name.
    Named(String, Period),
    /// From one day to another, either of which may be open.
    Span(Period),
}

impl Days {
    /// The days of a name: `2025`, `2025-Q1`, `2025-03`, `2025-03-01`, or as the company counts years `2024/2025`.
    pub fn named(name: &str, years: YearStart) -> Result<Self, &'static str> {
        let period = if name.contains('/') { years.period(name) } else { YearStart::default().period(name) };
        let period =
            period.map_err(|_| "is not a year, quarter, month or day: YYYY, YYYY-Q1, YYYY-MM or YYYY-MM-DD")?;
        Ok(Self::Named(name.to_owned(), period))
    }

    /// Which days they are.
    #[must_use]
    pub const fn period(&self) -> Period {
        match self {
            Self::All => Period::ALL,
            Self::Named(_, period) | Self::Span(period) => *period,
        }
    }
}

impl fmt::Display for Days {
    /// The name, or the first and the last day.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all days"),
            Self::Named(name, _) => f.write_str(name),
            Self::Span(period) => period.fmt(f),
        }
    }
}

/// The words for attributions.
pub const ATTRIBUTIONS: [(&str, Attribution); 2] = [("start", Attribution::Start), ("daily", Attribution::Daily)];

impl Filter {
    /// Takes the filter's parameters; what is wrong with them is noted.
    #[must_use]
    pub fn take(params: &mut Params, years: YearStart) -> Self {
        let named = params.read("date", |text| Days::named(text, years));
        let first = params.read("sd", domain::Day::parse);
        let last = params.read("ed", domain::Day::parse);
        let days = match (named, first.is_some() || last.is_some()) {
            (Some(_), true) => {
                params.faults.add("date", "is given together with sd or ed; give one or the other");
                Days::All
            }
            (Some(named), false) => named,
            (None, false) => Days::All,
            (None, true) => Period::new(first, last).map_or_else(
                || {
                    params.faults.add("sd", "is after ed");
                    Days::All
                },
                Days::Span,
            ),
        };
        Self {
            days,
            org: params.id("org"),
            scope: params.id("scope"),
            taxonomy: params.id("taxonomy"),
            attribution: params.word("attribution", &ATTRIBUTIONS).unwrap_or_default(),
            scope2: params.word("scope2", &Scope2::ALL).unwrap_or_default(),
        }
    }

    /// The parameters that say it, in one order; what is the default is left out.
    #[must_use]
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let mut all = Vec::new();
        match &self.days {
            Days::All => {}
            Days::Named(name, _) => all.push(("date", name.clone())),
            Days::Span(period) => {
                all.extend(period.first().map(|day| ("sd", day.to_string())));
                all.extend(period.last().map(|day| ("ed", day.to_string())));
            }
        }
        for (name, id) in [("org", self.org), ("scope", self.scope), ("taxonomy", self.taxonomy)] {
            all.extend(id.map(|id| (name, id.to_string())));
        }
        if self.attribution != Attribution::default() {
            let word = ATTRIBUTIONS.iter().find(|(_, one)| *one == self.attribution).map_or("", |(word, _)| word);
            all.push(("attribution", word.to_owned()));
        }
        if self.scope2 != Scope2::default() {
            all.push(("scope2", self.scope2.word().to_owned()));
        }
        all
    }

    /// The same of other days.
    #[must_use]
    pub fn on(&self, days: Days) -> Self {
        Self { days, ..self.clone() }
    }

    /// The same of the days of that name that are among its own, as a stretch of a report cut off by the report's days is; as it
    /// is where the name is none.
    #[must_use]
    pub fn dated(&self, name: &str, years: YearStart) -> Self {
        let Ok(named) = Days::named(name, years) else { return self.clone() };
        let (own, part) = (self.days.period(), named.period());
        let first = part.first().max(own.first());
        let last = [part.last(), own.last()].into_iter().flatten().min();
        let is_whole = first == part.first() && last == part.last();
        match Period::new(first, last) {
            Some(period) if !is_whole => self.on(Days::Span(period)),
            Some(_) | None => self.on(named),
        }
    }

    /// The same of that node.
    #[must_use]
    pub fn at(&self, dimension: Dimension, id: Uuid) -> Self {
        let mut filter = self.clone();
        *filter.node_mut(dimension) = Some(id);
        filter
    }

    /// The same of all nodes of that tree.
    #[must_use]
    pub fn anywhere(&self, dimension: Dimension) -> Self {
        let mut filter = self.clone();
        *filter.node_mut(dimension) = None;
        filter
    }

    /// The node of that tree.
    #[must_use]
    pub const fn node(&self, dimension: Dimension) -> Option<Uuid> {
        match dimension {
            Dimension::Org => self.org,
            Dimension::Scope => self.scope,
            Dimension::Taxonomy => self.taxonomy,
        }
    }

    const fn node_mut(&mut self, dimension: Dimension) -> &mut Option<Uuid> {
        match dimension {
            Dimension::Org => &mut self.org,
            Dimension::Scope => &mut self.scope,
            Dimension::Taxonomy => &mut self.taxonomy,
        }
    }

    /// The question of a report that is broken down by those dimensions, for this filter.
    #[must_use]
    pub fn breakdown(&self, by: &[BreakdownBy], depth: usize) -> BreakdownQuery {
        let word = |id: Option<Uuid>| id.map(|id| id.to_string());
        BreakdownQuery {
            period: self.days.period(),
            attribution: self.attribution,
            scope2: self.scope2,
            org: word(self.org),
            scope: word(self.scope),
            taxonomy: word(self.taxonomy),
            by: by.to_vec(),
            depth,
            ..BreakdownQuery::default()
        }
    }

    /// The question of a report for this filter.
    #[must_use]
    pub fn report(&self) -> ReportQuery {
        ReportQuery {
            period: self.days.period(),
            attribution: self.attribution,
            scope2: self.scope2,
            org: self.org,
            scope: self.scope,
            taxonomy: self.taxonomy,
            ..ReportQuery::default()
        }
    }
}

/// A tree that activities are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// The organisation.
    Org,
    /// GHG scopes and their categories.
    Scope,
    /// Categories of activity.
    Taxonomy,
}

impl Dimension {
    /// Each of them.
    pub const ALL: [Self; 3] = [Self::Org, Self::Scope, Self::Taxonomy];

    /// The name of its parameter.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Org => "org",
            Self::Scope => "scope",
            Self::Taxonomy => "taxonomy",
        }
    }

    /// Its heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Org => "Org",
            Self::Scope => "Scope",
            Self::Taxonomy => "Category",
        }
    }

    /// What reports are broken down by it.
    #[must_use]
    pub const fn by(self) -> BreakdownBy {
        match self {
            Self::Org => BreakdownBy::Org,
            Self::Scope => BreakdownBy::Scope,
            Self::Taxonomy => BreakdownBy::Taxonomy,
        }
    }

    /// The one that reports are broken down by.
    #[must_use]
    pub fn of(by: BreakdownBy) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.by() == by)
    }
}
