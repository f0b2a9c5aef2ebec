//! Links to the rest of a list: absolute, at the host that the request was sent to where that is one of ours, with all that
//! was asked for.

use std::fmt::Write as _;

use actix_web::HttpRequest;
use actix_web::http::header;

use crate::forwarded;
use crate::problem::{Kind, Problem};
use crate::query::decode;
use crate::reached;
use crate::service::Service;

const NEXT: &str = "next";

/// The query without the mark of a link, in characters that a link can have.
pub(crate) fn without_next(query: &str) -> String {
    let is_kept = |part: &&str| {
        let name = part.split_once('=').map_or(*part, |(name, _)| name);
        !part.is_empty() && decode(name).as_deref() != Some(NEXT)
    };
    let kept: Vec<_> = query.split('&').filter(is_kept).collect();
    let mut text = String::new();
    for byte in kept.join("&").bytes() {
        match byte {
            b'"' | b'<' | b'>' | b'\\' | b'`' | b'{' | b'|' | b'}' | b'^' | b'\'' | 0..=b' ' | 0x7f.. => {
                // Writing to a text never fails.
                let _ = write!(text, "%{byte:02X}");
            }
            plain => text.push(char::from(plain)),
        }
    }
    text
}

/// The value of `Link` for the rest of a list at that address.
pub(crate) fn next(address: &str, asked: &str, mark: &str) -> String {
    let and = if asked.is_empty() { "" } else { "&" };
    format!("<{address}?{asked}{and}{NEXT}={mark}>; rel=\"next\"")
}

/// The base address of the tenant, at the host that the request names: its own, or another name that the service is known
/// under. A name that is none of these is refused, so that nobody is led elsewhere by a link.
pub(crate) fn base(service: &Service, request: &HttpRequest) -> Result<String, Problem> {
    let base = service.base_url(request)?;
    let header = || request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).map(str::to_owned);
    let Some(named) = service.named_host(request).or_else(header) else { return Ok(base) };
    let Some((scheme, rest)) = base.split_once("://") else { return Ok(base) };
    let (own, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    if is_same(&named, own, scheme) {
        return Ok(base);
    }
    let settings = service.settings();
    let is_local = reached::is_loopback_name(request, &named);
    let is_allowed = settings.allowed_hosts.iter().any(|allowed| is_named(&named, allowed, scheme));
    if is_allowed || (is_local && settings.public_url.is_none()) {
        return Ok(format!("{scheme}://{named}{path}"));
    }
    // Who asks by address, such as a probe or a proxy that names the service so, is given the service's own name.
    if is_local || reached::is_own_address(request, &named) {
        return Ok(base);
    }
    let named: String = named.chars().take(255).collect();
    let detail = format!(
        "The host {named:?} is no name of this service, which is at {base}. Where it is one, it belongs into server.allowed_hosts."
    );
    Err(Problem::new(Kind::Malformed, detail))
}

/// Whether both are the same host and port, where that of the scheme need not be written.
fn is_same(one: &str, other: &str, scheme: &str) -> bool {
    let port = if scheme == "https" { ":443" } else { ":80" };
    let plain = |host: &str| host.to_ascii_lowercase().trim_end_matches(port).to_owned();
    plain(one) == plain(other)
}

/// Whether a host is one that is allowed: with its port, or with any where the allowed one has none.
fn is_named(host: &str, allowed: &str, scheme: &str) -> bool {
    let name = |host: &str| match host.rfind(':') {
        Some(at) if !host[at..].contains(']') => host[..at].to_ascii_lowercase(),
        Some(_) | None => host.to_ascii_lowercase(),
    };
    let has_port = name(allowed).len() != allowed.len();
    if has_port { is_same(host, allowed, scheme) } else { forwarded::is_host(host) && name(host) == name(allowed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_asks_for_the_same_and_has_one_mark() {
        assert_eq!(without_next("limit=7&next=abc&productId=urn:a:b&&n%65xt=d"), "limit=7&productId=urn:a:b");
        assert_eq!(without_next("next=abc"), "");
        assert_eq!(
            next("https://a.example/api/3/footprints", "", "m"),
            r#"<https://a.example/api/3/footprints?next=m>; rel="next""#
        );
        assert_eq!(next("https://a.example/2", "limit=1", "m"), r#"<https://a.example/2?limit=1&next=m>; rel="next""#);
    }

    #[test]
    fn what_would_end_a_link_is_encoded_and_stays_so() {
        let once = without_next("$filter=created ge 'x'>\"é");
        assert_eq!(once, "$filter=created%20ge%20%27x%27%3E%22%C3%A9");
        assert_eq!(without_next(&once), once);
    }

    #[test]
    fn a_host_is_the_same_with_the_port_of_its_scheme_and_without() {
        assert!(is_same("A.example", "a.example:443", "https") && is_same("a.example:80", "a.example", "http"));
        assert!(!is_same("a.example:80", "a.example", "https") && !is_same("a.example", "a.example.evil", "https"));
    }

    #[test]
    fn an_allowed_name_allows_every_port_unless_it_has_one() {
        let all = |host: &str| [is_named(host, "a.example", "https"), is_named(host, "a.example:8443", "https")];
        assert_eq!(all("A.example"), [true, false]);
        assert_eq!(all("a.example:8443"), [true, true]);
        assert_eq!(all("a.example:1"), [true, false]);
        for host in ["b.example", "a.example.b", "a.example/", "a.example:x", "x@a.example", ""] {
            assert_eq!(all(host), [false, false], "{host}");
        }
        assert!(is_named("[::2]:1", "[::2]", "http") && !is_named("[::3]:1", "[::2]", "http"));
    }
}
