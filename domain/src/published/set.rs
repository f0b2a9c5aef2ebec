//! Sets of factors: one edition of one publisher's table.

use crate::calendar::day::Day;
use crate::canonical::Digest;
use crate::gas::potential::GwpSet;
use crate::setters::setters;
use crate::text::{Name, Source};

/// An edition of a publisher's factors, as one file holds it. It belongs to the installation and is never changed: a
/// later edition, a corrected file too, is a set of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FactorSet {
    /// The SHA-256 of the file, which is what the set is called by.
    pub id: Digest,
    /// Who published it.
    pub publisher: Name,
    /// What the table is called.
    pub title: Name,
    /// Which edition of the table it is, such as `2024 v1.1`.
    pub edition: Name,
    /// The first day for which it was published.
    pub valid_from: Day,
    /// The day after the last; `None` while no end is known.
    pub valid_to: Option<Day>,
    /// The licence under which it was published, and the attribution that it asks for.
    pub licence: Source,
    /// The name of the file, without folders.
    pub file: Name,
    /// The set of global warming potentials behind its CO2e, where it is known.
    pub gwp: Option<GwpSet>,
    /// The set that it stands in the place of, whose publisher corrected it; `None` where it corrects none.
    pub corrects: Option<Digest>,
}

setters! {
    FactorSet {
        with_valid_to = valid_to: Option<Day>,
        with_gwp = gwp: Option<GwpSet>,
        with_corrects = corrects: Option<Digest>,
    }
}

impl FactorSet {
    /// The set of the file with that digest and name, for the days from `valid_from` on.
    #[must_use]
    pub const fn new(
        id: Digest,
        file: Name,
        publisher: Name,
        title: Name,
        edition: Name,
        licence: Source,
        valid_from: Day,
    ) -> Self {
        Self { id, publisher, title, edition, valid_from, valid_to: None, licence, file, gwp: None, corrects: None }
    }

    /// Whether it is an edition of the same table as the other, and the same edition.
    #[must_use]
    pub fn is_edition_of(&self, other: &Self) -> bool {
        (&self.publisher, &self.title, &self.edition) == (&other.publisher, &other.title, &other.edition)
    }

    /// Whether that day is one of those it was published for.
    #[must_use]
    pub fn holds_on(&self, day: Day) -> bool {
        self.valid_from <= day && self.valid_to.is_none_or(|end| day < end)
    }

    /// Whether a day of that calendar year is one of those it was published for.
    #[must_use]
    pub fn holds_in(&self, year: i32) -> bool {
        // The last day of the set: one whose end is its beginning holds on no day.
        let last = self.valid_to.map(Day::previous);
        self.valid_from.calendar().0 <= year && last.is_none_or(|last| year <= last.calendar().0)
    }
}
