//! The contract every store passes: each case is named in a list that the stores run.
//!
//! A case is a `pub async fn` at the start of a line in `ports/src/contract/`; the lists are what is in the macros of
//! `ports/src/contract.rs` and of the list of directories below it. What only helps a case is not `pub`, or a method.

use std::collections::BTreeMap;

use super::Finding;
use super::tree::Tree;
use crate::rust_text::{code_only, is_word};

const LIST: &str = "ports/src/contract.rs";
const LIST_OF_DIRECTORIES: &str = "ports/src/contract/directory_list.rs";
const CASES: &str = "ports/src/contract/";
const CASE: &str = "pub async fn ";

/// Checks that the list names every case, as often as there are cases of that name. Without a list there is no contract.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    if !tree.files.iter().any(|file| file.path == LIST) {
        return Vec::new();
    }
    let mut named: BTreeMap<String, usize> = BTreeMap::new();
    for list in tree.files.iter().filter(|file| [LIST, LIST_OF_DIRECTORIES].contains(&&*file.path)) {
        for word in macro_words(&code_only(&list.text)) {
            *named.entry(word).or_default() += 1;
        }
    }

    let mut findings = Vec::new();
    for (file, _) in tree.below(CASES) {
        for (index, line) in code_only(&file.text).lines().enumerate() {
            let Some(name) = line.strip_prefix(CASE).and_then(|rest| rest.split(|c| !is_word(c)).next()) else {
                continue;
            };
            match named.get_mut(name).filter(|times| **times > 0) {
                Some(times) => *times -= 1,
                None => findings.push(Finding::new(
                    &file.path,
                    index + 1,
                    format!("no store runs the case `{name}`"),
                    format!("name it in the list in {LIST}; if it is no case, do not make it `pub`"),
                )),
            }
        }
    }
    findings
}

/// The words in the bodies of the file's macros.
fn macro_words(code: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in code.split("macro_rules!").skip(1) {
        let Some(open) = part.find('{') else { continue };
        let mut depth = 0_usize;
        let end = part[open..].char_indices().find(|(_, c)| {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let body = &part[open..end.map_or(part.len(), |(at, _)| open + at)];
        words.extend(body.split(|c| !is_word(c)).filter(|word| !word.is_empty()).map(str::to_owned));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const MACRO: &str = "mod activity;\nmod head;\nfn third() {}\nmacro_rules! store_contract {\n    ($harness:path) => {\n        \
        cases!($harness, activity: first, second; // third\n head: first);\n    };\n}\nfn fourth() {}\n";

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        check(&Tree::of(files)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn cases_that_the_list_names_are_right() {
        let activity = "pub async fn first(s: &dyn Store) {}\n\npub async fn second<H: Harness>(h: &H) {}\n";
        let head = "pub async fn first() {}\nasync fn helper() {}\nimpl A {\n    pub async fn method() {}\n}\n";
        let files = [("ports/src/contract.rs", MACRO), ("ports/src/contract/activity.rs", activity)];
        assert_eq!(findings(&files), Vec::<String>::new());
        let files = [files[0], files[1], ("ports/src/contract/head.rs", head)];
        assert_eq!(findings(&files), Vec::<String>::new());
    }

    #[test]
    fn the_list_of_directories_names_cases_too() {
        let cases = ("ports/src/contract/token.rs", "pub async fn third() {}\n");
        let list = MACRO.replace("first, second", "third");
        let files = [(LIST, MACRO), (LIST_OF_DIRECTORIES, list.as_str()), cases];
        assert_eq!(findings(&files), Vec::<String>::new());
        assert_eq!(findings(&[files[0], files[2]]).len(), 1);
    }

    #[test]
    fn a_case_that_no_macro_names_is_found_with_its_line() {
        for case in ["third", "fourth", "fir"] {
            let text = format!("//! Cases.\npub async fn {case}() {{}}\n");
            let found = findings(&[("ports/src/contract.rs", MACRO), ("ports/src/contract/a/b.rs", &text)]);
            assert_eq!(found.len(), 1, "{case}");
            assert!(found[0].starts_with("ports/src/contract/a/b.rs:2: no store runs the case"), "{found:?}");
        }
    }

    #[test]
    fn a_name_listed_once_serves_one_case() {
        let text = "pub async fn second() {}\n";
        let files =
            [("ports/src/contract.rs", MACRO), ("ports/src/contract/a.rs", text), ("ports/src/contract/b.rs", text)];
        assert_eq!(findings(&files).len(), 1);
    }

    #[test]
    fn without_a_list_nothing_is_asked() {
        assert_eq!(findings(&[("ports/src/contract/a.rs", "pub async fn a() {}\n")]), Vec::<String>::new());
    }
}
