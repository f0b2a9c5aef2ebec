//! Inputs of models: what goes into them, in their order.

mod write;

use actix_web::{HttpResponse, web};
use domain::ModelId;
use ports::inbound::InputView;
use serde::Serialize;
use utoipa::{OpenApi, ToSchema};
use uuid::Uuid;

use crate::answer::{self, Page};
use crate::caller::Caller;
use crate::operation::Operation;
use crate::parameter::{BySyncId, Paging};
use crate::path::PathId;
use crate::problem::{Problem, Reading};
use crate::query::Query;
use crate::service::Service;
use crate::wire::{Amount, Number, Reference, Time};

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    let list = Operation::get("/v1/model/{uuid}/input", list_inputs);
    [list].into_iter().chain(write::operations()).collect()
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(list_inputs))]
pub(crate) struct Document;

pub(crate) use write::Document as WritingDocument;

/// How much of a material goes into a model.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ModelInput)]
pub(crate) struct Input {
    /// Identifies it.
    uuid: Uuid,
    /// What it is called.
    name: String,
    /// What another system calls it.
    #[schema(required)]
    sync_id: Option<String>,
    /// How much, for the model's whole amount.
    quantity: Number,
    /// The code of the quantity's unit.
    #[schema(example = "kg")]
    unit: &'static str,
    /// Its place among the inputs.
    order: i32,
    /// The product it consists of.
    material: Reference,
    /// The block of the model it stands in.
    #[schema(required)]
    block: Option<Reference>,
    /// The life-cycle stage it belongs to.
    #[schema(required)]
    lifecycle_stage: Option<Stage>,
    /// When it was added.
    created: Time,
    /// When it was last changed.
    updated: Time,
    /// kg of CO2 equivalent; null when it could not be computed.
    #[serde(rename = "CO2e")]
    #[schema(required)]
    co2e: Option<Amount>,
}

/// A life-cycle stage (EN 15804).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LifecycleStage)]
pub(crate) struct Stage {
    /// Its code.
    #[schema(example = "A1")]
    code: &'static str,
    /// Its name.
    name: &'static str,
}

impl Input {
    /// The input as it is shown.
    pub(crate) fn of(view: InputView) -> Self {
        let stored = view.input;
        let input = stored.value;
        Self {
            uuid: input.id.uuid(),
            name: input.name.to_string(),
            sync_id: input.sync_id.map(|id| id.to_string()),
            quantity: Number::of(input.quantity),
            unit: input.unit.code(),
            order: input.order,
            material: view.material.into(),
            block: view.block.map(Reference::from),
            lifecycle_stage: input.stage.map(|stage| Stage { code: stage.code(), name: stage.name() }),
            created: stored.created.into(),
            updated: stored.updated.into(),
            co2e: view.co2e.map(Amount::of),
        }
    }
}

/// The inputs of a model, page by page, in the order of `order`.
///
/// Needs the permission model:read.
#[utoipa::path(
    get,
    path = "/v1/model/{uuid}/input",
    tag = "Models",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The model"),
        Paging,
        BySyncId,
    ),
    responses((status = 200, description = "The page", body = inline(Page<Input>)), Reading)
)]
pub(crate) async fn list_inputs(
    caller: Caller,
    PathId(model): PathId<ModelId>,
    mut query: Query,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (sync_id, page) = (query.sync_id(), query.page());
    query.finish()?;
    let listing = service.areas().models.list_inputs(&caller, model, sync_id, page).await?;
    answer::json(&Page::of(listing, Input::of))
}
