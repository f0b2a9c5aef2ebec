//! What activities come to, class by class of their scopes: the figures by which a restatement compares.

use std::ops::{Add, Sub};

use crate::aggregate::report::{GasTotals, Totals};
use crate::amount::total::Total;

/// Kilograms of CO2 equivalent by class of scope, none of them in another, but for both figures of scope 2.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClassTotals {
    /// In scopes 1 to 3, scope 2 location-based.
    pub co2e: Total,
    /// In scopes 1 to 3, scope 2 market-based.
    pub market_co2e: Total,
    /// Of activities without a scope, or with one that is not there.
    pub uncategorized: Total,
    /// Biogenic CO2: of activities in nodes of kind `biogenic`, and beside the CO2e of all others.
    pub biogenic: Total,
    /// In nodes of kind `credit`.
    pub credits: Total,
    /// In nodes of kind `outside`.
    pub outside: Total,
    /// What of scopes 1 to 3, scope 2 location-based, is of which gas; their CO2e adds up to `co2e`.
    pub gases: GasTotals,
}

impl ClassTotals {
    /// Each figure with its name in JSON.
    #[must_use]
    pub const fn named(&self) -> [(&'static str, Total); 6] {
        [
            ("CO2e", self.co2e),
            ("marketCO2e", self.market_co2e),
            ("uncategorizedCO2e", self.uncategorized),
            ("biogenicCO2", self.biogenic),
            ("creditsCO2e", self.credits),
            ("outsideCO2e", self.outside),
        ]
    }

    /// Whether each figure is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.gases.is_empty() && self.named().into_iter().all(|(_, total)| total.is_zero())
    }
}

impl ClassTotals {
    /// The same with what of its CO2e in scopes 1 to 3 is of which gas.
    #[must_use]
    pub fn with_gases(self, gases: GasTotals) -> Self {
        Self { gases: gases.with_unspecified(self.co2e), ..self }
    }
}

impl From<Totals> for ClassTotals {
    /// Of totals with both figures of scope 2 ([`Scope2::Both`](crate::Scope2::Both)), all of no known gas.
    fn from(totals: Totals) -> Self {
        Self {
            co2e: totals.co2e,
            market_co2e: totals.market_co2e(),
            uncategorized: totals.uncategorized,
            biogenic: totals.biogenic,
            credits: totals.credits,
            outside: totals.outside,
            gases: GasTotals::NONE.with_unspecified(totals.co2e),
        }
    }
}

impl Add for ClassTotals {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            co2e: self.co2e + other.co2e,
            market_co2e: self.market_co2e + other.market_co2e,
            uncategorized: self.uncategorized + other.uncategorized,
            biogenic: self.biogenic + other.biogenic,
            credits: self.credits + other.credits,
            outside: self.outside + other.outside,
            gases: self.gases + other.gases,
        }
    }
}

impl Sub for ClassTotals {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            co2e: self.co2e - other.co2e,
            market_co2e: self.market_co2e - other.market_co2e,
            uncategorized: self.uncategorized - other.uncategorized,
            biogenic: self.biogenic - other.biogenic,
            credits: self.credits - other.credits,
            outside: self.outside - other.outside,
            gases: self.gases - other.gases,
        }
    }
}
