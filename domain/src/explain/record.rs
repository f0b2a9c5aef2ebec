//! The explanations of records: from what they store and the factor that they name.

use super::multiplication::Multiplication;
use super::{CitedFactor, Explained, ExplainedMarket, Explanation, Figures, Part, Term, Unexplained};
use crate::activity::{Activity, Measured, Stated};
use crate::aggregate::measure::Measures;
use crate::amount::Co2e;
use crate::calendar::day::Day;
use crate::gas::emitted::{EmittedGas, GasFactor};
use crate::id::{FactorId, ProductId};
use crate::model::input::Input;
use crate::product::calculation::CalculationError;
use crate::product::factor::Factor;
use crate::product::incomplete::Incomplete;

impl Explanation {
    /// How the CO2e of an activity comes about. `factor` is the one that the activity names, wherever it was looked up; any
    /// other counts as not there.
    pub fn of_activity(activity: &Activity, factor: Option<CitedFactor>) -> Result<Self, Unexplained> {
        let calculation = &activity.calculation;
        let factor = named(calculation.factor(), factor, activity.product)?;
        if let Some(reason) = calculation.reason() {
            fits(reason, activity.product.is_some(), activity.measured.is_some())?;
        }
        let supplied = calculation.supplied();
        let terms = [(Part::Upstream, supplied.upstream), (Part::Downstream, supplied.downstream)];
        let terms: Result<Vec<_>, Unexplained> = terms
            .into_iter()
            .map(|(part, supplied)| Ok((part, term(part, supplied, activity.measured, factor.as_ref())?)))
            .collect();
        let gases = gases(activity.measured, factor.as_ref())?;
        let figures = Figures {
            parts: vec![calculation.upstream(), calculation.downstream()],
            co2e: calculation.co2e(),
            measures: activity.measures.clone(),
        };
        Ok(Self {
            of: Explained::Activity(activity.id),
            day: activity.span.first(),
            measured: activity.measured,
            product: activity.product,
            factor,
            terms: terms?,
            reason: calculation.reason(),
            stored: figures,
            gases,
            stated: activity.stated.clone(),
            market: None,
        })
    }

    /// The same with what counts in the market. `factor` is the one that the activity names for it; any other counts as not
    /// there.
    pub fn with_market(self, factor: Option<&Factor>) -> Result<Self, Unexplained> {
        let Some(market) = self.stated.market.clone() else { return Ok(self) };
        let id = market.factor;
        let factor = factor.filter(|factor| factor.id() == id).ok_or(Unexplained::NoFactor(id))?;
        let measured = self.measured.ok_or(Unexplained::NoQuantity(id))?;
        let data = factor.data();
        let parts = [data.upstream, data.downstream].into_iter().flatten();
        let terms = parts.map(|intensity| Multiplication::new(measured, intensity, data.unit));
        let terms = terms.collect::<Result<Vec<_>, _>>()?;
        Ok(Self { market: Some(ExplainedMarket { market, source: data.source.clone(), terms }), ..self })
    }

    /// How the CO2e of an input comes about, whose model has that reference date. `factor` as for an activity.
    pub fn of_input(input: &Input, reference_date: Day, factor: Option<CitedFactor>) -> Result<Self, Unexplained> {
        let calculation = input.calculation;
        let factor = named(calculation.factor(), factor, Some(input.material))?;
        if let Some(reason) = calculation.reason() {
            fits(reason, true, true)?;
        }
        let measured = Measured { quantity: input.quantity, unit: input.unit };
        let only = term(Part::Both, None, Some(measured), factor.as_ref())?;
        Ok(Self {
            of: Explained::Input(input.id),
            day: reference_date,
            measured: Some(measured),
            product: Some(input.material),
            factor,
            terms: vec![(Part::Both, only)],
            reason: calculation.reason(),
            stored: Figures { parts: vec![calculation.co2e()], co2e: calculation.co2e(), measures: Measures::NONE },
            gases: Vec::new(),
            stated: Stated::NONE,
            market: None,
        })
    }
}

/// The factor that a record names, which must be there and be one of its product.
fn named(
    id: Option<FactorId>,
    found: Option<CitedFactor>,
    product: Option<ProductId>,
) -> Result<Option<CitedFactor>, Unexplained> {
    let Some(id) = id else { return Ok(None) };
    let cited = found.filter(|cited| cited.factor.id() == id).ok_or(Unexplained::NoFactor(id))?;
    if product == Some(cited.factor.product()) { Ok(Some(cited)) } else { Err(Unexplained::OtherProduct(id)) }
}

/// Where a part comes from: what was given, else what the factor makes of the quantity.
fn term(
    part: Part,
    supplied: Option<Co2e>,
    measured: Option<Measured>,
    factor: Option<&CitedFactor>,
) -> Result<Term, Unexplained> {
    if let Some(supplied) = supplied {
        return Ok(Term::Supplied(supplied));
    }
    let Some(cited) = factor else { return Ok(Term::Absent) };
    let measured = measured.ok_or_else(|| Unexplained::NoQuantity(cited.factor.id()))?;
    let Some(intensity) = cited.intensity(part) else {
        let is_too_large = part == Part::Both;
        return if is_too_large { Err(CalculationError::TooLarge.into()) } else { Ok(Term::Absent) };
    };
    Ok(Term::Computed(Multiplication::new(measured, intensity, cited.factor.data().unit)?))
}

/// The gases of the factor, and what the quantity emits of each.
fn gases(
    measured: Option<Measured>,
    factor: Option<&CitedFactor>,
) -> Result<Vec<(GasFactor, EmittedGas)>, Unexplained> {
    let (Some(measured), Some(cited)) = (measured, factor) else { return Ok(Vec::new()) };
    let data = cited.factor.data();
    let factors = data.gas_factors();
    let emitted = EmittedGas::of(measured, data.unit, &factors)?;
    Ok(factors.into_iter().zip(emitted).collect())
}

/// Whether the reason why there is no CO2e is one that such a record can have.
fn fits(reason: Incomplete, has_product: bool, has_quantity: bool) -> Result<(), Unexplained> {
    let expected = match reason {
        Incomplete::NoProduct => !has_product,
        Incomplete::NoQuantity => has_product && !has_quantity,
        Incomplete::NoFactor | Incomplete::NoFactorOnDay | Incomplete::NoChoice => has_product && has_quantity,
    };
    if expected { Ok(()) } else { Err(Unexplained::Reason(reason)) }
}
