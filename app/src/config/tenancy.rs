//! `[tenancy]`: which tenant an address belongs to.

use std::fmt;

use ports::TenantSlug;

use super::load::reader::Settings;
use super::server::Origin;

/// How addresses and tenants belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tenancy {
    /// The form of a tenant's base address.
    pub mode: Mode,
}

/// The form of a tenant's base address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// One tenant, `main`, at `{origin}/api`.
    #[default]
    Single,
    /// Each tenant at `{origin}/{tenant}/api`.
    Path,
    /// Each tenant at `https://{tenant}.{domain}/api`.
    Host(Domain),
}

/// The domain that tenants have their names below: in lower case, without a port and without a dot at either end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain(String);

impl Domain {
    /// Reads `example.com` or `localhost`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let domain = text.to_ascii_lowercase();
        let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        let is_label = |label: &str| {
            (1..=63).contains(&label.len())
                && label.bytes().all(allowed)
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        // A slug of 40 characters and its dot come before it.
        if domain.len() <= 253 - 41 && domain.split('.').all(is_label) {
            return Ok(Self(domain));
        }
        Err(format!("{text:?} is no domain: a name alone, such as carbon.example.com"))
    }

    /// The address as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The mode by its name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Single,
    Path,
    Host,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Single => "single",
            Self::Path => "path",
            Self::Host => "host",
        })
    }
}

impl Tenancy {
    /// The same in the service's terms; `single` is the tenant of a single one.
    #[must_use]
    pub fn of_service(&self, single: TenantSlug) -> http::Tenancy {
        match &self.mode {
            Mode::Single => http::Tenancy::Single(single),
            Mode::Path => http::Tenancy::Path,
            Mode::Host(domain) => http::Tenancy::Host { domain: domain.as_str().to_owned() },
        }
    }

    /// Reads the section. Where tenants have names of their own, the public origin must be the domain's.
    pub(super) fn read(settings: &mut Settings<'_>, public_url: Option<&Origin>) -> Self {
        let mut section = settings.section("tenancy");
        let named = section.value("mode", Named::Single, |text| match text {
            "single" => Ok(Named::Single),
            "path" => Ok(Named::Path),
            "host" => Ok(Named::Host),
            _ => Err(format!("{text:?} is no mode: use single, path or host")),
        });
        let given = section.is_given("domain");
        let domain = section.optional("domain", Domain::parse);
        let mode = match (named, domain) {
            (Named::Single, None) => Mode::Single,
            (Named::Path, None) => Mode::Path,
            (Named::Host, Some(domain)) => {
                if let Some(other) = public_url.filter(|origin| !origin.host().eq_ignore_ascii_case(domain.as_str())) {
                    section.note_fault(format!(
                        "server.public_url {other} does not stand at tenancy.domain {domain}: tenants have names below \
                         the one that it names"
                    ));
                }
                Mode::Host(domain)
            }
            (Named::Host, None) => {
                if !given {
                    section.note_fault("tenancy.domain is missing: tenants have their names below it".to_owned());
                }
                Mode::Single
            }
            (Named::Single | Named::Path, Some(_)) => {
                section.note_fault(format!("tenancy.domain is for tenancy.mode host, and the mode is {named}"));
                Mode::Single
            }
        };
        section.finish();
        Self { mode }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_a_name_alone() {
        for text in ["example.com", "localhost", "Carbon.Example.COM", "xn--bcher-kva.example"] {
            assert_eq!(Domain::parse(text).unwrap().as_str(), text.to_ascii_lowercase());
        }
        for text in ["", ".", "example.com.", ".example.com", "a..b", "https://example.com", "example.com:80", "-a.b"] {
            assert!(Domain::parse(text).is_err(), "{text}");
        }
    }
}
