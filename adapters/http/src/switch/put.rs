//! Switches: replacing their sources and their image.

use actix_web::{HttpResponse, web};
use domain::{Faults, ImageAddress, MAX_SOURCES, SwitchId};
use files::{Members, Reader};
use ports::inbound::Field;
use utoipa::ToSchema;

use super::Switch;
use crate::body::Body;
use crate::caller::Caller;
use crate::condition::IfMatch;
use crate::parameter::IfMatchParam;
use crate::path::PathId;
use crate::problem::{Problem, Writing};
use crate::query::NoQuery;
use crate::resource::{Asking, changed, version_seen};
use crate::service::Service;
use crate::wire::ReferenceDraft;

/// The address of a switch's image.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct SwitchImage {
    /// An http or https address, which is stored and never fetched; null clears it.
    #[schema(required)]
    image: Option<String>,
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
        IfMatchParam,
    ),
    request_body = Vec<ReferenceDraft>,
    responses((status = 200, description = "The switch", body = Switch, headers(("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn put_switch_sources(
    caller: Caller,
    PathId(id): PathId<SwitchId>,
    condition: IfMatch,
    _: NoQuery,
    body: Body,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let mut faults = Faults::new();
    let sources = files::references(&body.0, MAX_SOURCES, &mut faults);
    let seen = version_seen::<Switch>(Asking::of(&service, &caller), id, &condition).await?;
    let view = service.areas().switches.put_sources(&caller, id, seen, sources, faults).await?;
    changed::<Switch>(view)
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
        IfMatchParam,
    ),
    request_body = SwitchImage,
    responses((status = 200, description = "The switch", body = Switch, headers(("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn put_switch_image(
    caller: Caller,
    PathId(id): PathId<SwitchId>,
    condition: IfMatch,
    _: NoQuery,
    body: Body,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let mut members = Reader::new(&body.0, Members::Given).map_err(Problem::invalid)?;
    let image = members.text("image", ImageAddress::parse);
    if matches!(image, Field::Absent) {
        members.fault("image", "is required; null clears it");
    }
    let faults = members.finish();
    let seen = version_seen::<Switch>(Asking::of(&service, &caller), id, &condition).await?;
    let view = service.areas().switches.put_image(&caller, id, seen, image, faults).await?;
    changed::<Switch>(view)
}
