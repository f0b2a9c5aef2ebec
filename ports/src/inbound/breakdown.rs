//! The report broken down: what activities add up to, row by row of a table by nodes, products or stretches of time.

use domain::{
    Attribution, Day, Faults, GasRow, Period, QualityRow, Scope2, ScopeKind, Stretch, Timestamp, Totals, YearStart,
};
use uuid::Uuid;

use super::Named;
use crate::Revision;

/// The most dimensions that a table is broken down by.
pub const MAX_DIMENSIONS: usize = 2;

/// Which activities to add up, and what a row is about. Nodes and products are given by uuid, syncId or their one matching
/// name. The names of faults are `date`, `attribution`, `org`, `scope`, `taxonomy`, `product`, `by`, `scope2` and `compare`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BreakdownQuery {
    /// The days whose activities count.
    pub period: Period,
    /// How activities and days belong together.
    pub attribution: Attribution,
    /// Which figures of scope 2 count; gases and quality are location-based alone.
    pub scope2: Scope2,
    /// Only this org and those below.
    pub org: Option<String>,
    /// Only this scope and those below.
    pub scope: Option<String>,
    /// Only this taxonomy and those below.
    pub taxonomy: Option<String>,
    /// Which single activities.
    pub only: Only,
    /// What a row is about: one or two dimensions, each once.
    pub by: Vec<BreakdownBy>,
    /// How many levels of a tree are told apart, from 1.
    pub depth: usize,
    /// When years begin.
    pub year: YearStart,
    /// Another period to compare with, row by row.
    pub compare: Option<Period>,
    /// What reading found wrong.
    pub faults: Faults,
}

/// Which single activities count, by what the sums do not know: any of it is answered by reading the activities one by
/// one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Only {
    /// Of that product.
    pub product: Option<String>,
    /// With that text in their name, whatever the case.
    pub name: Option<String>,
    /// Added or changed since then.
    pub updated_since: Option<Timestamp>,
    /// Of these states, all of them.
    pub states: Vec<State>,
}

impl Only {
    /// Whether it leaves nothing out.
    #[must_use]
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it tells of single activities what totals do not, and so needs `activity:read`: their names, or when they
    /// were changed.
    #[must_use]
    pub const fn tells_of_one(&self) -> bool {
        self.name.is_some() || self.updated_since.is_some()
    }
}

/// A state that an activity may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has no CO2e.
    Incomplete,
    /// It has no scope, or one that is not there.
    Uncategorized,
}

/// What a row of a breakdown is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BreakdownBy {
    /// A stretch of time.
    Time(Stretch),
    /// A scope.
    Scope,
    /// An org.
    Org,
    /// A taxonomy.
    Taxonomy,
    /// A product; answered by reading the activities one by one.
    Product,
    /// A greenhouse gas: mass and CO2e. Activities are not counted, as one of them is in several rows.
    Gas,
    /// How well figures are known. Activities are not counted.
    Quality,
}

impl BreakdownBy {
    /// Each of them, with its word.
    pub const ALL: [(&str, Self); 10] = [
        ("day", Self::Time(Stretch::Day)),
        ("month", Self::Time(Stretch::Month)),
        ("quarter", Self::Time(Stretch::Quarter)),
        ("year", Self::Time(Stretch::Year)),
        ("scope", Self::Scope),
        ("org", Self::Org),
        ("taxonomy", Self::Taxonomy),
        ("product", Self::Product),
        ("gas", Self::Gas),
        ("quality", Self::Quality),
    ];

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, by)| *by == self).map_or("", |(word, _)| word)
    }

    /// Reads words with commas between them: one or two, each once.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, String> {
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        let mut found = Vec::new();
        for word in &words {
            let known = Self::ALL.iter().find(|(known, _)| known == word).map(|(_, by)| *by);
            let all = || Self::ALL.map(|(word, _)| word).join(", ");
            let by = known.ok_or_else(|| format!("{word:?} is none of {}", all()))?;
            if found.contains(&by) {
                return Err(format!("names {word} twice"));
            }
            found.push(by);
        }
        if found.len() > MAX_DIMENSIONS {
            return Err(format!("names {}; at most {MAX_DIMENSIONS} go into a table", found.len()));
        }
        Ok(found)
    }
}

/// What activities add up to: one consistent snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakdown {
    /// The revision that it is of.
    pub revision: Revision,
    /// What was asked for.
    pub query: BreakdownQuery,
    /// What leaves activities out, and how they are spread: a sentence for each, empty for all of the company.
    pub selection: Vec<String>,
    /// All of the period.
    pub whole: Whole,
    /// All of the period that is compared with.
    pub compared: Option<Whole>,
    /// The rows in order of the first dimension, then the second: time as it passes, scopes as they were made, other records
    /// by their path or name, activities without one last.
    pub rows: Vec<BreakdownRow>,
}

/// What all activities of a period come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Whole {
    /// The first day of the period; of the activities found, where the start is open.
    pub first: Option<Day>,
    /// The last day of the period; of the activities found, where the end is open.
    pub last: Option<Day>,
    /// What they come to.
    pub totals: Totals,
    /// How many of them have a CO2e that is outdated ([`Activity::outdated`](domain::Activity::outdated)).
    pub outdated: u64,
}

/// A row of a breakdown. The rows' totals add up to those of the whole, and so do those that they are compared with; but
/// under [`Attribution::Daily`] an activity is counted in each stretch of time that it touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakdownRow {
    /// What it is about, in the order of the dimensions.
    pub labels: Vec<Label>,
    /// What its activities come to.
    pub totals: Totals,
    /// What those that it is compared with come to, where a comparison is asked for.
    pub compared: Option<Totals>,
}

/// What a row is about in one dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// A stretch of time, such as `2025-01` or `2025-Q1`.
    Time(String),
    /// A node or a product.
    Record {
        /// Its identifier.
        id: Uuid,
        /// What it is called.
        name: String,
        /// The names from the root down to it, with slashes between them; of a product its name.
        path: String,
        /// The nodes above it, from the root down; of a product none.
        above: Vec<Named>,
        /// What a scope stands for; `None` of other records.
        kind: Option<ScopeKind>,
    },
    /// A greenhouse gas.
    Gas(GasRow),
    /// How well figures are known.
    Quality(QualityRow),
    /// Activities that carry none.
    Without,
}
