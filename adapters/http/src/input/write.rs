//! Inputs one by one: reading, adding, changing and removing them.

use actix_web::{HttpRequest, HttpResponse, web};
use domain::{InputId, ModelId, Name, Quantity, Stage, SyncId, Unit};
use files::{Json, Members, Reader};
use ports::inbound::{Error, Field, InputDraft};
use utoipa::{OpenApi, ToSchema};

use super::Input;
use crate::answer;
use crate::body::{Body, Patch};
use crate::caller::Caller;
use crate::condition::{IfChanged, IfMatch};
use crate::operation::Operation;
use crate::parameter::{IfMatchParam, IfNoneMatchParam};
use crate::path::{PathId, PathIds};
use crate::problem::{Problem, ReadingOne, Writing};
use crate::query::NoQuery;
use crate::service::Service;
use crate::wire::{Number, ReferenceDraft};

/// What this area does.
pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::post("/v1/model/{uuid}/input", create_input),
        Operation::get("/v1/model/{uuid}/input/{id}", get_input),
        Operation::patch("/v1/model/{uuid}/input/{id}", update_input),
        Operation::delete("/v1/model/{uuid}/input/{id}", remove_input),
    ]
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(create_input, get_input, update_input, remove_input))]
pub(crate) struct Document;

/// A block of a model, by its name.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct BlockDraft {
    /// What it is called; made once per model.
    name: String,
}

/// A life-cycle stage, by its code.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct StageDraft {
    /// A0 to A5, A1-A3, B1 to B8, C1 to C4 or D (EN 15804; A0 and B8 are those of whole buildings).
    #[schema(example = "A1")]
    code: String,
}

macro_rules! bodies {
    ($($(#[$doc:meta])* $name:ident: $text:ty, $material:ty, $number:ty;)*) => {$(
        $(#[$doc])*
        #[derive(ToSchema)]
        #[schema(rename_all = "camelCase")]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "describes the body")]
        pub(crate) struct $name {
            /// What it is called: 1 to 255 characters.
            name: $text,
            /// What another system calls it: unique.
            sync_id: Option<String>,
            /// The product it consists of.
            material: $material,
            /// The block of the model it stands in.
            block: Option<BlockDraft>,
            /// The life-cycle stage it belongs to.
            lifecycle_stage: Option<StageDraft>,
            /// How much, for the model's whole amount. A string is read too.
            quantity: $number,
            /// The code of the quantity's unit; of the material's dimension.
            #[schema(example = "kg")]
            unit: $text,
            /// Its place among the inputs; behind the last unless given.
            order: Option<i32>,
        }
    )*};
}

bodies! {
    /// A new input of a model.
    NewInput: String, ReferenceDraft, Number;
    /// A change of an input.
    InputChange: Option<String>, Option<ReferenceDraft>, Option<Number>;
}

fn draft(json: &Json) -> Result<InputDraft, Problem> {
    let mut members = Reader::new(json, Members::Given).map_err(Problem::invalid)?;
    let mut draft = InputDraft {
        name: members.text("name", Name::parse),
        sync_id: members.text("syncId", SyncId::parse),
        material: members.reference("material"),
        block: flat(members.object("block", |block| {
            block.ignore(&["uuid"]);
            let name = block.text("name", Name::parse);
            block.require("name", &name);
            name
        })),
        stage: flat(members.object("lifecycleStage", |stage| {
            stage.ignore(&["name"]);
            let code = stage.text("code", Stage::parse);
            stage.require("code", &code);
            code
        })),
        quantity: members.amount("quantity", Quantity::parse),
        unit: members.text("unit", Unit::parse),
        order: match members.integer("order", i64::from(i32::MIN)..=i64::from(i32::MAX)) {
            Field::Given(order) => i32::try_from(order).map_or(Field::Faulty, Field::Given),
            Field::Absent => Field::Absent,
            Field::Null => Field::Null,
            Field::Faulty => Field::Faulty,
        },
        ..InputDraft::default()
    };
    members.read_only(&["uuid", "CO2e", "created", "updated"]);
    draft.faults = members.finish();
    Ok(draft)
}

/// The one member of an object in place of the object.
fn flat<T>(field: Field<Field<T>>) -> Field<T> {
    match field {
        Field::Given(inner) => inner,
        Field::Absent => Field::Absent,
        Field::Null => Field::Null,
        Field::Faulty => Field::Faulty,
    }
}

async fn version(service: &Service, caller: &Caller, model: ModelId, id: InputId) -> Result<ports::Version, Error> {
    Ok(service.areas().models.get_input(caller, model, id).await?.input.version)
}

/// Adds an input to a model.
///
/// Needs the permission model:write.
#[utoipa::path(
    post,
    path = "/v1/model/{uuid}/input",
    tag = "Models",
    security(("bearer" = [])),
    params(("uuid" = Uuid, Path, description = "The model")),
    request_body = NewInput,
    responses((status = 201, description = "The input", body = Input, headers(("Location" = String, description = "Its address"), ("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn create_input(
    caller: Caller,
    PathId(model): PathId<ModelId>,
    _: NoQuery,
    body: Body,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().models.add_input(&caller, model, draft(&body.0)?).await?;
    let base = service.base_url(&request)?;
    let location = format!("{base}/v1/model/{model}/input/{}", view.input.value.id);
    answer::created(&location, view.input.version, &Input::of(view))
}

/// One input of a model.
///
/// Needs the permission model:read.
#[utoipa::path(
    get,
    path = "/v1/model/{uuid}/input/{id}",
    tag = "Models",
    security(("bearer" = [])),
    params(("uuid" = Uuid, Path, description = "The model"), ("id" = Uuid, Path, description = "The input"), IfNoneMatchParam),
    responses((status = 200, description = "The input", body = Input, headers(("ETag" = String, description = "Its version"))), ReadingOne)
)]
pub(crate) async fn get_input(
    caller: Caller,
    PathIds(model, id): PathIds<ModelId, InputId>,
    conditions: IfChanged,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().models.get_input(&caller, model, id).await?;
    answer::record(&conditions, view.input.version, &Input::of(view))
}

/// Changes an input: members that are left out stay, null clears.
///
/// Needs the permission model:write.
#[utoipa::path(
    patch,
    path = "/v1/model/{uuid}/input/{id}",
    tag = "Models",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The model"),
        ("id" = Uuid, Path, description = "The input"),
        IfMatchParam,
    ),
    request_body(content = InputChange, content_type = "application/merge-patch+json"),
    responses((status = 200, description = "The input", body = Input, headers(("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn update_input(
    caller: Caller,
    PathIds(model, id): PathIds<ModelId, InputId>,
    seen: IfMatch,
    _: NoQuery,
    body: Patch,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let draft = draft(&body.0)?;
    let seen = seen.seen(version(&service, &caller, model, id)).await?;
    let view = service.areas().models.update_input(&caller, model, id, seen, draft).await?;
    answer::changed(view.input.version, &Input::of(view))
}

/// Removes an input from a model.
///
/// Needs the permission model:write.
#[utoipa::path(
    delete,
    path = "/v1/model/{uuid}/input/{id}",
    tag = "Models",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The model"),
        ("id" = Uuid, Path, description = "The input"),
        IfMatchParam,
    ),
    responses((status = 204, description = "It is gone"), Writing)
)]
pub(crate) async fn remove_input(
    caller: Caller,
    PathIds(model, id): PathIds<ModelId, InputId>,
    seen: IfMatch,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let seen = seen.seen(version(&service, &caller, model, id)).await?;
    service.areas().models.remove_input(&caller, model, id, seen).await?;
    Ok(answer::removed())
}
