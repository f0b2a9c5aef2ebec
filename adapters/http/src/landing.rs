//! Where a browser lands that opens an address which only programs use: on the page of the API.

use actix_web::guard;
use actix_web::http::header;
use actix_web::middleware::from_fn;
use actix_web::{HttpRequest, HttpResponse, Resource, web};

use crate::media;
use crate::outer_middleware::outer_middleware;
use crate::problem::Problem;
use crate::resolve_tenant::{nowhere, resolve_tenant};
use crate::service::Service;
use crate::tenancy::{SEGMENT, Tenancy};

/// Adds the base address itself to the scope of the paths below it.
pub(crate) fn at_base(scope: &mut web::ServiceConfig) {
    for path in ["", "/"] {
        scope.service(resource(path));
    }
}

/// Adds what stands above the base addresses: a company's own address, or the service's where it is one company's. In path
/// mode there is nothing at the origin: it is no company's.
pub(crate) fn above_base(config: &mut web::ServiceConfig, tenancy: &Tenancy) {
    let paths = match tenancy {
        Tenancy::Single(_) | Tenancy::Host { .. } => vec!["/".to_owned()],
        Tenancy::Path => vec![format!("/{{{SEGMENT}}}"), format!("/{{{SEGMENT}}}/")],
    };
    for path in paths {
        config.service(resource(&path).wrap(from_fn(resolve_tenant)).wrap(from_fn(outer_middleware)));
    }
}

/// The page for whoever reads pages; for everybody else there is nothing.
fn resource(path: &str) -> Resource {
    let reads_pages = guard::fn_guard(|context| {
        media::negotiate(&context.head().headers, &[media::JSON, media::HTML]).is_ok_and(|best| best.0 == media::HTML)
    });
    let reads = guard::Any(guard::Get()).or(guard::Head());
    let route = web::route().guard(reads).guard(reads_pages).to(land);
    web::resource(path).route(route).default_service(web::to(not_found))
}

async fn land(request: HttpRequest, service: web::Data<Service>) -> Result<HttpResponse, Problem> {
    let page = format!("{}/docs", service.base_path(&request)?);
    let mut answer = HttpResponse::SeeOther();
    Ok(answer.insert_header((header::LOCATION, page)).insert_header((header::VARY, "Accept")).finish())
}

async fn not_found() -> Result<HttpResponse, Problem> {
    Err(nowhere())
}
