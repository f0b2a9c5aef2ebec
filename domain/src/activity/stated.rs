//! What was stated of an activity beside its CO2e: other measures, in place of what would be computed, how well it is known,
//! and what shows that.

use super::Activity;
use super::evidence::EvidenceList;
use super::market::{Market, market_co2e};
use super::quality::Quality;
use crate::aggregate::measure::{Measure, Measures};
use crate::amount::Co2e;
use crate::gas::emitted::EmittedGas;
use crate::product::calculation::CalculationError;
use crate::product::factor::Factor;
use crate::setters::setters;

/// What was stated beside CO2e.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stated {
    /// CO2 from living matter in kg, in place of what the factor says of it.
    pub biogenic: Option<Co2e>,
    /// What counts in the market, of an activity of scope 2; elsewhere it counts nowhere.
    pub market: Option<Market>,
    /// How well its figure is known.
    pub quality: Option<Quality>,
    /// What shows that it is as it is recorded.
    pub evidence: EvidenceList,
}

setters! {
    Stated {
        with_biogenic = biogenic: Option<Co2e>,
        with_market = market: Option<Market>,
        with_quality = quality: Option<Quality>,
        with_evidence = evidence: EvidenceList,
    }
}

impl Stated {
    /// Nothing was.
    pub const NONE: Self = Self { biogenic: None, market: None, quality: None, evidence: EvidenceList::NONE };

    /// Whether nothing was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::NONE
    }

    /// What the gases come to as measures, with what was stated in their place; and of what was stated of the market how
    /// much more or less it comes to than the location-based figure. Both are in kg, in that order; without one of them there
    /// is no difference. The CO2e is that of the quality that was stated, too.
    pub(crate) fn measures(
        &self,
        emitted: &[EmittedGas],
        (located, in_market): (Option<Co2e>, Option<Co2e>),
    ) -> Result<Measures, CalculationError> {
        let mut measures = EmittedGas::measures(emitted)?;
        if let Some(biogenic) = self.biogenic {
            *measures.entry(Measure::BiogenicCo2) = biogenic;
        }
        if let (Some(market), Some(located), Some(in_market)) = (&self.market, located, in_market) {
            let delta = in_market.checked_sub(located).ok_or(CalculationError::TooLarge)?;
            *measures.entry(Measure::MarketDelta) = delta;
            *measures.entry(market.measure()) = in_market;
        }
        if let (Some(quality), Some(co2e)) = (self.quality, located) {
            *measures.entry(quality.measure()) = co2e;
        }
        measures.retain(|amount| !amount.decimal().is_zero());
        Ok(measures)
    }
}

impl Activity {
    /// What its other measures come to by what was stated, by `factor`, which is the one that its calculation names, and by
    /// the one that counts in the market; any other is as good as none.
    ///
    /// They are a function of quantity, unit, calculation and what was stated: whoever has these can compute them anew.
    pub fn computed_measures(
        &self,
        factor: Option<&Factor>,
        in_market: Option<&Factor>,
    ) -> Result<Measures, CalculationError> {
        let named = factor.filter(|factor| self.calculation.factor() == Some(factor.id()));
        let emitted = match (self.measured, named) {
            (Some(measured), Some(factor)) => {
                let data = factor.data();
                EmittedGas::of(measured, data.unit, &data.gas_factors())?
            }
            (None, _) | (_, None) => Vec::new(),
        };
        let market = self.stated.market.as_ref();
        let in_market = in_market.filter(|factor| market.is_some_and(|market| market.factor == factor.id()));
        let in_market = match (self.measured, in_market) {
            (Some(measured), Some(factor)) => Some(market_co2e(measured, factor)?),
            (None, _) | (_, None) => None,
        };
        self.stated.measures(&emitted, (self.co2e(), in_market))
    }

    /// CO2 from living matter in kg, stated or computed; `None` where neither is.
    #[must_use]
    pub fn biogenic(&self) -> Option<Co2e> {
        self.stated.biogenic.or_else(|| self.measures.get(Measure::BiogenicCo2).copied())
    }
}
