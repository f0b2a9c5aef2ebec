//! Switches: listing, adding, changing and removing them.

use actix_web::{HttpRequest, HttpResponse, web};
use domain::{Faults, ImageAddress, MAX_SOURCES, Name, SwitchId, SyncId, Unit};
use files::{Json, Members, Reader};
use ports::inbound::{Error, SwitchDraft};
use utoipa::{OpenApi, ToSchema};

use super::Switch;
use crate::answer::{self, Page};
use crate::body::{Body, Patch};
use crate::caller::Caller;
use crate::condition::IfMatch;
use crate::parameter::{BySyncId, Paging, Seen};
use crate::path::At;
use crate::problem::{Problem, Reading, Writing};
use crate::query::{NoQuery, Query};
use crate::routes::Operation;
use crate::service::Service;
use crate::wire::ReferenceDraft;

/// What a body may not change.
const READ_ONLY: &[&str] = &["uuid", "image", "sources", "footprint", "created", "updated"];

/// What this area does.
pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::get("/v1/switch", list_switches),
        Operation::post("/v1/switch", create_switch),
        Operation::patch("/v1/switch/{uuid}", update_switch),
        Operation::delete("/v1/switch/{uuid}", remove_switch),
        Operation::put("/v1/switch/{uuid}/sources", put_switch_sources),
        Operation::put("/v1/switch/{uuid}/image", put_switch_image),
    ]
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(list_switches, create_switch, update_switch, remove_switch, put_switch_sources, put_switch_image))]
pub(crate) struct Document;

/// A new switch.
#[derive(ToSchema)]
#[schema(as = SwitchDraft, rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct NewSwitch {
    /// What it is called: 1 to 255 characters.
    name: String,
    /// What another system calls it: unique.
    sync_id: Option<String>,
    /// The code of the unit that its footprint is counted per.
    #[schema(example = "kg")]
    unit: Option<String>,
}

/// A change of a switch.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct SwitchChange {
    /// What it is called: 1 to 255 characters.
    name: Option<String>,
    /// What another system calls it: unique.
    sync_id: Option<String>,
    /// The code of the unit that its footprint is counted per.
    unit: Option<String>,
}

/// The address of a switch's image.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct SwitchImage {
    /// An http or https address, which is stored and never fetched; null clears it.
    #[schema(required)]
    image: Option<String>,
}

fn draft(json: &Json) -> Result<SwitchDraft, Problem> {
    let mut members = Reader::new(json, Members::Given).map_err(Problem::invalid)?;
    let mut draft = SwitchDraft {
        name: members.text("name", Name::parse),
        sync_id: members.text("syncId", SyncId::parse),
        unit: members.text("unit", Unit::parse),
        ..SwitchDraft::default()
    };
    members.read_only(READ_ONLY);
    draft.faults = members.finish();
    Ok(draft)
}

async fn version(service: &Service, caller: &Caller, id: SwitchId) -> Result<domain::Version, Error> {
    Ok(service.areas().switches.get(caller, id).await?.switch.version)
}

/// The switches, page by page.
///
/// Needs the permission switch:read.
#[utoipa::path(
    get,
    path = "/v1/switch",
    tag = "Switches",
    security(("bearer" = [])),
    params(
        Paging,
        BySyncId,
    ),
    responses((status = 200, description = "The page", body = inline(Page<Switch>)), Reading)
)]
pub(crate) async fn list_switches(
    caller: Caller,
    mut query: Query,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (sync_id, page) = (query.sync_id(), query.page());
    query.finish()?;
    let listing = service.areas().switches.list(&caller, sync_id, page).await?;
    answer::json(&Page::of(listing, Switch::of))
}

/// Adds a switch.
///
/// Needs the permission switch:write.
#[utoipa::path(
    post,
    path = "/v1/switch",
    tag = "Switches",
    security(("bearer" = [])),
    request_body = NewSwitch,
    responses((status = 201, description = "The switch", body = Switch, headers(("Location" = String, description = "Its address"), ("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn create_switch(
    caller: Caller,
    _: NoQuery,
    body: Body,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().switches.add(&caller, draft(&body.0)?).await?;
    let location = format!("{}/v1/switch/{}", service.base_url(&request), view.switch.value.id);
    answer::created(&location, view.switch.version, &Switch::of(view))
}

/// Changes a switch: members that are left out stay, null clears.
///
/// Needs the permission switch:write.
#[utoipa::path(
    patch,
    path = "/v1/switch/{uuid}",
    tag = "Switches",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The switch"),
        Seen,
    ),
    request_body(content = SwitchChange, content_type = "application/merge-patch+json"),
    responses((status = 200, description = "The switch", body = Switch, headers(("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn update_switch(
    caller: Caller,
    At(id): At<SwitchId>,
    seen: IfMatch,
    _: NoQuery,
    body: Patch,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let draft = draft(&body.0)?;
    let seen = seen.seen(version(&service, &caller, id)).await?;
    let view = service.areas().switches.update(&caller, id, seen, draft).await?;
    answer::changed(view.switch.version, &Switch::of(view))
}

/// Removes a switch.
///
/// Needs the permission switch:write.
#[utoipa::path(
    delete,
    path = "/v1/switch/{uuid}",
    tag = "Switches",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The switch"),
        Seen,
    ),
    responses((status = 204, description = "It is gone"), Writing)
)]
pub(crate) async fn remove_switch(
    caller: Caller,
    At(id): At<SwitchId>,
    seen: IfMatch,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let seen = seen.seen(version(&service, &caller, id)).await?;
    service.areas().switches.remove(&caller, id, seen).await?;
    Ok(answer::removed())
}

/// Says which models a switch's footprint is computed from: at most 100, each once.
///
/// Needs the permission switch:write.
#[utoipa::path(
    put,
    path = "/v1/switch/{uuid}/sources",
    tag = "Switches",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The switch"),
        Seen,
    ),
    request_body = Vec<ReferenceDraft>,
    responses((status = 200, description = "The switch", body = Switch, headers(("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn put_switch_sources(
    caller: Caller,
    At(id): At<SwitchId>,
    seen: IfMatch,
    _: NoQuery,
    body: Body,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let mut faults = Faults::new();
    let sources = files::references(&body.0, MAX_SOURCES, &mut faults);
    let seen = seen.seen(version(&service, &caller, id)).await?;
    let view = service.areas().switches.put_sources(&caller, id, seen, sources, faults).await?;
    answer::changed(view.switch.version, &Switch::of(view))
}

/// Sets or clears the address of a switch's image.
///
/// Needs the permission switch:write.
#[utoipa::path(
    put,
    path = "/v1/switch/{uuid}/image",
    tag = "Switches",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The switch"),
        Seen,
    ),
    request_body = SwitchImage,
    responses((status = 200, description = "The switch", body = Switch, headers(("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn put_switch_image(
    caller: Caller,
    At(id): At<SwitchId>,
    seen: IfMatch,
    _: NoQuery,
    body: Body,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let mut members = Reader::new(&body.0, Members::Given).map_err(Problem::invalid)?;
    let image = members.text("image", ImageAddress::parse);
    if matches!(image, ports::inbound::Field::Absent) {
        members.fault("image", "is required; null clears it");
    }
    let faults = members.finish();
    let seen = seen.seen(version(&service, &caller, id)).await?;
    let view = service.areas().switches.put_image(&caller, id, seen, image, faults).await?;
    answer::changed(view.switch.version, &Switch::of(view))
}
