//! The one computation: quantity times factor, rounded once, for each part that was not supplied.

use std::fmt;

use crate::amount::{Co2e, Intensity, Quantity};
use crate::day::Day;
use crate::decimal::{Decimal, SCALE};
use crate::factor::{Factor, factor_on};
use crate::id::FactorId;
use crate::product::Product;
use crate::round;
use crate::unit::{DimensionMismatch, Unit};

/// Why an input can never be computed, and must be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CalculationError {
    /// The unit measures something else than the product's.
    #[error("{}", DimensionMismatch { unit: *unit, expected: *expected })]
    Dimension {
        /// The unit that was given.
        unit: Unit,
        /// The unit of the product or its factor.
        expected: Unit,
    },
    /// The result has more than 20 integer digits.
    #[error("more than 20 digits of kg CO2e before the decimal point; check the quantity and its unit")]
    TooLarge,
}

impl From<DimensionMismatch> for CalculationError {
    fn from(DimensionMismatch { unit, expected }: DimensionMismatch) -> Self {
        Self::Dimension { unit, expected }
    }
}

/// Why there is no CO2e, although nothing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Incomplete {
    /// No product to take a factor from.
    NoProduct,
    /// No quantity to multiply.
    NoQuantity,
    /// The product has no factor at all.
    NoFactor,
    /// The product has factors, but none for the day.
    NoFactorOnDay,
    /// The product has a factor for the day, which came after the calculation.
    FactorCameLater,
}

impl Incomplete {
    const ALL: [Self; 5] =
        [Self::NoProduct, Self::NoQuantity, Self::NoFactor, Self::NoFactorOnDay, Self::FactorCameLater];

    /// The word that stands for it in records and answers.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoProduct => "no_product",
            Self::NoQuantity => "no_quantity",
            Self::NoFactor => "no_factor",
            Self::NoFactorOnDay => "no_factor_on_day",
            Self::FactorCameLater => "factor_came_later",
        }
    }

    /// The reason of that code.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }
}

impl fmt::Display for Incomplete {
    /// A sentence for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoProduct => "No CO2e was supplied, and there is no product to compute it from.",
            Self::NoQuantity => "No CO2e was supplied, and there is no quantity to compute it from.",
            Self::NoFactor => "The product has no emission factor yet.",
            Self::NoFactorOnDay => "None of the product's emission factors holds on the day.",
            Self::FactorCameLater => {
                "A factor of the product that came later holds on the day: recalculate, or write the record again."
            }
        })
    }
}

/// `quantity` in `unit`, times `intensity` per `factor_unit`: rounded half to even once, at the 18th fractional digit.
pub fn emissions(
    quantity: Quantity,
    unit: Unit,
    intensity: Intensity,
    factor_unit: Unit,
) -> Result<Co2e, CalculationError> {
    let ratio = unit.ratio_to(factor_unit).ok_or(CalculationError::Dimension { unit, expected: factor_unit })?;
    let numerators = [quantity.decimal().scaled(), intensity.decimal().scaled(), ratio.numerator()];
    round::quotient(&numerators, &[SCALE, ratio.denominator()])
        .and_then(Decimal::from_wide)
        .map(Co2e::new)
        .ok_or(CalculationError::TooLarge)
}

/// The parts that somebody stated. Each replaces the computed one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SuppliedCo2e {
    /// Before the use.
    pub upstream: Option<Co2e>,
    /// In the use and after it.
    pub downstream: Option<Co2e>,
}

/// Where a factor is looked up.
#[derive(Clone, Copy, Debug)]
pub struct FactorLookup<'a> {
    /// What the quantity is of.
    pub product: &'a Product,
    /// The product's factors.
    pub factors: &'a [Factor],
    /// The day whose factor counts.
    pub day: Day,
}

impl<'a> FactorLookup<'a> {
    /// The factor of the day, or why there is none.
    pub(crate) fn factor(self) -> Result<&'a Factor, Incomplete> {
        let missing = if self.factors.is_empty() { Incomplete::NoFactor } else { Incomplete::NoFactorOnDay };
        factor_on(self.factors, self.day).ok_or(missing)
    }

    /// A unit that the product cannot be counted in is an error, whether or not anything is computed.
    pub(crate) fn check(self, unit: Unit) -> Result<(), CalculationError> {
        unit.check(self.product.unit).map_err(Into::into)
    }
}

/// The parts that count, and where they come from. Its sum is always within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calculation {
    upstream: Option<Co2e>,
    downstream: Option<Co2e>,
    co2e: Option<Co2e>,
    factor: Option<FactorId>,
    reason: Option<Incomplete>,
}

impl Calculation {
    /// The calculation that was stored so; an error when the parts add up to more than 20 integer digits.
    pub fn new(
        upstream: Option<Co2e>,
        downstream: Option<Co2e>,
        factor: Option<FactorId>,
        reason: Option<Incomplete>,
    ) -> Result<Self, CalculationError> {
        let co2e = match (upstream, downstream) {
            (Some(a), Some(b)) => Some(a.checked_add(b).ok_or(CalculationError::TooLarge)?),
            (one, None) | (None, one) => one,
        };
        Ok(Self { upstream, downstream, co2e, factor, reason: reason.filter(|_| co2e.is_none()) })
    }

    /// The upstream emissions, supplied or computed; `None` when it is neither.
    #[must_use]
    pub const fn upstream(&self) -> Option<Co2e> {
        self.upstream
    }

    /// The downstream emissions, supplied or computed; `None` when it is neither.
    #[must_use]
    pub const fn downstream(&self) -> Option<Co2e> {
        self.downstream
    }

    /// The sum of the parts there are; `None` when there is none.
    #[must_use]
    pub const fn co2e(&self) -> Option<Co2e> {
        self.co2e
    }

    /// The factor that a part was computed from.
    #[must_use]
    pub const fn factor(&self) -> Option<FactorId> {
        self.factor
    }

    /// Why there is no CO2e; `None` when there is.
    #[must_use]
    pub const fn reason(&self) -> Option<Incomplete> {
        self.reason
    }
}

/// The parts that count: each as supplied, else as computed from the factor of the day.
pub fn calculate(
    supplied: SuppliedCo2e,
    measured: Option<(Quantity, Unit)>,
    basis: Option<FactorLookup<'_>>,
) -> Result<Calculation, CalculationError> {
    if let (Some((_, unit)), Some(basis)) = (measured, basis) {
        basis.check(unit)?;
    }
    let known = basis
        .ok_or(Incomplete::NoProduct)
        .and_then(|basis| measured.map(|measured| (measured, basis)).ok_or(Incomplete::NoQuantity))
        .and_then(|(measured, basis)| basis.factor().map(|factor| (measured, factor)));
    let ((quantity, unit), factor) = match known {
        Ok(known) => known,
        Err(reason) => return Calculation::new(supplied.upstream, supplied.downstream, None, Some(reason)),
    };
    let terms = factor.terms();
    let computed = |supplied: Option<Co2e>, intensity: Option<Intensity>| {
        let intensity = intensity.filter(|_| supplied.is_none());
        intensity.map(|intensity| emissions(quantity, unit, intensity, terms.unit)).transpose()
    };
    let upstream = computed(supplied.upstream, terms.upstream)?;
    let downstream = computed(supplied.downstream, terms.downstream)?;
    let used = (upstream.is_some() || downstream.is_some()).then_some(factor.id());
    Calculation::new(supplied.upstream.or(upstream), supplied.downstream.or(downstream), used, None)
}
