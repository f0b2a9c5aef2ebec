//! The footprint of a switch: per one of its unit, from the stored CO2e of its models' inputs.

use std::fmt;

use super::Switch;
use crate::amount::decimal::SCALE;
use crate::amount::round;
use crate::amount::total::Total;
use crate::amount::wide::Wide;
use crate::id::{InputId, ModelId};
use crate::model::Model;
use crate::model::input::Input;
use crate::model::stage::{Group, Stage};
use crate::product::incomplete::Incomplete;
use crate::setters::setters;
use crate::text::Name;
use crate::unit::{DimensionMismatch, Unit};

/// Kilograms of CO2 equivalent per one unit of a switch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SwitchFootprint {
    /// Stages A, B and C, and inputs without a stage.
    pub product_carbon_footprint: Option<Total>,
    /// Stages A1, A2, A3 and their aggregate; `None` when none is declared, and when a source has no inputs yet.
    pub a1_a3: Option<Total>,
    /// Stage D, which belongs to no other figure; `None` when it is not declared, and when a source has no inputs yet.
    pub d: Option<Total>,
    /// Why figures are missing; empty when none is missing for a reason.
    pub issues: Vec<Issue>,
}

setters! {
    SwitchFootprint {
        with_product_carbon_footprint = product_carbon_footprint: Option<Total>,
        with_a1_a3 = a1_a3: Option<Total>,
        with_d = d: Option<Total>,
        with_issues = issues: Vec<Issue>,
    }
}

/// Why a figure of a footprint is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Issue {
    /// The switch has no source.
    NoSource,
    /// The switch has no unit that the footprint could be per.
    NoUnit,
    /// A model makes something that is measured differently.
    Units {
        /// The model that has no total.
        model: ModelId,
        /// What the model is called.
        name: Name,
        /// The unit of what the model makes.
        unit: Unit,
        /// The unit of the switch.
        expected: Unit,
    },
    /// A model has no input: nothing declared is not zero.
    NoInput {
        /// The model whose unit differs in dimension.
        model: ModelId,
        /// What the model is called.
        name: Name,
    },
    /// An input has no CO2e.
    NoCo2e {
        /// The input that has no CO2e.
        input: InputId,
        /// What the input is called.
        name: Name,
        /// The model it goes into.
        model: ModelId,
        /// Why it has none.
        reason: Option<Incomplete>,
    },
    /// No model has an input outside stage D.
    OnlyStageD,
    /// A figure beyond 256 bits.
    TooLarge,
}

impl Issue {
    /// The word that stands for it in answers.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoSource => "no_source",
            Self::NoUnit => "no_unit",
            Self::Units { .. } => "units",
            Self::NoInput { .. } => "no_input",
            Self::NoCo2e { .. } => "no_co2e",
            Self::OnlyStageD => "only_stage_d",
            Self::TooLarge => "too_large",
        }
    }
}

impl fmt::Display for Issue {
    /// A sentence for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSource => f.write_str("The switch has no source model."),
            Self::NoUnit => f.write_str("The switch has no unit that a footprint could be per."),
            Self::Units { model, name, unit, expected } => {
                let mismatch = DimensionMismatch { unit: *unit, expected: *expected };
                write!(f, "Model \"{name}\" ({model}) is per {unit}, the switch per {expected}: {mismatch}.")
            }
            Self::NoInput { model, name } => {
                write!(f, "Model \"{name}\" ({model}) has no input, and nothing declared is not zero.")
            }
            Self::NoCo2e { input, name, model, reason } => {
                write!(f, "Input \"{name}\" ({input}) of model {model} has no CO2e.")?;
                reason.map_or(Ok(()), |reason| write!(f, " {reason}"))
            }
            Self::OnlyStageD => f.write_str("The source models declare nothing outside stage D."),
            Self::TooLarge => f.write_str("A figure is too large to be written."),
        }
    }
}

/// Which inputs a figure sums.
type Counts = fn(Option<Stage>) -> bool;

fn in_product_carbon_footprint(stage: Option<Stage>) -> bool {
    stage.is_none_or(|stage| stage.group() != Group::D)
}

fn in_a1_a3(stage: Option<Stage>) -> bool {
    stage.is_some_and(Stage::is_product_stage)
}

fn in_d(stage: Option<Stage>) -> bool {
    stage.is_some_and(|stage| stage.group() == Group::D)
}

/// A switch with the models that it names as its sources, and no other, each with its inputs.
#[derive(Clone, Debug)]
pub struct SwitchModels<'a> {
    switch: &'a Switch,
    sources: Vec<(&'a Model, &'a [Input])>,
}

impl<'a> SwitchModels<'a> {
    /// The switch with what `find` gives for each of its sources. The error is a source that `find` gives nothing for,
    /// another model, or an input of another model.
    pub fn new(
        switch: &'a Switch,
        find: impl Fn(ModelId) -> Option<(&'a Model, &'a [Input])>,
    ) -> Result<Self, ModelId> {
        let source = |id: &ModelId| {
            let is_it =
                |(model, inputs): &(&Model, &[Input])| model.id == *id && inputs.iter().all(|input| input.model == *id);
            find(*id).filter(is_it).ok_or(*id)
        };
        let sources: Result<Vec<_>, ModelId> = switch.sources.as_slice().iter().map(source).collect();
        Ok(Self { switch, sources: sources? })
    }

    /// The models with their inputs, in the order in which the switch names them.
    pub(crate) fn with_inputs(&self) -> impl Iterator<Item = (&'a Model, &'a [Input])> {
        self.sources.iter().copied()
    }

    /// The models, in the order in which the switch names them.
    pub fn models(&self) -> impl Iterator<Item = &'a Model> {
        self.sources.iter().map(|(model, _)| *model)
    }
}

impl SwitchFootprint {
    /// The footprint of a switch from its models. Each figure is an exact sum, rounded half to even once at the 18th
    /// fractional digit; a figure that an input without CO2e belongs to is missing. While a source has no inputs, every
    /// figure is: none would be whole.
    #[must_use]
    pub fn of(models: &SwitchModels<'_>) -> Self {
        let SwitchModels { switch, sources } = models;
        let mut issues = Vec::new();
        if sources.is_empty() {
            issues.push(Issue::NoSource);
        }
        let Some(unit) = switch.unit else {
            issues.push(Issue::NoUnit);
            return Self { issues, ..Self::default() };
        };
        let scales = Scale::of_each(unit, sources, &mut issues);
        issues.extend(incomplete(sources));
        let Some(scales) = scales.filter(|_| !sources.is_empty()) else {
            return Self { issues, ..Self::default() };
        };
        if sources.iter().any(|(_, inputs)| inputs.is_empty()) {
            return Self { issues, ..Self::default() };
        }
        let mut figure = |counts| {
            figure(&scales, sources, counts).unwrap_or_else(|issue| {
                issues.push(issue);
                None
            })
        };
        let product_carbon_footprint = figure(in_product_carbon_footprint);
        let (a1_a3, d) = (figure(in_a1_a3), figure(in_d));
        Self { product_carbon_footprint, a1_a3, d, issues }
    }
}

/// What keeps figures from being complete, model by model.
fn incomplete(sources: &[(&Model, &[Input])]) -> Vec<Issue> {
    let mut issues = Vec::new();
    for (model, inputs) in sources {
        if inputs.is_empty() {
            issues.push(Issue::NoInput { model: model.id, name: model.name.clone() });
        }
        issues.extend(inputs.iter().filter(|input| input.calculation.co2e().is_none()).map(|input| Issue::NoCo2e {
            input: input.id,
            name: input.name.clone(),
            model: model.id,
            reason: input.calculation.reason(),
        }));
    }
    let mut inputs = sources.iter().flat_map(|(_, inputs)| *inputs).peekable();
    if inputs.peek().is_some() && inputs.all(|input| in_d(input.stage)) {
        issues.push(Issue::OnlyStageD);
    }
    issues
}

/// What the CO2e of a model's inputs is multiplied with and divided by to be per one unit of the switch.
struct Scale {
    numerator: Wide,
    denominator: Wide,
}

impl Scale {
    /// The scale of each source; `None` when a unit cannot be brought to the switch's, which is noted.
    fn of_each(unit: Unit, sources: &[(&Model, &[Input])], issues: &mut Vec<Issue>) -> Option<Vec<Self>> {
        let mut scales = Vec::new();
        for (model, _) in sources {
            match unit.ratio_to(model.unit) {
                Some(ratio) => scales.push(Self {
                    numerator: &Wide::from(ratio.numerator()) * &SCALE.into(),
                    denominator: &Wide::from(ratio.denominator()) * &model.amount.quantity().decimal().scaled().into(),
                }),
                None => issues.push(Issue::Units {
                    model: model.id,
                    name: model.name.clone(),
                    unit: model.unit,
                    expected: unit,
                }),
            }
        }
        (scales.len() == sources.len()).then_some(scales)
    }
}

/// One figure: `None` when no input belongs to it, or one of them has no CO2e.
fn figure(scales: &[Scale], sources: &[(&Model, &[Input])], counts: Counts) -> Result<Option<Total>, Issue> {
    let (mut top, mut bottom) = (Wide::default(), Wide::from(1));
    let mut declared = false;
    for (scale, (_, inputs)) in scales.iter().zip(sources) {
        let mut sum = Total::ZERO;
        for input in inputs.iter().filter(|input| counts(input.stage)) {
            let Some(co2e) = input.calculation.co2e() else { return Ok(None) };
            sum += co2e.into();
            declared = true;
        }
        top = &(&top * &scale.denominator) + &(&(&sum.wide() * &scale.numerator) * &bottom);
        bottom = &bottom * &scale.denominator;
    }
    if !declared {
        return Ok(None);
    }
    round::wide_quotient(&top, &bottom).map(Total::from_wide).map(Some).ok_or(Issue::TooLarge)
}
