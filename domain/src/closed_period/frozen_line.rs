//! A line of a frozen report, and its figures.

use super::ClassTotals;
use crate::aggregate::cell::SeriesKey;
use crate::aggregate::cube::SeriesTotals;
use crate::aggregate::report::{GasTotals, Totals};
use crate::amount::total::Total;
use crate::tree::scope_kind::ScopeKind;

/// What the activities of one series come to in a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrozenLine {
    /// The nodes that they carry.
    pub series: SeriesKey,
    /// What kind of scope theirs is; `None` without a scope that is there.
    pub kind: Option<ScopeKind>,
    /// Those whose first day lies in the period, each counted wholly.
    pub started: FrozenFigures,
    /// Those that touch the period, each with its share of the days.
    pub spread: FrozenFigures,
}

/// What activities come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrozenFigures {
    /// How many there are.
    pub count: i64,
    /// How many of them have no CO2e.
    pub incomplete: i64,
    /// Kilograms of CO2 equivalent.
    pub co2e: Total,
    /// Kilograms of biogenic CO2 beside the CO2e: none where the CO2e is biogenic itself.
    pub biogenic: Total,
    /// By how much the CO2e is more market-based than location-based; none outside scope 2.
    pub market_delta: Total,
    /// What of the CO2e is of which gas; the rest is of none that is known.
    pub gases: GasTotals,
}

impl FrozenFigures {
    /// So many activities, so many of them without CO2e, and the kilograms of CO2 equivalent of the others.
    #[must_use]
    pub const fn new(count: i64, incomplete: i64, co2e: Total) -> Self {
        Self { count, incomplete, co2e, biogenic: Total::ZERO, market_delta: Total::ZERO, gases: GasTotals::NONE }
    }

    /// The same with those measures beside the CO2e.
    #[must_use]
    pub fn with_measures(self, biogenic: Total, market_delta: Total) -> Self {
        Self { biogenic, market_delta, ..self }
    }

    /// The same with the gases of the CO2e.
    #[must_use]
    pub fn with_gases(self, gases: GasTotals) -> Self {
        Self { gases, ..self }
    }

    /// The same as those of a series whose scope has that kind.
    pub(super) fn classed(&self, kind: Option<ScopeKind>) -> ClassTotals {
        let sums = SeriesTotals { count: self.count, incomplete: self.incomplete, co2e: self.co2e };
        let mut totals = ClassTotals::from(Totals::new(sums, kind));
        totals.biogenic += self.biogenic;
        totals.market_co2e += self.market_delta;
        if kind.is_some_and(ScopeKind::is_scope) { totals.with_gases(self.gases.clone()) } else { totals }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: &Self) -> Self {
        Self {
            count: self.count.saturating_add(other.count),
            incomplete: self.incomplete.saturating_add(other.incomplete),
            co2e: self.co2e + other.co2e,
            biogenic: self.biogenic + other.biogenic,
            market_delta: self.market_delta + other.market_delta,
            gases: self.gases + other.gases.clone(),
        }
    }
}

impl From<SeriesTotals> for FrozenFigures {
    fn from(sums: SeriesTotals) -> Self {
        Self::new(sums.count, sums.incomplete, sums.co2e)
    }
}
