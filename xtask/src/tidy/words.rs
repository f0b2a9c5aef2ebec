//! Words that no committed text may hold.

use super::Finding;
use super::tree::{File, Tree};
use crate::rust_text::{is_word, line_of, occurrences};

/// Marks of unfinished work.
const MARKS: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];
/// Where a workplace keeps its checkouts.
const WORKPLACE: &str = concat!("/wo", "rk/");

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
    for at in occurrences(text, WORKPLACE).filter(|at| !text[..*at].ends_with(['/', '.', '-', '}'])) {
        let wrong = format!("`{WORKPLACE}` is a place on somebody's machine");
        findings.push(Finding::new(path, line_of(text, at), wrong, "say it relative to the repository"));
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
            format!("a\n{WORKPLACE}main"),
            format!("a\nsee `{WORKPLACE}main`"),
        ] {
            let found = findings(&text);
            assert_eq!(found.len(), 1, "{text}");
            assert!(found[0].starts_with("docs/a.md:2: "), "{found:?}");
        }
    }

    #[test]
    fn parts_of_longer_words_and_addresses_are_not() {
        for text in ["MASTODON", "a todo list", "https://example.org/work/a", "../work/a", "frame/work/a"] {
            assert_eq!(findings(text), Vec::<String>::new(), "{text}");
        }
    }
}
