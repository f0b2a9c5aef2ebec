//! Activities: recorded causes of emissions in a span of days.

mod evidence;
mod incomplete;
pub(crate) mod market;
mod outdated;
mod quality;
mod stated;

use crate::aggregate::cell::{Posting, SeriesKey};
use crate::aggregate::measure::Measures;
use crate::amount::{Co2e, Quantity};
use crate::calendar::day::Day;
use crate::calendar::moment::Moment;
use crate::id::{ActivityId, OrgId, ProductId, ScopeId, TaxonomyId};
use crate::product::Product;
use crate::product::calculation::{Calculation, CalculationError, FactorLookup, calculate, missing_factor};
use crate::product::factor::{Factor, factor_on};
use crate::product::incomplete::Incomplete;
use crate::setters::setters;
use crate::text::{Description, Name, SyncId};
use crate::unit::Unit;

pub use evidence::{Evidence, EvidenceError, EvidenceList, EvidenceListError, MAX_EVIDENCE};
pub use incomplete::IncompleteToday;
pub use market::{Market, MarketBasis, MarketOrigin, UnknownMarketBasis};
pub use outdated::Outdated;
pub use quality::{Quality, UnknownQuality};
pub use stated::Stated;

/// An amount of something in its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The amount, counted in `unit`.
    pub quantity: Quantity,
    /// The unit that `quantity` counts.
    pub unit: Unit,
}

/// When an activity took place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    start: Moment,
    end: Option<Moment>,
}

/// The end of a span lies before its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the end lies before the start")]
pub struct EndBeforeStart;

impl Span {
    /// From `start` to `end`; without an end a single day.
    pub fn new(start: Moment, end: Option<Moment>) -> Result<Self, EndBeforeStart> {
        match end {
            Some(end) if end.instant() < start.instant() => Err(EndBeforeStart),
            _ => Ok(Self { start, end }),
        }
    }

    /// Its start, as it was written.
    #[must_use]
    pub const fn start(self) -> Moment {
        self.start
    }

    /// Its end, as it was written.
    #[must_use]
    pub const fn end(self) -> Option<Moment> {
        self.end
    }

    /// The first day: the one written in the start, in its own offset.
    #[must_use]
    pub fn first(self) -> Day {
        self.start.day()
    }

    /// The last day: the one written in the end, in its own offset. Midnight on a later day than the first is the end
    /// of the day before. Never before the first day.
    #[must_use]
    pub fn last(self) -> Day {
        let first = self.first();
        let Some(end) = self.end else { return first };
        let day = end.day();
        let last = if end.is_midnight() && day > first { day.previous() } else { day };
        last.max(first)
    }
}

/// A recorded cause of emissions in a span of days.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Activity {
    /// Unique within the tenant.
    pub id: ActivityId,
    /// What another system calls it.
    pub sync_id: Option<SyncId>,
    /// What it is called.
    pub name: Name,
    /// Free text for people; no rule reads it.
    pub description: Option<Description>,
    /// How much was burnt, bought or driven.
    pub measured: Option<Measured>,
    /// The product that was consumed, whose factors give the CO2e.
    pub product: Option<ProductId>,
    /// The GHG scope; `None` is uncategorised.
    pub scope: Option<ScopeId>,
    /// The category of activity.
    pub taxonomy: Option<TaxonomyId>,
    /// The organisation unit that the emissions are reported under.
    pub org: Option<OrgId>,
    /// When it took place.
    pub span: Span,
    /// Its CO2e: the parts that were supplied with it, and those computed when it was written.
    pub calculation: Calculation,
    /// What was stated of other measures, in place of what would be computed.
    pub stated: Stated,
    /// What it has of other measures.
    pub measures: Measures,
}

setters! {
    Activity {
        with_id = id: ActivityId,
        with_sync_id = sync_id: Option<SyncId>,
        with_name = name: Name,
        with_description = description: Option<Description>,
        with_measured = measured: Option<Measured>,
        with_product = product: Option<ProductId>,
        with_scope = scope: Option<ScopeId>,
        with_taxonomy = taxonomy: Option<TaxonomyId>,
        with_org = org: Option<OrgId>,
        with_span = span: Span,
        with_calculation = calculation: Calculation,
        with_stated = stated: Stated,
        with_measures = measures: Measures,
    }
}

impl Activity {
    /// An activity of which nothing else is known: incomplete, for want of a product.
    #[must_use]
    pub const fn new(id: ActivityId, name: Name, span: Span) -> Self {
        Self {
            id,
            sync_id: None,
            name,
            description: None,
            measured: None,
            product: None,
            scope: None,
            taxonomy: None,
            org: None,
            span,
            calculation: Calculation::incomplete(Incomplete::NoProduct),
            stated: Stated::NONE,
            measures: Measures::NONE,
        }
    }

    /// Its CO2e in kg; `None` when incomplete.
    #[must_use]
    pub fn co2e(&self) -> Option<Co2e> {
        self.calculation.co2e()
    }

    /// What of it counts, and on which days.
    #[must_use]
    pub fn posting(&self) -> Posting {
        let measures = self.measures.clone();
        Posting { first: self.span.first(), last: self.span.last(), co2e: self.co2e(), measures }
    }

    /// The series that it adds to.
    #[must_use]
    pub const fn series(&self) -> SeriesKey {
        SeriesKey { scope: self.scope, org: self.org, taxonomy: self.taxonomy }
    }

    /// Why it has no CO2e, by its product and all the factors of that, as they are today; `None` when it has.
    #[must_use]
    pub fn incomplete(&self, product: Option<&Product>, factors: &[Factor]) -> Option<IncompleteToday> {
        if self.co2e().is_some() {
            return None;
        }
        let missing = match factor_on(factors, self.span.first()) {
            _ if self.product.is_none() => Incomplete::NoProduct,
            _ if self.measured.is_none() => Incomplete::NoQuantity,
            Some(_) => return Some(IncompleteToday::FactorCameLater),
            None => missing_factor(factors, product),
        };
        Some(IncompleteToday::Missing(missing))
    }

    /// What its CO2e comes to with what is known of its product today.
    pub fn recalculated(&self, lookup: Option<FactorLookup<'_>>) -> Result<Calculation, CalculationError> {
        calculate(self.calculation.supplied(), self.measured.map(|measured| (measured.quantity, measured.unit)), lookup)
    }

    /// Whether what was computed anew for it, by that `lookup`, is to be kept in place of what `before` had: quantity, unit, product, days
    /// or a supplied part differ, or there was no CO2e and now there is. Another org does too, where the factor depends on
    /// it: where the rule of the product chooses.
    #[must_use]
    pub fn needs_calculation(&self, before: &Self, lookup: Option<FactorLookup<'_>>) -> bool {
        (before.co2e().is_none() && self.co2e().is_some())
            || self.measured != before.measured
            || self.product != before.product
            || self.calculation.supplied() != before.calculation.supplied()
            || self.span.first() != before.span.first()
            || self.span.last() != before.span.last()
            || (self.org != before.org && lookup.is_some_and(FactorLookup::asks_for_org))
    }
}
