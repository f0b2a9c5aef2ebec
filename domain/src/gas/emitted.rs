//! What a quantity of a product emits, gas by gas: for the measures beside CO2e.

use crate::activity::Measured;
use crate::aggregate::measure::{Measure, Measures};
use crate::amount::decimal::{Decimal, SCALE};
use crate::amount::{Co2e, Intensity, round};
use crate::gas::Gas;
use crate::gas::potential::GwpSet;
use crate::gas::row::GasRow;
use crate::gas::split::{GasAmount, GasSplit};
use crate::product::calculation::{CalculationError, emissions};
use crate::product::factor::FactorData;
use crate::unit::Unit;

/// What of one gas was emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EmittedGas {
    /// The gas.
    pub gas: Gas,
    /// Its CO2e in kg. Those of a factor's gases add up: each is what the gases up to it come to together, rounded half to
    /// even at the 18th digit after the point, less what those before it do. CO2 from living matter stands alone.
    pub co2e: Co2e,
    /// Its mass in kg, rounded half to even once, at the 18th digit after the point.
    pub mass: Decimal,
}

/// What a unit of a product emits of one gas, by a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GasFactor {
    /// The gas.
    pub gas: Gas,
    /// kg CO2e per unit, under the set of global warming potentials that the factor reads its gases under.
    pub intensity: Intensity,
    /// The same as the source gives it.
    pub amount: GasAmount,
    /// The set that the source counts CO2e by.
    pub set: GwpSet,
}

impl EmittedGas {
    /// The same as somebody wrote it down.
    #[must_use]
    pub const fn as_written(gas: Gas, co2e: Co2e, mass: Decimal) -> Self {
        Self { gas, co2e, mass }
    }

    /// What a quantity emits of each of those gases, per that unit and in their order.
    pub fn of(measured: Measured, factor_unit: Unit, gases: &[GasFactor]) -> Result<Vec<Self>, CalculationError> {
        let Measured { quantity, unit } = measured;
        let (mut sum, mut before, mut found) = (Intensity::ZERO, Co2e::ZERO, Vec::new());
        for factor in gases {
            let co2e = if factor.gas.is_in_scopes() {
                sum = sum.checked_add(factor.intensity).ok_or(CalculationError::TooLarge)?;
                let through = emissions(quantity, unit, sum, factor_unit)?;
                let co2e = through.checked_sub(before).ok_or(CalculationError::TooLarge)?;
                before = through;
                co2e
            } else {
                emissions(quantity, unit, factor.intensity, factor_unit)?
            };
            found.push(Self { gas: factor.gas, co2e, mass: mass(measured, factor_unit, *factor)? });
        }
        Ok(found)
    }

    /// What they come to as measures; a gas that nothing was emitted of is none.
    pub fn measures(emitted: &[Self]) -> Result<Measures, CalculationError> {
        let mut sums = Measures::NONE;
        let mut add = |measure: Measure, amount: Co2e| -> Result<(), CalculationError> {
            let sum = sums.entry(measure);
            *sum = sum.checked_add(amount).ok_or(CalculationError::TooLarge)?;
            Ok(())
        };
        for EmittedGas { gas, co2e, mass } in emitted {
            let Some((of_co2e, of_mass)) = gas.row().and_then(GasRow::measures) else { continue };
            add(of_co2e, *co2e)?;
            if of_mass != of_co2e {
                add(of_mass, Co2e::new(*mass))?;
            }
        }
        sums.retain(|amount| !amount.decimal().is_zero());
        Ok(sums)
    }
}

/// The mass of a gas: the quantity in the factor's unit times the mass per unit, or its CO2e divided by its potential under
/// the set that the source counts by.
fn mass(measured: Measured, factor_unit: Unit, factor: GasFactor) -> Result<Decimal, CalculationError> {
    let Measured { quantity, unit } = measured;
    let ratio = unit.ratio_to(factor_unit).ok_or(CalculationError::Dimension { unit, expected: factor_unit })?;
    let (value, [above, below]) = match factor.amount {
        GasAmount::Mass(mass) => (mass, [1, 1]),
        GasAmount::Co2e(co2e) => (co2e, [100, factor.gas.hundredths(factor.set).unwrap_or(100).into()]),
    };
    let numerators = [quantity.decimal().scaled(), value.scaled(), ratio.numerator(), above];
    let found = round::quotient(&numerators, &[SCALE, ratio.denominator(), below]);
    found.and_then(Decimal::from_wide).ok_or(CalculationError::TooLarge)
}

impl FactorData {
    /// The gases that it knows, as its source gives them, and the set of global warming potentials that it reads them under.
    #[must_use]
    pub fn gases(&self) -> Option<(&GasSplit, GwpSet)> {
        let split = self.origin.as_deref()?.factor.gases.as_ref()?;
        Some((split, self.gwp.unwrap_or_else(|| split.set())))
    }

    /// What a unit emits of each gas that it knows, in the order of [`Gas::all`]; empty where it knows none. What no total
    /// counts, but for CO2 from living matter, is left out.
    #[must_use]
    pub fn gas_factors(&self) -> Vec<GasFactor> {
        let Some((split, under)) = self.gases() else { return Vec::new() };
        // A factor whose gases have no CO2e under its set is never made.
        let intensities = split.co2e(under).map(|co2e| co2e.gases).unwrap_or_default();
        let gas = |((gas, intensity), (_, amount)): ((Gas, Intensity), &(Gas, GasAmount))| {
            gas.row().is_some().then_some(GasFactor { gas, intensity, amount: *amount, set: split.set() })
        };
        intensities.into_iter().zip(split.amounts()).filter_map(gas).collect()
    }
}
