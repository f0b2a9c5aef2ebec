//! Numbers whose point or comma may be another mark than the map says: whole numbers beside numbers with three digits behind it.

use std::collections::BTreeMap;

use super::row::Row;
use crate::delimited::CellKind;
use crate::json::Json;

/// What the numbers of a table's columns have shown so far.
#[derive(Debug, Default)]
pub(super) struct MarksSeen(BTreeMap<String, Seen>);

/// What the numbers of a column have shown so far.
#[derive(Debug)]
struct Seen {
    /// Whether one has no mark.
    whole: bool,
    /// How many have one to three digits before the mark and three behind it, and the first of them with its line.
    three: u64,
    first: Option<(u64, String)>,
    /// Whether one shows that the mark is the decimal one.
    shown: bool,
    /// The decimal mark of the column.
    decimal: char,
    /// Whether the map says the marks of the column alone.
    has_own_marks: bool,
}

impl MarksSeen {
    /// Looks at the numbers of a row. Where the map names the thousands mark, nothing is left open.
    pub(super) fn look_at<'a>(&mut self, line: u64, row: &Row<'_>, columns: impl Iterator<Item = &'a str>) {
        for column in columns {
            let marks = row.table.marks_in(column);
            if marks.thousands.is_some() || !matches!(marks.decimal, '.' | ',') {
                continue;
            }
            let Some(cell) = row.cell(column).filter(|_| row.kind(column) == CellKind::Text) else { continue };
            if !self.0.contains_key(column) {
                let (decimal, has_own_marks) = (marks.decimal, row.table.has_own_marks(column));
                let nothing = Seen { whole: false, three: 0, first: None, shown: false, decimal, has_own_marks };
                self.0.insert(column.to_owned(), nothing);
            }
            let Some(seen) = self.0.get_mut(column).filter(|seen| !seen.shown) else { continue };
            let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell);
            if !digits.bytes().all(|byte| byte.is_ascii_digit() || char::from(byte) == marks.decimal) {
                continue;
            }
            match digits.split_once(marks.decimal) {
                None => seen.whole = true,
                Some((whole, fraction))
                    if fraction.len() == 3 && matches!(whole.len(), 1..=3) && !whole.starts_with('0') =>
                {
                    seen.three += 1;
                    seen.first.get_or_insert_with(|| (line, cell.to_owned()));
                }
                Some(_) => seen.shown = true,
            }
        }
    }

    /// A sentence for each column whose numbers may mean something else.
    pub(super) fn doubts(&self) -> Vec<String> {
        let sentence = |(column, seen): (&String, &Seen)| {
            let decimal = seen.decimal;
            let (line, cell) = seen.first.as_ref().filter(|_| seen.whole && !seen.shown)?;
            let thousand: String = cell.chars().filter(|letter| *letter != decimal).collect();
            let rows = if seen.three == 1 { "1 such number" } else { &format!("{} such numbers", seen.three) };
            let other = if decimal == '.' { ',' } else { '.' };
            let mend = if seen.has_own_marks {
                let column = Json::Text(column.clone());
                format!("columns = {{ {column} = {{ decimal = \"{other}\", thousands = \"{decimal}\" }} }}")
            } else {
                format!("decimal = \"{other}\" and thousands = \"{decimal}\"")
            };
            Some(format!(
                "column {column:?} has whole numbers and, from line {line}, {rows} as {cell:?}: with {decimal:?} as decimal mark \
                 none has another count of digits behind it. Where {thousand} is meant, say {mend} in [table]"
            ))
        };
        self.0.iter().filter_map(sentence).collect()
    }
}
