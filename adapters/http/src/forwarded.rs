//! What proxies say of a request that they pass on: who sent it, and to which origin. Only trusted ones count.
//!
//! Each of them adds to the end of a header, and what a client made up is before that: so they are read from the
//! end. A proxy that writes `X-Forwarded-*` may pass on a `Forwarded` that a client made up, and the other way round;
//! where the two differ, neither counts.

mod element;

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use actix_web::http::header::{self, HeaderMap, HeaderName};
use ipnet::IpNet;

use element::Element;

/// The longest host name.
const HOST_LENGTH: usize = 253;

/// The address that a request was sent from: the last one that is not a trusted proxy's, or the peer where that is not
/// said, or not clearly.
pub(crate) fn sender(trusted: &[IpNet], peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let peer = peer.to_canonical();
    if !trusts(trusted, peer) {
        return peer;
    }
    let listed = match all(headers, &header::X_FORWARDED_FOR) {
        Word::None => Word::None,
        Word::Unclear => Word::Unclear,
        Word::Says(lines) => last_untrusted(trusted, lines.iter().flat_map(|line| line.split(',')).map(address)),
    };
    let standard = match elements(headers) {
        Word::Says(elements) if elements.iter().any(|element| element.sender.is_some()) => {
            last_untrusted(trusted, elements.iter().map(|element| address(element.sender.as_deref()?)))
        }
        Word::Says(_) | Word::None => Word::None,
        Word::Unclear => Word::Unclear,
    };
    agreed(listed, standard).unwrap_or(peer)
}

/// What is counted as one address: of IPv6 the network of 64 bits, of which one client may have every address.
pub(crate) fn source(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(long) => IpAddr::V6(Ipv6Addr::from_bits(long.to_bits() & (u128::MAX << 64))),
    }
}

/// The origin that a request was sent to, such as `https://carbon.example.com`, if a trusted proxy names it clearly.
pub(crate) fn origin(trusted: &[IpNet], peer: IpAddr, headers: &HeaderMap) -> Option<String> {
    if !trusts(trusted, peer.to_canonical()) {
        return None;
    }
    let last = |name| match all(headers, name) {
        Word::None => Word::None,
        Word::Unclear => Word::Unclear,
        Word::Says(lines) => Word::of(lines.last().and_then(|line| line.rsplit(',').next()).map(str::trim)),
    };
    let listed = match (last(&header::X_FORWARDED_PROTO), last(&header::X_FORWARDED_HOST)) {
        (Word::None, Word::None) => Word::None,
        (Word::Says(scheme), Word::Says(host)) => Word::of(origin_of(scheme, host)),
        _ => Word::Unclear,
    };
    let standard = match elements(headers) {
        Word::None => Word::None,
        Word::Unclear => Word::Unclear,
        Word::Says(elements) => match elements.last().map(|last| (last.scheme.as_deref(), last.host.as_deref())) {
            None | Some((None, None)) => Word::None,
            Some((Some(scheme), Some(host))) => Word::of(origin_of(scheme, host)),
            Some((Some(_), None) | (None, Some(_))) => Word::Unclear,
        },
    };
    agreed(listed, standard)
}

/// What a header says.
enum Word<T> {
    /// The header does not say it.
    None,
    /// Something that cannot be made out.
    Unclear,
    /// The header says this.
    Says(T),
}

impl<T> Word<T> {
    fn of(read: Option<T>) -> Self {
        read.map_or(Self::Unclear, Self::Says)
    }
}

/// What both say, or one alone.
fn agreed<T: PartialEq>(one: Word<T>, other: Word<T>) -> Option<T> {
    match (one, other) {
        (Word::Says(value), Word::None) | (Word::None, Word::Says(value)) => Some(value),
        (Word::Says(value), Word::Says(same)) if value == same => Some(value),
        _ => None,
    }
}

fn trusts(trusted: &[IpNet], address: IpAddr) -> bool {
    trusted.iter().any(|network| network.contains(&address))
}

/// The last address that is not trusted; the first where all are. What is before it does not matter.
fn last_untrusted(trusted: &[IpNet], hops: impl DoubleEndedIterator<Item = Option<IpAddr>>) -> Word<IpAddr> {
    let mut furthest = Word::Unclear;
    for hop in hops.rev() {
        let Some(hop) = hop else { return Word::Unclear };
        furthest = Word::Says(hop);
        if !trusts(trusted, hop) {
            break;
        }
    }
    furthest
}

/// The lines of a header.
fn all<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Word<Vec<&'h str>> {
    if !headers.contains_key(name) {
        return Word::None;
    }
    Word::of(headers.get_all(name).map(|value| value.to_str().ok()).collect())
}

/// The elements of `Forwarded`.
fn elements(headers: &HeaderMap) -> Word<Vec<Element>> {
    match all(headers, &header::FORWARDED) {
        Word::None => Word::None,
        Word::Unclear => Word::Unclear,
        Word::Says(lines) => {
            let read: Option<Vec<_>> = lines.into_iter().map(element::read).collect();
            Word::of(read.map(|lines| lines.into_iter().flatten().collect()))
        }
    }
}

/// An address, with or without a port; one of version 6 is in brackets where a port follows.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(IpAddr::V6);
    let read = text.parse::<IpAddr>().ok().or_else(bracketed);
    read.or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip())).map(|address| address.to_canonical())
}

/// The origin of a scheme and a host with or without a port.
fn origin_of(scheme: &str, host: &str) -> Option<String> {
    let scheme = ["https", "http"].into_iter().find(|known| known.eq_ignore_ascii_case(scheme))?;
    is_host(host).then(|| format!("{scheme}://{host}"))
}

/// Whether that is a host, with or without a port.
pub(crate) fn is_host(text: &str) -> bool {
    let (known, port) = if let Some((name, port)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        (name.parse::<Ipv6Addr>().is_ok(), port)
    } else {
        let (name, port) = text.split_at(text.find(':').unwrap_or(text.len()));
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b"-._".contains(&b);
        ((1..=HOST_LENGTH).contains(&name.len()) && name.bytes().all(allowed), port)
    };
    let digits = |port: &str| port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|n| n > 0);
    known && (port.is_empty() || port.strip_prefix(':').is_some_and(digits))
}

#[cfg(test)]
mod tests;
