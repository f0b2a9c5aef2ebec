//! Partners: companies that footprints are exchanged with, and with whom a footprint is shared.

use std::collections::BTreeSet;

use uuid::Uuid;

use crate::footprint::Edition;
use crate::id::{FootprintId, PartnerId};
use crate::setters::setters;
use crate::text::{HostAddress, HostClientId, Name};

/// The most product aliases of a partner.
pub const MOST_ALIASES: usize = 10_000;

/// The most clients that a partner has at us at once.
pub const MOST_PARTNER_CLIENTS: usize = 16;

/// A company that footprints are exchanged with by PACT. No secret is part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Partner {
    /// Unique within the tenant.
    pub id: PartnerId,
    /// What it is called.
    pub name: Name,
    /// The address that its `/2` and `/3` stand below.
    pub base_url: HostAddress,
    /// The address that its token endpoint stands below, where it is another.
    pub auth_url: Option<HostAddress>,
    /// Our id at the partner; `None` while it has given us no credentials.
    pub client_id: Option<HostClientId>,
    /// What its product ids are called here.
    pub aliases: Vec<ProductAlias>,
    /// Whether its host may have loopback, private and link-local addresses.
    pub private_addresses: bool,
    /// Whether it may be called by `http://`.
    pub plain_http: bool,
    /// The ids of the clients that it calls us with, the oldest first.
    pub clients: Vec<Uuid>,
    /// The edition that its host is asked in and sent events in.
    pub pact: Edition,
}

/// A product's id as a partner writes it, and the id that our footprints have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProductAlias {
    /// The partner's.
    pub theirs: String,
    /// Ours.
    pub ours: String,
}

impl Partner {
    /// A partner at that address, without credentials on either side.
    #[must_use]
    pub const fn new(id: PartnerId, name: Name, base_url: HostAddress) -> Self {
        Self {
            id,
            name,
            base_url,
            auth_url: None,
            client_id: None,
            aliases: Vec::new(),
            private_addresses: false,
            plain_http: false,
            clients: Vec::new(),
            pact: Edition::V3,
        }
    }

    /// What a product id of the partner is called here: by its alias, else as it is. Case does not matter.
    #[must_use]
    pub fn our_product<'a>(&'a self, theirs: &'a str) -> &'a str {
        let alias = self.aliases.iter().find(|alias| alias.theirs.eq_ignore_ascii_case(theirs));
        alias.map_or(theirs, |alias| &alias.ours)
    }

    /// Whether a source of an event is this partner's host: its base address, with or without a scheme, and with or without
    /// the path of events behind it.
    #[must_use]
    pub fn is_source(&self, source: &str) -> bool {
        let Some((scheme, rest)) = source.split_once("//") else { return false };
        let has_scheme = match scheme.to_ascii_lowercase().as_str() {
            "" | "https:" => true,
            "http:" => self.plain_http,
            _ => false,
        };
        let (own_scheme, own) = self.base_url.as_str().split_once("//").unwrap_or_default();
        let scheme = if scheme.is_empty() { own_scheme } else { scheme };
        let rest = rest.trim_end_matches('/');
        let rest = ["/2/events", "/3/events"].iter().find_map(|path| rest.strip_suffix(path)).unwrap_or(rest);
        let (host, path) = split_host(rest.trim_end_matches('/'), scheme);
        let (own_host, own_path) = split_host(own, own_scheme);
        has_scheme && host.eq_ignore_ascii_case(own_host) && path == own_path
    }
}

/// The host of an address without its scheme, with its port where that is not the scheme's own, and the path behind it.
fn split_host<'a>(address: &'a str, scheme: &str) -> (&'a str, &'a str) {
    let (host, path) = address.find('/').map_or((address, ""), |at| address.split_at(at));
    let usual = if scheme.eq_ignore_ascii_case("http:") { ":80" } else { ":443" };
    (host.strip_suffix(usual).unwrap_or(host), path)
}

setters! {
    Partner {
        with_name = name: Name,
        with_base_url = base_url: HostAddress,
        with_auth_url = auth_url: Option<HostAddress>,
        with_client_id = client_id: Option<HostClientId>,
        with_aliases = aliases: Vec<ProductAlias>,
        with_private_addresses = private_addresses: bool,
        with_plain_http = plain_http: bool,
        with_clients = clients: Vec<Uuid>,
        with_pact = pact: Edition,
    }
}

/// With whom a footprint is shared. A footprint without one is private.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sharing {
    /// The footprint; a footprint has one sharing at most.
    pub id: FootprintId,
    /// Who may read it.
    pub with: SharedWith,
}

/// Who may read a footprint beside the company itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SharedWith {
    /// Every partner.
    All,
    /// Those partners, one at least.
    Partners(BTreeSet<PartnerId>),
}

impl SharedWith {
    /// Each partner that may read it by name, or `None` alone for every partner.
    #[must_use]
    pub fn readers(&self) -> Vec<Option<PartnerId>> {
        match self {
            Self::All => vec![None],
            Self::Partners(partners) => partners.iter().copied().map(Some).collect(),
        }
    }
}

impl Sharing {
    /// That footprint shared so.
    #[must_use]
    pub const fn new(id: FootprintId, with: SharedWith) -> Self {
        Self { id, with }
    }

    /// Whether the partner may read it.
    #[must_use]
    pub fn opens_to(&self, partner: PartnerId) -> bool {
        match &self.with {
            SharedWith::All => true,
            SharedWith::Partners(partners) => partners.contains(&partner),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partner(base: &str) -> Partner {
        Partner::new(PartnerId::new(Uuid::nil()), Name::parse("A").unwrap(), HostAddress::parse(base).unwrap())
    }

    #[test]
    fn a_source_is_the_partners_in_each_of_its_three_shapes_and_nobody_elses() {
        let one = partner("https://Pact.example.com/sub");
        for source in [
            "//pact.example.com/sub/3/events",
            "https://pact.example.com/sub/2/events",
            "https://pact.example.com/sub",
            "HTTPS://PACT.example.com/sub/",
            "https://pact.example.com:443/sub/3/events",
            "//pact.example.com:443/sub",
        ] {
            assert!(one.is_source(source), "{source}");
        }
        for source in [
            "https://pact.example.com",
            "https://pact.example.com/sub2",
            "https://pact.example.com.evil.example/sub",
            "https://evil.example/pact.example.com/sub",
            "http://pact.example.com/sub",
            "ftp://pact.example.com/sub",
            "https://pact.example.com:8443/sub",
            "https://pact.example.com:80/sub",
            "https://user@pact.example.com/sub",
            "pact.example.com/sub",
            "",
            "/",
            "//",
        ] {
            assert!(!one.is_source(source), "{source}");
        }
        assert!(partner("http://localhost:1").with_plain_http(true).is_source("http://localhost:1/2/events"));
        let with_port = partner("https://pact.example.com:443").with_plain_http(true);
        assert!(with_port.is_source("https://pact.example.com/3/events") && with_port.is_source("//pact.example.com"));
        assert!(!with_port.is_source("http://pact.example.com:443/3/events"));
        let plain = partner("http://pact.example.com").with_plain_http(true);
        assert!(plain.is_source("http://pact.example.com:80/3/events") && !plain.is_source("//pact.example.com:443"));
    }

    #[test]
    fn an_alias_is_found_whatever_its_case_and_other_ids_stay() {
        let alias = ProductAlias { theirs: "urn:a:X".to_owned(), ours: "urn:b:1".to_owned() };
        let one = partner("https://a.example").with_aliases(vec![alias]);
        assert_eq!(one.our_product("URN:a:x"), "urn:b:1");
        assert_eq!(one.our_product("urn:a:y"), "urn:a:y");
    }

    #[test]
    fn a_sharing_opens_to_those_it_names_alone() {
        let [one, other] = [1, 2].map(|n| PartnerId::new(Uuid::from_u128(n)));
        let id = FootprintId::new(Uuid::nil());
        assert!(Sharing::new(id, SharedWith::All).opens_to(one));
        let named = Sharing::new(id, SharedWith::Partners([one].into()));
        assert!(named.opens_to(one) && !named.opens_to(other));
    }
}
