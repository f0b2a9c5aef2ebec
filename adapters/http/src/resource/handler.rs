//! What all resources do with a request, whatever their records are.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use ports::Version;
use ports::inbound::Error;

use super::listed::{self, Listed};
use super::table;
use super::{Asking, Change, Changes, Lists, New, Resource, added, changed, created};
use crate::answer;
use crate::caller::Caller;
use crate::condition::{IfMatchParam, IfNoneMatchParam, Tag};
use crate::idempotency::IdempotencyKey;
use crate::media::{self, Accepted};
use crate::problem::Problem;
use crate::query::NoQuery;
use crate::request_part::Ask;
use crate::service::Service;

/// Handles GET of the collection.
pub(super) async fn list<R: Lists>(
    caller: Caller,
    Ask((within, asked), _): Ask<(R::In, Listed<R>)>,
    accepted: Accepted,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let by = Asking::of(&service, &caller);
    if accepted.0 != media::JSON {
        let asked = asked.tabled();
        let rows = listed::rows::<R>(by, within, &asked).await?;
        return table::answer::<R>(&rows, accepted, asked.cells, asked.mark);
    }
    let listing = listed::page::<R>(by, within, &asked).await?;
    answer::ok(&answer::page(listing, |record| record))
}

/// Handles POST to the collection.
pub(super) async fn create<R: Resource>(
    caller: Caller,
    Ask((within, key, NoQuery), New(draft)): Ask<(R::In, IdempotencyKey, NoQuery), New<R>>,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let base = service.base_url(&request)?;
    let by = Asking::of(&service, &caller);
    let (first, epoch) = (base.clone(), by.epoch);
    let once = key.once(&caller, &request, move |view: &R::View| added::<R>(epoch, &first, within, view));
    let done = R::add(by, within, draft, once).await?;
    created::<R>(by, &base, within, done)
}

/// Handles GET of a record.
pub(super) async fn get<R: Resource>(
    caller: Caller,
    Ask((at, conditions, NoQuery), _): Ask<(R::At, IfNoneMatchParam, NoQuery)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = R::get(Asking::of(&service, &caller), at).await?;
    answer::record(&conditions, (caller.epoch, R::identity(&view).1), R::body(&view)?)
}

/// Handles PATCH of a record.
pub(super) async fn update<R: Changes>(
    caller: Caller,
    Ask((at, condition, NoQuery), Change(draft)): Ask<(R::At, IfMatchParam, NoQuery), Change<R>>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let by = Asking::of(&service, &caller);
    let seen = version_seen::<R>(by, at, &condition).await?;
    let updated = R::update(by, at, seen, draft).await;
    changed::<R>(by, &or_tagged::<R, _>(by, at, updated).await?)
}

/// Handles DELETE of a record.
pub(super) async fn remove<R: Resource>(
    caller: Caller,
    Ask((at, condition, NoQuery), _): Ask<(R::At, IfMatchParam, NoQuery)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let by = Asking::of(&service, &caller);
    let seen = version_seen::<R>(by, at, &condition).await?;
    let removed = R::remove(by, at, seen).await;
    or_tagged::<R, _>(by, at, removed).await?;
    Ok(answer::removed())
}

/// What became of a change. Where the record is not the one that the writer saw, the problem has its present tag.
pub(crate) async fn or_tagged<R: Resource, T>(by: Asking<'_>, at: R::At, done: Result<T, Error>) -> Result<T, Problem> {
    match done {
        Err(Error::Stale) => {
            let problem = Problem::from(Error::Stale);
            let Ok(view) = R::get(by, at).await else { return Err(problem) };
            let tag = Tag::of_record((by.epoch, R::identity(&view).1), &R::body(&view)?);
            Err(problem.with_header(header::ETAG, &tag.to_string()))
        }
        done => Ok(done?),
    }
}

/// The version that a writer saw, as [`IfMatchParam::seen`] finds it.
pub(crate) async fn version_seen<R: Resource>(
    by: Asking<'_>,
    at: R::At,
    condition: &IfMatchParam,
) -> Result<Option<Version>, Error> {
    condition.seen(async { Ok(R::identity(&R::get(by, at).await?).1) }).await
}
