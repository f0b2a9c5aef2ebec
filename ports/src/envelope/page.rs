//! The tables of members in `docs/ledger.md`, held against the texts of the golden files, which the tests of their kinds
//! hold against what is written.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use domain::footprint::{FOOTPRINT, JsonType, ObjectSchema};

use crate::directory::EntryKind;
use crate::record::RecordKind;

const PAGE: &str = include_str!("../../../docs/ledger.md");
const STORED: &str = include_str!("../../tests/golden/stored.txt");
const DIRECTORY: &str = include_str!("../../tests/golden/directory.txt");

/// A member of an object, by the names of the objects around it: `/data/unit`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    path: String,
    is_optional: bool,
}

/// The second column of the row whose first has that text.
fn row(first: &str) -> &'static str {
    let row = PAGE.lines().find_map(|line| line.strip_prefix(&format!("| {first} | ")));
    row.and_then(|row| row.strip_suffix(" |")).unwrap_or_else(|| panic!("there is no row of {first}"))
}

/// The members that a row of the page lists: names in backticks, in italics where they may be missing, those of an object
/// in braces behind it. What is in parentheses are remarks.
fn listed(row: &str) -> Vec<Member> {
    let (mut members, mut around, mut depth): (Vec<Member>, Vec<String>, usize) = (Vec::new(), Vec::new(), 0);
    let (mut rest, mut before) = (row, ' ');
    while let Some(next) = rest.chars().next() {
        rest = &rest[next.len_utf8()..];
        match next {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth > 0 => {}
            '{' => around.push(members.last().expect("an object has a name").path.clone()),
            '}' => drop(around.pop().expect("a brace was opened")),
            '`' => {
                let (name, after) = rest.split_once('`').expect("a backtick is closed");
                let path = format!("{}/{name}", around.last().map_or("", String::as_str));
                members.push(Member { path, is_optional: before == '*' });
                rest = after;
            }
            _ => {}
        }
        before = next;
    }
    members
}

/// The members of a canonical text in their order, those of a list's items once, by the names of the objects around them.
fn written(text: &str) -> Vec<String> {
    let (mut paths, mut around, mut name): (Vec<String>, Vec<String>, String) = (Vec::new(), Vec::new(), String::new());
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '"']) {
        let token = &rest[at..=at];
        rest = &rest[at + 1..];
        match token {
            "{" => around.push(name.clone()),
            "}" => name = around.pop().expect("a brace was opened"),
            _ => {
                let mut escaped = false;
                let end = rest.find(|c| {
                    let ends = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    ends
                });
                let (string, after) = rest.split_at(end.expect("a text ends"));
                rest = &after[1..];
                if rest.starts_with(':') {
                    name = format!("{}/{string}", around.last().map_or("", String::as_str));
                    paths.push(name.clone());
                }
            }
        }
    }
    let mut seen = BTreeSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    paths
}

/// Members whose own members the page lists elsewhere.
const ELSEWHERE: [&str; 2] = ["/fields", "/measures"];

/// The texts have the members of the row in its order, all of them at least once, and leave out none but those in italics.
fn check(what: &str, row: &str, texts: &[&str]) {
    let listed = listed(row);
    let mut seen = BTreeSet::new();
    for text in texts {
        let is_elsewhere = |path: &String| ELSEWHERE.iter().any(|name| path.starts_with(&format!("{name}/")));
        let written: Vec<String> = written(text).into_iter().filter(|path| !is_elsewhere(path)).collect();
        let mut left = written.iter().peekable();
        for member in &listed {
            if left.next_if(|path| **path == member.path).is_some() {
                seen.insert(Member { is_optional: false, ..member.clone() });
                continue;
            }
            seen.insert(Member { is_optional: true, ..member.clone() });
            let (around, _) = member.path.rsplit_once('/').expect("a path");
            let is_asked = around.is_empty() || written.iter().any(|path| path == around);
            assert!(member.is_optional || !is_asked, "{what}: {} is not in {text}", member.path);
        }
        assert_eq!(left.next(), None, "{what}: the page does not list it, or elsewhere: {text}");
    }
    for member in &listed {
        let has = |is_optional| seen.contains(&Member { is_optional, ..member.clone() });
        assert!(has(false), "{what}: no text has {}", member.path);
        assert!(!member.is_optional || has(true), "{what}: every text has {}", member.path);
    }
}

/// The texts of a golden file, which has three lines for each.
fn texts(file: &str) -> Vec<&str> {
    file.lines().skip(1).step_by(3).collect()
}

#[test]
fn the_page_lists_the_members_of_each_kind_as_they_are_written() {
    for kind in RecordKind::ALL {
        let path = format!("{}/../domain/tests/golden/{kind}.txt", env!("CARGO_MANIFEST_DIR"));
        let file = std::fs::read_to_string(path).unwrap();
        check(kind.as_str(), row(&format!("`{kind}`")), &texts(&file));
    }
}

#[test]
fn the_page_lists_what_stands_around_the_content() {
    let around: Vec<Member> = written(texts(STORED)[0])
        .into_iter()
        .filter(|path| !path.starts_with("/content/"))
        .map(|path| Member { path, is_optional: false })
        .collect();
    let (_, section) = PAGE.split_once("### Around the content").unwrap();
    let (section, _) = section.split_once("### ").unwrap();
    let first =
        |line: &'static str| line.strip_prefix("| `")?.split_once(" |").map(|(names, _)| listed(&format!("`{names}")));
    let listed: Vec<Member> = section.lines().filter_map(first).flatten().collect();
    assert_eq!(listed, around);
}

#[test]
fn the_page_lists_the_members_of_what_the_directory_keeps() {
    for kind in EntryKind::ALL.into_iter().filter(|kind| kind.is_record()) {
        let start = format!("{{\"form\":1,\"kind\":\"{kind}\"");
        let some: Vec<&str> = texts(DIRECTORY).into_iter().filter(|text| text.starts_with(&start)).collect();
        check(kind.as_str(), row(&format!("`{kind}`")), &some);
    }
}

/// The rows of the objects of a footprint, that one first, each with its members and their types.
fn rows_of_fields(name: &str, shape: &ObjectSchema, rows: &mut Vec<String>) {
    let (mut row, mut below) = (format!("| {name} | "), Vec::new());
    for spec in shape.fields {
        let comma = if row.ends_with("| ") { "" } else { ", " };
        write!(row, "{comma}`{}`", spec.name).unwrap();
        row.push_str(match spec.kind {
            JsonType::Text => "",
            JsonType::Number => " (amount)",
            JsonType::Integer => " (integer)",
            JsonType::Flag => " (flag)",
            JsonType::Moment => " (moment)",
            JsonType::Texts => " (texts)",
            JsonType::References => " (references)",
            JsonType::Object(_) => " (object)",
            JsonType::Objects(_) => " (objects)",
            JsonType::Raw => " (JSON)",
        });
        if let JsonType::Object(shape) | JsonType::Objects(shape) = spec.kind {
            below.push((spec.name, shape));
        }
    }
    rows.push(row + " |");
    for (name, shape) in below {
        rows_of_fields(&format!("`{name}`"), shape, rows);
    }
}

#[test]
fn the_page_lists_the_fields_of_a_footprint_in_their_order() {
    let mut rows = Vec::new();
    rows_of_fields("`fields`", &FOOTPRINT, &mut rows);
    let table = rows.join("\n");
    assert!(PAGE.contains(&table), "docs/ledger.md should have these rows:\n{table}");
}
