//! Which tenant a request speaks to, by its address, and what that tenant's addresses begin with.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, web};
use ports::{TenantId, TenantSlug};

use crate::problem::{Kind, Problem};
use crate::routes::BASE;
use crate::service::Service;

/// The variable segment of a path that names a tenant.
const SEGMENT: &str = "tenant";

/// Whose data stands at which address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tenancy {
    /// One tenant, at `{origin}/api`.
    Single(TenantSlug),
    /// Each tenant at `{origin}/{tenant}/api`.
    Path,
    /// Each tenant at `https://{tenant}.{domain}/api`.
    Host {
        /// The domain that tenants have their names below, in lower case and without a dot at either end.
        domain: String,
    },
}

impl Tenancy {
    /// The base address of a tenant, without a slash at its end. `origin` is the service's own; in host mode the one
    /// that stands at the domain itself.
    #[must_use]
    pub fn base_url(&self, origin: &str, tenant: &str) -> String {
        let path = self.base_path(tenant);
        match self {
            Self::Single(_) | Self::Path => format!("{origin}{path}"),
            Self::Host { .. } => {
                let (scheme, host) = origin.split_once("://").unwrap_or(("https", origin));
                format!("{scheme}://{tenant}.{host}{path}")
            }
        }
    }

    /// The path of a tenant's base address.
    pub(crate) fn base_path(&self, tenant: &str) -> String {
        match self {
            Self::Single(_) | Self::Host { .. } => BASE.to_owned(),
            Self::Path => format!("/{tenant}{BASE}"),
        }
    }

    /// What the paths of every tenant begin with, as a route.
    pub(crate) fn route(&self) -> String {
        self.base_path(&format!("{{{SEGMENT}}}"))
    }
}

/// The tenant that a request speaks to.
#[derive(Clone, Debug)]
pub(crate) struct Addressed {
    pub(crate) id: TenantId,
    pub(crate) slug: TenantSlug,
}

impl Addressed {
    /// The one that was found for the request.
    pub(crate) fn of(request: &HttpRequest) -> Result<Self, Problem> {
        let found = request.extensions().get::<Self>().cloned();
        found.ok_or_else(|| Problem::internal("the request was given no tenant"))
    }
}

/// Finds the tenant that the request speaks to. Where there is none, there is nothing at the address.
pub(crate) async fn resolve(
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
    let id = service.areas().tenants.resolve(&slug).await?.ok_or_else(nowhere)?;
    Ok(Addressed { id, slug })
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

/// The tenant whose name stands before the domain in a host, in any case, with or without a port.
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
    fn a_tenants_base_address_is_that_of_the_mode() {
        let single = Tenancy::Single(TenantSlug::parse("main").unwrap());
        let host = Tenancy::Host { domain: "example.com".to_owned() };
        assert_eq!(single.base_url("https://example.com", "main"), "https://example.com/api");
        assert_eq!(Tenancy::Path.base_url("https://example.com", "acme"), "https://example.com/acme/api");
        assert_eq!(host.base_url("https://example.com", "acme"), "https://acme.example.com/api");
        assert_eq!(host.base_url("http://localhost:8080", "acme"), "http://acme.localhost:8080/api");
    }

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
