//! Footprints, valid or not: listing, reading, adding, amending and removing them.

use actix_web::{HttpRequest, HttpResponse, web};
use domain::FootprintId;
use files::{Members, Reader};
use ports::Permission;
use ports::inbound::{Error, Field, FootprintDraft};
use utoipa::{OpenApi, ToSchema};

use super::list::OnPage;
use super::record::Shown;
use super::{body, list};
use crate::answer::{self, Page, is_head};
use crate::body::{Body, Patch};
use crate::caller::Caller;
use crate::condition::{IfChanged, IfMatch};
use crate::operation::Operation;
use crate::parameter::{IfMatchParam, IfNoneMatchParam, Paging};
use crate::path::PathId;
use crate::problem::{Problem, ReadingOne, Streaming, Writing};
use crate::query::{NoQuery, Query};
use crate::request_id::RequestId;
use crate::service::Service;
use crate::stream;

/// What this area does.
pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::get("/v1/footprint", list_all_footprints),
        Operation::post("/v1/footprint", create_footprint),
        Operation::get("/v1/footprint/{uuid}", get_footprint),
        Operation::patch("/v1/footprint/{uuid}", amend_footprint),
        Operation::delete("/v1/footprint/{uuid}", remove_footprint),
    ]
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(list_all_footprints, create_footprint, get_footprint, amend_footprint, remove_footprint))]
pub(crate) struct Document;

/// The change of a footprint; anything else is a new footprint that names this one in precedingPfIds.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct FootprintChange {
    /// Deprecated, of one that is Active.
    #[schema(example = "Deprecated")]
    status: Option<String>,
    /// Why.
    status_comment: Option<String>,
}

async fn version(service: &Service, caller: &Caller, id: FootprintId) -> Result<ports::Version, Error> {
    Ok(service.areas().footprints.get(caller, id).await?.footprint.version)
}

/// All footprints, page by page, by their number; each with the rules of PACT that it breaks.
///
/// Needs the permission footprint:read.
#[utoipa::path(
    get,
    path = "/v1/footprint",
    tag = "Footprints",
    security(("bearer" = [])),
    params(
        Paging,
    ),
    responses((status = 200, description = "The page", body = inline(Page<Shown>)), Streaming)
)]
pub(crate) async fn list_all_footprints(
    caller: Caller,
    mut query: Query,
    id: RequestId,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let page = query.page();
    query.finish()?;
    list::check(&caller)?;
    let slot = service.stream_slots().take(caller.tenant).await?;
    let page = service.areas().footprints.open_page(&caller, page).await?;
    let form = Page::<Shown>::around(page.count, page.page)?;
    if is_head(&request) {
        return Ok(form.head_only());
    }
    stream::answer(form, OnPage::new(page.records), slot, service.limits(), id, &request, Permission::FootprintRead)
        .await
}

/// Keeps a footprint as it is written, valid or not. Only what cannot be stored is refused.
///
/// Needs the permission footprint:write.
#[utoipa::path(
    post,
    path = "/v1/footprint",
    tag = "Footprints",
    security(("bearer" = [])),
    request_body = body::Schema,
    responses((status = 201, description = "The footprint", body = Shown, headers(("Location" = String, description = "Its address"), ("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn create_footprint(
    caller: Caller,
    _: NoQuery,
    body: Body,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (fields, faults) = body::read(&body.0).map_err(Problem::invalid)?;
    let view = service.areas().footprints.add(&caller, FootprintDraft { fields, faults }).await?;
    let location = format!("{}/v1/footprint/{}", service.base_url(&request)?, view.footprint.value.id);
    answer::created(&location, view.footprint.version, &Shown::of(view))
}

/// One footprint, with the rules of PACT that it breaks.
///
/// Needs the permission footprint:read.
#[utoipa::path(
    get,
    path = "/v1/footprint/{uuid}",
    tag = "Footprints",
    security(("bearer" = [])),
    params(("uuid" = Uuid, Path, description = "The footprint"), IfNoneMatchParam),
    responses((status = 200, description = "The footprint", body = Shown, headers(("ETag" = String, description = "Its version"))), ReadingOne)
)]
pub(crate) async fn get_footprint(
    caller: Caller,
    PathId(id): PathId<FootprintId>,
    conditions: IfChanged,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().footprints.get(&caller, id).await?;
    answer::record(&conditions, view.footprint.version, &Shown::of(view))
}

/// Deprecates a footprint, or says more about its status. Nothing else of it can change.
///
/// Needs the permission footprint:write.
#[utoipa::path(
    patch,
    path = "/v1/footprint/{uuid}",
    tag = "Footprints",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The footprint"),
        IfMatchParam,
    ),
    request_body(content = FootprintChange, content_type = "application/merge-patch+json"),
    responses((status = 200, description = "The footprint", body = Shown, headers(("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn amend_footprint(
    caller: Caller,
    PathId(id): PathId<FootprintId>,
    seen: IfMatch,
    _: NoQuery,
    body: Patch,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let mut members = Reader::new(&body.0, Members::Given).map_err(Problem::invalid)?;
    let status: Field<String> = members.string("status");
    let comment: Field<String> = members.text("statusComment", body::storable);
    for name in body::unchangeable() {
        if members.has(name) {
            members.fault(name, "cannot change; add a new footprint that names this one in precedingPfIds");
        }
        members.ignore(&[name]);
    }
    members.read_only(&["uuid", "id", "valid", "brokenRules"]);
    let faults = members.finish();
    let seen = seen.seen(version(&service, &caller, id)).await?;
    let view = service.areas().footprints.amend(&caller, id, seen, status, comment, faults).await?;
    answer::changed(view.footprint.version, &Shown::of(view))
}

/// Removes a footprint that was never listed, since it breaks a rule. A listed one is deprecated instead.
///
/// Needs the permission footprint:write.
#[utoipa::path(
    delete,
    path = "/v1/footprint/{uuid}",
    tag = "Footprints",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The footprint"),
        IfMatchParam,
    ),
    responses((status = 204, description = "It is gone"), Writing)
)]
pub(crate) async fn remove_footprint(
    caller: Caller,
    PathId(id): PathId<FootprintId>,
    seen: IfMatch,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let seen = seen.seen(version(&service, &caller, id)).await?;
    service.areas().footprints.remove(&caller, id, seen).await?;
    Ok(answer::removed())
}
