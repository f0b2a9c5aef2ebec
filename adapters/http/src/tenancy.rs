//! Whose data is at which address, and what each tenant's addresses begin with.

use ports::TenantSlug;

/// What the paths of a tenant begin with, behind what names the tenant.
pub(crate) const BASE: &str = "/api";
/// The variable segment of a path that names a tenant.
pub(crate) const SEGMENT: &str = "tenant";

/// Whose data is at which address.
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
    /// that is at the domain itself.
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

    /// What the paths of a tenant's pages begin with.
    pub(crate) fn pages_path(&self, tenant: &str) -> String {
        match self {
            Self::Single(_) | Self::Host { .. } => String::new(),
            Self::Path => format!("/{tenant}"),
        }
    }

    /// What the paths of every tenant's pages begin with, as a route.
    pub(crate) fn pages_route(&self) -> String {
        self.pages_path(&format!("{{{SEGMENT}}}"))
    }

    /// What the paths of every tenant begin with, as a route.
    pub(crate) fn route(&self) -> String {
        self.base_path(&format!("{{{SEGMENT}}}"))
    }
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
}
