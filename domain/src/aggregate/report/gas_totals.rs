//! What activities come to gas by gas: sums that are added to and taken from each other.

use std::ops::{Add, Sub};

use crate::amount::total::Total;
use crate::gas::row::GasRow;

/// Kilograms of one gas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GasTotal {
    /// Of CO2 equivalent.
    pub co2e: Total,
    /// Of the gas itself; zero where no gas is known.
    pub mass: Total,
}

impl GasTotal {
    /// Whether both are zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.co2e.is_zero() && self.mass.is_zero()
    }
}

/// What activities come to gas by gas, in the order of reports. A gas of which there is nothing is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GasTotals(Vec<(GasRow, GasTotal)>);

impl GasTotals {
    /// Of no gas.
    pub const NONE: Self = Self(Vec::new());

    /// Those gases, each once.
    #[must_use]
    pub fn new(gases: impl IntoIterator<Item = (GasRow, GasTotal)>) -> Self {
        gases.into_iter().fold(Self::NONE, |sum, (gas, total)| sum + Self(vec![(gas, total)]))
    }

    /// The gases of which there is something.
    pub fn iter(&self) -> impl Iterator<Item = (GasRow, GasTotal)> {
        self.0.iter().copied()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same, and what of a CO2e in which they are is of no known gas.
    #[must_use]
    pub fn with_unspecified(self, co2e: Total) -> Self {
        let left = self.iter().fold(co2e, |left, (_, total)| left - total.co2e);
        self + Self(vec![(GasRow::Unspecified, GasTotal { co2e: left, mass: Total::ZERO })])
    }

    fn merged(mut self, others: &Self, merge: impl Fn(Total, Total) -> Total) -> Self {
        for (gas, other) in others.iter() {
            let at = match self.0.binary_search_by_key(&gas, |(known, _)| *known) {
                Ok(at) => at,
                Err(at) => {
                    self.0.insert(at, (gas, GasTotal::default()));
                    at
                }
            };
            let (_, known) = &mut self.0[at];
            *known = GasTotal { co2e: merge(known.co2e, other.co2e), mass: merge(known.mass, other.mass) };
        }
        self.0.retain(|(_, total)| !total.is_zero());
        self
    }
}

impl Add for GasTotals {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.merged(&other, |one, other| one + other)
    }
}

impl Sub for GasTotals {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.merged(&other, |one, other| one - other)
    }
}
