//! How Rust files are laid out, and what their code may not hold.

use super::Finding;
use super::tree::{File, Tree};
use crate::rust_text::{code_only, is_word, line_of, occurrences};

/// A file may have this many lines.
pub(super) const LINES_ALLOWED: usize = 800;
/// Beyond this many lines a file is named as long.
const LINES_LONG: usize = 500;

/// What no code may hold, and what to do instead.
const FORBIDDEN: [(&str, &str); 5] = [
    ("#[ignore", "make the test run, or delete it"),
    ("#[allow(", "mend the cause, or say `#[expect(..., reason = \"...\")]`"),
    ("#![allow(", "mend the cause, or say `#![expect(..., reason = \"...\")]`"),
    ("todo!", "write it, or leave the item out"),
    ("unimplemented!", "write it, or leave the item out"),
];

/// Where amounts pass, and so no float may be.
const EXACT: [&str; 6] =
    ["domain/src/", "ports/src/", "app/src/", "adapters/files/src/", "adapters/http/src/", "adapters/web/src/"];
/// What is there of floats all the same: metrics, and cells and widths of columns, which workbooks keep as floats.
const FLOATS: [&str; 3] = ["app/src/measure", "adapters/files/src/workbook/", "adapters/files/src/xlsx"];

/// Checks every Rust file.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust().flat_map(check_file).collect()
}

/// The files that are long but not yet too long, with their numbers of lines, longest first.
pub(super) fn long(tree: &Tree) -> Vec<(&str, usize)> {
    let lines = tree.rust().map(|file| (file.path.as_str(), file.text.lines().count()));
    let mut long: Vec<_> = lines.filter(|(_, lines)| (LINES_LONG + 1..=LINES_ALLOWED).contains(lines)).collect();
    long.sort_by_key(|(_, lines)| std::cmp::Reverse(*lines));
    long
}

fn check_file(File { path, text }: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    if path == "mod.rs" || path.ends_with("/mod.rs") {
        findings.push(Finding::new(
            path,
            1,
            "the file is called mod.rs",
            "call it after its module, beside its folder",
        ));
    }
    let lines = text.lines().count();
    if lines > LINES_ALLOWED {
        let wrong = format!("{lines} lines, {LINES_ALLOWED} are allowed");
        findings.push(Finding::new(path, LINES_ALLOWED + 1, wrong, "split it along a noun"));
    }
    if is_in(path, "src") && !text.starts_with("//!") {
        let remedy = "say in two or three lines of `//!` what it is about";
        findings.push(Finding::new(path, 1, "the file does not open with `//!`", remedy));
    }

    let code = code_only(text);
    for (needle, remedy) in FORBIDDEN {
        findings.extend(found(path, &code, needle, remedy));
    }
    if is_in(path, "tests") {
        findings.extend(found(path, &code, "sleep(", "wait for what happens, not for time to pass"));
    }
    let is_below = |folders: &[&str]| folders.iter().any(|folder| path.starts_with(folder));
    if is_below(&EXACT) && !is_below(&FLOATS) {
        for float in ["f32", "f64"] {
            let remedy = "amounts are exact: take `Decimal`, a newtype over it, or an integer";
            findings.extend(found(path, &code, float, remedy).into_iter().filter(|finding| {
                let line = code.lines().nth(finding.line - 1).unwrap_or_default();
                line.split(|c| !is_word(c)).any(|word| word == float)
            }));
        }
    }
    findings
}

fn found(path: &str, code: &str, needle: &str, remedy: &str) -> Vec<Finding> {
    let finding = |at| Finding::new(path, line_of(code, at), format!("`{}`", needle.trim_end_matches('(')), remedy);
    occurrences(code, needle).map(finding).collect()
}

/// Whether a folder on the path has this name.
fn is_in(path: &str, folder: &str) -> bool {
    path.split('/').rev().skip(1).any(|part| part == folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of(&[(path, text)])).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn forbidden_code_is_found_with_its_line() {
        for code in [
            "#[ignore]",
            "#[ignore = \"slow\"]",
            "#[allow(dead_code)]",
            "#![allow(dead_code)]",
            "fn f() { todo!() }",
            "fn f() { unimplemented!(\"x\") }",
        ] {
            let found = findings("app/src/a.rs", &format!("//! A.\n\n{code}\n"));
            assert_eq!(found.len(), 1, "{code}: {found:?}");
            assert!(found[0].starts_with("app/src/a.rs:3: "), "{found:?}");
        }
    }

    #[test]
    fn words_in_comments_and_texts_are_no_code() {
        let text = "//! Never `#[allow(`.\n// todo!()\nconst A: &str = \"#[ignore]\";\nfn not_todo() {}\n";
        assert_eq!(findings("app/src/a.rs", text), Vec::<String>::new());
    }

    #[test]
    fn tests_may_not_sleep_but_code_may() {
        let text = "//! A.\nfn f() { std::thread::sleep(x); }\n";
        assert_eq!(findings("app/tests/it/a.rs", text).len(), 1);
        assert_eq!(findings("app/src/a.rs", text), Vec::<String>::new());
        assert_eq!(findings("app/tests/it/a.rs", "fn no_sleep() {}"), Vec::<String>::new());
    }

    #[test]
    fn floats_are_found_where_amounts_pass_but_for_metrics_and_workbooks() {
        let text = "//! A.\npub struct Mass(f64);\n";
        for path in [
            "domain/src",
            "ports/src/a",
            "app/src/usecase",
            "adapters/files/src",
            "adapters/http/src",
            "adapters/web/src",
        ] {
            assert_eq!(findings(&format!("{path}/b.rs"), text).len(), 1, "{path}");
        }
        for path in [
            "app/src/measure/export.rs",
            "adapters/files/src/workbook/cell.rs",
            "adapters/files/src/xlsx.rs",
            "xtask/src/a.rs",
        ] {
            assert_eq!(findings(path, text), Vec::<String>::new(), "{path}");
        }
        assert_eq!(findings("domain/src/a.rs", "//! f64\nfn to_f64() {}\nfn f64x() {}\n"), Vec::<String>::new());
    }

    #[test]
    fn layout_is_checked() {
        assert_eq!(findings("app/src/a/mod.rs", "//! A.\n").len(), 1);
        assert_eq!(findings("app/src/a.rs", "use x;\n").len(), 1);
        assert_eq!(findings("app/tests/it/a.rs", "use x;\n"), Vec::<String>::new());
        let long_by_one = "//! A.\n".repeat(LINES_ALLOWED + 1);
        assert!(findings("app/src/a.rs", &long_by_one)[0].starts_with("app/src/a.rs:801: 801 lines"));
        assert_eq!(findings("app/src/a.rs", &"//! A.\n".repeat(LINES_ALLOWED)), Vec::<String>::new());
    }

    #[test]
    fn long_files_are_listed_longest_first() {
        let (short, long_one, longer) = ("\n".repeat(500), "\n".repeat(501), "\n".repeat(800));
        let too_long = "\n".repeat(801);
        let tree = Tree::of(&[("a.rs", &short), ("b.rs", &long_one), ("c.rs", &longer), ("d.rs", &too_long)]);
        assert_eq!(long(&tree), [("c.rs", 800), ("b.rs", 501)]);
    }
}
