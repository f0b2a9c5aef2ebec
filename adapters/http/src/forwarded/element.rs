//! Reading the header `Forwarded` (RFC 7239, section 4).

/// What one proxy says of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Element {
    /// Who sent it: `for`.
    pub(super) sender: Option<String>,
    /// The `Host` that it was sent with.
    pub(super) host: Option<String>,
    /// The scheme that it was sent by: `proto`.
    pub(super) scheme: Option<String>,
}

impl Element {
    /// Notes a pair; `None` when it appears twice.
    fn set(&mut self, name: &str, value: String) -> Option<()> {
        let place = match name.to_ascii_lowercase().as_str() {
            "for" => &mut self.sender,
            "host" => &mut self.host,
            "proto" => &mut self.scheme,
            _ => return Some(()),
        };
        place.replace(value).is_none().then_some(())
    }
}

/// The elements of one line of the header; `None` when it is malformed.
pub(super) fn read(line: &str) -> Option<Vec<Element>> {
    const BLANKS: [char; 2] = [' ', '\t'];
    let (mut elements, mut element) = (Vec::new(), Element::default());
    let mut rest = line.trim_matches(BLANKS);
    loop {
        let (name, after) = rest.split_once('=')?;
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)) {
            return None;
        }
        let (value, after) = value(after)?;
        element.set(name, value)?;
        let after = after.trim_start_matches(BLANKS);
        if after.is_empty() {
            elements.push(element);
            return Some(elements);
        }
        if let Some(next) = after.strip_prefix(',') {
            elements.push(std::mem::take(&mut element));
            rest = next.trim_start_matches(BLANKS);
        } else {
            rest = after.strip_prefix(';')?.trim_start_matches(BLANKS);
        }
    }
}

/// A value, in quotes or plain, and what follows it. A plain one may hold colons and brackets, which proxies leave bare.
fn value(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let (value, rest) = text.split_at(text.find([',', ';', ' ', '\t', '"']).unwrap_or(text.len()));
        return (!value.is_empty()).then(|| (value.to_owned(), rest));
    };
    let mut value = String::new();
    let mut chars = quoted.chars();
    loop {
        match chars.next()? {
            '"' => return Some((value, chars.as_str())),
            '\\' => value.push(chars.next()?),
            other => value.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_parted_by_commas_and_pairs_by_semicolons_outside_quotes() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            read(r#" For="[2001:db8::1]:80";by=_a ; PROTO=https , for=192.0.2.1:7;host="a\"b,;c" "#),
            Some(vec![
                Element { sender: some("[2001:db8::1]:80"), host: None, scheme: some("https") },
                Element { sender: some("192.0.2.1:7"), host: some("a\"b,;c"), scheme: None },
            ])
        );
    }

    #[test]
    fn what_is_malformed_is_no_element() {
        for line in
            ["", "for", "for=", "=a", "for=a;for=b", "for=\"a", "for=\"a\\", "for=a b", "for=a,", ",for=a", "for =a"]
        {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
