//! Decisions are numbered files.

use super::Finding;
use super::tree::Tree;

const FOLDER: &str = "docs/decisions/";

/// Checks that the names are `NNNN-title.md`, numbered from 0001 without gaps or doubles.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut names: Vec<&str> = tree.below(FOLDER).map(|(_, name)| name).collect();
    names.sort_unstable();
    let mut findings = Vec::new();
    let mut last = 0;
    for name in names {
        let at = format!("{FOLDER}{name}");
        let Some(number) = number(name) else {
            let remedy = "call it NNNN-title.md: four digits, lower-case words with `-` between";
            findings.push(Finding::new(&at, 1, "not a decision's name", remedy));
            continue;
        };
        if number != last + 1 {
            let wrong = format!("number {number:04} where {:04} follows", last + 1);
            findings.push(Finding::new(&at, 1, wrong, "number decisions from 0001 without gaps or doubles"));
        }
        last = number;
    }
    findings
}

/// The number of a decision with a right name.
fn number(name: &str) -> Option<u32> {
    let (digits, title) = name.strip_suffix(".md")?.split_once('-')?;
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let named = digits.len() == 4 && digits.chars().all(|c| c.is_ascii_digit()) && title.split('-').all(is_word);
    if named { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(names: &[&str]) -> Vec<String> {
        let paths: Vec<_> = names.iter().map(|name| format!("{FOLDER}{name}")).collect();
        let files: Vec<_> = paths.iter().map(|path| (path.as_str(), "")).collect();
        check(&Tree::of(&files)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn numbered_names_without_gaps_are_right() {
        assert_eq!(findings(&["0001-one-decimal.md", "0002-two.md"]), Vec::<String>::new());
    }

    #[test]
    fn wrong_names_gaps_and_doubles_are_found() {
        for name in ["1-a.md", "0001_a.md", "0001-A.md", "0001-.md", "0001-a.txt", "README.md", "0002-a.md"] {
            assert_eq!(findings(&[name]).len(), 1, "{name}");
        }
        assert!(findings(&["0001-a.md", "0001-b.md"])[0].contains("0001-b.md:1: number 0001 where 0002 follows"));
        assert!(findings(&["0001-a.md", "0003-c.md"])[0].contains("number 0003 where 0002 follows"));
    }
}
