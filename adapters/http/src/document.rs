//! The OpenAPI document of the service, and a page of it.

mod page;

use actix_web::{HttpRequest, HttpResponse, web};
use utoipa::openapi::security::{Http, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Info, InfoBuilder, License, ServerBuilder};
use utoipa::{Modify, OpenApi};

use crate::answer::{self, MAX_AGE_S};
use crate::condition::IfChanged;
use crate::media;
use crate::operation::Operation;
use crate::parameter::IfNoneMatchParam;
use crate::problem::{self, NotModified, Problem, ProblemError, ProblemSchema, Public};
use crate::query::NoQuery;
use crate::service::Service;
use crate::tenancy::BASE;
use crate::{
    activity, credential, discovery, factor, footprint, input, model, node, product, recalculation, report, switch,
    token, unit,
};

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::get("/openapi.json", get_document).public(),
        Operation::get("/docs", get_page).public().offering(&[media::HTML]),
    ]
}

/// The whole document: this area's part with every other area nested in it.
#[derive(OpenApi)]
#[openapi(
    paths(get_document, get_page),
    components(schemas(ProblemSchema, ProblemError)),
    modifiers(&Security, &Problems)
)]
struct Document;

struct Security;

impl Modify for Security {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("An API key, or an access token of the token endpoint."));
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer.build()));
        let client = Http::new(HttpAuthScheme::Basic);
        components.add_security_scheme("client", SecurityScheme::Http(client));
    }
}

struct Problems;

impl Modify for Problems {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        components.responses.extend(problem::components().map(|(name, response)| (name, response.into())));
    }
}

/// The document as a value, of a service at that base path.
pub(crate) fn document(version: &str, base: &str) -> utoipa::openapi::OpenApi {
    let areas = vec![
        activity::Document::openapi(),
        activity::WritingDocument::openapi(),
        report::Document::openapi(),
        recalculation::Document::openapi(),
        switch::Document::openapi(),
        input::Document::openapi(),
        input::WritingDocument::openapi(),
        model::Document::openapi(),
        footprint::Document::openapi(),
        footprint::WritingDocument::openapi(),
        node::ScopeDocument::openapi(),
        node::OrgDocument::openapi(),
        node::TaxonomyDocument::openapi(),
        product::Document::openapi(),
        factor::Document::openapi(),
        credential::ClientDocument::openapi(),
        credential::KeyDocument::openapi(),
        unit::Document::openapi(),
        token::Document::openapi(),
        discovery::Document::openapi(),
    ];
    let mut document = areas.into_iter().fold(Document::openapi(), utoipa::openapi::OpenApi::merge_from);
    document.info = info(version);
    document.servers = Some(vec![ServerBuilder::new().url(base).build()]);
    document
}

fn info(version: &str) -> Info {
    let description = "Product carbon footprints, activity reports, switches and model inputs. Every amount is an exact \
                       decimal. Errors are RFC 9457 problems that name everything that is wrong at once.";
    InfoBuilder::new()
        .title("Tonne")
        .version(version)
        .description(Some(description))
        .license(Some(License::new("Apache-2.0 OR MIT")))
        .build()
}

/// The OpenAPI document of this version as JSON, the same bytes every time.
#[must_use]
pub fn openapi() -> String {
    text(env!("CARGO_PKG_VERSION"), BASE)
}

fn text(version: &str, base: &str) -> String {
    document(version, base).to_pretty_json().unwrap_or_default()
}

/// This document.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "Documentation",
    params(IfNoneMatchParam),
    responses((status = 200, description = "The OpenAPI document", body = Object, headers(("ETag" = String, description = "Its digest"))), NotModified, Public)
)]
async fn get_document(
    _: NoQuery,
    conditions: IfChanged,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let text = text(&service.settings().version, &service.base_path(&request)?);
    answer::public(&conditions, MAX_AGE_S, media::JSON, text.into_bytes())
}

/// This document as a page.
#[utoipa::path(
    get,
    path = "/docs",
    tag = "Documentation",
    params(IfNoneMatchParam),
    responses((status = 200, description = "The page", body = String, content_type = "text/html", headers(("ETag" = String, description = "Its digest"))), NotModified, Public)
)]
async fn get_page(
    _: NoQuery,
    conditions: IfChanged,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let base = service.base_path(&request)?;
    page::page(&conditions, &document(&service.settings().version, &base), &base)
}
