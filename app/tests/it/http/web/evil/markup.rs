//! What a page is made of: its elements with the names of their attributes, and where they lead.

use std::collections::BTreeSet;

/// The elements of pages.
#[derive(Default)]
pub(super) struct Elements {
    /// Names of elements and of their attributes, such as `a` and `a href`.
    names: BTreeSet<String>,
    /// Values of the attributes that browsers follow.
    led: BTreeSet<String>,
}

impl Elements {
    /// What those have not.
    pub(super) fn beyond<'a>(&'a self, known: &'a Self) -> Vec<&'a String> {
        self.names.difference(&known.names).collect()
    }

    /// Where it leads that is not of this origin. A switch's image is an address that was checked when it was written.
    pub(super) fn elsewhere(&self) -> Vec<&String> {
        self.led.iter().filter(|to| !to.starts_with(['/', '?', '#']) || to.starts_with("//")).collect()
    }

    fn add(&mut self, page: &str) {
        let mut rest = page;
        while let Some(at) = rest.find('<') {
            rest = &rest[at + 1..];
            if rest.starts_with('/') || rest.starts_with("!DOCTYPE html>") {
                continue;
            }
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
            let element = &rest[..end];
            self.names.insert(element.to_owned());
            rest = self.attributes(element, &rest[end..]);
        }
    }

    /// Adds the attributes of an element, and gives what is behind it.
    fn attributes<'a>(&mut self, element: &str, mut rest: &'a str) -> &'a str {
        loop {
            rest = rest.trim_start();
            if let Some(behind) = rest.strip_prefix('>').or_else(|| rest.strip_prefix("/>")) {
                return behind;
            }
            let end = rest.find(['=', ' ', '>']).unwrap_or(rest.len());
            let name = &rest[..end];
            if name.is_empty() {
                return rest;
            }
            self.names.insert(format!("{element} {name}"));
            rest = &rest[end..];
            let Some(value) = rest.strip_prefix("=\"") else { continue };
            let (value, behind) = value.split_once('"').unwrap_or((value, ""));
            if ["href", "src", "action", "formaction", "data", "xlink:href"].contains(&name) {
                self.led.insert(value.to_owned());
            }
            rest = behind;
        }
    }
}

impl<'a> FromIterator<&'a str> for Elements {
    fn from_iter<I: IntoIterator<Item = &'a str>>(pages: I) -> Self {
        let mut all = Self::default();
        pages.into_iter().for_each(|page| all.add(page));
        all
    }
}

#[test]
fn what_would_act_is_found() {
    let known: Elements = std::iter::once("<!DOCTYPE html><p class=\"a\">x<a href=\"/b\">c</a></p>").collect();
    for evil in ["<p class=\"a\"><b>", "<p onclick=\"x\">", "<p class=\"a\" onclick=x>", "<script>", "<P>", "<!--"] {
        let found: Elements = std::iter::once(evil).collect();
        assert!(!found.beyond(&known).is_empty(), "{evil}");
    }
    for to in ["javascript:x", "//evil.example", "https://evil.example", "data:x"] {
        let page = format!("<a href=\"{to}\">");
        let found: Elements = std::iter::once(page.as_str()).collect();
        assert_eq!(found.elsewhere(), [to]);
    }
}
