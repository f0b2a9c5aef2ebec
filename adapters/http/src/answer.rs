//! Answers: JSON, records with their tags, pages of lists.

use actix_web::http::{Method, StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use files::Json;
use ports::Version;
use ports::repeat::FirstAnswer;
use ports::repo::Listing;
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::answer_value::{list, number};
use crate::condition::{IfNoneMatchParam, Tag, Verdict};
use crate::media;
use crate::problem::{Kind, Problem};
use crate::schema::{Components, Named, Side, reference};
use crate::stream::Form;

/// How long what only changes with the service may be kept, in seconds.
pub(crate) const MAX_AGE_S: u32 = 3600;

/// One page of a list, each record as it is shown.
pub(crate) fn page<T>(listing: Listing<T>, show: impl FnMut(T) -> Json) -> Json {
    let Listing { count, page, data } = listing;
    let mut members = page_head(count, page);
    members.push(("data".to_owned(), list(data, show)));
    Json::Object(members)
}

/// The JSON before and behind the records of a page that is streamed.
pub(crate) fn around_page(count: u64, page: ports::repo::Page) -> Result<Form, Problem> {
    let mut members = page_head(count, page);
    members.push(("data".to_owned(), Json::Array(Vec::new())));
    let mut head = written(&Json::Object(members))?;
    let foot = head.split_off(head.len().saturating_sub("]}".len()));
    Ok(Form { media_type: media::JSON, head, foot })
}

fn page_head(count: u64, page: ports::repo::Page) -> Vec<(String, Json)> {
    let members = [("count", number(count)), ("page", number(page.number)), ("pageSize", number(page.size))];
    members.map(|(name, value)| (name.to_owned(), value)).into()
}

/// The schema of a page of those records.
pub(crate) fn page_schema(records: &'static dyn Named, components: &mut Components) -> Value {
    let name = format!("{}Page", records.name(Side::Answer));
    if !components.contains_key(&name) {
        let items = reference(records, Side::Answer, components);
        let schema = json!({
            "type": "object",
            "description": "One page of a list.",
            "properties": {
                "count": { "type": "integer", "description": "How many records there are on all pages." },
                "page": { "type": "integer", "description": "The number of the page, from 1." },
                "pageSize": { "type": "integer", "description": "How many records a page holds." },
                "data": { "type": "array", "items": items, "description": "The records of the page." },
            },
            "required": ["count", "page", "pageSize", "data"],
        });
        components.insert(name.clone(), schema);
    }
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Answers 200 with JSON.
pub(crate) fn ok(value: &impl Serialize) -> Result<HttpResponse, Problem> {
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
    conditions: &IfNoneMatchParam,
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
        Verdict::Stale => Err(stale("It is not what If-Match names.", &tag)),
    }
}

/// Answers a record that was asked for, as that JSON, with its epoch and version in the tag, unless the reader has it already.
pub(crate) fn record(
    conditions: &IfNoneMatchParam,
    version: (Uuid, Version),
    body: Vec<u8>,
) -> Result<HttpResponse, Problem> {
    let tag = Tag::of_record(version, &body);
    match conditions.validate(&tag) {
        Verdict::Send => Ok(tagged(StatusCode::OK, &tag).content_type(media::JSON).body(body)),
        Verdict::NotModified => Ok(tagged(StatusCode::NOT_MODIFIED, &tag).finish()),
        Verdict::Stale => Err(stale("The record is not the one that If-Match names.", &tag)),
    }
}

/// Answers with that JSON, with its digest in the tag, unless the reader has it already.
pub(crate) fn unchanging(conditions: &IfNoneMatchParam, body: Vec<u8>) -> Result<HttpResponse, Problem> {
    let tag = Tag::of_bytes(&body);
    match conditions.validate(&tag) {
        Verdict::Send => Ok(tagged(StatusCode::OK, &tag).content_type(media::JSON).body(body)),
        Verdict::NotModified => Ok(tagged(StatusCode::NOT_MODIFIED, &tag).finish()),
        Verdict::Stale => Err(stale("It is not what If-Match names.", &tag)),
    }
}

/// What is there is not what the reader holds on to; its tag says what it is.
pub(crate) fn stale(detail: &str, tag: &Tag) -> Problem {
    Problem::new(Kind::Stale, detail).with_header(header::ETAG, &tag.to_string())
}

/// Answers 200 with the JSON of a record as a change left it, under the epoch and version it has then.
pub(crate) fn changed(version: (Uuid, Version), body: Vec<u8>) -> HttpResponse {
    tagged(StatusCode::OK, &Tag::of_record(version, &body)).content_type(media::JSON).body(body)
}

/// The answer 201 with the JSON of a new record and its address.
pub(crate) fn created(location: String, version: (Uuid, Version), body: Vec<u8>) -> FirstAnswer {
    let etag = Tag::of_record(version, &body).to_string();
    FirstAnswer { status: StatusCode::CREATED.as_u16(), location: Some(location), etag: Some(etag), body }
}

/// The answer 200 with that JSON.
pub(crate) fn done(value: &impl Serialize) -> Result<FirstAnswer, Problem> {
    Ok(FirstAnswer { status: StatusCode::OK.as_u16(), location: None, etag: None, body: written(value)? })
}

/// Answers so, whether it is the first time or not.
pub(crate) fn first(answer: FirstAnswer) -> Result<HttpResponse, Problem> {
    let FirstAnswer { status, location, etag, body } = answer;
    let mut answer = HttpResponseBuilder::new(StatusCode::from_u16(status).map_err(Problem::internal)?);
    let headers = [(header::LOCATION, location), (header::ETAG, etag)];
    for (name, value) in headers.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        answer.insert_header((name, value));
    }
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

/// The JSON of a value.
pub(crate) fn written(value: &impl Serialize) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(value).map_err(Problem::internal)
}
