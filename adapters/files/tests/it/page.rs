//! The table of the lines of a company's file in `docs/ledger.md`, held against files.

use std::collections::BTreeMap;

use ports::RecordKind;
use ports::contract::page::{check, row, section, written};

use crate::tenant::files;

const SECTION: &str = "## A company's file";
/// Kinds of lines whose members the table of the directory lists.
const CREDENTIALS: [&str; 3] = ["client", "key", "user"];

/// The lines of those kinds that the table lists members of, without `form` and `kind`.
fn lines() -> BTreeMap<String, Vec<String>> {
    let mut lines: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in files().iter().flat_map(|file| std::str::from_utf8(file).unwrap().lines()) {
        let (kind, members) = line.strip_prefix(r#"{"form":1,"kind":""#).unwrap().split_once(r#"","#).unwrap();
        lines.entry(kind.to_owned()).or_default().push(format!("{{{members}"));
    }
    lines
}

#[test]
fn the_page_lists_the_lines_of_a_file_and_their_members() {
    let (section, mut kinds) = (section(SECTION), Vec::new());
    for (kind, lines) in lines() {
        if RecordKind::parse(&kind).is_none() && !CREDENTIALS.contains(&kind.as_str()) {
            check(&kind, row(section, &format!("`{kind}`")), &lines.iter().map(String::as_str).collect::<Vec<_>>());
        }
        kinds.push(kind);
    }
    let first = |line: &'static str| line.strip_prefix("| `")?.split_once("` | ").map(|(kinds, _)| kinds);
    let mut listed: Vec<&str> = section.lines().filter_map(first).flat_map(|kinds| kinds.split("`, `")).collect();
    listed.sort_unstable();
    assert_eq!(listed, kinds);
}

#[test]
fn the_page_lists_the_kinds_of_lines_in_their_order() {
    let first = |line: &'static str| line.strip_prefix("| `")?.split_once("` | ").map(|(kinds, _)| kinds);
    let listed: Vec<&str> = section(SECTION).lines().filter_map(first).flat_map(|kinds| kinds.split("`, `")).collect();
    let file = String::from_utf8(files()[0].clone()).unwrap();
    let mut kinds: Vec<&str> = file.lines().map(|line| line.split('"').nth(5).unwrap()).collect();
    kinds.dedup();
    assert_eq!(listed, kinds);
}

#[test]
fn every_line_begins_with_its_form_and_kind() {
    for line in files().iter().flat_map(|file| std::str::from_utf8(file).unwrap().lines()) {
        assert_eq!(written(line)[..2], ["/form", "/kind"], "{line}");
    }
}
