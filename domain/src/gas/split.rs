//! What a unit of a product emits, gas by gas, and its CO2e under any set of global warming potentials.

use crate::amount::Intensity;
use crate::amount::decimal::Decimal;
use crate::amount::round;
use crate::gas::Gas;
use crate::gas::potential::GwpSet;

/// How much of one gas a unit of a product emits, in the form that its source gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GasAmount {
    /// Kilograms of the gas.
    Mass(Decimal),
    /// Kilograms of CO2e under the source's set of global warming potentials.
    Co2e(Decimal),
}

/// What a unit of a product emits, gas by gas, as its source gives it: each gas once.
///
/// A source's CO2e of a gas is kept as it is: a mass would have to be rounded, and the gases would no longer add up to
/// the source's total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GasSplit {
    set: GwpSet,
    amounts: Vec<(Gas, GasAmount)>,
}

/// Something that keeps amounts from being a [`GasSplit`], or from being read under a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GasSplitError {
    /// No gas.
    #[error("no gas: a factor without gases has its CO2e alone")]
    Empty,
    /// A gas appears twice.
    #[error("{0} stands twice")]
    Twice(
        /// That gas.
        Gas,
    ),
    /// The set has no value for a gas.
    #[error("{set} has no global warming potential of {gas}")]
    NoPotential {
        /// The set that was asked for.
        set: GwpSet,
        /// The gas it does not know.
        gas: Gas,
    },
    /// A figure leaves 20 integer digits.
    #[error("the CO2e of {0} has more than 20 integer digits")]
    TooLarge(
        /// That gas.
        Gas,
    ),
}

/// The CO2e of a [`GasSplit`] under one set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GasCo2e {
    /// The sum of what counts in the scopes.
    pub total: Intensity,
    /// CO2 from living matter, in no total.
    pub biogenic: Intensity,
    /// What the Kyoto Protocol does not count, in no total.
    pub outside_scopes: Intensity,
    /// Each gas, in the order of [`Gas::all`].
    pub gases: Vec<(Gas, Intensity)>,
}

impl GasSplit {
    /// Those amounts, in any order, of a source that computes CO2e under `set`.
    pub fn new(set: GwpSet, amounts: impl IntoIterator<Item = (Gas, GasAmount)>) -> Result<Self, GasSplitError> {
        let mut amounts: Vec<_> = amounts.into_iter().collect();
        amounts.sort_by_key(|(gas, _)| *gas);
        let twice = amounts.windows(2).find(|pair| pair[0].0 == pair[1].0);
        match (amounts.is_empty(), twice) {
            (true, _) => Err(GasSplitError::Empty),
            (_, Some(pair)) => Err(GasSplitError::Twice(pair[0].0)),
            _ => {
                let split = Self { set, amounts };
                split.co2e(set).map(|_| split)
            }
        }
    }

    /// The set that the source computes CO2e under.
    #[must_use]
    pub const fn set(&self) -> GwpSet {
        self.set
    }

    /// The gases and their amounts, in the order of [`Gas::all`].
    #[must_use]
    pub fn amounts(&self) -> &[(Gas, GasAmount)] {
        &self.amounts
    }

    /// The CO2e under `set`: each gas exactly, rounded half to even once at the 18th fractional digit.
    pub fn co2e(&self, set: GwpSet) -> Result<GasCo2e, GasSplitError> {
        let mut sum = GasCo2e {
            total: Intensity::ZERO,
            biogenic: Intensity::ZERO,
            outside_scopes: Intensity::ZERO,
            gases: Vec::with_capacity(self.amounts.len()),
        };
        for &(gas, amount) in &self.amounts {
            let co2e = self.co2e_of(gas, amount, set)?;
            let part = match gas.row() {
                Some(row) if row.is_in_scopes() => &mut sum.total,
                Some(_) => &mut sum.biogenic,
                None => &mut sum.outside_scopes,
            };
            *part = part.checked_add(co2e).ok_or(GasSplitError::TooLarge(gas))?;
            sum.gases.push((gas, co2e));
        }
        Ok(sum)
    }

    fn co2e_of(&self, gas: Gas, amount: GasAmount, set: GwpSet) -> Result<Intensity, GasSplitError> {
        let potential = |set| gas.hundredths(set).ok_or(GasSplitError::NoPotential { set, gas }).map(i128::from);
        let (value, divisor) = match amount {
            GasAmount::Mass(mass) => (mass, 100),
            GasAmount::Co2e(co2e) => (co2e, potential(self.set)?),
        };
        round::quotient(&[value.scaled(), potential(set)?], &[divisor])
            .and_then(Decimal::from_wide)
            .map(Intensity::new)
            .ok_or(GasSplitError::TooLarge(gas))
    }
}
