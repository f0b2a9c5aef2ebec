//! What the energy of an activity is by contract: for the market-based figures of scope 2.

use std::fmt;
use std::str::FromStr;

use crate::activity::{Activity, Measured};
use crate::aggregate::measure::Measure;
use crate::amount::Co2e;
use crate::id::FactorId;
use crate::product::calculation::{CalculationError, emissions};
use crate::product::factor::Factor;
use crate::setters::setters;
use crate::text::Name;

/// What a market-based figure rests on, in the order in which the GHG Protocol's Scope 2 Guidance prefers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarketBasis {
    /// Certificates of attributes of energy, such as guarantees of origin.
    Certificate,
    /// A contract with a generator, such as a power purchase agreement.
    Contract,
    /// What a supplier discloses of what it sells.
    SupplierRate,
    /// The mix of what nobody claimed.
    ResidualMix,
}

/// A text that is the word of no basis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be certificate, contract, supplierRate or residualMix")]
pub struct UnknownMarketBasis;

impl MarketBasis {
    /// Every basis.
    pub const ALL: [Self; 4] = [Self::Certificate, Self::Contract, Self::SupplierRate, Self::ResidualMix];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Certificate => "certificate",
            Self::Contract => "contract",
            Self::SupplierRate => "supplierRate",
            Self::ResidualMix => "residualMix",
        }
    }

    /// The basis of that word.
    pub fn parse(word: &str) -> Result<Self, UnknownMarketBasis> {
        Self::ALL.into_iter().find(|basis| basis.word() == word).ok_or(UnknownMarketBasis)
    }
}

impl fmt::Display for MarketBasis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for MarketBasis {
    type Err = UnknownMarketBasis;

    fn from_str(word: &str) -> Result<Self, UnknownMarketBasis> {
        Self::parse(word)
    }
}

/// Who said which factor counts in the market.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarketOrigin {
    /// The activity names it.
    Named,
    /// It names none: the residual mix of its product, when its CO2e was computed.
    Product,
}

/// What a market-based figure comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Market {
    /// What it rests on.
    pub basis: MarketBasis,
    /// The factor that the quantity is multiplied with.
    pub factor: FactorId,
    /// Which certificate or contract it is, in words.
    pub reference: Option<Name>,
    /// Who said so.
    pub origin: MarketOrigin,
}

setters! {
    Market {
        with_reference = reference: Option<Name>,
    }
}

impl Market {
    /// That factor, without a reference.
    #[must_use]
    pub const fn new(basis: MarketBasis, factor: FactorId, origin: MarketOrigin) -> Self {
        Self { basis, factor, reference: None, origin }
    }

    /// The measure of the part of the market-based CO2e that rests on the same.
    pub(crate) const fn measure(&self) -> Measure {
        match self.basis {
            MarketBasis::Certificate | MarketBasis::Contract | MarketBasis::SupplierRate => Measure::MarketInstrument,
            MarketBasis::ResidualMix => Measure::MarketResidual,
        }
    }
}

/// What a quantity comes to in the market: with each part of the factor, rounded once each, added up.
pub(crate) fn market_co2e(measured: Measured, factor: &Factor) -> Result<Co2e, CalculationError> {
    let (Measured { quantity, unit }, data) = (measured, factor.data());
    let mut sum = Co2e::ZERO;
    for intensity in [data.upstream, data.downstream].into_iter().flatten() {
        sum = sum.checked_add(emissions(quantity, unit, intensity, data.unit)?).ok_or(CalculationError::TooLarge)?;
    }
    Ok(sum)
}

impl Activity {
    /// Its market-based CO2e in kg, where a market factor counts; elsewhere it is the location-based one.
    #[must_use]
    pub fn market_co2e(&self) -> Option<Co2e> {
        self.stated.market.as_ref()?;
        let delta = self.measures.get(Measure::MarketDelta).copied().unwrap_or_default();
        self.co2e()?.checked_add(delta)
    }

    /// What it adds to a market-based total, in kg: its location-based CO2e where no market factor counts.
    #[must_use]
    pub fn counted_in_market(&self) -> Option<Co2e> {
        self.market_co2e().or_else(|| self.co2e())
    }
}
