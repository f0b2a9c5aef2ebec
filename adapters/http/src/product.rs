//! Products: what activities consume and models are made of.

use actix_web::{HttpRequest, HttpResponse, web};
use domain::{Name, ProductId, SyncId, Unit};
use files::{Json, Members, Reader};
use ports::inbound::{Error, ProductDraft, ProductView};
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
use crate::wire::Time;

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::get("/v1/product", list_products),
        Operation::post("/v1/product", create_product),
        Operation::get("/v1/product/{uuid}", get_product),
        Operation::patch("/v1/product/{uuid}", update_product),
        Operation::delete("/v1/product/{uuid}", remove_product),
    ]
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(list_products, create_product, get_product, update_product, remove_product))]
pub(crate) struct Document;

/// What an activity consumes or a model is made of.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Product {
    /// Identifies it.
    uuid: Uuid,
    /// What another system calls it.
    #[schema(required)]
    sync_id: Option<String>,
    /// What it is called.
    name: String,
    /// The code of the unit it is counted in.
    #[schema(example = "kWh")]
    unit: &'static str,
    /// When it was added.
    created: Time,
    /// When it was last changed.
    updated: Time,
}

impl Product {
    fn of(view: ProductView) -> Self {
        let stored = view.product;
        let product = stored.value;
        Self {
            uuid: product.id.uuid(),
            sync_id: product.sync_id.map(|id| id.to_string()),
            name: product.name.to_string(),
            unit: product.unit.code(),
            created: stored.created.into(),
            updated: stored.updated.into(),
        }
    }
}

/// A new product.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ProductDraft)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct NewProduct {
    /// What it is called: 1 to 255 characters.
    name: String,
    /// What another system calls it: unique.
    sync_id: Option<String>,
    /// The code of the unit it is counted in.
    #[schema(example = "kWh")]
    unit: String,
}

/// A change of a product.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct ProductChange {
    /// What it is called: 1 to 255 characters.
    name: Option<String>,
    /// What another system calls it: unique.
    sync_id: Option<String>,
    /// The code of the unit it is counted in; of the same dimension once it has factors or is used.
    unit: Option<String>,
}

fn draft(json: &Json) -> Result<ProductDraft, Problem> {
    let mut members = Reader::new(json, Members::Given).map_err(Problem::invalid)?;
    let mut draft = ProductDraft {
        name: members.text("name", Name::parse),
        sync_id: members.text("syncId", SyncId::parse),
        unit: members.text("unit", Unit::parse),
        ..ProductDraft::default()
    };
    members.read_only(&["uuid", "created", "updated"]);
    draft.faults = members.finish();
    Ok(draft)
}

async fn version(service: &Service, caller: &Caller, id: ProductId) -> Result<domain::Version, Error> {
    Ok(service.areas().catalog.get_product(caller, id).await?.product.version)
}

/// The products, page by page.
///
/// Needs the permission catalog:read.
#[utoipa::path(
    get,
    path = "/v1/product",
    tag = "Products",
    security(("bearer" = [])),
    params(
        Paging,
        BySyncId,
    ),
    responses((status = 200, description = "The page", body = inline(Page<Product>)), Reading)
)]
pub(crate) async fn list_products(
    caller: Caller,
    mut query: Query,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (sync_id, page) = (query.sync_id(), query.page());
    query.finish()?;
    let listing = service.areas().catalog.list_products(&caller, sync_id, page).await?;
    answer::json(&Page::of(listing, Product::of))
}

/// Adds a product.
///
/// Needs the permission catalog:write.
#[utoipa::path(
    post,
    path = "/v1/product",
    tag = "Products",
    security(("bearer" = [])),
    request_body = NewProduct,
    responses((status = 201, description = "The product", body = Product, headers(("Location" = String, description = "Its address"), ("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn create_product(
    caller: Caller,
    _: NoQuery,
    body: Body,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().catalog.add_product(&caller, draft(&body.0)?).await?;
    let location = format!("{}/v1/product/{}", service.base_url(&request), view.product.value.id);
    answer::created(&location, view.product.version, &Product::of(view))
}

/// One product.
///
/// Needs the permission catalog:read.
#[utoipa::path(
    get,
    path = "/v1/product/{uuid}",
    tag = "Products",
    security(("bearer" = [])),
    params(("uuid" = Uuid, Path, description = "The product"), Known),
    responses((status = 200, description = "The product", body = Product, headers(("ETag" = String, description = "Its version"))), ReadingOne)
)]
pub(crate) async fn get_product(
    caller: Caller,
    At(id): At<ProductId>,
    conditions: IfChanged,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().catalog.get_product(&caller, id).await?;
    answer::record(&conditions, view.product.version, &Product::of(view))
}

/// Changes a product: members that are left out stay, null clears.
///
/// Needs the permission catalog:write.
#[utoipa::path(
    patch,
    path = "/v1/product/{uuid}",
    tag = "Products",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The product"),
        Seen,
    ),
    request_body(content = ProductChange, content_type = "application/merge-patch+json"),
    responses((status = 200, description = "The product", body = Product, headers(("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn update_product(
    caller: Caller,
    At(id): At<ProductId>,
    seen: IfMatch,
    _: NoQuery,
    body: Patch,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let draft = draft(&body.0)?;
    let seen = seen.seen(version(&service, &caller, id)).await?;
    let view = service.areas().catalog.update_product(&caller, id, seen, draft).await?;
    answer::changed(view.product.version, &Product::of(view))
}

/// Removes a product that nothing refers to.
///
/// Needs the permission catalog:write.
#[utoipa::path(
    delete,
    path = "/v1/product/{uuid}",
    tag = "Products",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The product"),
        Seen,
    ),
    responses((status = 204, description = "It is gone"), Writing)
)]
pub(crate) async fn remove_product(
    caller: Caller,
    At(id): At<ProductId>,
    seen: IfMatch,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let seen = seen.seen(version(&service, &caller, id)).await?;
    service.areas().catalog.remove_product(&caller, id, seen).await?;
    Ok(answer::removed())
}
