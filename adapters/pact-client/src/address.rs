//! Addresses of partners: what stands below a base address, and whether another one is of the same host.

use ports::partner_host::{HostError, PartnerAddress};
use url::Url;

/// Reads an address of a partner, which must be one of the web: with a host, without user and fragment, by `https` unless
/// `http` is allowed for it.
pub(crate) fn read(address: &str, at: &PartnerAddress) -> Result<Url, HostError> {
    let wrong = |why: &str| HostError::NotAllowed(format!("{}: {why}", without_secrets(address)));
    let url = Url::parse(address).map_err(|error| wrong(&format!("is no address: {error}")))?;
    match url.scheme() {
        "https" => {}
        "http" if at.plain_http => {}
        "http" => return Err(wrong("is not https, and plain http is not allowed for this partner")),
        other => return Err(wrong(&format!("has the scheme {other}, not https"))),
    }
    if url.host().is_none() {
        return Err(wrong("has no host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("has a user or password in it: credentials are given apart"));
    }
    if url.fragment().is_some() {
        return Err(wrong("has a fragment (#)"));
    }
    Ok(url)
}

/// The address of a path below a base address, which has no query.
pub(crate) fn below(base: &str, path: &str, at: &PartnerAddress) -> Result<Url, HostError> {
    let url = read(base, at)?;
    if url.query().is_some() {
        return Err(HostError::NotAllowed(format!("{}: has a query", without_secrets(base))));
    }
    read(&format!("{}{path}", base.trim_end_matches('/')), at)
}

/// Whether both have the same scheme, host and port.
pub(crate) fn same_origin(one: &Url, other: &Url) -> bool {
    (one.scheme(), one.host(), one.port_or_known_default())
        == (other.scheme(), other.host(), other.port_or_known_default())
}

/// The address as it may stand in a message: cut, and without what may be a secret.
pub(crate) fn without_secrets(address: &str) -> String {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let shown = &address[..end];
    let shown = match (shown.find("://"), shown.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => format!("{}...@{}", &shown[..scheme + 3], &shown[at + 1..]),
        _ => shown.to_owned(),
    };
    shown.chars().filter(|c| !c.is_control()).take(200).collect()
}
