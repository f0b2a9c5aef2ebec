//! What reports say of measures other than CO2e.

use super::{Scope2, Totals};
use crate::aggregate::cube::Cube;
use crate::aggregate::measure::Measure;
use crate::amount::total::Total;
use crate::calendar::day::Period;
use crate::tree::scope_kind::ScopeKind;

/// The measures that reports with those figures of scope 2 say something of.
pub(super) const fn reported(scope2: Scope2) -> &'static [Measure] {
    match scope2 {
        Scope2::Location => &[Measure::BiogenicCo2, Measure::Co2eMeasured, Measure::Co2eEstimated, Measure::Co2eProxy],
        Scope2::Market | Scope2::Both => &[
            Measure::BiogenicCo2,
            Measure::Co2eMeasured,
            Measure::Co2eEstimated,
            Measure::Co2eProxy,
            Measure::MarketDelta,
            Measure::MarketInstrument,
            Measure::MarketResidual,
        ],
    }
}

impl Totals {
    /// Adds what series whose scopes have that kind have of a measure other than CO2e. Biogenic CO2 of activities in nodes of
    /// kind `biogenic` is their CO2e, so that the measure is none of it there; the market counts in scope 2 alone, quality in
    /// scopes 1 to 3.
    pub(crate) fn add_measure(&mut self, measure: Measure, amount: Total, kind: Option<ScopeKind>, scope2: Scope2) {
        let is_scope2 = kind == Some(ScopeKind::Scope2);
        let is_in_scopes = matches!(kind, Some(ScopeKind::Scope1 | ScopeKind::Scope2 | ScopeKind::Scope3));
        if measure == Measure::MarketDelta && is_scope2 {
            self.market_delta += amount;
            if scope2 == Scope2::Market {
                self.co2e += amount;
            }
        } else if measure == Measure::MarketInstrument && is_scope2 {
            self.market_instrument += amount;
        } else if measure == Measure::MarketResidual && is_scope2 {
            self.market_residual += amount;
        } else if measure == Measure::Co2eMeasured && is_in_scopes {
            self.measured += amount;
        } else if measure == Measure::Co2eEstimated && is_in_scopes {
            self.estimated += amount;
        } else if measure == Measure::Co2eProxy && is_in_scopes {
            self.proxy += amount;
        } else if measure == Measure::BiogenicCo2 && kind != Some(ScopeKind::Biogenic) {
            self.biogenic += amount;
        }
    }
}

impl Totals {
    /// The CO2e in scopes 1 to 3 with scope 2 market-based, of a report on both that are side by side.
    #[must_use]
    pub fn market_co2e(&self) -> Total {
        self.co2e + self.market_delta
    }

    /// What of CO2e in scopes 1 to 3, in scope 2 location-based, is of activities that state no quality, of a report with those
    /// figures of scope 2.
    #[must_use]
    pub fn quality_not_stated(&self, scope2: Scope2) -> Total {
        let located = if scope2 == Scope2::Market { self.co2e - self.market_delta } else { self.co2e };
        located - self.measured - self.estimated - self.proxy
    }

    /// What of market-based scope 2 rests on location-based factors, for want of an instrument and of a residual mix.
    #[must_use]
    pub fn market_location(&self) -> Total {
        self.scope2 + self.market_delta - self.market_instrument - self.market_residual
    }
}

/// What each series has of those of the measures that some cell has any of; `whole` says which series count on first days.
pub(crate) fn sums(cube: &Cube, measures: &[Measure], period: Period, whole: &[bool]) -> Vec<(Measure, Vec<Total>)> {
    let used = measures.iter().copied().filter(|measure| cube.has(*measure));
    used.map(|measure| (measure, cube.measure_of_series(measure, period, whole))).collect()
}
