//! Links to the rest of a list: absolute, at the host that the request was sent to where that is one of ours, with all that
//! was asked for.

use std::fmt::Write as _;

use actix_web::HttpRequest;
use actix_web::http::header;

use crate::problem::Problem;
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

/// The base address of the tenant; at the host that the request names, where the service itself is known under it.
pub(crate) fn base(service: &Service, request: &HttpRequest) -> Result<String, Problem> {
    let base = service.base_url(request)?;
    let named = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let Some(named) = named else { return Ok(base) };
    let is_ours = service.settings().public_url.is_none() && reached::is_loopback_name(request, named);
    let Some((scheme, rest)) = base.split_once("://").filter(|_| is_ours) else { return Ok(base) };
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    Ok(format!("{scheme}://{named}{path}"))
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
}
