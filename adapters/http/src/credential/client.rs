//! Clients: machine credentials that get tokens.

use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use domain::ClientId;
use ports::inbound::{ClientView, Error, NewClient};
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
const READ_ONLY: &[&str] = &["uuid", "client_id", "client_secret", "created", "updated", "lastUsed"];

/// What this area does.
pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::get("/v1/client", list_clients),
        Operation::post("/v1/client", create_client),
        Operation::get("/v1/client/{uuid}", get_client),
        Operation::patch("/v1/client/{uuid}", update_client),
        Operation::delete("/v1/client/{uuid}", remove_client),
        Operation::post("/v1/client/{uuid}/secret", rotate_client),
    ]
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(list_clients, create_client, get_client, update_client, remove_client, rotate_client))]
pub(crate) struct Document;

/// Machine credentials that get tokens; without the secret, which is shown once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Client {
    /// Identifies it.
    uuid: Uuid,
    /// What it presents as `client_id`.
    #[serde(rename = "client_id")]
    login: String,
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

/// A client with its secret, shown this once.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NewClient)]
pub(crate) struct FreshClient {
    /// The client.
    #[serde(flatten)]
    client: Client,
    /// What it presents as `client_secret`.
    client_secret: String,
}

impl Client {
    fn of(view: ClientView) -> Self {
        let client = view.client;
        Self {
            uuid: client.id.uuid(),
            login: client.id.to_string(),
            name: client.name.to_string(),
            permissions: words(client.permissions),
            expires: client.expires.map(Time::from),
            last_used: client.last_used.map(Time::from),
            created: client.created.into(),
            updated: client.updated.into(),
        }
    }
}

/// Answers with the secret, which no cache may keep.
fn shown_once(status: StatusCode, location: Option<&str>, new: NewClient) -> Result<HttpResponse, Problem> {
    let shown = FreshClient { client: Client::of(new.view), client_secret: new.secret.0 };
    let mut answer = answer::secret(status, &shown)?;
    if let Some(location) = location.and_then(|location| header::HeaderValue::from_str(location).ok()) {
        answer.headers_mut().insert(header::LOCATION, location);
    }
    Ok(answer)
}

async fn version(service: &Service, caller: &Caller, id: ClientId) -> Result<domain::Version, Error> {
    Ok(service.areas().credentials.get_client(caller, id).await?.version)
}

/// The clients, page by page.
///
/// Needs the permission admin.
#[utoipa::path(
    get,
    path = "/v1/client",
    tag = "Credentials",
    security(("bearer" = [])),
    params(
        Paging,
    ),
    responses((status = 200, description = "The page", body = inline(Page<Client>)), Reading)
)]
pub(crate) async fn list_clients(
    caller: Caller,
    mut query: Query,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let page = query.page();
    query.finish()?;
    let listing = service.areas().credentials.list_clients(&caller, page).await?;
    answer::json(&Page::of(listing, Client::of))
}

/// Adds a client; its secret is shown this once.
///
/// Needs the permission admin.
#[utoipa::path(
    post,
    path = "/v1/client",
    tag = "Credentials",
    security(("bearer" = [])),
    request_body = CredentialBody,
    responses((status = 201, description = "The client", body = FreshClient, headers(("Location" = String, description = "Its address"))), Writing)
)]
pub(crate) async fn create_client(
    caller: Caller,
    _: NoQuery,
    body: Body,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let new = service.areas().credentials.add_client(&caller, draft(&body.0, READ_ONLY)?).await?;
    let location = format!("{}/v1/client/{}", service.base_url(&request), new.view.client.id);
    shown_once(StatusCode::CREATED, Some(&location), new)
}

/// One client.
///
/// Needs the permission admin.
#[utoipa::path(
    get,
    path = "/v1/client/{uuid}",
    tag = "Credentials",
    security(("bearer" = [])),
    params(("uuid" = Uuid, Path, description = "The client"), Known),
    responses((status = 200, description = "The client", body = Client, headers(("ETag" = String, description = "Its version"))), ReadingOne)
)]
pub(crate) async fn get_client(
    caller: Caller,
    At(id): At<ClientId>,
    conditions: IfChanged,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().credentials.get_client(&caller, id).await?;
    answer::record(&conditions, view.version, &Client::of(view))
}

/// Changes a client's name, permissions or expiry; it takes effect within a second.
///
/// Needs the permission admin.
#[utoipa::path(
    patch,
    path = "/v1/client/{uuid}",
    tag = "Credentials",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The client"),
        Seen,
    ),
    request_body(content = CredentialChange, content_type = "application/merge-patch+json"),
    responses((status = 200, description = "The client", body = Client, headers(("ETag" = String, description = "Its version"))), Writing)
)]
pub(crate) async fn update_client(
    caller: Caller,
    At(id): At<ClientId>,
    seen: IfMatch,
    _: NoQuery,
    body: Patch,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let draft = draft(&body.0, READ_ONLY)?;
    let seen = seen.seen(version(&service, &caller, id)).await?;
    let view = service.areas().credentials.update_client(&caller, id, seen, draft).await?;
    answer::changed(view.version, &Client::of(view))
}

/// Removes a client; within a second it gets no token and those it has are dead.
///
/// Needs the permission admin.
#[utoipa::path(
    delete,
    path = "/v1/client/{uuid}",
    tag = "Credentials",
    security(("bearer" = [])),
    params(
        ("uuid" = Uuid, Path, description = "The client"),
        Seen,
    ),
    responses((status = 204, description = "It is gone"), Writing)
)]
pub(crate) async fn remove_client(
    caller: Caller,
    At(id): At<ClientId>,
    seen: IfMatch,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let seen = seen.seen(version(&service, &caller, id)).await?;
    service.areas().credentials.remove_client(&caller, id, seen).await?;
    Ok(answer::removed())
}

/// Gives a client a new secret, shown this once; the old one is dead within a second.
///
/// Needs the permission admin.
#[utoipa::path(
    post,
    path = "/v1/client/{uuid}/secret",
    tag = "Credentials",
    security(("bearer" = [])),
    params(("uuid" = Uuid, Path, description = "The client")),
    responses((status = 200, description = "The client", body = FreshClient), Writing)
)]
pub(crate) async fn rotate_client(
    caller: Caller,
    At(id): At<ClientId>,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let new = service.areas().credentials.rotate_client(&caller, id).await?;
    shown_once(StatusCode::OK, None, new)
}
