//! Media types: what a request accepts, and what its body is.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{self, HeaderMap};
use actix_web::{FromRequest, HttpMessage, HttpRequest, HttpResponseBuilder};

use crate::problem::{Kind, Problem};

/// The media type of JSON.
pub(crate) const JSON: &str = "application/json";
/// The media type of a JSON merge patch (RFC 7396).
pub(crate) const MERGE_PATCH: &str = "application/merge-patch+json";
/// The media type of a JSON patch (RFC 6902), which is taken nowhere.
const JSON_PATCH: &str = "application/json-patch+json";
/// The media type of tables.
pub(crate) const CSV: &str = "text/csv";
/// The media type of one JSON value a line.
pub(crate) const NDJSON: &str = "application/x-ndjson";
/// The media type of workbooks.
pub(crate) const XLSX: &str = files::XLSX_MEDIA;
/// The media type of pages.
pub(crate) const HTML: &str = "text/html";
/// The media type of text for people.
pub(crate) const TEXT: &str = "text/plain";
/// The media type of forms.
pub(crate) const FORM: &str = "application/x-www-form-urlencoded";

/// Says that the answer is kept as a file of that name and ending, both of ASCII letters, digits and hyphens.
pub(crate) fn named_file(answer: &mut HttpResponseBuilder, name: &str, ending: &str) {
    answer.insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.{ending}\"")));
}

/// The media type that an operation answers with, agreed with the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Accepted(pub(crate) &'static str);

impl FromRequest for Accepted {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let accepted = request.extensions().get::<Self>().copied();
        ready(accepted.ok_or_else(|| Problem::internal("an operation is not behind `authenticate`")))
    }
}

/// The offer that `Accept` likes best, the first of equals; without the header the first.
pub(crate) fn negotiate(headers: &HeaderMap, offers: &[&'static str]) -> Result<Accepted, Problem> {
    let ranges: Vec<Range> = headers
        .get_all(header::ACCEPT)
        .flat_map(|value| value.to_str().unwrap_or("").split(','))
        .filter_map(Range::parse)
        .collect();
    if ranges.is_empty() && !headers.contains_key(header::ACCEPT) {
        return offers.first().map(|offer| Accepted(offer)).ok_or_else(|| unacceptable(offers));
    }
    let mut best: Option<(u16, &'static str)> = None;
    for offer in offers {
        let quality = ranges.iter().filter_map(|range| range.fits(offer)).max().map_or(0, |(_, quality)| quality);
        if quality > best.map_or(0, |(quality, _)| quality) {
            best = Some((quality, offer));
        }
    }
    best.map(|(_, offer)| Accepted(offer)).ok_or_else(|| unacceptable(offers))
}

fn unacceptable(offers: &[&str]) -> Problem {
    Problem::new(Kind::NotAcceptable, format!("Send an Accept that fits one of: {}.", offers.join(", ")))
}

/// One element of `Accept`.
struct Range {
    kind: String,
    subkind: String,
    /// In thousandths: 0 to 1000.
    quality: u16,
}

impl Range {
    /// Reads `type/subtype;parameters;q=0.5`; `None` for what is not of that form.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let (kind, subkind) = parts.next()?.split_once('/')?;
        let mut quality = 1000;
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            if name.trim().eq_ignore_ascii_case("q") {
                quality = thousandths(value.trim())?;
            }
        }
        Some(Self { kind: kind.to_ascii_lowercase(), subkind: subkind.to_ascii_lowercase(), quality })
    }

    /// How specific the range is for the offer, and its weight.
    fn fits(&self, offer: &str) -> Option<(u8, u16)> {
        let (kind, subkind) = offer.split_once('/')?;
        match (self.kind.as_str(), self.subkind.as_str()) {
            ("*", "*") => Some((0, self.quality)),
            (one, "*") if one == kind => Some((1, self.quality)),
            (one, two) if one == kind && two == subkind => Some((2, self.quality)),
            _ => None,
        }
    }
}

/// Reads a quality value: `0`, `1`, or either with up to three digits behind the point.
fn thousandths(text: &str) -> Option<u16> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > 3 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let fraction: u16 = format!("{fraction:0<3}").parse().ok()?;
    match whole {
        "0" => Some(fraction),
        "1" if fraction == 0 => Some(1000),
        _ => None,
    }
}

/// Refuses a body that is not of one of those media types in UTF-8. `application/json` stands for every `+json`
/// without a meaning of its own here.
pub(crate) fn check_body(headers: &HeaderMap, taken: &[&'static str]) -> Result<&'static str, Problem> {
    check_bulk_body(headers, taken, false)
}

/// The same of a body that may be packed.
pub(crate) fn check_bulk_body(
    headers: &HeaderMap,
    taken: &[&'static str],
    is_gzip: bool,
) -> Result<&'static str, Problem> {
    let refusal = || Problem::new(Kind::MediaType, format!("Send a Content-Type of: {}.", taken.join(", ")));
    let mut values = headers.get_all(header::CONTENT_TYPE);
    let (Some(value), None) = (values.next(), values.next()) else { return Err(refusal()) };
    let text = value.to_str().map_err(|_| refusal())?.to_ascii_lowercase();
    let mut parts = text.split(';').map(str::trim);
    let essence = parts.next().unwrap_or("");
    for parameter in parts {
        let charset = parameter.strip_prefix("charset=").map(|name| name.trim_matches('"'));
        if charset.is_some_and(|name| !matches!(name, "utf-8" | "utf8" | "us-ascii")) {
            return Err(Problem::new(Kind::MediaType, "Send the body in UTF-8."));
        }
    }
    if !is_gzip && headers.get(header::CONTENT_ENCODING).is_some_and(|coding| coding != "identity") {
        return Err(Problem::new(Kind::MediaType, "Send the body without a Content-Encoding."));
    }
    let json = essence.starts_with("application/")
        && essence.ends_with("+json")
        && essence != MERGE_PATCH
        && essence != JSON_PATCH;
    let found = taken.iter().find(|one| **one == essence || (json && **one == JSON));
    found.copied().ok_or_else(refusal)
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    const OFFERS: [&str; 3] = [JSON, CSV, NDJSON];

    fn accepted(accept: &str) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_str(accept).unwrap());
        negotiate(&headers, &OFFERS).ok().map(|accepted| accepted.0)
    }

    #[test]
    fn the_best_liked_offer_wins_and_the_first_of_equals() {
        assert_eq!(accepted("*/*"), Some(JSON));
        assert_eq!(accepted("text/csv, */*;q=0.1"), Some(CSV));
        assert_eq!(accepted("application/*;q=0.5, application/x-ndjson"), Some(NDJSON));
        assert_eq!(accepted("text/*"), Some(CSV));
        assert_eq!(accepted("application/json;q=0, */*"), Some(CSV));
        assert_eq!(accepted("Application/JSON; charset=utf-8"), Some(JSON));
    }

    #[test]
    fn an_accept_that_fits_nothing_is_refused() {
        for accept in
            ["application/xml", "text/html, image/*", "application/json;q=0", "nonsense", "application/json;q=2"]
        {
            assert_eq!(accepted(accept), None, "{accept}");
        }
    }

    #[test]
    fn bodies_are_of_a_taken_type_in_utf_8() {
        let check = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_str(value).unwrap());
            check_body(&headers, &[JSON, MERGE_PATCH]).ok()
        };
        assert_eq!(check("application/json; charset=UTF-8"), Some(JSON));
        assert_eq!(check("application/merge-patch+json"), Some(MERGE_PATCH));
        assert_eq!(check("application/ld+json"), Some(JSON));
        for bad in ["text/plain", "application/json; charset=latin1", "application/jsonp", JSON_PATCH, ""] {
            assert_eq!(check(bad), None, "{bad}");
        }
    }
}
