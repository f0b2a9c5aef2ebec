//! What goes into a model and at which stage it counts, as a chart with the table behind it.

use std::cmp::Reverse;

use domain::{Stage, Total};
use maud::{Markup, html};
use ports::inbound::InputView;

use crate::chart::{Flow, Place, sankey};
use crate::figure::Figures;
use crate::here::Here;

/// So many inputs have a band of their own; the others of a stage share one.
const MOST: usize = 24;

/// The inputs of a stage.
struct OfStage<'a> {
    stage: Option<Stage>,
    place: Place,
    inputs: Vec<(&'a InputView, Total)>,
}

impl OfStage<'_> {
    fn sum(&self) -> Total {
        self.inputs.iter().map(|(_, amount)| *amount).sum()
    }
}

/// The part of the page; nothing where no input is computed.
pub(super) fn section(here: &Here, figures: &Figures, inputs: &[InputView]) -> Markup {
    let stages = by_stage(inputs);
    let flows = flows(here, &stages);
    html! {
        @if !flows.is_empty() {
            section { h2 { "By stage" }
                figure { (sankey("stages", "CO₂e of the model's inputs by stage", &flows, figures)) }
                details.behind { summary { "The figures behind" } (table(here, figures, &stages)) }
            }
        }
    }
}

/// The inputs that are computed, by stage in the order of the life cycle, those without one last but for module D.
fn by_stage(inputs: &[InputView]) -> Vec<OfStage<'_>> {
    let mut stages: Vec<OfStage<'_>> = Vec::new();
    for view in inputs {
        let (input, Some(amount)) = (&view.input.value, view.co2e.map(Total::from)) else { continue };
        let place = if input.is_module_d() { Place::Apart } else { Place::Counted };
        match stages.iter_mut().find(|one| one.stage == input.stage) {
            Some(one) => one.inputs.push((view, amount)),
            None => stages.push(OfStage { stage: input.stage, place, inputs: vec![(view, amount)] }),
        }
    }
    stages.sort_by_key(|one| (one.place == Place::Apart, one.stage.is_none(), one.stage.map(Stage::code)));
    for one in &mut stages {
        one.inputs.sort_by_key(|(_, amount)| Reverse(size(*amount)));
    }
    stages
}

fn size(amount: Total) -> Total {
    if amount < Total::ZERO { -amount } else { amount }
}

fn flows(here: &Here, stages: &[OfStage<'_>]) -> Vec<Flow> {
    let mut sizes: Vec<Total> = stages.iter().flat_map(|one| &one.inputs).map(|(_, amount)| size(*amount)).collect();
    sizes.sort_unstable_by_key(|size| Reverse(*size));
    let least = sizes.get(MOST - 1).copied().unwrap_or_default();
    let (mut flows, mut shown) = (Vec::new(), 0);
    for one in stages {
        let (mut rest, mut count) = (Total::ZERO, 0_usize);
        let flow = |from: String, amount, link| Flow { from, to: called(one.stage), amount, link, place: one.place };
        for (view, amount) in one.inputs.iter().filter(|(_, amount)| !amount.is_zero()) {
            if size(*amount) < least || shown == MOST {
                (rest, count) = (rest + *amount, count + 1);
            } else {
                shown += 1;
                let link = here.path(&format!("/products/{}", view.material.id));
                flows.push(flow(view.input.value.name.to_string(), *amount, Some(link)));
            }
        }
        if count > 0 {
            flows.push(flow(
                here.numbers().counted(count, "other input", "other inputs"),
                rest,
                Some("#inputs".to_owned()),
            ));
        }
    }
    flows
}

fn called(stage: Option<Stage>) -> String {
    stage.map_or_else(|| "Without a stage".to_owned(), |stage| format!("{} {}", stage.code(), stage.name()))
}

fn table(here: &Here, figures: &Figures, stages: &[OfStage<'_>]) -> Markup {
    let total: Total = stages.iter().filter(|one| one.place == Place::Counted).map(OfStage::sum).sum();
    html! {
        div.scroll { table.compact {
            caption { "By stage, in " (figures.heading()) " for the model's whole amount" }
            thead { tr { th scope="col" { "Stage" } th.r scope="col" { "Inputs that are computed" } th.r scope="col" { "CO₂e" } } }
            tbody { @for one in stages { tr {
                th scope="row" { (called(one.stage)) @if one.place == Place::Apart { " " span.tag { "in no total" } } }
                td.r { (here.numbers().count(one.inputs.len())) }
                td.r { (figures.amount(one.sum())) }
            } } }
            tfoot { tr { th scope="row" colspan="2" { "Total without module D" } td.r { (figures.amount(total)) } } }
        } }
    }
}
