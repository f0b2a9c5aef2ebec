//! Where pages are served: below the company's address, behind the API, and what is the same for all companies.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::{Compress, Next, from_fn};
use actix_web::{Error, HttpMessage, HttpResponse, web};

use crate::failure::Failure;
use crate::outer_middleware::outer_middleware;
use crate::pages::{ErrorPage, PageForm, Pages, reads_pages};
use crate::resolve_tenant::resolve_tenant;
use crate::service::Service;

/// Registers the pages, as the last of all: their paths are whatever nothing else answers.
pub(crate) fn mount(config: &mut web::ServiceConfig, service: &Service, pages: &Pages) {
    let page = pages.refusal;
    let assets = &pages.assets;
    let assets = web::scope("/assets").configure(|config| assets(config)).default_service(web::to(not_found));
    config.service(
        assets
            .wrap(Compress::default())
            .wrap(from_fn(outer_middleware))
            .wrap(from_fn(move |request: ServiceRequest, next| as_page(request, next, page))),
    );
    let of_company = &pages.of_company;
    let scope = web::scope(&service.settings().tenancy.pages_route());
    let scope = scope.configure(|config| of_company(config)).default_service(web::to(not_found));
    let scope = scope.wrap(from_fn(resolve_tenant)).wrap(Compress::default()).wrap(from_fn(outer_middleware));
    config.service(scope.wrap(from_fn(move |request: ServiceRequest, next| as_page(request, next, page))));
}

/// Has whatever goes wrong answered as a page.
async fn as_page(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    page: ErrorPage,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let form = PageForm { page, reads_pages: reads_pages(request.headers()) };
    request.extensions_mut().insert(form);
    Ok(next.call(request).await?.map_into_boxed_body())
}

async fn not_found() -> Result<HttpResponse, Failure> {
    Err(Failure::nowhere())
}
