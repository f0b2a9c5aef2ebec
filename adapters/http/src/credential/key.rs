//! Keys: credentials that are presented as they are.

use actix_web::HttpResponse;
use domain::SyncId;
use files::Json;
use ports::inbound::{CredentialDraft, Error, KeyView, NewKey};
use ports::repo::{Listing, Page};
use ports::{KeyId, Version};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{CredentialBody, CredentialChange, draft, shown_once, words};
use crate::problem::Problem;
use crate::resource::{Asking, Resource, resource};
use crate::wire::Time;

/// What a body may repeat from an answer and must not change.
const READ_ONLY: &[&str] = &["uuid", "key", "prefix", "created", "updated", "lastUsed"];

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

impl FreshKey {
    fn of(new: NewKey) -> Self {
        Self { key: Key::of(new.view), secret: new.secret.0 }
    }
}

impl Resource for Key {
    type Id = KeyId;
    type View = KeyView;
    type Draft = CredentialDraft;

    const HAS_SYNC_ID: bool = false;

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

    fn identity(view: &KeyView) -> (KeyId, Version) {
        (view.key.id, view.version)
    }

    fn draft(json: &Json) -> Result<CredentialDraft, Problem> {
        draft(json, READ_ONLY)
    }

    async fn list(by: Asking<'_>, _: Option<SyncId>, page: Page) -> Result<Listing<KeyView>, Error> {
        by.areas.credentials.list_keys(by.caller, page).await
    }

    async fn get(by: Asking<'_>, id: KeyId) -> Result<KeyView, Error> {
        by.areas.credentials.get_key(by.caller, id).await
    }

    async fn add(by: Asking<'_>, draft: CredentialDraft, collection: &str) -> Result<HttpResponse, Problem> {
        let new = by.areas.credentials.add_key(by.caller, draft).await?;
        shown_once(&format!("{collection}/{}", new.view.key.id), &FreshKey::of(new))
    }

    async fn update(
        by: Asking<'_>,
        id: KeyId,
        seen: Option<Version>,
        draft: CredentialDraft,
    ) -> Result<KeyView, Error> {
        by.areas.credentials.update_key(by.caller, id, seen, draft).await
    }

    async fn remove(by: Asking<'_>, id: KeyId, seen: Option<Version>) -> Result<(), Error> {
        by.areas.credentials.remove_key(by.caller, id, seen).await
    }
}

resource! {
    Key, "The key", at "/v1/key" and "/v1/key/{uuid}", tagged "Credentials";
    /// Needs the permission admin.
    reading;
    /// Needs the permission admin.
    writing;

    /// The keys, page by page.
    list list_keys(Paging);
    /// Adds a key; it is shown this once.
    create create_key(CredentialBody) -> FreshKey;
    /// One key.
    get get_key;
    /// Changes a key's name, permissions or expiry; it takes effect within a second.
    update update_key(CredentialChange);
    /// Removes a key; within a second it is dead.
    remove remove_key;
}
