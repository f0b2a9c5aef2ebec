//! How the footprint of a switch, or the total of a model, comes about from the stored CO2e of inputs.

use crate::amount::decimal::SCALE;
use crate::amount::round;
use crate::amount::total::Total;
use crate::amount::wide::Wide;
use crate::amount::{Co2e, Quantity};
use crate::id::{InputId, ModelId, SwitchId};
use crate::model::Model;
use crate::model::input::Input;
use crate::model::stage::{Group, Stage};
use crate::switch::{Issue, Switch, SwitchFootprint, SwitchModels};
use crate::text::Name;
use crate::unit::{Ratio, Unit};

/// How figures per one unit come about: each is the sum of its inputs' CO2e, model by model, brought to that unit, and
/// rounded once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Composition {
    /// The record whose figures they are.
    pub of: Composed,
    /// What the record is called.
    pub name: Name,
    /// What the figures are per one of; `None` of a switch without a unit, which has no figures.
    pub unit: Option<Unit>,
    /// The models, in their order.
    pub sources: Vec<Source>,
    /// The figures as they are shown elsewhere.
    pub figures: Vec<(Figure, Option<Total>)>,
    /// Why figures are missing.
    pub issues: Vec<Issue>,
}

/// A record that is composed of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Composed {
    /// A switch, of the models that are its sources.
    Switch(SwitchId),
    /// A model, of its inputs.
    Model(ModelId),
}

/// A figure of a composition, by the inputs that are in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Stages A, B and C, and inputs without a stage.
    ProductCarbonFootprint,
    /// Stages A1, A2, A3 and their aggregate.
    A1A3,
    /// Stage D, which is in no other figure.
    D,
}

/// What a model gives to the figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The model.
    pub model: ModelId,
    /// What it is called.
    pub name: Name,
    /// How much its inputs make.
    pub amount: Quantity,
    /// The unit of that amount.
    pub unit: Unit,
    /// How many of that unit one of the composition's is; `None` where they measure different things.
    pub conversion: Option<Ratio>,
    /// Its inputs, in their order.
    pub inputs: Vec<SourceInput>,
}

/// An input of a model, as it stands in a composition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceInput {
    /// The input.
    pub id: InputId,
    /// What it is called.
    pub name: Name,
    /// The stage that it belongs to.
    pub stage: Option<Stage>,
    /// Its stored CO2e, for the model's whole amount.
    pub co2e: Option<Co2e>,
}

impl Figure {
    /// Its name in answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ProductCarbonFootprint => "productCarbonFootprint",
            Self::A1A3 => "A1_A3",
            Self::D => "D",
        }
    }

    /// Whether inputs of that stage are in it.
    #[must_use]
    pub fn counts(self, stage: Option<Stage>) -> bool {
        let is_d = stage.is_some_and(|stage| stage.group() == Group::D);
        match self {
            Self::ProductCarbonFootprint => !is_d,
            Self::A1A3 => stage.is_some_and(Stage::is_product_stage),
            Self::D => is_d,
        }
    }
}

impl Source {
    fn of(model: &Model, inputs: &[Input], unit: Option<Unit>) -> Self {
        let input = |input: &Input| SourceInput {
            id: input.id,
            name: input.name.clone(),
            stage: input.stage,
            co2e: input.calculation.co2e(),
        };
        Self {
            model: model.id,
            name: model.name.clone(),
            amount: model.amount.quantity(),
            unit: model.unit,
            conversion: unit.and_then(|unit| unit.ratio_to(model.unit)),
            inputs: inputs.iter().map(input).collect(),
        }
    }

    /// What its inputs in that figure add up to for its whole amount; `None` where there is none, or one has no CO2e.
    #[must_use]
    pub fn sum(&self, figure: Figure) -> Option<Total> {
        let counted = self.inputs.iter().filter(|input| figure.counts(input.stage));
        let parts: Option<Vec<Total>> = counted.map(|input| input.co2e.map(Total::from)).collect();
        parts.filter(|parts| !parts.is_empty()).map(|parts| parts.into_iter().sum())
    }

    /// Numerator and denominator by which its sums become those of one unit.
    fn scale(&self) -> Option<(Wide, Wide)> {
        let conversion = self.conversion?;
        let amount = Wide::from(self.amount.decimal().scaled());
        Some((&Wide::from(conversion.numerator()) * &SCALE.into(), &Wide::from(conversion.denominator()) * &amount))
    }

    /// The share of an input in one unit, rounded half to even at the 18th digit; the figures are not sums of these.
    #[must_use]
    pub fn share(&self, input: &SourceInput) -> Option<Total> {
        let (above, below) = self.scale()?;
        round::wide_quotient(&(&Total::from(input.co2e?).wide() * &above), &below).map(Total::from_wide)
    }
}

impl Composition {
    /// How the footprint of a switch comes about.
    #[must_use]
    pub fn of_switch(switch: &Switch, models: &SwitchModels<'_>) -> Self {
        let SwitchFootprint { product_carbon_footprint, a1_a3, d, issues } = SwitchFootprint::of(models);
        Self {
            of: Composed::Switch(switch.id),
            name: switch.name.clone(),
            unit: switch.unit,
            sources: models.with_inputs().map(|(model, inputs)| Source::of(model, inputs, switch.unit)).collect(),
            figures: vec![
                (Figure::ProductCarbonFootprint, product_carbon_footprint),
                (Figure::A1A3, a1_a3),
                (Figure::D, d),
            ],
            issues,
        }
    }

    /// How the total of a model and its module D come about.
    #[must_use]
    pub fn of_model(model: &Model, inputs: &[Input]) -> Self {
        Self {
            of: Composed::Model(model.id),
            name: model.name.clone(),
            unit: Some(model.unit),
            sources: vec![Source::of(model, inputs, Some(model.unit))],
            figures: vec![(Figure::ProductCarbonFootprint, model.total(inputs)), (Figure::D, model.module_d(inputs))],
            issues: Vec::new(),
        }
    }

    /// The figure computed anew from what stands in the composition: the sums of all models over one common denominator,
    /// rounded once. `None` where it has no such input, one of them has no CO2e, a model has no input, or its unit cannot be
    /// converted.
    #[must_use]
    pub fn replay(&self, figure: Figure) -> Option<Total> {
        let (mut above, mut below, mut is_declared) = (Wide::default(), Wide::from(1), false);
        for source in &self.sources {
            let (numerator, denominator) = source.scale()?;
            if source.inputs.is_empty() {
                return None;
            }
            if source.inputs.iter().any(|input| figure.counts(input.stage)) {
                is_declared = true;
                let sum = &source.sum(figure)?.wide() * &numerator;
                above = &(&above * &denominator) + &(&sum * &below);
                below = &below * &denominator;
            }
        }
        if !is_declared {
            return None;
        }
        round::wide_quotient(&above, &below).map(Total::from_wide)
    }

    /// Whether every figure is what it comes to, digit for digit.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.figures.iter().all(|(figure, shown)| self.replay(*figure) == *shown)
    }
}
