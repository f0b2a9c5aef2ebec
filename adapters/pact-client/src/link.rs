//! The `Link` of an answer (RFC 8288).

/// The target of the first link whose relations include `next`.
pub(crate) fn next(links: &str) -> Option<&str> {
    let mut rest = links;
    loop {
        let (_, after) = rest.split_once('<')?;
        let (target, after) = after.split_once('>')?;
        let (parameters, others) = until_comma(after);
        if is_next(parameters) {
            return Some(target.trim());
        }
        rest = others;
    }
}

/// The text up to a comma that is in no quotes, and what follows it.
fn until_comma(text: &str) -> (&str, &str) {
    text.split_at_checked(unquoted(text, ','))
        .map_or((text, ""), |(before, after)| (before, after.get(1..).unwrap_or("")))
}

/// The place of the first such character outside of quotes; the end where there is none.
fn unquoted(text: &str, wanted: char) -> usize {
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if c == wanted && !quoted => return at,
            _ => {}
        }
    }
    text.len()
}

fn is_next(parameters: &str) -> bool {
    let mut rest = parameters;
    while !rest.is_empty() {
        let (parameter, after) = rest.split_at(unquoted(rest, ';'));
        if let Some((name, value)) = parameter.split_once('=')
            && name.trim().eq_ignore_ascii_case("rel")
        {
            let relations = value.trim().trim_matches('"');
            return relations.split_whitespace().any(|one| one.eq_ignore_ascii_case("next"));
        }
        rest = after.get(1..).unwrap_or("");
    }
    false
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn the_target_of_the_next_part_is_found_among_others() {
        let found = [
            ("<https://a/3?x=1>; rel=\"next\"", Some("https://a/3?x=1")),
            ("<https://a/1>; rel=\"first\", <https://a/2>; rel=\"next\"", Some("https://a/2")),
            ("<https://a/1>;title=\"a, <b>; rel=next\" , <https://a/2> ; REL=next", Some("https://a/2")),
            ("<https://a/2>; rel=\"last next\"", Some("https://a/2")),
            ("<https://a/1>; rel=\"prev\"", None),
            ("<https://a/1>", None),
            ("https://a/1; rel=next", None),
            ("<https://a/1", None),
            ("", None),
        ];
        for (links, target) in found {
            assert_eq!(next(links), target, "{links}");
        }
    }
}
