//! Resources: records of one kind at one path, that are listed, added, read, changed and removed.
//!
//! A kind says by [`Resource`] how its records are read, shown and asked for; `resource!` gives it its operations.

mod operations;

use std::fmt::Display;

use actix_web::{HttpRequest, HttpResponse, web};
use domain::SyncId;
use files::Json;
use ports::Version;
use ports::inbound::Error;
use ports::repo::{Listing, Page};
use serde::Serialize;
use uuid::Uuid;

use crate::answer;
use crate::body::{Body, Patch};
use crate::caller::Caller;
use crate::condition::{IfChanged, IfMatch};
use crate::path::PathId;
use crate::problem::Problem;
use crate::query::{NoQuery, Query};
use crate::service::{Areas, Service};
pub(crate) use operations::resource;

/// Who asks, and what can be asked.
#[derive(Clone, Copy)]
pub(crate) struct Asking<'a> {
    pub(crate) areas: &'a Areas,
    pub(crate) caller: &'a ports::Caller,
}

impl<'a> Asking<'a> {
    /// That caller asks the service.
    pub(crate) fn of(service: &'a Service, caller: &'a Caller) -> Self {
        Self { areas: service.areas(), caller }
    }
}

/// A record as it is shown.
pub(crate) trait Resource: Serialize + Sized {
    /// What identifies it.
    type Id: Copy + Display + From<Uuid> + 'static;
    /// What is known of it.
    type View;
    /// What a body says of it.
    type Draft;

    /// Whether a list can be asked for the record with a syncId.
    const HAS_SYNC_ID: bool = true;

    /// The record as it is shown.
    fn of(view: Self::View) -> Self;

    /// What identifies it, and its version.
    fn identity(view: &Self::View) -> (Self::Id, Version);

    /// What a body says of it, faults included; a body that is no object is a problem at once.
    fn draft(json: &Json) -> Result<Self::Draft, Problem>;

    /// One page of the records.
    async fn list(by: Asking<'_>, sync_id: Option<SyncId>, page: Page) -> Result<Listing<Self::View>, Error>;

    /// One record.
    async fn get(by: Asking<'_>, id: Self::Id) -> Result<Self::View, Error>;

    /// Adds a record to the collection at that address and answers 201 with it, as [`created`] does unless more than
    /// the record is shown.
    async fn add(by: Asking<'_>, draft: Self::Draft, collection: &str) -> Result<HttpResponse, Problem>;

    /// Changes a record that still has the version seen.
    async fn update(
        by: Asking<'_>,
        id: Self::Id,
        seen: Option<Version>,
        draft: Self::Draft,
    ) -> Result<Self::View, Error>;

    /// Removes a record that still has the version seen.
    async fn remove(by: Asking<'_>, id: Self::Id, seen: Option<Version>) -> Result<(), Error>;
}

/// Answers 201 with a record that was added to the collection at that address.
pub(crate) fn created<R: Resource>(collection: &str, view: R::View) -> Result<HttpResponse, Problem> {
    let (id, version) = R::identity(&view);
    answer::created(&format!("{collection}/{id}"), version, &R::of(view))
}

/// Answers 200 with a record as a change left it.
pub(crate) fn changed<R: Resource>(view: R::View) -> Result<HttpResponse, Problem> {
    answer::changed(R::identity(&view).1, &R::of(view))
}

/// The version that a writer saw, as [`IfMatch::seen`] finds it.
pub(crate) async fn version_seen<R: Resource>(
    by: Asking<'_>,
    id: R::Id,
    condition: &IfMatch,
) -> Result<Option<Version>, Error> {
    condition.seen(async { Ok(R::identity(&R::get(by, id).await?).1) }).await
}

/// Handles GET of the collection.
pub(crate) async fn list<R: Resource>(
    caller: Caller,
    mut query: Query,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let sync_id = if R::HAS_SYNC_ID { query.sync_id() } else { None };
    let page = query.page();
    query.finish()?;
    let listing = R::list(Asking::of(&service, &caller), sync_id, page).await?;
    answer::json(&answer::Page::of(listing, R::of))
}

/// Handles POST to the collection, which stands at that path.
pub(crate) async fn create<R: Resource>(
    path: &str,
    caller: Caller,
    _: NoQuery,
    body: Body,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let collection = format!("{}{path}", service.base_url(&request)?);
    R::add(Asking::of(&service, &caller), R::draft(&body.0)?, &collection).await
}

/// Handles GET of a record.
pub(crate) async fn get<R: Resource>(
    caller: Caller,
    PathId(id): PathId<R::Id>,
    conditions: IfChanged,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = R::get(Asking::of(&service, &caller), id).await?;
    answer::record(&conditions, R::identity(&view).1, &R::of(view))
}

/// Handles PATCH of a record.
pub(crate) async fn update<R: Resource>(
    caller: Caller,
    PathId(id): PathId<R::Id>,
    condition: IfMatch,
    _: NoQuery,
    body: Patch,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let by = Asking::of(&service, &caller);
    let draft = R::draft(&body.0)?;
    let seen = version_seen::<R>(by, id, &condition).await?;
    let view = R::update(by, id, seen, draft).await?;
    changed::<R>(view)
}

/// Handles DELETE of a record.
pub(crate) async fn remove<R: Resource>(
    caller: Caller,
    PathId(id): PathId<R::Id>,
    condition: IfMatch,
    _: NoQuery,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let by = Asking::of(&service, &caller);
    let seen = version_seen::<R>(by, id, &condition).await?;
    R::remove(by, id, seen).await?;
    Ok(answer::removed())
}
