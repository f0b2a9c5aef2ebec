//! What a switch emits, as it is shown.

use domain::{Issue, SwitchFootprint};
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::Amount;

/// What a switch emits, computed at reading.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SwitchFootprint)]
pub(crate) struct Footprint {
    /// kg of CO2 equivalent per one unit of the switch.
    #[serde(rename = "CO2e")]
    co2e: FootprintCo2e,
    /// Why a figure is null; empty when none is.
    issues: Vec<FootprintIssue>,
}

/// kg of CO2 equivalent per one unit of a switch.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FootprintCo2e {
    /// Stages A, B and C, and inputs without a stage.
    #[serde(rename = "productCarbonFootprint")]
    #[schema(required)]
    product_carbon_footprint: Option<Amount>,
    /// Stages A1, A2, A3 and their aggregate; null when none is declared, or a model has no inputs yet.
    #[serde(rename = "A1_A3")]
    #[schema(required)]
    a1_a3: Option<Amount>,
    /// Module D, which is part of no other figure; null when it is not declared, or a model has no inputs yet.
    #[serde(rename = "D")]
    #[schema(required)]
    d: Option<Amount>,
}

/// Why a figure is missing.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FootprintIssue {
    /// A word for programs.
    #[schema(example = "no_source")]
    code: &'static str,
    /// A sentence for people.
    detail: String,
}

impl Footprint {
    /// The footprint as it is shown.
    pub(super) fn of(footprint: &SwitchFootprint) -> Self {
        let issue = |issue: &Issue| FootprintIssue { code: issue.code(), detail: issue.to_string() };
        Self {
            co2e: FootprintCo2e {
                product_carbon_footprint: footprint.product_carbon_footprint.map(Amount::of),
                a1_a3: footprint.a1_a3.map(Amount::of),
                d: footprint.d.map(Amount::of),
            },
            issues: footprint.issues.iter().map(issue).collect(),
        }
    }
}
