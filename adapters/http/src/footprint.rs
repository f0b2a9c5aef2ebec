//! Footprints: the list that partners read, and all records with their verdict.

mod body;
mod record;
mod wire;
mod write;

use actix_web::{HttpRequest, HttpResponse, web};
use utoipa::{OpenApi, ToSchema};

use crate::answer::is_head;
use crate::caller::Caller;
use crate::media;
use crate::problem::{Problem, Reading};
use crate::query::NoQuery;
use crate::request_id::RequestId;
use crate::routes::Operation;
use crate::service::Service;
use crate::stream::{Form, Place, Source, answer};
use wire::{Record, Seed};

/// How many records are read at once.
const BATCH: u32 = 200;

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

/// Reads the valid records, batch by batch.
struct Valid {
    service: web::Data<Service>,
    caller: Caller,
    after: u64,
    written: bool,
}

#[async_trait::async_trait]
impl Source for Valid {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        let views = self.service.areas().footprints.list_valid(&self.caller, self.after, BATCH).await?;
        let Some(last) = views.last() else { return Ok(None) };
        self.after = last.footprint.value.number;
        let mut out = Vec::new();
        for view in &views {
            if self.written {
                out.push(b',');
            }
            self.written = true;
            let seed = domain::footprint::seed_view(&view.footprint.value);
            serde_json::to_writer(&mut out, &Seed(&seed)).map_err(Problem::internal)?;
        }
        Ok(Some(out))
    }
}

/// Every footprint that is valid by PACT's rules for its specVersion.
///
/// Needs the permission footprint:read.
#[utoipa::path(
    get,
    path = "/pact/2/footprints",
    tag = "Footprints",
    security(("bearer" = [])),
    responses((status = 200, description = "The footprints", body = ListSchema), Reading)
)]
pub(crate) async fn list_footprints(
    caller: Caller,
    _: NoQuery,
    id: RequestId,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let source = Valid { service: service.clone(), caller, after: 0, written: false };
    let form = Form { media_type: media::JSON, head: br#"{"data":["#.to_vec(), foot: b"]}".to_vec() };
    if is_head(&request) {
        return Ok(form.head_only());
    }
    let place = Place::take(&service).await?;
    answer(form, source, place, service.limits(), id).await
}
