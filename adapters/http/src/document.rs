//! The OpenAPI document of the service, and a page of it. Both are made of the table of operations, which is above.

mod answers;
mod build;
mod common;
mod page;

use actix_web::{HttpRequest, HttpResponse, web};

use crate::answer::{self, MAX_AGE_S};
use crate::condition::IfNoneMatchParam;
use crate::media;
use crate::operation::{Answer, Operation, SchemaOf};
use crate::problem::Problem;
use crate::query::NoQuery;
use crate::request_part::Ask;
use crate::service::Service;
pub(crate) use build::document;

/// What makes the document, of a service of that version at that base path.
#[derive(Clone, Copy)]
pub(crate) struct Source(pub(crate) fn(&str, &str) -> serde_json::Value);

/// The operations on the document.
pub(crate) fn operations() -> Vec<Operation> {
    let any = |_: &mut crate::schema::Components| serde_json::json!({ "type": "object" });
    let digest = |answer: Answer| answer.with_header("ETag", "Its digest.");
    vec![
        Operation::public("/openapi.json", get_document)
            .named("get_document", "Documentation")
            .does("This document.")
            .answers(digest(Answer::ok(SchemaOf::Made(any)))),
        Operation::public("/docs", get_page)
            .offering(&[media::HTML])
            .named("get_page", "Documentation")
            .does("This document as a page.")
            .answers(digest(Answer::ok(SchemaOf::Text).only(media::HTML))),
    ]
}

/// The document as text, the same bytes every time.
pub(crate) fn text(document: &serde_json::Value) -> String {
    serde_json::to_string_pretty(document).unwrap_or_default()
}

/// Handles GET of the document.
async fn get_document(
    Ask((NoQuery, conditions), _): Ask<(NoQuery, IfNoneMatchParam)>,
    request: HttpRequest,
    source: web::Data<Source>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let document = (source.0)(&service.settings().version, &service.base_path(&request)?);
    answer::public(&conditions, MAX_AGE_S, media::JSON, text(&document).into_bytes())
}

/// Handles GET of the page.
async fn get_page(
    Ask((NoQuery, conditions), _): Ask<(NoQuery, IfNoneMatchParam)>,
    request: HttpRequest,
    source: web::Data<Source>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (path, url) = (service.base_path(&request)?, service.base_url(&request)?);
    let document = (source.0)(&service.settings().version, &path);
    page::page(&conditions, &document, page::Base { path: &path, url: &url })
}
