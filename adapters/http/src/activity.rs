//! Activities one by one.

mod write;

use actix_web::{HttpResponse, web};
use domain::ActivityId;
use files::activity_json;
use utoipa::{OpenApi, ToSchema};
use uuid::Uuid;

use crate::answer;
use crate::caller::Caller;
use crate::condition::IfChanged;
use crate::operation::Operation;
use crate::parameter::IfNoneMatchParam;
use crate::path::PathId;
use crate::problem::{Problem, ReadingOne};
use crate::query::NoQuery;
use crate::service::Service;
use crate::wire::{Amount, Number, Reference, Time};

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    [Operation::get("/v1/activity/{uuid}", get_activity)].into_iter().chain(write::operations()).collect()
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(get_activity))]
pub(crate) struct Document;

/// Writing in the OpenAPI document.
pub(crate) use write::Document as WritingDocument;

/// A recorded cause of emissions. Every CO2e is in kg, except in a report that was asked for in another unit.
#[derive(ToSchema)]
#[schema(as = Activity, rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what activity_json writes")]
pub(crate) struct ActivitySchema {
    /// Identifies it.
    uuid: Uuid,
    /// What it is called.
    name: String,
    /// When it was recorded.
    created: Time,
    /// When it was last changed.
    updated: Time,
    /// What another system calls it.
    #[schema(required)]
    sync_id: Option<String>,
    /// More about it.
    #[schema(required)]
    description: Option<String>,
    /// How much was burnt, bought or driven.
    #[schema(required)]
    quantity: Option<Number>,
    /// The code of the quantity's unit.
    #[schema(required, example = "kWh")]
    unit: Option<String>,
    /// The upstream part of its CO2e, supplied or computed.
    #[schema(required, rename = "UpstreamCO2e")]
    upstream: Option<Amount>,
    /// The downstream part of its CO2e, supplied or computed.
    #[schema(required, rename = "DownstreamCO2e")]
    downstream: Option<Amount>,
    /// What was consumed.
    #[schema(required)]
    product: Option<Reference>,
    /// The GHG scope.
    #[schema(required)]
    scope: Option<Reference>,
    /// The category of activity.
    #[schema(required)]
    taxonomy: Option<Reference>,
    /// The organisation unit.
    #[schema(required)]
    org: Option<Reference>,
    /// When it began, with the offset it was written with.
    #[schema(format = DateTime)]
    start_date: String,
    /// When it ended, with the offset it was written with; null for a single day.
    #[schema(required, format = DateTime)]
    end_date: Option<String>,
    /// The sum of the two parts; null when neither is supplied nor can be computed.
    #[schema(required, rename = "CO2e")]
    co2e: Option<Amount>,
    /// Which of `UpstreamCO2e` and `DownstreamCO2e` were supplied and not computed.
    supplied: Vec<String>,
    /// Why CO2e is null, by the factors of today.
    #[schema(required)]
    incomplete: Option<String>,
    /// Whether CO2e was computed from a factor that was corrected since.
    outdated: bool,
    /// The share of CO2e that falls in the period; in reports with attribution=daily.
    #[schema(rename = "periodCO2e")]
    period: Option<Amount>,
    /// The unit of every CO2e; in reports that were asked for in another unit than kg.
    #[schema(rename = "CO2eUnit", example = "t")]
    co2e_unit: Option<String>,
}

/// One activity.
///
/// Needs the permission activity:read.
#[utoipa::path(
    get,
    path = "/v1/activity/{uuid}",
    tag = "Activities",
    security(("bearer" = [])),
    params(("uuid" = Uuid, Path, description = "The activity"), IfNoneMatchParam),
    responses((status = 200, description = "The activity", body = ActivitySchema, headers(("ETag" = String, description = "Its version"))), ReadingOne)
)]
pub(crate) async fn get_activity(
    caller: Caller,
    PathId(id): PathId<ActivityId>,
    conditions: IfChanged,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().activities.get(&caller, id).await?;
    answer::record(&conditions, view.activity.version, &activity_json(&view, 0, None))
}
