//! Absolute http and https addresses (RFC 3986, with the letters of RFC 3987).

use std::net::Ipv6Addr;

use super::visible::is_hidden;

/// Why a text is not such an address.
pub(super) fn fault(text: &str) -> Option<&'static str> {
    let rest = match text.split_once("://") {
        Some((scheme, rest)) if ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) => rest,
        Some(_) | None => return Some("the address must start with http:// or https://"),
    };
    if text.chars().any(|c| !is_allowed(c)) || !has_whole_escapes(text) {
        return Some("the address contains characters that must be percent-encoded, such as %20 for a blank");
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    if authority.contains('@') {
        return Some("the address must not contain a user name or password before its host");
    }
    if !is_host_with_port(authority) {
        return Some("the address must name a host, such as example.com, and a port up to 65535 if any");
    }
    let behind = path.split_once(['?', '#']).map_or("", |(_, behind)| behind);
    let in_path = path[..path.len() - behind.len()].contains(['[', ']']);
    let fragments = path.matches('#').count();
    (in_path || fragments > 1).then_some("the address contains [, ] or # where it must be percent-encoded")
}

/// `unreserved`, `gen-delims`, `sub-delims`, `%`, and what RFC 3987 adds to them.
fn is_allowed(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || "-._~:/?#[]@!$&'()*+,;=%".contains(c)
        || (c >= '\u{a0}' && !c.is_whitespace() && !c.is_control() && !is_hidden(c))
}

fn has_whole_escapes(text: &str) -> bool {
    text.split('%').skip(1).all(|behind| {
        let digits = behind.as_bytes();
        digits.len() >= 2 && digits[..2].iter().all(u8::is_ascii_hexdigit)
    })
}

fn is_host_with_port(authority: &str) -> bool {
    let (host, port) = match authority.strip_prefix('[') {
        Some(bracketed) => match bracketed.split_once(']') {
            Some((host, port)) if host.parse::<Ipv6Addr>().is_ok() => ("", port),
            Some(_) | None => return false,
        },
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let is_name = |host: &str| !host.is_empty() && !host.contains(['[', ']']);
    let digits = port.strip_prefix(':').unwrap_or(port);
    let is_port = digits.is_empty() || (port.starts_with(':') && digits.bytes().all(|b| b.is_ascii_digit()));
    let fits = digits.is_empty() || digits.parse::<u16>().is_ok();
    (authority.starts_with('[') || is_name(host)) && is_port && fits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{ImageAddress, TextError};

    #[test]
    fn absolute_addresses_of_the_web_are_taken_as_they_are() {
        for address in [
            "http://e.com",
            "HTTPS://E.com/x.png",
            "HtTp://e.com:8080/a/b;c=1?x=[1]&y=%20#part?/",
            "https://e.com:/",
            "https://[2001:db8::1]:443/x",
            "https://192.0.2.7/x",
            "https://b\u{fc}cher.example/\u{4e2d}.png",
            "https://e.com?x=@y",
            "https://e.com/@me",
        ] {
            assert_eq!(fault(address), None, "{address}");
            assert_eq!(ImageAddress::parse(address).unwrap().as_str(), address);
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for address in [
            "",
            "e.com/x.png",
            "//e.com/x.png",
            "ftp://e.com/x.png",
            "data:image/png;base64,AA",
            "https:/e.com",
            "https://",
            "https:///x.png",
            "https://?x",
            "https://x\"><script>",
            "https://e.com/a b",
            "https://e.com/\nx",
            "https://e.com/`x`",
            "https://e.com/{x}",
            "https://e.com\\x",
            "https://e.com/100%",
            "https://e.com/%zz",
            "https://me@e.com/x",
            "https://me:secret@e.com/x",
            "https://e.com:65536/",
            "https://e.com:8o/",
            "https://:80/",
            "https://[::1/",
            "https://[e.com]/",
            "https://[::1]x/",
            "https://e]x.com/",
            "https://e.com/[1]",
            "https://e.com/#a#b",
            "https://e.com/\u{202e}gnp.x",
        ] {
            assert!(fault(address).is_some(), "{address:?}");
            assert!(matches!(ImageAddress::parse(address), Err(TextError::Form(_))), "{address:?}");
        }
    }

    #[test]
    fn an_address_has_at_most_2048_characters() {
        let longest = format!("https://e.com/{}", "x".repeat(2_048 - 14));
        assert!(ImageAddress::parse(&longest).is_ok());
        assert_eq!(ImageAddress::parse(&(longest + "x")), Err(TextError::TooLong(2_048)));
    }
}
