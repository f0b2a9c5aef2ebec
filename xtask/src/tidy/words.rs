//! Words that no committed text may hold.

use super::Finding;
use super::tree::{File, Tree};
use crate::rust_text::{is_word, line_of, occurrences};

/// Marks of unfinished work.
const MARKS: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];
/// Where people keep their files on a machine of their own.
const HOMES: [&str; 3] = [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/Us", "ers/")];

/// Checks every text file.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.files.iter().flat_map(check_file).collect()
}

fn check_file(File { path, text }: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    for mark in MARKS {
        for at in occurrences(text, mark).filter(|at| !text[at + mark.len()..].starts_with(is_word)) {
            findings.push(Finding::new(path, line_of(text, at), format!("`{mark}`"), "do it, or take the line out"));
        }
    }
    for home in HOMES {
        // Behind a letter it is the end of a longer path or of an address.
        for at in
            occurrences(text, home).filter(|at| !text[..*at].ends_with(|c: char| is_word(c) || "/.-}".contains(c)))
        {
            let wrong = format!("`{home}` is a place on somebody's machine");
            findings.push(Finding::new(path, line_of(text, at), wrong, "say it relative to the repository"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> Vec<String> {
        check(&Tree::of(&[("docs/a.md", text)])).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn marks_and_places_are_found_with_their_line() {
        for text in [
            format!("a\n{} b", MARKS[0]),
            format!("a\n// {}: b", MARKS[1]),
            format!("a\n{}me/main", HOMES[0]),
            format!("a\nsee `{}main`", HOMES[1]),
        ] {
            let found = findings(&text);
            assert_eq!(found.len(), 1, "{text}");
            assert!(found[0].starts_with("docs/a.md:2: "), "{found:?}");
        }
    }

    #[test]
    fn parts_of_longer_words_and_addresses_are_not() {
        for text in ["MASTODON", "a todo list", "https://example.org/home/a", "../home/a", "a/home/b", "the home/a"] {
            assert_eq!(findings(text), Vec::<String>::new(), "{text}");
        }
    }
}
