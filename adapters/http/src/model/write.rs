//! Models: listing, reading, adding, changing and removing them.

use actix_web::{HttpRequest, HttpResponse, web};
use domain::{Day, ModelId, Name, Quantity, SyncId, Unit};
use files::{Json, Members, Reader};
use ports::inbound::{Error, ModelDraft, ModelView};
use serde::Serialize;
use utoipa::{OpenApi, ToSchema};
use uuid::Uuid;

use crate::answer::{self, Page};
use crate::body::{Body, Patch};
use crate::caller::Caller;
use crate::condition::{IfChanged, IfMatch};
use crate::parameter::{BySyncId, Known, Paging, Seen};
use crate::path::At;
use crate::problem::{Problem, Reading, ReadingOne, Writing};
use crate::query::{NoQuery, Query};
use crate::routes::Operation;
use crate::service::Service;
use crate::wire::{Amount, Number, Time};

/// What this area does.
pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::get("/v1/model", list_models),
        Operation::post("/v1/model", create_model),
        Operation::get("/v1/model/{uuid}", get_model),
        Operation::patch("/v1/model/{uuid}", update_model),
        Operation::delete("/v1/model/{uuid}", remove_model),
    ]
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(list_models, create_model, get_model, update_model, remove_model))]
pub(crate) struct Document;

/// A bill of inputs that makes an amount of something.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Model {
    /// Identifies it.
    uuid: Uuid,
    /// What another system calls it.
    #[schema(required)]
    sync_id: Option<String>,
    /// What it is called.
    name: String,
    /// The code of the unit that its amount is counted in.
    #[schema(example = "kg")]
    unit: &'static str,
    /// How much its inputs make.
    amount: Number,
    /// The day whose factors count.
    #[schema(format = Date, example = "2025-01-01")]
    reference_date: String,
    /// kg of CO2 equivalent per one unit; null without inputs or when one has no CO2e.
    #[serde(rename = "CO2e")]
    #[schema(required)]
    co2e: Option<Amount>,
    /// When it was added.
    created: Time,
    /// When it was last changed.
    updated: Time,
}

impl Model {
    fn of(view: ModelView) -> Self {
        let stored = view.model;
        let model = stored.value;
        Self {
            uuid: model.id.uuid(),
            sync_id: model.sync_id.map(|id| id.to_string()),
            name: model.name.to_string(),
            unit: model.unit.code(),
            amount: Number::of(model.amount.quantity()),
            reference_date: model.reference_date.to_string(),
            co2e: view.co2e.map(Amount::of),
            created: stored.created.into(),
            updated: stored.updated.into(),
        }
    }
}

macro_rules! bodies {
    ($($(#[$doc:meta])* $name:ident: $required:ty;)*) => {$(
        $(#[$doc])*
        #[derive(ToSchema)]
        #[schema(rename_all = "camelCase")]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "describes the body")]
        pub(crate) struct $name {
            /// What it is called: 1 to 255 characters.
            name: $required,
            /// What another system calls it: unique.
            sync_id: Option<String>,
            /// The code of the unit that its amount is counted in.
            #[schema(example = "kg")]
            unit: $required,
            /// How much its inputs make: above 0, 1 unless given. A string is read too.
            amount: Option<Number>,
            /// The day whose factors count; the day it is added unless given.
            #[schema(format = Date)]
            reference_date: Option<String>,
        }
    )*};
}

bodies! {
    /// A new model.
    NewModel: String;
    /// A change of a model. Another reference date computes its inputs anew.
    ModelChange: Option<String>;
}

fn draft(json: &Json) -> Result<ModelDraft, Problem> {
    let mut members = Reader::new(json, Members::Given).map_err(Problem::invalid)?;
    let mut draft = ModelDraft {
        name: members.text("name", Name::parse),
        sync_id: members.text("syncId", SyncId::parse),
        unit: members.text("unit", Unit::parse),
        amount: members.amount("amount", Quantity::parse),
        reference_date: members.text("referenceDate", Day::parse),
        ..ModelDraft::default()
    };
    members.read_only(&["uuid", "CO2e", "created", "updated"]);
    draft.faults = members.finish();
    Ok(draft)
}

async fn version(service: &Service, caller: &Caller, id: ModelId) -> Result<domain::Version, Error> {
    Ok(service.areas().models.get(caller, id).await?.model.version)
}

/// The models, page by page.
///
/// Needs the permission model:read.
#[utoipa::path(
    get,
    path = "/v1/model",
    tag = "Models",
    security(("bearer" = [])),
    params(
        Paging,
        BySyncId,
    ),
    responses((status = 200, description = "The page", body = inline(Page<Model>)), Reading)
)]
pub(crate) async fn list_models(
    caller: Caller,
    mut query: Query,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (sync_id, page) = (query.sync_id(), query.page());
    query.finish()?;
    let listing = service.areas().models.list(&caller, sync_id, page).await?;
    answer::json(&Page::of(listing, Model::of))
}

/// Adds a model, without inputs.
///
/// Needs the permission model:write.
#[utoipa::path(
    post,
    path = "/v1/model",
    tag = "Models",
    security(("bearer" = [])),
    request_body = NewModel,
    responses((status = 201, description = "The model", body = Model, headers(("Location" = String, description = "Its address"), ("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn create_model(
    caller: Caller,
    _: NoQuery,
    body: Body,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().models.add(&caller, draft(&body.0)?).await?;
    let location = format!("{}/v1/model/{}", service.base_url(&request), view.model.value.id);
    answer::created(&location, view.model.version, &Model::of(view))
}

/// One model.
///
/// Needs the permission model:read.
#[utoipa::path(
    get,
    path = "/v1/model/{uuid}",
    tag = "Models",
    security(("bearer" = [])),
    params(("uuid" = Uuid, Path, description = "The model"), Known),
    responses((status = 200, description = "The model", body = Model, headers(("ETag" = String, description = "Its version"))), ReadingOne)
)]
pub(crate) async fn get_model(
    caller: Caller,
    At(id): At<ModelId>,
    conditions: IfChanged,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().models.get(&caller, id).await?;
    answer::record(&conditions, view.model.version, &Model::of(view))
}

/// Changes a model: members that are left out stay, null clears.
///
/// Needs the permission model:write.
#[utoipa::path(
    patch,
    path = "/v1/model/{uuid}",
    tag = "Models",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The model"),
        Seen,
    ),
    request_body(content = ModelChange, content_type = "application/merge-patch+json"),
    responses((status = 200, description = "The model", body = Model, headers(("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn update_model(
    caller: Caller,
    At(id): At<ModelId>,
    seen: IfMatch,
    _: NoQuery,
    body: Patch,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let draft = draft(&body.0)?;
    let seen = seen.seen(version(&service, &caller, id)).await?;
    let view = service.areas().models.update(&caller, id, seen, draft).await?;
    answer::changed(view.model.version, &Model::of(view))
}

/// Removes a model that no switch is computed from, with its inputs.
///
/// Needs the permission model:write.
#[utoipa::path(
    delete,
    path = "/v1/model/{uuid}",
    tag = "Models",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The model"),
        Seen,
    ),
    responses((status = 204, description = "It is gone"), Writing)
)]
pub(crate) async fn remove_model(
    caller: Caller,
    At(id): At<ModelId>,
    seen: IfMatch,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let seen = seen.seen(version(&service, &caller, id)).await?;
    service.areas().models.remove(&caller, id, seen).await?;
    Ok(answer::removed())
}
