//! Footprints: the list that partners read, and all records with their verdict.

mod body;
mod list;
mod record;
mod wire;
mod write;

use actix_web::{HttpRequest, HttpResponse, web};
use ports::Permission;
use utoipa::{OpenApi, ToSchema};

use crate::answer::is_head;
use crate::caller::Caller;
use crate::media;
use crate::operation::Operation;
use crate::problem::{Problem, Streaming};
use crate::query::NoQuery;
use crate::request_id::RequestId;
use crate::service::Service;
use crate::stream::{Form, answer};
use list::Valid;
use wire::Record;

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    [Operation::get("/pact/2/footprints", list_footprints)].into_iter().chain(write::operations()).collect()
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(list_footprints))]
pub(crate) struct Document;

pub(crate) use write::Document as WritingDocument;

/// The footprints that are valid by PACT's rules.
#[derive(ToSchema)]
#[schema(as = FootprintList)]
#[expect(dead_code, reason = "describes what is streamed")]
pub(crate) struct ListSchema {
    /// The footprints, by their number.
    data: Vec<Record>,
}

/// Every footprint that is valid by PACT's rules for its specVersion.
///
/// Needs the permission footprint:read.
#[utoipa::path(
    get,
    path = "/pact/2/footprints",
    tag = "Footprints",
    security(("bearer" = [])),
    responses((status = 200, description = "The footprints", body = ListSchema), Streaming)
)]
pub(crate) async fn list_footprints(
    caller: Caller,
    _: NoQuery,
    id: RequestId,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    list::check(&caller)?;
    let form = Form { media_type: media::JSON, head: br#"{"data":["#.to_vec(), foot: b"]}".to_vec() };
    if is_head(&request) {
        return Ok(form.head_only());
    }
    let slot = service.stream_slots().take(caller.tenant).await?;
    answer(form, Valid::new(service.clone(), caller.0), slot, service.limits(), id, &request, Permission::FootprintRead)
        .await
}
