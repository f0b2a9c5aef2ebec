//! The tables of members in `docs/ledger.md`, held against the texts of the golden files, which the tests of their kinds
//! hold against what is written.

use domain::footprint::{FOOTPRINT, JsonType, ObjectSchema};

use crate::contract::page::{Member, check, listed, row, section, written};
use crate::directory::EntryKind;
use crate::record::RecordKind;

const PAGE: &str = include_str!("../../../docs/ledger.md");
const STORED: &str = include_str!("../../tests/golden/stored.txt");
const DIRECTORY: &str = include_str!("../../tests/golden/directory.txt");

/// The texts of a golden file, which has three lines for each.
fn texts(file: &str) -> Vec<&str> {
    file.lines().skip(1).step_by(3).collect()
}

#[test]
fn the_page_lists_the_members_of_each_kind_as_they_are_written() {
    for kind in RecordKind::ALL {
        let path = format!("{}/../domain/tests/golden/{kind}.txt", env!("CARGO_MANIFEST_DIR"));
        let file = std::fs::read_to_string(path).unwrap();
        check(kind.as_str(), row(section("### The content of each kind"), &format!("`{kind}`")), &texts(&file));
    }
}

#[test]
fn the_page_lists_what_stands_around_the_content() {
    let around: Vec<Member> = written(texts(STORED)[0])
        .into_iter()
        .filter(|path| !path.starts_with("/content/"))
        .map(|path| Member { path, is_optional: false })
        .collect();
    let first =
        |line: &'static str| line.strip_prefix("| `")?.split_once(" |").map(|(names, _)| listed(&format!("`{names}")));
    let listed: Vec<Member> = section("### Around the content").lines().filter_map(first).flatten().collect();
    assert_eq!(listed, around);
}

#[test]
fn the_page_lists_the_members_of_what_the_directory_keeps() {
    for kind in EntryKind::ALL.into_iter().filter(|kind| kind.is_record()) {
        let start = format!("{{\"form\":1,\"kind\":\"{kind}\"");
        let some: Vec<&str> = texts(DIRECTORY).into_iter().filter(|text| text.starts_with(&start)).collect();
        check(kind.as_str(), row(section("## The directory"), &format!("`{kind}`")), &some);
    }
}

#[test]
fn the_page_lists_the_members_of_events_of_the_directory() {
    for kind in EntryKind::ALL.into_iter().filter(|kind| !kind.is_record()) {
        let start = format!("{{\"form\":1,\"kind\":\"{kind}\"");
        let some: Vec<&str> = texts(DIRECTORY).into_iter().filter(|text| text.starts_with(&start)).collect();
        let content = |text: &&'static str| text.split_once("\"content\":").unwrap().1.strip_suffix('}').unwrap();
        let contents: Vec<&str> = some.iter().map(content).collect();
        check(kind.as_str(), row(section("## The directory"), &format!("`{kind}`")), &contents);
        for text in some {
            let around: Vec<String> = written(text).into_iter().filter(|path| !path.starts_with("/content/")).collect();
            assert_eq!(around, ["/form", "/kind", "/id", "/content"]);
        }
    }
}

/// The rows of the objects of a footprint, that one first, each with its members and their types.
fn rows_of_fields(name: &str, shape: &ObjectSchema, rows: &mut Vec<String>) {
    let (mut row, mut below) = (format!("| {name} | "), Vec::new());
    for spec in shape.fields {
        let comma = if row.ends_with("| ") { "" } else { ", " };
        row.extend([comma, "`", spec.name, "`"]);
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
