//! Factors of a product: never edited, only followed or corrected by another.

use actix_web::{HttpRequest, HttpResponse, web};
use domain::{Day, FactorId, Intensity, Name, ProductId, Source, Unit};
use files::{Json, Members, Reader};
use ports::Stored;
use ports::inbound::{FactorDraft, NewFactor};
use serde::Serialize;
use utoipa::{OpenApi, ToSchema};
use uuid::Uuid;

use crate::answer::{self, Page};
use crate::body::Body;
use crate::caller::Caller;
use crate::condition::{IfChanged, IfMatch};
use crate::operation::Operation;
use crate::parameter::{IfMatchParam, IfNoneMatchParam, Paging};
use crate::path::{PathId, PathIds};
use crate::problem::{Problem, Reading, ReadingOne, Writing};
use crate::query::{NoQuery, Query};
use crate::service::Service;
use crate::wire::{Amount, Time};

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::get("/v1/product/{uuid}/factor", list_factors),
        Operation::post("/v1/product/{uuid}/factor", create_factor),
        Operation::get("/v1/product/{uuid}/factor/{id}", get_factor),
        Operation::delete("/v1/product/{uuid}/factor/{id}", remove_factor),
        Operation::post("/v1/product/{uuid}/factor/{id}/correction", correct_factor),
    ]
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(list_factors, create_factor, get_factor, remove_factor, correct_factor))]
pub(crate) struct Document;

/// What a unit of a product emits, in a span of days.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Factor {
    /// Identifies it.
    uuid: Uuid,
    /// The code of the unit that the parts are counted per.
    #[schema(example = "kWh")]
    unit: &'static str,
    /// kg of CO2 equivalent per unit, before the use.
    #[schema(required)]
    upstream: Option<Amount>,
    /// kg of CO2 equivalent per unit, in the use and after it.
    #[schema(required)]
    downstream: Option<Amount>,
    /// The first day it holds on.
    #[schema(format = Date, example = "2025-01-01")]
    valid_from: String,
    /// The first day it holds no more; null while it is open.
    #[schema(required, format = Date)]
    valid_to: Option<String>,
    /// Where it was published.
    source: String,
    /// The set of global warming potentials, such as AR6.
    #[schema(required)]
    gwp: Option<String>,
    /// The wrong factor that it stands in the place of.
    #[schema(required)]
    corrects: Option<Uuid>,
    /// How many activities without CO2e it could complete, which `POST /v1/recalculation` does; in the answer to adding it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fills: Option<u64>,
    /// When it was added.
    created: Time,
    /// When it was last changed, by a successor that closed it.
    updated: Time,
}

impl Factor {
    fn of(stored: &Stored<domain::Factor>) -> Self {
        let terms = stored.value.terms();
        Self {
            uuid: stored.value.id().uuid(),
            unit: terms.unit.code(),
            upstream: terms.upstream.map(Amount::of),
            downstream: terms.downstream.map(Amount::of),
            valid_from: terms.valid_from.to_string(),
            valid_to: terms.valid_to.map(|day| day.to_string()),
            source: terms.source.to_string(),
            gwp: terms.gwp.as_ref().map(Name::to_string),
            corrects: stored.value.corrects().map(|id| id.uuid()),
            fills: None,
            created: stored.created.into(),
            updated: stored.updated.into(),
        }
    }
}

/// A factor in the place of a wrong one, over the same days.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FactorCorrection)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct Correction {
    /// The code of the unit that the parts are counted per; of the product's dimension.
    unit: String,
    /// kg of CO2 equivalent per unit, before the use; at least one of the two parts.
    upstream: Option<Amount>,
    /// kg of CO2 equivalent per unit, in the use and after it; at least one of the two parts.
    downstream: Option<Amount>,
    /// The first day of the wrong one, or left out.
    #[schema(format = Date)]
    valid_from: Option<String>,
    /// The end of the wrong one, or left out.
    #[schema(format = Date)]
    valid_to: Option<String>,
    /// Where it was published: 1 to 1,000 characters.
    source: String,
    /// The set of global warming potentials, such as AR6.
    gwp: Option<String>,
}

/// A new factor.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FactorDraft)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct FactorBody {
    /// The code of the unit that the parts are counted per; of the product's dimension.
    unit: String,
    /// kg of CO2 equivalent per unit, before the use; at least one of the two parts.
    upstream: Option<Amount>,
    /// kg of CO2 equivalent per unit, in the use and after it; at least one of the two parts.
    downstream: Option<Amount>,
    /// The first day it holds on. An open factor before it is closed on this day.
    #[schema(format = Date)]
    valid_from: String,
    /// The first day it holds no more.
    #[schema(format = Date)]
    valid_to: Option<String>,
    /// Where it was published: 1 to 1,000 characters.
    source: String,
    /// The set of global warming potentials, such as AR6.
    gwp: Option<String>,
}

fn draft(json: &Json) -> Result<FactorDraft, Problem> {
    let mut members = Reader::new(json, Members::Given).map_err(Problem::invalid)?;
    let mut draft = FactorDraft {
        unit: members.text("unit", Unit::parse),
        upstream: members.amount("upstream", Intensity::parse),
        downstream: members.amount("downstream", Intensity::parse),
        valid_from: members.text("validFrom", Day::parse),
        valid_to: members.text("validTo", Day::parse),
        source: members.text("source", Source::parse),
        gwp: members.text("gwp", Name::parse),
        ..FactorDraft::default()
    };
    members.read_only(&["uuid", "corrects", "created", "updated"]);
    draft.faults = members.finish();
    Ok(draft)
}

/// The factors of a product, page by page, by the day they hold from.
///
/// Needs the permission catalog:read.
#[utoipa::path(
    get,
    path = "/v1/product/{uuid}/factor",
    tag = "Products",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The product"),
        Paging,
    ),
    responses((status = 200, description = "The page", body = inline(Page<Factor>)), Reading)
)]
pub(crate) async fn list_factors(
    caller: Caller,
    PathId(product): PathId<ProductId>,
    mut query: Query,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let page = query.page();
    query.finish()?;
    let listing = service.areas().catalog.list_factors(&caller, product, page).await?;
    answer::json(&Page::of(listing, |stored| Factor::of(&stored)))
}

/// Adds a factor to a product. One that is open on its first day is closed then. Says how many activities without CO2e it
/// could complete.
///
/// Needs the permission catalog:write.
#[utoipa::path(
    post,
    path = "/v1/product/{uuid}/factor",
    tag = "Products",
    security(("bearer" = [])),
    params(("uuid" = Uuid, Path, description = "The product")),
    request_body = FactorBody,
    responses((status = 201, description = "The factor", body = Factor, headers(("Location" = String, description = "Its address"), ("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn create_factor(
    caller: Caller,
    PathId(product): PathId<ProductId>,
    _: NoQuery,
    body: Body,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let NewFactor { factor, fills } = service.areas().catalog.add_factor(&caller, product, draft(&body.0)?).await?;
    let base = service.base_url(&request)?;
    let location = format!("{base}/v1/product/{product}/factor/{}", factor.value.id());
    answer::created(&location, factor.version, &Factor { fills: Some(fills), ..Factor::of(&factor) })
}

/// Puts another factor in the place of a wrong one, which stays readable. What was computed from the wrong one keeps its
/// figures, and is outdated, until it is computed anew.
///
/// Needs the permission catalog:write.
#[utoipa::path(
    post,
    path = "/v1/product/{uuid}/factor/{id}/correction",
    tag = "Products",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The product"),
        ("id" = Uuid, Path, description = "The wrong factor"),
    ),
    request_body = Correction,
    responses((status = 201, description = "The factor", body = Factor, headers(("Location" = String, description = "Its address"), ("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn correct_factor(
    caller: Caller,
    PathIds(product, wrong): PathIds<ProductId, FactorId>,
    _: NoQuery,
    body: Body,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let stored = service.areas().catalog.correct_factor(&caller, product, wrong, draft(&body.0)?).await?;
    let base = service.base_url(&request)?;
    let location = format!("{base}/v1/product/{product}/factor/{}", stored.value.id());
    answer::created(&location, stored.version, &Factor::of(&stored))
}

/// One factor of a product.
///
/// Needs the permission catalog:read.
#[utoipa::path(
    get,
    path = "/v1/product/{uuid}/factor/{id}",
    tag = "Products",
    security(("bearer" = [])),
    params(("uuid" = Uuid, Path, description = "The product"), ("id" = Uuid, Path, description = "The factor"), IfNoneMatchParam),
    responses((status = 200, description = "The factor", body = Factor, headers(("ETag" = String, description = "Its version"))), ReadingOne)
)]
pub(crate) async fn get_factor(
    caller: Caller,
    PathIds(product, id): PathIds<ProductId, FactorId>,
    conditions: IfChanged,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let stored = service.areas().catalog.get_factor(&caller, product, id).await?;
    answer::record(&conditions, stored.version, &Factor::of(&stored))
}

/// Removes a factor that nothing was computed with. The one before it stays closed.
///
/// Needs the permission catalog:write.
#[utoipa::path(
    delete,
    path = "/v1/product/{uuid}/factor/{id}",
    tag = "Products",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The product"),
        ("id" = Uuid, Path, description = "The factor"),
        IfMatchParam,
    ),
    responses((status = 204, description = "It is gone"), Writing)
)]
pub(crate) async fn remove_factor(
    caller: Caller,
    PathIds(product, id): PathIds<ProductId, FactorId>,
    seen: IfMatch,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let catalog = &service.areas().catalog;
    let seen = seen.seen(async { Ok(catalog.get_factor(&caller, product, id).await?.version) }).await?;
    catalog.remove_factor(&caller, product, id, seen).await?;
    Ok(answer::removed())
}
