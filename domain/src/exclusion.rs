//! Exclusions: parts of an inventory that a company leaves out on purpose, with the reason (GHG Protocol Corporate
//! Standard, chapter 9, and Scope 3 Standard, chapter 11: exclusions are disclosed and justified).

use std::ops::RangeInclusive;

use crate::id::{ExclusionId, OrgId, ScopeId};
use crate::setters::setters;
use crate::text::Reason;

/// A part of the inventory that is left out in some years, for a part of the company or all of it, and why.
///
/// It changes no figure: activities that are recorded nevertheless count as ever.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exclusion {
    /// Unique within the tenant.
    pub id: ExclusionId,
    /// What is left out.
    pub part: ExcludedPart,
    /// The org that it is left out for, with all below it; `None` is the whole company.
    pub org: Option<OrgId>,
    years: ExcludedYears,
    /// Why it is left out.
    pub reason: Reason,
}

/// What an exclusion leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExcludedPart {
    /// A node of the scope tree, with all below it.
    Scope(ScopeId),
    /// A category of scope 3, 1 to 15, whatever nodes stand for it.
    Category(Category),
}

/// The number of a scope 3 category, 1 to 15 (GHG Protocol Scope 3 Standard, table 5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Category(u8);

/// A number that no category has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a category of scope 3, which are 1 to 15")]
pub struct NoSuchCategory;

impl Category {
    /// All of them, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=15).map(Self)
    }

    /// The category of that number.
    pub fn new(number: u8) -> Result<Self, NoSuchCategory> {
        if (1..=15).contains(&number) { Ok(Self(number)) } else { Err(NoSuchCategory) }
    }

    /// Its number, 1 to 15.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// What the standard calls it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self.0 {
            1 => "Purchased goods and services",
            2 => "Capital goods",
            3 => "Fuel- and energy-related activities",
            4 => "Upstream transportation and distribution",
            5 => "Waste generated in operations",
            6 => "Business travel",
            7 => "Employee commuting",
            8 => "Upstream leased assets",
            9 => "Downstream transportation and distribution",
            10 => "Processing of sold products",
            11 => "Use of sold products",
            12 => "End-of-life treatment of sold products",
            13 => "Downstream leased assets",
            14 => "Franchises",
            _ => "Investments",
        }
    }
}

/// The years of an exclusion, first and last included: those that reports are named by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExcludedYears {
    first: u16,
    last: u16,
}

/// Why a span of years is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExcludedYearsError {
    /// A year that is not 1 to 9999.
    #[error("years are 1 to 9999")]
    OutOfRange,
    /// The last year lies before the first.
    #[error("the last year must not be before the first")]
    Reversed,
}

impl ExcludedYears {
    /// From the first year to the last, both included and between 1 and 9999.
    pub fn new(first: u16, last: u16) -> Result<Self, ExcludedYearsError> {
        match (first, last) {
            (1..=9_999, 1..=9_999) if first <= last => Ok(Self { first, last }),
            (1..=9_999, 1..=9_999) => Err(ExcludedYearsError::Reversed),
            _ => Err(ExcludedYearsError::OutOfRange),
        }
    }

    /// The first year.
    #[must_use]
    pub const fn first(self) -> u16 {
        self.first
    }

    /// The last year, included.
    #[must_use]
    pub const fn last(self) -> u16 {
        self.last
    }
}

setters! {
    Exclusion {
        with_part = part: ExcludedPart,
        with_org = org: Option<OrgId>,
        with_years = years: ExcludedYears,
        with_reason = reason: Reason,
    }
}

impl Exclusion {
    /// That part left out by the whole company in those years.
    #[must_use]
    pub const fn new(id: ExclusionId, part: ExcludedPart, years: ExcludedYears, reason: Reason) -> Self {
        Self { id, part, org: None, years, reason }
    }

    /// The years that it holds for.
    #[must_use]
    pub const fn years(&self) -> ExcludedYears {
        self.years
    }

    /// Whether it holds in one of those years at least.
    #[must_use]
    pub fn touches(&self, years: &RangeInclusive<u16>) -> bool {
        self.years.first <= *years.end() && self.years.last >= *years.start() && !years.is_empty()
    }

    /// The scope node that it leaves out.
    #[must_use]
    pub const fn scope(&self) -> Option<ScopeId> {
        match self.part {
            ExcludedPart::Scope(scope) => Some(scope),
            ExcludedPart::Category(_) => None,
        }
    }

    /// The category that it leaves out.
    #[must_use]
    pub const fn category(&self) -> Option<Category> {
        match self.part {
            ExcludedPart::Scope(_) => None,
            ExcludedPart::Category(category) => Some(category),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_in_order_and_within_the_calendar() {
        let years = ExcludedYears::new(2024, 2025).unwrap();
        assert_eq!((years.first(), years.last()), (2024, 2025));
        assert_eq!(ExcludedYears::new(2025, 2024), Err(ExcludedYearsError::Reversed));
        assert_eq!(ExcludedYears::new(0, 2024), Err(ExcludedYearsError::OutOfRange));
        assert_eq!(ExcludedYears::new(2024, 10_000), Err(ExcludedYearsError::OutOfRange));
    }

    #[test]
    fn a_category_is_one_of_fifteen_with_names_of_their_own() {
        assert_eq!(Category::new(0), Err(NoSuchCategory));
        assert_eq!(Category::new(16), Err(NoSuchCategory));
        let titles: std::collections::HashSet<_> = Category::all().map(Category::title).collect();
        assert_eq!(titles.len(), 15);
    }

    #[test]
    fn an_exclusion_touches_the_years_that_it_shares_with_others() {
        let id = ExclusionId::new(uuid::Uuid::nil());
        let part = ExcludedPart::Category(Category::new(14).unwrap());
        let years = ExcludedYears::new(2024, 2025).unwrap();
        let one = Exclusion::new(id, part, years, Reason::parse("no franchises").unwrap());
        for (first, last, touched) in [(2020, 2023, false), (2023, 2024, true), (2025, 2030, true), (2026, 2026, false)]
        {
            assert_eq!(one.touches(&(first..=last)), touched, "{first} to {last}");
        }
    }
}
