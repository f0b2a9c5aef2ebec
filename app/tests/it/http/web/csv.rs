//! The files of pages, read cell by cell.

use super::visitor::Visitor;
use crate::http::harness::Value;

/// The rows of a file of CSV, each cell by the name of its column.
#[track_caller]
pub(super) fn rows(visitor: &Visitor, path: &str) -> Vec<Vec<(String, String)>> {
    let file = visitor.get(path).expect(200);
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8"), "{path}");
    let mut lines = file.text().lines().map(cells);
    let columns = lines.next().unwrap();
    lines
        .map(|line| {
            assert_eq!(line.len(), columns.len(), "{path}: {line:?}");
            columns.iter().cloned().zip(line).collect()
        })
        .collect()
}

/// The cells of a line, none of which has a line break in it.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut is_quoted) = (vec![String::new()], false);
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' if is_quoted && rest.peek() == Some(&'"') => cells.last_mut().unwrap().extend(rest.next()),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

/// The cell of a row in the column of that name.
#[track_caller]
pub(super) fn cell<'a>(row: &'a [(String, String)], column: &str) -> &'a str {
    &row.iter().find(|(name, _)| name == column).unwrap_or_else(|| panic!("no column {column}: {row:?}")).1
}

/// The value of a member of an answer, as a file writes it.
pub(super) fn text(record: &Value, pointer: &str) -> String {
    match record.pointer(pointer) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}
