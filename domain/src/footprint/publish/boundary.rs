//! Which of a model's inputs a footprint counts, by their life-cycle stages.

use std::collections::BTreeMap;

use super::{Findings, SourcedInput};
use crate::amount::total::Total;
use crate::model::stage::{Group, Stage};

/// Where a stage's emissions stand in a footprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Counted {
    /// In the footprint: from the cradle to the gate.
    Footprint,
    /// In `outboundLogisticsGhgEmissions`, beside the footprint.
    OutboundLogistics,
    /// In no amount: beyond the gate.
    LeftOut,
}

impl Counted {
    /// All, by their words.
    pub const ALL: [Self; 3] = [Self::Footprint, Self::OutboundLogistics, Self::LeftOut];

    /// Where inputs of that stage are counted. A stage A1-A3, and an input that is at no stage, are part of making it.
    #[must_use]
    pub fn of(stage: Option<Stage>) -> Self {
        let Some(stage) = stage else { return Self::Footprint };
        match (stage.group(), stage.code()) {
            (Group::A, "A4") => Self::OutboundLogistics,
            (Group::A, "A5") | (Group::B | Group::C | Group::D, _) => Self::LeftOut,
            (Group::A, _) => Self::Footprint,
        }
    }

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Footprint => "footprint",
            Self::OutboundLogistics => "outboundLogistics",
            Self::LeftOut => "leftOut",
        }
    }
}

/// What the inputs of a stage come to, for the model's whole amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageSum {
    /// The stage; `None` of inputs without one.
    pub stage: Option<Stage>,
    /// In kg; `None` where an input of a stage that is left out has no CO2e.
    pub co2e: Option<Total>,
    /// Where it is counted.
    pub counted: Counted,
}

/// The inputs by stage.
pub(super) struct Boundary<'a> {
    inputs: &'a [SourcedInput<'a>],
}

/// The inputs by stage. One that is counted and has no CO2e is a fault.
pub(super) fn of<'a>(inputs: &'a [SourcedInput<'a>], found: &mut Findings) -> Boundary<'a> {
    let boundary = Boundary { inputs };
    for (counted, pointer) in [
        (Counted::Footprint, "/pcf/pcfExcludingBiogenicUptake"),
        (Counted::OutboundLogistics, "/pcf/outboundLogisticsGhgEmissions"),
    ] {
        for SourcedInput { input, .. } in boundary.counted(counted) {
            if let Some(reason) = input.calculation.reason() {
                let detail = format!("cannot be computed: input {:?} has no CO2e. {reason}", input.name.as_str());
                found.faults.add(pointer, detail);
            }
        }
    }
    if boundary.counted(Counted::Footprint).next().is_none() {
        let detail = "cannot be computed: the model has no input of stages A0 to A3 or without a stage";
        found.faults.add("/pcf/pcfExcludingBiogenicUptake", detail);
    }
    boundary
}

impl<'a> Boundary<'a> {
    /// The inputs that are counted there.
    pub(super) fn counted(&self, counted: Counted) -> impl Iterator<Item = &'a SourcedInput<'a>> + use<'a> {
        self.inputs.iter().filter(move |one| Counted::of(one.input.stage) == counted)
    }

    /// What the inputs that are counted there come to; `None` where one has no CO2e.
    pub(super) fn sum(&self, counted: Counted) -> Option<Total> {
        self.counted(counted).map(|one| one.input.calculation.co2e().map(Total::from)).sum()
    }

    /// What the inputs of each stage come to, in the order of the life cycle.
    pub(super) fn sums(&self) -> Vec<StageSum> {
        let mut sums: BTreeMap<Option<Stage>, Option<Total>> = BTreeMap::new();
        for SourcedInput { input, .. } in self.inputs {
            let sum = sums.entry(input.stage).or_insert(Some(Total::ZERO));
            *sum = sum.and_then(|sum| Some(sum + Total::from(input.calculation.co2e()?)));
        }
        sums.into_iter().map(|(stage, co2e)| StageSum { stage, co2e, counted: Counted::of(stage) }).collect()
    }

    /// The boundary in words.
    pub(super) fn told(&self) -> String {
        let sums = self.sums();
        let named = |counted| {
            let of = sums.iter().filter(|sum| sum.counted == counted);
            let names = of.map(|sum| match sum.stage {
                Some(stage) => format!("{stage} {}", stage.name()),
                None => "inputs without a stage".to_owned(),
            });
            names.collect::<Vec<_>>().join(", ")
        };
        let mut told = format!("Cradle to gate: {}.", named(Counted::Footprint));
        if !named(Counted::OutboundLogistics).is_empty() {
            told.push_str(" Beside it as outbound logistics: A4 Transport to the site.");
        }
        let left_out = named(Counted::LeftOut);
        if !left_out.is_empty() {
            told += &[" Beyond the gate, and in no amount: ", &left_out, "."].concat();
        }
        told
    }
}
