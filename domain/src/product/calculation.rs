//! The one computation: quantity times factor, rounded once, for each part that was not supplied.

use crate::amount::decimal::{Decimal, SCALE};
use crate::amount::round;
use crate::amount::{Co2e, Intensity, Quantity};
use crate::calendar::day::Day;
use crate::id::FactorId;
use crate::product::Product;
use crate::product::factor::{Factor, FactorBasis, factor_on};
use crate::product::incomplete::Incomplete;
use crate::setters::setters;
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
#[non_exhaustive]
pub struct SuppliedCo2e {
    /// Before the use.
    pub upstream: Option<Co2e>,
    /// In the use and after it.
    pub downstream: Option<Co2e>,
}

setters! {
    SuppliedCo2e {
        with_upstream = upstream: Option<Co2e>,
        with_downstream = downstream: Option<Co2e>,
    }
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
    /// The factor that the product's rule chose, where it did: it counts where none of the product's own holds.
    pub chosen: Option<&'a Factor>,
}

impl<'a> FactorLookup<'a> {
    /// The factor of the day, or why there is none.
    pub(crate) fn factor(self) -> Result<&'a Factor, Incomplete> {
        factor_on(self.factors, self.day)
            .or(self.chosen)
            .ok_or_else(|| missing_factor(self.factors, Some(self.product)))
    }

    /// Whether the factor depends on the org: the product has none of its own on the day, and a rule.
    pub(crate) fn asks_for_org(self) -> bool {
        self.product.rule.is_some() && factor_on(self.factors, self.day).is_none()
    }

    /// A unit that the product cannot be counted in is an error, whether or not anything is computed.
    pub(crate) fn check(self, unit: Unit) -> Result<(), CalculationError> {
        unit.check(self.product.unit).map_err(Into::into)
    }
}

/// One part of a CO2e and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Supplied(Co2e),
    Computed(Co2e),
}

impl Part {
    const fn co2e(self) -> Co2e {
        match self {
            Self::Supplied(co2e) | Self::Computed(co2e) => co2e,
        }
    }

    const fn supplied(self) -> Option<Co2e> {
        match self {
            Self::Supplied(co2e) => Some(co2e),
            Self::Computed(_) => None,
        }
    }
}

/// What became of an activity's quantity, its supplied parts and its factor: the parts that count and where each comes
/// from, or why there is none. Its sum is always within bounds; it names a factor exactly when a part was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calculation(Outcome);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Known { upstream: Option<Part>, downstream: Option<Part>, co2e: Co2e, factor: Option<FactorId> },
    Incomplete(Incomplete),
}

/// The members of a calculation contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the calculation {0}")]
pub struct Contradiction(&'static str);

/// The members of a calculation, one by one: as a row or a line of a file has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CalculationParts {
    /// The parts that were supplied.
    pub supplied: SuppliedCo2e,
    /// The upstream part that counts.
    pub upstream: Option<Co2e>,
    /// The downstream part that counts.
    pub downstream: Option<Co2e>,
    /// The factor that a part was computed from.
    pub factor: Option<FactorId>,
    /// Why no part counts.
    pub reason: Option<Incomplete>,
}

setters! {
    CalculationParts {
        with_supplied = supplied: SuppliedCo2e,
        with_upstream = upstream: Option<Co2e>,
        with_downstream = downstream: Option<Co2e>,
        with_factor = factor: Option<FactorId>,
        with_reason = reason: Option<Incomplete>,
    }
}

impl Calculation {
    /// The calculation of an activity that nothing was supplied for and nothing can be computed for.
    #[must_use]
    pub const fn incomplete(reason: Incomplete) -> Self {
        Self(Outcome::Incomplete(reason))
    }

    /// The calculation with those members, unless they contradict each other.
    pub fn from_parts(parts: CalculationParts) -> Result<Self, Contradiction> {
        let CalculationParts { supplied, upstream, downstream, factor, reason } = parts;
        let part = |supplied: Option<Co2e>, counts: Option<Co2e>| match (supplied, counts) {
            (None, counts) => Ok(counts.map(Part::Computed)),
            (Some(supplied), Some(counts)) if supplied == counts => Ok(Some(Part::Supplied(supplied))),
            (Some(_), _) => Err(Contradiction("does not count a supplied part")),
        };
        let (upstream, downstream) = (part(supplied.upstream, upstream)?, part(supplied.downstream, downstream)?);
        if is_computed(upstream, downstream) != factor.is_some() {
            return Err(Contradiction(
                "names a factor without a computed part, or has a computed part without a factor",
            ));
        }
        let known = Self::known(upstream, downstream, factor);
        match (known.map_err(|_| Contradiction("has parts that add up beyond 20 digits"))?, reason) {
            (Some(known), None) => Ok(known),
            (None, Some(reason)) => Ok(Self::incomplete(reason)),
            (Some(_), Some(_)) => Err(Contradiction("has a part and a reason why there is none")),
            (None, None) => Err(Contradiction("has neither a part nor a reason why there is none")),
        }
    }

    /// The calculation of those parts, `None` when there is none.
    fn known(
        upstream: Option<Part>,
        downstream: Option<Part>,
        factor: Option<FactorId>,
    ) -> Result<Option<Self>, CalculationError> {
        let co2e = match (upstream.map(Part::co2e), downstream.map(Part::co2e)) {
            (Some(a), Some(b)) => a.checked_add(b).ok_or(CalculationError::TooLarge)?,
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return Ok(None),
        };
        Ok(Some(Self(Outcome::Known { upstream, downstream, co2e, factor })))
    }

    /// Its members, one by one.
    #[must_use]
    pub fn parts(&self) -> CalculationParts {
        CalculationParts {
            supplied: self.supplied(),
            upstream: self.upstream(),
            downstream: self.downstream(),
            factor: self.factor(),
            reason: self.reason(),
        }
    }

    /// The parts that were supplied.
    #[must_use]
    pub fn supplied(&self) -> SuppliedCo2e {
        match self.0 {
            Outcome::Known { upstream, downstream, .. } => SuppliedCo2e {
                upstream: upstream.and_then(Part::supplied),
                downstream: downstream.and_then(Part::supplied),
            },
            Outcome::Incomplete(_) => SuppliedCo2e::default(),
        }
    }

    /// The upstream emissions, supplied or computed; `None` when it is neither.
    #[must_use]
    pub fn upstream(&self) -> Option<Co2e> {
        match self.0 {
            Outcome::Known { upstream, .. } => upstream.map(Part::co2e),
            Outcome::Incomplete(_) => None,
        }
    }

    /// The downstream emissions, supplied or computed; `None` when it is neither.
    #[must_use]
    pub fn downstream(&self) -> Option<Co2e> {
        match self.0 {
            Outcome::Known { downstream, .. } => downstream.map(Part::co2e),
            Outcome::Incomplete(_) => None,
        }
    }

    /// The sum of the parts there are; `None` when there is none.
    #[must_use]
    pub const fn co2e(&self) -> Option<Co2e> {
        match self.0 {
            Outcome::Known { co2e, .. } => Some(co2e),
            Outcome::Incomplete(_) => None,
        }
    }

    /// The factor that a part was computed from.
    #[must_use]
    pub const fn factor(&self) -> Option<FactorId> {
        match self.0 {
            Outcome::Known { factor, .. } => factor,
            Outcome::Incomplete(_) => None,
        }
    }

    /// Why there is no CO2e; `None` when there is.
    #[must_use]
    pub const fn reason(&self) -> Option<Incomplete> {
        match self.0 {
            Outcome::Known { .. } => None,
            Outcome::Incomplete(reason) => Some(reason),
        }
    }
}

/// Whether one of the parts was computed.
fn is_computed(upstream: Option<Part>, downstream: Option<Part>) -> bool {
    [upstream, downstream].iter().flatten().any(|part| part.supplied().is_none())
}

/// Why a product has no factor on a day on which none of its own holds.
pub(crate) fn missing_factor(factors: &[Factor], product: Option<&Product>) -> Incomplete {
    if product.is_some_and(|product| product.rule.is_some()) {
        Incomplete::NoChoice
    } else if factors.iter().all(|factor| factor.is_chosen() || factor.data().basis != FactorBasis::Location) {
        Incomplete::NoFactor
    } else {
        Incomplete::NoFactorOnDay
    }
}

/// The parts that count: each as supplied, else as computed from the factor of the day.
pub fn calculate(
    supplied: SuppliedCo2e,
    measured: Option<(Quantity, Unit)>,
    lookup: Option<FactorLookup<'_>>,
) -> Result<Calculation, CalculationError> {
    if let (Some((_, unit)), Some(lookup)) = (measured, lookup) {
        lookup.check(unit)?;
    }
    let known = lookup
        .ok_or(Incomplete::NoProduct)
        .and_then(|lookup| measured.map(|measured| (measured, lookup)).ok_or(Incomplete::NoQuantity))
        .and_then(|(measured, lookup)| lookup.factor().map(|factor| (measured, factor)));
    let stated = [supplied.upstream, supplied.downstream].map(|part| part.map(Part::Supplied));
    let ([upstream, downstream], factor, reason) = match known {
        Err(reason) => (stated, None, reason),
        Ok(((quantity, unit), factor)) => {
            let data = factor.data();
            let part = |stated: Option<Part>, intensity: Option<Intensity>| match (stated, intensity) {
                (Some(stated), _) => Ok(Some(stated)),
                (None, Some(intensity)) => {
                    emissions(quantity, unit, intensity, data.unit).map(|co2e| Some(Part::Computed(co2e)))
                }
                (None, None) => Ok(None),
            };
            let parts = [part(stated[0], data.upstream)?, part(stated[1], data.downstream)?];
            // A factor has at least one intensity, so there is a part, and no reason is needed.
            (parts, is_computed(parts[0], parts[1]).then_some(factor.id()), Incomplete::NoFactor)
        }
    };
    Ok(Calculation::known(upstream, downstream, factor)?.unwrap_or(Calculation::incomplete(reason)))
}
