//! The one multiplication behind a computed figure.

use super::exact::Exact;
use crate::activity::Measured;
use crate::amount::{Co2e, Intensity, Quantity};
use crate::product::calculation::CalculationError;
use crate::unit::{Ratio, Unit};

/// A quantity, counted in the factor's unit, times an intensity: exact, then rounded once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Multiplication {
    /// How much, as it was given.
    pub quantity: Quantity,
    /// The unit that the quantity counts.
    pub unit: Unit,
    /// How many of the factor's units one of that unit is.
    pub conversion: Ratio,
    /// The factor's unit.
    pub factor_unit: Unit,
    /// kg CO2e per the factor's unit.
    pub intensity: Intensity,
    /// What it came to, rounded half to even at the 18th digit after the point.
    pub co2e: Co2e,
}

impl Multiplication {
    /// The multiplication of what was measured with an intensity per that unit.
    pub fn new(measured: Measured, intensity: Intensity, factor_unit: Unit) -> Result<Self, CalculationError> {
        let Measured { quantity, unit } = measured;
        let conversion =
            unit.ratio_to(factor_unit).ok_or(CalculationError::Dimension { unit, expected: factor_unit })?;
        let exact = Exact::product(quantity, conversion, intensity);
        let co2e = exact.rounded().ok_or(CalculationError::TooLarge)?;
        Ok(Self { quantity, unit, conversion, factor_unit, intensity, co2e })
    }

    /// The same as somebody wrote it down: nothing of it is checked until it is replayed.
    #[must_use]
    pub const fn as_written(
        measured: Measured,
        conversion: Ratio,
        factor_unit: Unit,
        intensity: Intensity,
        co2e: Co2e,
    ) -> Self {
        let Measured { quantity, unit } = measured;
        Self { quantity, unit, conversion, factor_unit, intensity, co2e }
    }

    /// What quantity, conversion and intensity come to before rounding.
    #[must_use]
    pub fn product(&self) -> Exact {
        Exact::product(self.quantity, self.conversion, self.intensity)
    }

    /// The figure computed anew from quantity, conversion and intensity; `None` beyond 20 integer digits.
    #[must_use]
    pub fn replay(&self) -> Option<Co2e> {
        self.product().rounded()
    }
}
