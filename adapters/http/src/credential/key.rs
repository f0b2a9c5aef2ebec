//! Keys: credentials that are presented as they are.

use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use domain::KeyId;
use ports::inbound::{Error, KeyView, NewKey};
use serde::Serialize;
use utoipa::{OpenApi, ToSchema};
use uuid::Uuid;

use super::{CredentialBody, CredentialChange, draft, words};
use crate::answer::{self, Page};
use crate::body::{Body, Patch};
use crate::caller::Caller;
use crate::condition::{IfChanged, IfMatch};
use crate::parameter::{Known, Paging, Seen};
use crate::path::At;
use crate::problem::{Problem, Reading, ReadingOne, Writing};
use crate::query::{NoQuery, Query};
use crate::routes::Operation;
use crate::service::Service;
use crate::wire::Time;

/// What a body may repeat from an answer and must not change.
const READ_ONLY: &[&str] = &["uuid", "key", "prefix", "created", "updated", "lastUsed"];

/// What this area does.
pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::get("/v1/key", list_keys),
        Operation::post("/v1/key", create_key),
        Operation::get("/v1/key/{uuid}", get_key),
        Operation::patch("/v1/key/{uuid}", update_key),
        Operation::delete("/v1/key/{uuid}", remove_key),
    ]
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(list_keys, create_key, get_key, update_key, remove_key))]
pub(crate) struct Document;

/// An API key; without the key itself, which is shown once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Key {
    /// Identifies it.
    uuid: Uuid,
    /// Its first characters, to tell keys apart.
    prefix: String,
    /// What it is called.
    name: String,
    /// What it may do.
    permissions: Vec<&'static str>,
    /// When it runs out; null for never.
    #[schema(required)]
    expires: Option<Time>,
    /// When it was last used, to the minute.
    #[schema(required)]
    last_used: Option<Time>,
    /// When it was added.
    created: Time,
    /// When it was last changed.
    updated: Time,
}

/// An API key, shown this once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewKey)]
pub(crate) struct FreshKey {
    /// The key.
    #[serde(flatten)]
    key: Key,
    /// What it presents behind `Authorization: Bearer`.
    #[serde(rename = "key")]
    secret: String,
}

impl Key {
    fn of(view: KeyView) -> Self {
        let key = view.key;
        Self {
            uuid: key.id.uuid(),
            prefix: key.prefix,
            name: key.name.to_string(),
            permissions: words(key.permissions),
            expires: key.expires.map(Time::from),
            last_used: key.last_used.map(Time::from),
            created: key.created.into(),
            updated: key.updated.into(),
        }
    }
}

/// Answers with the secret, which no cache may keep.
fn shown_once(status: StatusCode, location: Option<&str>, new: NewKey) -> Result<HttpResponse, Problem> {
    let shown = FreshKey { key: Key::of(new.view), secret: new.secret.0 };
    let mut answer = answer::secret(status, &shown)?;
    if let Some(location) = location.and_then(|location| header::HeaderValue::from_str(location).ok()) {
        answer.headers_mut().insert(header::LOCATION, location);
    }
    Ok(answer)
}

async fn version(service: &Service, caller: &Caller, id: KeyId) -> Result<domain::Version, Error> {
    Ok(service.areas().credentials.get_key(caller, id).await?.version)
}

/// The keys, page by page.
///
/// Needs the permission admin.
#[utoipa::path(
    get,
    path = "/v1/key",
    tag = "Credentials",
    security(("bearer" = [])),
    params(
        Paging,
    ),
    responses((status = 200, description = "The page", body = inline(Page<Key>)), Reading)
)]
pub(crate) async fn list_keys(
    caller: Caller,
    mut query: Query,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let page = query.page();
    query.finish()?;
    let listing = service.areas().credentials.list_keys(&caller, page).await?;
    answer::json(&Page::of(listing, Key::of))
}

/// Adds a key; it is shown this once.
///
/// Needs the permission admin.
#[utoipa::path(
    post,
    path = "/v1/key",
    tag = "Credentials",
    security(("bearer" = [])),
    request_body = CredentialBody,
    responses((status = 201, description = "The key", body = FreshKey, headers(("Location" = String, description = "Its address"))), Writing)
)]
pub(crate) async fn create_key(
    caller: Caller,
    _: NoQuery,
    body: Body,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let new = service.areas().credentials.add_key(&caller, draft(&body.0, READ_ONLY)?).await?;
    let location = format!("{}/v1/key/{}", service.base_url(&request), new.view.key.id);
    shown_once(StatusCode::CREATED, Some(&location), new)
}

/// One key.
///
/// Needs the permission admin.
#[utoipa::path(
    get,
    path = "/v1/key/{uuid}",
    tag = "Credentials",
    security(("bearer" = [])),
    params(("uuid" = Uuid, Path, description = "The key"), Known),
    responses((status = 200, description = "The key", body = Key, headers(("ETag" = String, description = "Its version"))), ReadingOne)
)]
pub(crate) async fn get_key(
    caller: Caller,
    At(id): At<KeyId>,
    conditions: IfChanged,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().credentials.get_key(&caller, id).await?;
    answer::record(&conditions, view.version, &Key::of(view))
}

/// Changes a key's name, permissions or expiry; it takes effect within a second.
///
/// Needs the permission admin.
#[utoipa::path(
    patch,
    path = "/v1/key/{uuid}",
    tag = "Credentials",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The key"),
        Seen,
    ),
    request_body(content = CredentialChange, content_type = "application/merge-patch+json"),
    responses((status = 200, description = "The key", body = Key, headers(("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn update_key(
    caller: Caller,
    At(id): At<KeyId>,
    seen: IfMatch,
    _: NoQuery,
    body: Patch,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let draft = draft(&body.0, READ_ONLY)?;
    let seen = seen.seen(version(&service, &caller, id)).await?;
    let view = service.areas().credentials.update_key(&caller, id, seen, draft).await?;
    answer::changed(view.version, &Key::of(view))
}

/// Removes a key; within a second it is dead.
///
/// Needs the permission admin.
#[utoipa::path(
    delete,
    path = "/v1/key/{uuid}",
    tag = "Credentials",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The key"),
        Seen,
    ),
    responses((status = 204, description = "It is gone"), Writing)
)]
pub(crate) async fn remove_key(
    caller: Caller,
    At(id): At<KeyId>,
    seen: IfMatch,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let seen = seen.seen(version(&service, &caller, id)).await?;
    service.areas().credentials.remove_key(&caller, id, seen).await?;
    Ok(answer::removed())
}
