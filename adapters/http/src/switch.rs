//! Switches and their footprint.

mod write;

use actix_web::{HttpResponse, web};
use domain::{Issue, SwitchFootprint, SwitchId};
use ports::inbound::SwitchView;
use serde::Serialize;
use utoipa::{OpenApi, ToSchema};
use uuid::Uuid;

use crate::answer;
use crate::caller::Caller;
use crate::condition::IfChanged;
use crate::parameter::Known;
use crate::path::At;
use crate::problem::{Problem, ReadingOne};
use crate::query::NoQuery;
use crate::routes::Operation;
use crate::service::Service;
use crate::wire::{Amount, Reference, Time};

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    [Operation::get("/v1/switch/{uuid}", get_switch)].into_iter().chain(write::operations()).collect()
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(get_switch))]
pub(crate) struct Document;

/// Writing in the OpenAPI document.
pub(crate) use write::Document as WritingDocument;

/// A named item whose footprint is computed from models.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Switch {
    /// Identifies it.
    uuid: Uuid,
    /// What another system calls it.
    #[schema(required)]
    sync_id: Option<String>,
    /// What it is called.
    name: String,
    /// The code of the unit that its footprint is counted per.
    #[schema(required, example = "kg")]
    unit: Option<&'static str>,
    /// The address of an image.
    #[schema(required)]
    image: Option<String>,
    /// The models that its footprint is computed from.
    sources: Vec<Reference>,
    /// What it emits.
    footprint: Footprint,
    /// When it was added.
    created: Time,
    /// When it was last changed.
    updated: Time,
}

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
    /// Stages A1, A2, A3 and their aggregate; null when none is declared.
    #[serde(rename = "A1_A3")]
    #[schema(required)]
    a1_a3: Option<Amount>,
    /// Module D, which is part of no other figure; null when it is not declared.
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

impl Switch {
    /// The switch as it is shown.
    pub(crate) fn of(view: SwitchView) -> Self {
        let stored = view.switch;
        let switch = stored.value;
        Self {
            uuid: switch.id.uuid(),
            sync_id: switch.sync_id.map(|id| id.to_string()),
            name: switch.name.to_string(),
            unit: switch.unit.map(domain::Unit::code),
            image: switch.image.map(|image| image.to_string()),
            sources: view.sources.into_iter().map(Reference::from).collect(),
            footprint: Footprint::of(&view.footprint),
            created: stored.created.into(),
            updated: stored.updated.into(),
        }
    }
}

impl Footprint {
    fn of(footprint: &SwitchFootprint) -> Self {
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

/// One switch.
///
/// Needs the permission switch:read.
#[utoipa::path(
    get,
    path = "/v1/switch/{uuid}",
    tag = "Switches",
    security(("bearer" = [])),
    params(("uuid" = Uuid, Path, description = "The switch"), Known),
    responses((status = 200, description = "The switch", body = Switch, headers(("ETag" = String, description = "Its version"))), ReadingOne)
)]
pub(crate) async fn get_switch(
    caller: Caller,
    At(id): At<SwitchId>,
    conditions: IfChanged,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().switches.get(&caller, id).await?;
    answer::record(&conditions, view.switch.version, &Switch::of(view))
}
