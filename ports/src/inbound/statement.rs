//! The inventory statement of a year.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::{
    Attribution, Category, ClosedPart, Day, Faults, FrozenFigures, GwpSet, MarketSourceLine, Name, Period, ScopeId,
    ScopeKind, Significance, SourceLine, StatementSettings, StatementTables, Stretch, Total, YearStart,
};

use super::{Error, ExclusionView, PeriodView};
use crate::{Caller, Revision};

/// Makes inventory statements.
#[async_trait]
pub trait Statements: Send + Sync {
    /// The statement of a year, from one snapshot; needs `activity:report`. What is wrong with the year is a `Parameters`
    /// fault named `year`. Takes as long as reading the year's activities one by one.
    async fn statement(&self, caller: &Caller, query: StatementQuery) -> Result<Statement, Error>;
}

/// Which statement is asked for. What the company states is asked along: the directory keeps it, and no snapshot has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementQuery {
    /// The year, by its name: `2025`, or `2024/2025` of years that begin on another day than 1 January; the one in which the
    /// last activity begins unless given.
    pub year: Option<String>,
    /// When years begin.
    pub year_start: YearStart,
    /// How activities and days belong together.
    pub attribution: Attribution,
    /// What the company is called here.
    pub company: Name,
    /// What it states of itself.
    pub stated: StatementSettings,
    /// What reading found wrong.
    pub faults: Faults,
}

impl StatementQuery {
    /// The name of the year and its days. `newest` is the first day of the last activity.
    pub fn find_year(&self, newest: Option<Day>) -> Result<(String, Period), String> {
        let name = match (&self.year, newest) {
            (Some(name), _) => name.clone(),
            (None, Some(day)) => self.year_start.name(Stretch::Year, day),
            (None, None) => return Err("is required where nothing is recorded: a year, such as 2025".to_owned()),
        };
        let is_year = name.len() == 4 || name.contains('/');
        let found = self.year_start.period(&name).ok().filter(|_| is_year);
        let days = found.ok_or_else(|| {
            let other = if self.year_start == YearStart::default() { "" } else { ", or YYYY/YYYY" };
            format!("{name:?} is no year: write YYYY{other}")
        })?;
        Ok((name, days))
    }
}

/// The inventory statement of a year: one consistent snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The revision that it is of.
    pub revision: Revision,
    /// What was asked for.
    pub query: StatementQuery,
    /// The name of the year.
    pub year: String,
    /// The first day of the year.
    pub first: Day,
    /// The last day of the year.
    pub last: Day,
    /// The figures.
    pub tables: StatementTables,
    /// How many activities of the year have a CO2e that is outdated
    /// ([`Activity::outdated`](domain::Activity::outdated)).
    pub outdated: u64,
    /// The names, from the root down, of the scopes that figures are made of.
    pub scopes: BTreeMap<ScopeId, String>,
    /// What the company leaves out in the year on purpose, the one that was added first first. It changes no figure.
    pub exclusions: Vec<StatementExclusion>,
    /// What the figures come from.
    pub sources: StatementSources,
    /// How much of the year is closed for the whole company.
    pub coverage: ClosedPart,
    /// The closed periods that have a day of the year, those of a part of the company too; the first closed first.
    pub periods: Vec<StatementPeriod>,
    /// The base year; `None` where none was closed as such.
    pub base_year: Option<StatementBaseYear>,
}

/// What a company leaves out in the year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementExclusion {
    /// The exclusion.
    pub view: ExclusionView,
    /// The kind of the scope that it is of; `None` of a scope that is not there.
    pub kind: Option<ScopeKind>,
    /// The category of scope 3 that it is of; `None` of other kinds, and of nodes of scope 3 without a category.
    pub category: Option<Category>,
}

impl StatementExclusion {
    /// Whether it leaves out all of its category, for the whole company.
    #[must_use]
    pub const fn is_whole_category(&self) -> bool {
        self.view.exclusion.value.category().is_some() && self.view.exclusion.value.org.is_none()
    }
}

/// What figures come from: found by reading the activities of the year one by one, in the snapshot of the figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementSources {
    /// How much came by each source; all together are the whole.
    pub lines: Vec<SourceLine>,
    /// What market-based scope 2 rests on beside location-based figures.
    pub market: Vec<MarketSourceLine>,
    /// The sets of global warming potentials that are known of factors in use, the oldest first.
    pub gwp: Vec<GwpSet>,
    /// Whether the activities, added up one by one, come to the figures of the statement, digit for digit.
    pub agrees: bool,
}

/// A closed period that has a day of the year.
#[derive(Clone, Debug, PartialEq)]
pub struct StatementPeriod {
    /// The period.
    pub view: PeriodView,
    /// Whether its frozen report is the report of today, digit for digit.
    pub agrees: bool,
}

/// The base year, scope by scope: scopes 1 to 3, scope 2 location-based, each activity counted wholly on its first day.
#[derive(Clone, Debug, PartialEq)]
pub struct StatementBaseYear {
    /// The period that was closed as the base year last.
    pub view: PeriodView,
    /// How large a change of it is significant.
    pub significance: Significance,
    /// As it was frozen.
    pub frozen: [FrozenFigures; 3],
    /// As it is.
    pub today: [FrozenFigures; 3],
}

impl StatementBaseYear {
    /// By how much scopes 1 to 3 are more today than they were frozen, in kg of CO2 equivalent.
    #[must_use]
    pub fn difference(&self) -> Total {
        let sum = |figures: &[FrozenFigures; 3]| figures.iter().map(|one| one.co2e).sum::<Total>();
        sum(&self.today) - sum(&self.frozen)
    }
}
