//! What a switch emits, as it is shown.

use domain::{Issue, SwitchFootprint};

use crate::answer_value::{list, text, text_or_null};
use crate::schema::Kind;
use crate::shape::{Member, Shape};

/// What a switch emits, computed when it is read.
pub(super) static FOOTPRINT: Shape<SwitchFootprint, ()> = Shape {
    name: "SwitchFootprint",
    doc: "What a switch emits, computed when it is read.",
    members: &[
        Member::<SwitchFootprint, ()>::new(
            "CO2e",
            Kind::Object(&CO2E),
            "kg of CO2 equivalent per one unit of the switch.",
        )
        .shown(|footprint| CO2E.show(footprint)),
        Member::<SwitchFootprint, ()>::new(
            "issues",
            Kind::List(&Kind::Object(&ISSUE), 1_000),
            "Why a figure is null; empty when none is.",
        )
        .shown(|footprint| list(&footprint.issues, |issue| ISSUE.show(issue))),
    ],
};

static CO2E: Shape<SwitchFootprint, ()> = Shape {
    name: "FootprintCo2e",
    doc: "kg of CO2 equivalent per one unit of a switch.",
    members: &[
        Member::<SwitchFootprint, ()>::new(
            "productCarbonFootprint",
            Kind::Amount,
            "Stages A, B and C, and inputs without a stage.",
        )
        .shown_or_null(|footprint| text_or_null(footprint.product_carbon_footprint)),
        Member::<SwitchFootprint, ()>::new(
            "A1_A3",
            Kind::Amount,
            "Stages A1, A2, A3 and their aggregate; null when none is declared, or a model has no inputs yet.",
        )
        .shown_or_null(|footprint| text_or_null(footprint.a1_a3)),
        Member::<SwitchFootprint, ()>::new(
            "D",
            Kind::Amount,
            "Module D, which is part of no other figure; null when it is not declared, or a model has no inputs yet.",
        )
        .shown_or_null(|footprint| text_or_null(footprint.d)),
    ],
};

fn codes() -> Vec<&'static str> {
    vec!["no_source", "no_unit", "units", "no_input", "no_co2e", "only_stage_d", "too_large"]
}

static ISSUE: Shape<Issue, ()> = Shape {
    name: "FootprintIssue",
    doc: "Why a figure is missing.",
    members: &[
        Member::<Issue, ()>::new("code", Kind::Word(codes), "A word for programs.").shown(|issue| text(issue.code())),
        Member::<Issue, ()>::new("detail", Kind::Text(1, 10_000), "A sentence for people.").shown(|issue| text(issue)),
    ],
};
