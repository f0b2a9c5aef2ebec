//! Links between pages lead somewhere, those of the book stay in the book, and every page of the book is in its summary.

use std::collections::BTreeSet;

use super::Finding;
use super::tree::{File, Tree, has_extension};

const BOOK: &str = "docs/";
const SUMMARY: &str = "docs/SUMMARY.md";

/// Checks every link of the README, the changelog and the pages below `docs` that is no address.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let paths: BTreeSet<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
    let is_page =
        |file: &&File| has_extension(&file.path, "md") && (!file.path.contains('/') || file.path.starts_with("docs/"));
    let mut findings = Vec::new();
    for page in tree.files.iter().filter(is_page) {
        for (line, target) in links(&page.text) {
            if let Some(wrong) = dead(&page.path, &target, tree, &paths) {
                findings.push(Finding::new(&page.path, line, wrong, "mend the link"));
            }
        }
    }
    if let Some(summary) = tree.files.iter().find(|file| file.path == SUMMARY) {
        let named: BTreeSet<String> = links(&summary.text)
            .iter()
            .map(|(_, target)| joined(SUMMARY, target.split('#').next().unwrap_or_default()))
            .collect();
        for (page, _) in tree.below("docs/").filter(|(page, _)| has_extension(&page.path, "md") && page.path != SUMMARY)
        {
            if !named.contains(&page.path) {
                findings.push(Finding::new(&page.path, 1, "not a page of the book", format!("name it in {SUMMARY}")));
            }
        }
    }
    findings
}

/// What is wrong with the target of a link, if anything.
fn dead(page: &str, target: &str, tree: &Tree, paths: &BTreeSet<&str>) -> Option<String> {
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let path = if path.is_empty() { page.to_owned() } else { joined(page, path) };
    if page.starts_with(BOOK) && !path.starts_with(BOOK) {
        // The book is built from `docs` alone: such a link is dead for its readers.
        return Some(format!("the link to `{target}` leaves {BOOK}: write the path as code"));
    }
    let folder = format!("{}/", path.trim_end_matches('/'));
    if !paths.contains(path.as_str()) && !paths.iter().any(|other| other.starts_with(&folder)) {
        return Some(format!("the link to `{target}` leads nowhere"));
    }
    let anchor = anchor.filter(|_| has_extension(&path, "md"))?;
    let file = tree.files.iter().find(|file| file.path == path)?;
    (!anchors(&file.text).contains(anchor)).then(|| format!("{path} has no heading `#{anchor}`"))
}

/// The path that a link of the page names, from the root.
fn joined(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            // Above the root nothing is known by its path.
            ".." if parts.pop().is_none() => return link.to_owned(),
            "." | ".." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The text without what is between fences, line by line.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_block = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_block ^= is_fence;
        !in_block && !is_fence
    })
}

/// The targets of links that are no addresses, each with its line.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (line, text) in prose(text) {
        // What is code is no link.
        let text = text.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for (at, _) in text.match_indices("](") {
            let target: String = text[at + 2..].chars().take_while(|c| !matches!(c, ')' | ' ')).collect();
            if !target.contains("://") && !target.starts_with("mailto:") && !target.is_empty() {
                found.push((line, target));
            }
        }
    }
    found
}

/// The anchors of a page's headings, as mdBook and the usual viewers make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, line) in prose(text) {
        let heading = line.trim_start_matches('#');
        if heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let anchor: String = kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect();
        let again = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(again).find(|anchor| !found.contains(anchor));
        found.extend(free);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        check(&Tree::of(files)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn links_to_pages_folders_and_headings_are_followed() {
        let page = "# A page\n## `tonne key`: keys\n[a](b.md#two-words) [c](images) [d](#tonne-key-keys)\n\
                    [e](https://example.com/x) `[f](nowhere)`\n```sh\n[g](nowhere)\n```\n";
        assert_eq!(
            findings(&[("docs/a.md", page), ("docs/b.md", "## Two words\n"), ("docs/images/x", "")]),
            Vec::<String>::new()
        );
    }

    #[test]
    fn what_leads_nowhere_is_found_with_its_line() {
        for link in ["c.md", "b.md#three", "#nothing", "../x/", "../../docs/b.md"] {
            let found = findings(&[("docs/a.md", &format!("# A\n[a]({link})\n")), ("docs/b.md", "## Two\n")]);
            assert!(found.len() == 1 && found[0].starts_with("docs/a.md:2: "), "{link}: {found:?}");
        }
    }

    #[test]
    fn links_of_the_book_stay_in_it() {
        let found =
            findings(&[("docs/a.md", "[x](../deploy/x)\n"), ("README.md", "[x](deploy/x)\n"), ("deploy/x", "")]);
        let leaves = "docs/a.md:1: the link to `../deploy/x` leaves docs/: write the path as code; mend the link";
        assert_eq!(found, [leaves]);
    }

    #[test]
    fn every_page_is_in_the_summary() {
        let found = findings(&[(SUMMARY, "- [A](a.md)\n"), ("docs/a.md", ""), ("docs/b/c.md", "")]);
        assert_eq!(found, ["docs/b/c.md:1: not a page of the book; name it in docs/SUMMARY.md"]);
    }
}
