//! Rules by which the factors of a product are chosen among the published ones.

pub(crate) mod choice;
pub(crate) mod choose;
mod departure;

use std::fmt;
use std::str::FromStr;

use crate::canonical::Digest;
use crate::gas::potential::GwpSet;
use crate::published::PublishedUse;
use crate::published::factor::PublishedFactor;
use crate::published::set::FactorSet;
use crate::published::words::search_words;
use crate::setters::setters;
use crate::text::Name;
use crate::unit::Unit;

/// The most preferences of a rule.
pub const MAX_PREFERENCES: usize = 16;

/// Which published factor is a product's, where it has none of its own: in which sets it is looked for, the preferred
/// ones first, by what name and unit, for which region and year.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FactorRule {
    sets: Vec<SetPreference>,
    /// What the published factor is called: the same words in the same order.
    pub name: Name,
    /// The unit that it is per.
    pub unit: Unit,
    /// The publisher's categories above the name, all of them, the widest first; empty leaves any.
    pub path: Vec<Name>,
    /// What its emissions are in an inventory; `None` is the use itself, neither before it nor outside the scopes.
    pub usage: Option<PublishedUse>,
    /// Where it is to hold; `None` is the region of the activity's org.
    pub region: Option<Name>,
    /// Which years' sets will do.
    pub years: YearRule,
    /// The set of global warming potentials it is read under; `None` is as it was published.
    pub gwp: Option<GwpSet>,
}

setters! {
    FactorRule {
        with_path = path: Vec<Name>,
        with_usage = usage: Option<PublishedUse>,
        with_region = region: Option<Name>,
        with_years = years: YearRule,
        with_gwp = gwp: Option<GwpSet>,
    }
}

/// The number of a rule's preferences is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("names {0} sets: a rule prefers 1 to {MAX_PREFERENCES}, the best first")]
pub struct PreferencesError(
    /// How many there are.
    pub usize,
);

/// Sets that a rule looks in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetPreference {
    /// The set of that file.
    Set(Digest),
    /// The sets of a publisher.
    Publisher(PublisherSets),
}

/// The sets of a publisher: all, or those of one table, edition or year.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PublisherSets {
    /// Who published them.
    pub publisher: Name,
    /// What the table is called; `None` leaves any.
    pub title: Option<Name>,
    /// The edition; `None` leaves any, of which the newest one wins.
    pub edition: Option<Name>,
    /// A calendar year for which it was published; `None` leaves any.
    pub year: Option<i32>,
}

setters! {
    PublisherSets {
        with_title = title: Option<Name>,
        with_edition = edition: Option<Name>,
        with_year = year: Option<i32>,
    }
}

/// Which years' sets will do for a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum YearRule {
    /// A set that holds on the day, else one that holds on another day of its calendar year.
    #[default]
    SameYear,
    /// The same, else the newest that ended before the day.
    NewestBefore,
}

/// A text that is the word of no [`YearRule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is no rule of years: sameYear or newestBefore")]
pub struct UnknownYearRule;

impl YearRule {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::SameYear, Self::NewestBefore];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SameYear => "sameYear",
            Self::NewestBefore => "newestBefore",
        }
    }
}

impl fmt::Display for YearRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for YearRule {
    type Err = UnknownYearRule;

    fn from_str(text: &str) -> Result<Self, UnknownYearRule> {
        Self::ALL.into_iter().find(|rule| rule.as_str() == text).ok_or(UnknownYearRule)
    }
}

impl PublisherSets {
    /// All sets of that publisher.
    #[must_use]
    pub const fn new(publisher: Name) -> Self {
        Self { publisher, title: None, edition: None, year: None }
    }
}

impl SetPreference {
    /// Whether it means that set.
    #[must_use]
    pub fn means(&self, set: &FactorSet) -> bool {
        match self {
            Self::Set(id) => set.id == *id,
            Self::Publisher(PublisherSets { publisher, title, edition, year }) => {
                same_words(publisher, &set.publisher)
                    && title.as_ref().is_none_or(|title| same_words(title, &set.title))
                    && edition.as_ref().is_none_or(|edition| same_words(edition, &set.edition))
                    && year.is_none_or(|year| set.holds_in(year))
            }
        }
    }
}

impl FactorRule {
    /// The rule that looks in those sets, the preferred ones first, for a factor of that name and unit.
    pub fn new(sets: Vec<SetPreference>, name: Name, unit: Unit) -> Result<Self, PreferencesError> {
        if !(1..=MAX_PREFERENCES).contains(&sets.len()) {
            return Err(PreferencesError(sets.len()));
        }
        let (path, years) = (Vec::new(), YearRule::default());
        Ok(Self { sets, name, unit, path, usage: None, region: None, years, gwp: None })
    }

    /// The sets it looks in, the preferred ones first.
    #[must_use]
    pub fn sets(&self) -> &[SetPreference] {
        &self.sets
    }

    /// The place among its preferences of the first that means the set, from 0.
    #[must_use]
    pub fn preference(&self, set: &FactorSet) -> Option<usize> {
        self.sets.iter().position(|preferred| preferred.means(set))
    }

    /// Whether the factor is what it looks for, wherever and whenever that holds.
    #[must_use]
    pub fn finds(&self, factor: &PublishedFactor) -> bool {
        let is_path = |(wanted, own): (&Name, &Name)| same_words(wanted, own);
        factor.unit == self.unit
            && self.usage.is_none_or(|usage| usage == factor.usage)
            && same_words(&self.name, &factor.name)
            && (self.path.is_empty()
                || (self.path.len() == factor.path.len() && self.path.iter().zip(&factor.path).all(is_path)))
    }
}

/// Whether two names are the same words in the same order, whatever their case and marks.
fn same_words(one: &Name, other: &Name) -> bool {
    one == other || {
        let words = search_words(one.as_str());
        !words.is_empty() && words == search_words(other.as_str())
    }
}
