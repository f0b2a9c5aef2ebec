//! Which published factors a question finds, and in which order: the one rule of every store.

use std::cmp::Reverse;

use crate::calendar::day::Day;
use crate::canonical::Digest;
use crate::published::PublishedUse;
use crate::published::factor::PublishedFactor;
use crate::published::region::region_parts;
use crate::published::set::FactorSet;
use crate::published::words::{SearchWords, joined_words, search_words};
use crate::setters::setters;
use crate::text::Name;
use crate::unit::Unit;

/// A question for published factors. Whatever is not given leaves all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FactorQuery {
    /// Each is the beginning of a word of the factor's name, path, region or unit, or of the set's publisher.
    pub words: SearchWords,
    /// Of this set.
    pub set: Option<Digest>,
    /// Of this region or of one within it: `US` finds `US-RFCW` too. Case and marks do not count,
    /// and `UK` is `GB`.
    pub region: Option<Name>,
    /// Per this very unit.
    pub unit: Option<Unit>,
    /// Of a set that holds for a day of this calendar year.
    pub year: Option<i32>,
    /// Of this use.
    pub usage: Option<PublishedUse>,
}

setters! {
    FactorQuery {
        with_words = words: SearchWords,
        with_set = set: Option<Digest>,
        with_region = region: Option<Name>,
        with_unit = unit: Option<Unit>,
        with_year = year: Option<i32>,
        with_usage = usage: Option<PublishedUse>,
    }
}

/// How well a factor answers a question: the least stands first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FactorRank {
    /// How many of the words begin words of the factor, and are none.
    pub inexact: usize,
    /// How many of the words are not in its name, but in its path, region, unit or publisher.
    pub outside_name: usize,
    /// Its place among those that answer as well.
    pub place: FactorPlace,
}

/// Where a factor stands among others that answer a question equally well: by use, so that what is
/// burnt, bought or done comes before what was emitted to make it; then shorter names, then the newest set, then the
/// row that its figure stands in, then the cell. Each factor has a place of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FactorPlace {
    usage: usize,
    name_length: usize,
    set: Reverse<(Day, Name, Digest)>,
    row: u32,
    cell: Name,
}

impl FactorPlace {
    /// The place of that factor of that set. The newest set is the one whose first day is the latest, then the one whose
    /// edition is the last in the order of its characters.
    #[must_use]
    pub fn of(set: &FactorSet, factor: &PublishedFactor) -> Self {
        const ORDER: [PublishedUse; 6] = [
            PublishedUse::Direct,
            PublishedUse::PurchasedEnergy,
            PublishedUse::ValueChain,
            PublishedUse::Upstream,
            PublishedUse::GridLoss,
            PublishedUse::OutsideScopes,
        ];
        Self {
            usage: ORDER.iter().position(|usage| *usage == factor.usage).unwrap_or(ORDER.len()),
            name_length: factor.name.as_str().chars().count(),
            set: Reverse(FactorQuery::order_of_set(set)),
            row: factor.rows.first().map_or(0, |row| row.row),
            cell: factor.cell.clone(),
        }
    }
}

/// The words that a factor is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactorWords {
    /// Those of its name.
    pub name: Vec<String>,
    /// Those of its path, region, unit and publisher.
    pub others: Vec<String>,
}

impl FactorWords {
    /// The words of that factor of that set.
    #[must_use]
    pub fn of(set: &FactorSet, factor: &PublishedFactor) -> Self {
        let path = factor.path.iter().map(Name::as_str);
        let rest =
            factor.region.as_ref().map(Name::as_str).into_iter().chain([factor.unit.code(), set.publisher.as_str()]);
        let all = |text: &str| search_words(text).into_iter().chain(joined_words(text)).collect::<Vec<_>>();
        Self { name: all(factor.name.as_str()), others: path.chain(rest).flat_map(all).collect() }
    }

    /// Whether a word of a question is one of them, and whether it is in the name; `None` where it begins none.
    fn find(&self, word: &str) -> Option<(bool, bool)> {
        let begins = |words: &[String]| words.iter().any(|own| own.starts_with(word));
        let is = |words: &[String]| words.iter().any(|own| own == word);
        let in_name = begins(&self.name);
        (in_name || begins(&self.others)).then(|| (is(&self.name) || is(&self.others), in_name))
    }
}

impl FactorQuery {
    /// How well a factor of that set answers; `None` where it does not.
    #[must_use]
    pub fn rank(&self, set: &FactorSet, factor: &PublishedFactor) -> Option<FactorRank> {
        let is_admitted = self.admits_set(set) && self.admits_region(factor.region.as_ref());
        if !is_admitted || !self.admits(factor.unit, factor.usage) {
            return None;
        }
        let words = FactorWords::of(set, factor);
        let (mut inexact, mut outside_name) = (0, 0);
        for word in self.words.as_slice() {
            let (is_exact, is_in_name) = words.find(word)?;
            inexact += usize::from(!is_exact);
            outside_name += usize::from(!is_in_name);
        }
        Some(FactorRank { inexact, outside_name, place: FactorPlace::of(set, factor) })
    }

    /// The order of sets: the greatest is the newest.
    #[must_use]
    pub fn order_of_set(set: &FactorSet) -> (Day, Name, Digest) {
        (set.valid_from, set.edition.clone(), set.id)
    }

    /// Whether factors of that set may answer.
    #[must_use]
    pub fn admits_set(&self, set: &FactorSet) -> bool {
        self.set.is_none_or(|id| id == set.id) && self.year.is_none_or(|year| set.holds_in(year))
    }

    /// Whether factors of that region may answer.
    #[must_use]
    pub fn admits_region(&self, region: Option<&Name>) -> bool {
        let is_within =
            |asked: &Name| region.is_some_and(|region| region_parts(region).starts_with(&region_parts(asked)));
        self.region.as_ref().is_none_or(is_within)
    }

    /// Whether factors per that unit and of that use may answer.
    #[must_use]
    pub fn admits(&self, unit: Unit, usage: PublishedUse) -> bool {
        self.unit.is_none_or(|asked| asked == unit) && self.usage.is_none_or(|asked| asked == usage)
    }
}

#[cfg(test)]
mod tests;
