//! The tables of members in `docs/ledger.md`, held against texts as they are written: for the tests of whoever writes some.

use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../docs/ledger.md");

/// A member of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// Its name behind those of the objects around it: `/data/unit`.
    pub path: String,
    /// Whether it may be missing.
    pub is_optional: bool,
}

/// The section of the page below that heading, to the next of its level.
#[must_use]
pub fn section(heading: &str) -> &'static str {
    let level = heading.split(' ').next().expect("a heading has a level");
    let (_, below) = PAGE.split_once(&format!("\n{heading}\n")).expect("a heading of the page");
    below.split_once(&format!("\n{level} ")).map_or(below, |(section, _)| section)
}

/// What stands behind the first column in the row of that section whose first column has that text.
#[must_use]
pub fn row(section: &'static str, first: &str) -> &'static str {
    let row = section.lines().find_map(|line| line.strip_prefix(&format!("| {first} | ")));
    row.and_then(|row| row.strip_suffix(" |")).expect("the section has that row")
}

/// The members that a row of the page lists: names in backticks, in italics where they may be missing, those of an object
/// in braces behind it. What stands in parentheses are remarks.
#[must_use]
pub fn listed(row: &str) -> Vec<Member> {
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
#[must_use]
pub fn written(text: &str) -> Vec<String> {
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
const ELSEWHERE: [&str; 7] =
    ["/fields", "/measures", "/tenant", "/data/origin", "/data/choice", "/data/supplier", "/rule"];

/// The texts have the members of the row in its order, all of them at least once, and leave out none but those in italics.
pub fn check(what: &str, row: &str, texts: &[&str]) {
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
