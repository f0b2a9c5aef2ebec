//! Answers: JSON, records with their tags, pages of lists.

use actix_web::http::{Method, StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use ports::Version;
use ports::repo::Listing;
use serde::Serialize;
use utoipa::ToSchema;

use crate::condition::{IfChanged, Tag, Verdict};
use crate::media;
use crate::problem::{Kind, Problem};
use crate::stream::Form;

/// How long what only changes with the service may be kept, in seconds.
pub(crate) const MAX_AGE_S: u32 = 3600;

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Page<T> {
    /// How many records there are on all pages.
    count: u64,
    /// The number of the page, from 1.
    #[serde(rename = "page")]
    number: u32,
    /// How many records a page holds.
    #[serde(rename = "pageSize")]
    size: u32,
    /// The records of the page.
    data: Vec<T>,
}

impl<T> Page<T> {
    /// The page with each record as it is shown.
    pub(crate) fn of<S>(listing: Listing<S>, show: impl FnMut(S) -> T) -> Self {
        let listing = listing.map(show);
        Self { count: listing.count, number: listing.page.number, size: listing.page.size, data: listing.data }
    }

    /// What stands around the records of a page that is streamed.
    pub(crate) fn around(count: u64, page: ports::repo::Page) -> Result<Form, Problem>
    where
        T: Serialize,
    {
        let mut head = written(&Self { count, number: page.number, size: page.size, data: Vec::new() })?;
        let foot = head.split_off(head.len().saturating_sub("]}".len()));
        Ok(Form { media_type: media::JSON, head, foot })
    }
}

/// Answers 200 with JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<HttpResponse, Problem> {
    Ok(HttpResponse::Ok().content_type(media::JSON).body(written(value)?))
}

/// Answers 200 with JSON that no cache may keep.
pub(crate) fn secret(status: StatusCode, value: &impl Serialize) -> Result<HttpResponse, Problem> {
    let mut answer = HttpResponseBuilder::new(status);
    answer.insert_header((header::CACHE_CONTROL, "no-store")).insert_header((header::PRAGMA, "no-cache"));
    Ok(answer.content_type(media::JSON).body(written(value)?))
}

/// Answers what is the same for everybody and may be kept for so many seconds, unless the reader has it already.
pub(crate) fn public(
    conditions: &IfChanged,
    max_age_s: u32,
    media_type: &'static str,
    body: Vec<u8>,
) -> Result<HttpResponse, Problem> {
    let tag = Tag::of_bytes(&body);
    let kept = |status| {
        let mut answer = tagged(status, &tag);
        answer.insert_header((header::CACHE_CONTROL, format!("public, max-age={max_age_s}")));
        answer.insert_header((header::VARY, "Accept"));
        answer
    };
    match conditions.validate(&tag) {
        Verdict::Send => Ok(kept(StatusCode::OK).content_type(media_type).body(body)),
        Verdict::NotModified => Ok(kept(StatusCode::NOT_MODIFIED).finish()),
        Verdict::Stale => Err(Problem::new(Kind::Stale, "It is not what If-Match names.")),
    }
}

/// Answers a record that was asked for, unless the reader has it already.
pub(crate) fn record(
    conditions: &IfChanged,
    version: Version,
    value: &impl Serialize,
) -> Result<HttpResponse, Problem> {
    let body = written(value)?;
    let tag = Tag::of_record(version, &body);
    match conditions.validate(&tag) {
        Verdict::Send => Ok(tagged(StatusCode::OK, &tag).content_type(media::JSON).body(body)),
        Verdict::NotModified => Ok(tagged(StatusCode::NOT_MODIFIED, &tag).finish()),
        Verdict::Stale => Err(Problem::new(Kind::Stale, "The record is not the one that If-Match names.")),
    }
}

/// Answers 200 with a record as a change left it.
pub(crate) fn changed(version: Version, value: &impl Serialize) -> Result<HttpResponse, Problem> {
    let body = written(value)?;
    Ok(tagged(StatusCode::OK, &Tag::of_record(version, &body)).content_type(media::JSON).body(body))
}

/// Answers 201 with a new record and its address.
pub(crate) fn created(location: &str, version: Version, value: &impl Serialize) -> Result<HttpResponse, Problem> {
    let body = written(value)?;
    let mut answer = tagged(StatusCode::CREATED, &Tag::of_record(version, &body));
    answer.insert_header((header::LOCATION, location));
    Ok(answer.content_type(media::JSON).body(body))
}

/// Answers 204: the record is gone.
pub(crate) fn removed() -> HttpResponse {
    HttpResponse::NoContent().finish()
}

/// Whether only the head of the answer is asked for.
pub(crate) fn is_head(request: &HttpRequest) -> bool {
    request.method() == Method::HEAD
}

fn tagged(status: StatusCode, tag: &Tag) -> HttpResponseBuilder {
    let mut answer = HttpResponseBuilder::new(status);
    answer.insert_header((header::ETAG, tag.to_string()));
    answer
}

fn written(value: &impl Serialize) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(value).map_err(Problem::internal)
}
