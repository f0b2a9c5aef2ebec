//! Clients: machine credentials that get tokens.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use domain::SyncId;
use files::Json;
use ports::inbound::{ClientView, CredentialDraft, Error, NewClient};
use ports::repo::{Listing, Page};
use ports::{ClientId, Version};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{CredentialBody, CredentialChange, draft, shown_once, words};
use crate::answer;
use crate::caller::Caller;
use crate::condition::IfMatch;
use crate::path::PathId;
use crate::problem::{Problem, Writing};
use crate::query::NoQuery;
use crate::resource::{Asking, Resource, resource, version_seen};
use crate::service::Service;
use crate::wire::Time;

/// What a body may repeat from an answer and must not change.
const READ_ONLY: &[&str] = &["uuid", "client_id", "client_secret", "created", "updated", "lastUsed"];

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

impl FreshClient {
    fn of(new: NewClient) -> Self {
        Self { client: Client::of(new.view), client_secret: new.secret.0 }
    }
}

impl Resource for Client {
    type Id = ClientId;
    type View = ClientView;
    type Draft = CredentialDraft;

    const HAS_SYNC_ID: bool = false;

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

    fn identity(view: &ClientView) -> (ClientId, Version) {
        (view.client.id, view.version)
    }

    fn draft(json: &Json) -> Result<CredentialDraft, Problem> {
        draft(json, READ_ONLY)
    }

    async fn list(by: Asking<'_>, _: Option<SyncId>, page: Page) -> Result<Listing<ClientView>, Error> {
        by.areas.credentials.list_clients(by.caller, page).await
    }

    async fn get(by: Asking<'_>, id: ClientId) -> Result<ClientView, Error> {
        by.areas.credentials.get_client(by.caller, id).await
    }

    async fn add(by: Asking<'_>, draft: CredentialDraft, collection: &str) -> Result<HttpResponse, Problem> {
        let new = by.areas.credentials.add_client(by.caller, draft).await?;
        shown_once(&format!("{collection}/{}", new.view.client.id), &FreshClient::of(new))
    }

    async fn update(
        by: Asking<'_>,
        id: ClientId,
        seen: Option<Version>,
        draft: CredentialDraft,
    ) -> Result<ClientView, Error> {
        by.areas.credentials.update_client(by.caller, id, seen, draft).await
    }

    async fn remove(by: Asking<'_>, id: ClientId, seen: Option<Version>) -> Result<(), Error> {
        by.areas.credentials.remove_client(by.caller, id, seen).await
    }
}

resource! {
    Client, "The client", at "/v1/client" and "/v1/client/{uuid}", tagged "Credentials";
    /// Needs the permission admin.
    reading;
    /// Needs the permission admin.
    writing;

    /// The clients, page by page.
    list list_clients(Paging);
    /// Adds a client; its secret is shown this once.
    create create_client(CredentialBody) -> FreshClient;
    /// One client.
    get get_client;
    /// Changes a client's name, permissions or expiry; it takes effect within a second.
    update update_client(CredentialChange);
    /// Removes a client; within a second it gets no token and those it has are dead.
    remove remove_client;
    also post "/v1/client/{uuid}/secret" rotate_client;
}

/// Gives a client a new secret, shown this once; the old one is dead within a second.
///
/// Needs the permission admin.
#[utoipa::path(
    post,
    path = "/v1/client/{uuid}/secret",
    tag = "Credentials",
    security(("bearer" = [])),
    params(("uuid" = Uuid, Path, description = "The client"), crate::parameter::IfMatchParam),
    responses((status = 200, description = "The client", body = FreshClient), Writing)
)]
pub(crate) async fn rotate_client(
    caller: Caller,
    PathId(id): PathId<ClientId>,
    _: NoQuery,
    condition: IfMatch,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let by = Asking::of(&service, &caller);
    let seen = version_seen::<Client>(by, id, &condition).await?;
    let new = by.areas.credentials.rotate_client(&caller, id, seen).await?;
    answer::secret(StatusCode::OK, &FreshClient::of(new))
}
