//! The forms of single texts: URNs, addresses, codes and version numbers.

/// One or more ASCII digits.
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// `urn:<namespace>:<something>` (RFC 8141); `urn` in any case. The RFC asks for a namespace of two characters at least,
/// PACT's pattern `^([uU][rR][nN]):` for none; one is enough here.
pub(super) fn is_urn(text: &str) -> bool {
    let mut parts = text.splitn(3, ':');
    let scheme = parts.next().is_some_and(|s| s.eq_ignore_ascii_case("urn"));
    let namespace = parts.next().is_some_and(|n| {
        (1..=32).contains(&n.len())
            && n.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !n.starts_with('-')
            && !n.ends_with('-')
    });
    scheme && namespace && parts.next().is_some_and(|specific| !specific.is_empty())
}

/// `AR` and digits: an assessment report of the IPCC.
pub(super) fn is_assessment_report(text: &str) -> bool {
    text.strip_prefix("AR").is_some_and(is_digits)
}

/// `[A-Z]{2}` (ISO 3166-1).
pub(super) fn is_country(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|b| b.is_ascii_uppercase())
}

/// `[A-Z]{2}-[A-Z0-9]{1,3}` (ISO 3166-2).
pub(super) fn is_subdivision(text: &str) -> bool {
    text.split_once('-').is_some_and(|(country, rest)| {
        is_country(country)
            && (1..=3).contains(&rest.len())
            && rest.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    })
}

/// An absolute https address with a host and without blanks.
pub(super) fn is_https(text: &str) -> bool {
    let rest = text.get(..8).filter(|start| start.eq_ignore_ascii_case("https://")).map(|_| &text[8..]);
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next());
    host.is_some_and(|host| !host.is_empty()) && is_unbroken(text)
}

/// `<scheme>:<something>` (RFC 3986) without blanks.
pub(super) fn is_uri(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
            && !rest.is_empty()
    }) && is_unbroken(text)
}

/// Three numbers with points between them, then optionally a pre-release and build part (Semantic Versioning 2).
pub(super) fn is_semantic_version(text: &str) -> bool {
    let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
    let (numbers, pre_release) = text.split_once('-').map_or((text, None), |(numbers, before)| (numbers, Some(before)));
    let is_number = |part: &str| is_digits(part) && (part.len() == 1 || !part.starts_with('0'));
    let is_identifier = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    numbers.split('.').count() == 3
        && numbers.split('.').all(is_number)
        && pre_release.is_none_or(|parts| {
            parts.split('.').all(|part| is_identifier(part) && (!is_digits(part) || is_number(part)))
        })
        && build.is_none_or(|parts| parts.split('.').all(is_identifier))
}

fn is_unbroken(text: &str) -> bool {
    !text.chars().any(|c| c.is_whitespace() || c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Case<'a> = (fn(&str) -> bool, &'a [&'a str], &'a [&'a str]);

    #[test]
    fn forms_take_what_they_name_and_nothing_else() {
        let cases: [Case<'_>; 7] = [
            (
                is_urn,
                &["urn:gtin:4712345060507", "URN:pact:a.example:product-id:1", "urn:x:y:z"],
                &["", "urn:", "urn:x", "urn:x:", "urn::y", "urn:-:y", "urn:gtin:", "gtin:1"],
            ),
            (is_assessment_report, &["AR5", "AR6", "AR10"], &["AR", "ar6", "AR6 ", "AR5a"]),
            (is_country, &["DE"], &["de", "DEU", "D", "Ä"]),
            (is_subdivision, &["DE-BY", "FR-2A", "GB-WLS"], &["DE", "DE-", "DE-by", "DE-ABCD"]),
            (is_https, &["https://a.example/x"], &["http://a.example", "https://", "https:///x", "https://a b", "ü"]),
            (is_uri, &["https://a.example", "urn:x:y"], &["", "a", "1a:b", "a:", "a:b c"]),
            (
                is_semantic_version,
                &["2.0.0", "1.0.0-rc.1+5"],
                &["2.0", "v2.0.0", "2.0.0-", "2.0.0-a..b", "2.0.0-01", "02.0.0", "1.0.0+a+b", ""],
            ),
        ];
        for (form, good, bad) in cases {
            assert_eq!(good.iter().find(|text| !form(text)), None);
            assert_eq!(bad.iter().find(|text| form(text)), None);
        }
    }
}
