//! Finds which tenant a request is for, by its address.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, web};
use ports::TenantSlug;
use ports::inbound::ResolvedTenant;

use crate::addressed_tenant::Addressed;
use crate::problem::{Kind, Problem};
use crate::service::Service;
use crate::tenancy::{SEGMENT, Tenancy};

/// Finds the tenant that the request is for. Where there is none, there is nothing at the address.
pub(crate) async fn resolve_tenant(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    match find(&request).await {
        Ok(addressed) => {
            request.extensions_mut().insert(addressed);
            Ok(next.call(request).await?.map_into_boxed_body())
        }
        Err(problem) => Ok(request.error_response(problem)),
    }
}

async fn find(request: &ServiceRequest) -> Result<Addressed, Problem> {
    let service = request.app_data::<web::Data<Service>>();
    let service = service.ok_or_else(|| Problem::internal("the service is not configured"))?;
    let slug = slug(service, request.request()).ok_or_else(nowhere)?;
    let ResolvedTenant { id, epoch, year_start, name, statement } =
        service.areas().tenants.resolve(&slug).await?.ok_or_else(nowhere)?;
    Ok(Addressed { id, slug, epoch, year_start, name, statement })
}

/// The tenant that the address names, whether or not there is one of the name.
fn slug(service: &Service, request: &HttpRequest) -> Option<TenantSlug> {
    match &service.settings().tenancy {
        Tenancy::Single(slug) => Some(slug.clone()),
        Tenancy::Path => TenantSlug::parse(request.match_info().get(SEGMENT)?).ok(),
        Tenancy::Host { domain } => below(domain, &service.named_host(request).or_else(|| host(request))?),
    }
}

/// The host that the request itself names, if it names one.
fn host(request: &HttpRequest) -> Option<String> {
    if let Some(authority) = request.uri().authority() {
        return Some(authority.as_str().to_owned());
    }
    let mut values = request.headers().get_all(header::HOST);
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    Some(value.to_str().ok()?.to_owned())
}

/// The tenant whose name is before the domain in a host, in any case, with or without a port.
fn below(domain: &str, host: &str) -> Option<TenantSlug> {
    let host = host.to_ascii_lowercase();
    let name = host.split_once(':').map_or(host.as_str(), |(name, _)| name);
    TenantSlug::parse(name.strip_suffix(domain)?.strip_suffix('.')?).ok()
}

/// There is nothing at the address.
pub(crate) fn nowhere() -> Problem {
    Problem::new(Kind::NotFound, "There is nothing at this address.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_below_the_domain_names_its_tenant() {
        let slug = |host| below("example.com", host).map(|slug| slug.to_string());
        for host in ["acme.example.com", "ACME.Example.COM", "acme.example.com:8080"] {
            assert_eq!(slug(host).as_deref(), Some("acme"), "{host}");
        }
        for host in [
            "example.com",
            ".example.com",
            "acmeexample.com",
            "a.b.example.com",
            "acme.example.org",
            "acme.example.com.",
            "acme.example.com.evil.org",
            "api.example.com",
            "-.example.com",
            "[::1]:8080",
            "",
        ] {
            assert_eq!(slug(host), None, "{host}");
        }
    }
}
