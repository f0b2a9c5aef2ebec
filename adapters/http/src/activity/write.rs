//! Activities: recording, changing and removing them.

use actix_web::{HttpRequest, HttpResponse, web};
use domain::ActivityId;
use files::{Members, activity_draft, activity_json};
use ports::inbound::Error;
use utoipa::{OpenApi, ToSchema};

use super::ActivitySchema;
use crate::answer;
use crate::body::{Body, Patch};
use crate::caller::Caller;
use crate::condition::IfMatch;
use crate::operation::Operation;
use crate::parameter::IfMatchParam;
use crate::path::PathId;
use crate::problem::{Problem, Writing};
use crate::query::NoQuery;
use crate::service::Service;
use crate::wire::{Amount, Number, ReferenceDraft};

/// What this area does.
pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::post("/v1/activity", create_activity),
        Operation::patch("/v1/activity/{uuid}", update_activity),
        Operation::delete("/v1/activity/{uuid}", remove_activity),
    ]
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(create_activity, update_activity, remove_activity))]
pub(crate) struct Document;

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
            /// More about it: at most 10,000 characters.
            description: Option<String>,
            /// How much was burnt, bought or driven; together with unit. A string is read too.
            quantity: Option<Number>,
            /// The code of the quantity's unit; together with quantity.
            #[schema(example = "kWh")]
            unit: Option<String>,
            /// Replaces the computed upstream part, in kg.
            #[schema(rename = "UpstreamCO2e")]
            upstream: Option<Amount>,
            /// Replaces the computed downstream part, in kg.
            #[schema(rename = "DownstreamCO2e")]
            downstream: Option<Amount>,
            /// Which of the two parts were supplied. Of a record that was read, the others are taken as computed.
            supplied: Option<Vec<String>>,
            /// What was consumed.
            product: Option<ReferenceDraft>,
            /// The GHG scope.
            scope: Option<ReferenceDraft>,
            /// The category of activity.
            taxonomy: Option<ReferenceDraft>,
            /// The organisation unit.
            org: Option<ReferenceDraft>,
            /// When it began: RFC 3339, or a date.
            #[schema(example = "2025-01-01")]
            start_date: $required,
            /// When it ended: RFC 3339, or a date; a single day unless given.
            #[schema(example = "2025-01-31")]
            end_date: Option<String>,
        }
    )*};
}

bodies! {
    /// A new activity.
    ActivityDraft: String;
    /// A change of an activity.
    ActivityChange: Option<String>;
}

async fn version(service: &Service, caller: &Caller, id: ActivityId) -> Result<ports::Version, Error> {
    Ok(service.areas().activities.get(caller, id).await?.activity.version)
}

/// Records an activity.
///
/// Needs the permission activity:write.
#[utoipa::path(
    post,
    path = "/v1/activity",
    tag = "Activities",
    security(("bearer" = [])),
    request_body = ActivityDraft,
    responses((status = 201, description = "The activity", body = ActivitySchema, headers(("Location" = String, description = "Its address"), ("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn create_activity(
    caller: Caller,
    _: NoQuery,
    body: Body,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().activities.add(&caller, activity_draft(&body.0, Members::Given)).await?;
    let location = format!("{}/v1/activity/{}", service.base_url(&request)?, view.activity.value.id);
    answer::created(&location, view.activity.version, &activity_json(&view, 0, None))
}

/// Changes an activity: members that are left out stay, null clears.
///
/// Needs the permission activity:write.
#[utoipa::path(
    patch,
    path = "/v1/activity/{uuid}",
    tag = "Activities",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The activity"),
        IfMatchParam,
    ),
    request_body(content = ActivityChange, content_type = "application/merge-patch+json"),
    responses((status = 200, description = "The activity", body = ActivitySchema, headers(("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn update_activity(
    caller: Caller,
    PathId(id): PathId<ActivityId>,
    seen: IfMatch,
    _: NoQuery,
    body: Patch,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let draft = activity_draft(&body.0, Members::Given);
    let seen = seen.seen(version(&service, &caller, id)).await?;
    let view = service.areas().activities.update(&caller, id, seen, draft).await?;
    answer::changed(view.activity.version, &activity_json(&view, 0, None))
}

/// Removes an activity.
///
/// Needs the permission activity:write.
#[utoipa::path(
    delete,
    path = "/v1/activity/{uuid}",
    tag = "Activities",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The activity"),
        IfMatchParam,
    ),
    responses((status = 204, description = "It is gone"), Writing)
)]
pub(crate) async fn remove_activity(
    caller: Caller,
    PathId(id): PathId<ActivityId>,
    seen: IfMatch,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let seen = seen.seen(version(&service, &caller, id)).await?;
    service.areas().activities.remove(&caller, id, seen).await?;
    Ok(answer::removed())
}
