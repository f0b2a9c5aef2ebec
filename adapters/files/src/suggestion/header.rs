//! Which rows name the columns.

use super::sample::{SampleRow, TableSample};
use crate::delimited::{CellKind, joined_names};

/// So far down a header is looked for.
const DEEPEST: usize = 30;

/// The header of a table.
#[derive(Debug, Default)]
pub(super) struct Header {
    /// The lines of its rows.
    pub(super) lines: Vec<u64>,
    /// The names of the columns.
    pub(super) names: Vec<String>,
}

impl Header {
    /// The first row of names that is about as wide as the rows below it; with the one above it where that groups columns.
    pub(super) fn of(sample: &TableSample) -> Self {
        let rows = &sample.rows[..sample.rows.len().min(DEEPEST)];
        let widest = sample.rows.iter().map(SampleRow::filled).max().unwrap_or_default();
        let is_names =
            |row: &SampleRow| row.filled() * 2 > widest && (0..row.cells().len()).all(|index| is_name(row, index));
        let Some(first) = rows.iter().position(is_names) else {
            return rows.first().map(|row| Self::of_rows(&[row])).unwrap_or_default();
        };
        // A row above with fewer names groups them, unless it is a title; one below that is all names says more.
        if let Some(next) = rows.get(first + 1)
            && is_names(next)
            && next.line == rows[first].line + 1
            && rows.get(first + 2).is_some_and(|row| !is_names(row))
            && (has_gaps(&rows[first]) || has_gaps(next))
        {
            return Self::of_rows(&[&rows[first], next]);
        }
        if let Some(above) = first.checked_sub(1).and_then(|above| rows.get(above))
            && above.filled() >= 2
            && above.line + 1 == rows[first].line
            && (0..above.cells().len()).all(|index| is_name(above, index))
        {
            return Self::of_rows(&[above, &rows[first]]);
        }
        Self::of_rows(&[&rows[first]])
    }

    /// The rows that start on these lines; `None` where one of them is none.
    pub(super) fn at(sample: &TableSample, lines: &[u64]) -> Option<Self> {
        let row = |line: &u64| sample.rows.iter().find(|row| row.line == *line);
        let rows: Vec<&SampleRow> = lines.iter().map(row).collect::<Option<_>>()?;
        Some(Self::of_rows(&rows))
    }

    fn of_rows(rows: &[&SampleRow]) -> Self {
        let cells: Vec<_> = rows.iter().map(|row| row.cells()).collect();
        Self { lines: rows.iter().map(|row| row.line).collect(), names: joined_names(&cells) }
    }

    pub(super) fn last_line(&self) -> u64 {
        self.lines.last().copied().unwrap_or_default()
    }
}

fn has_gaps(row: &SampleRow) -> bool {
    row.filled() < row.cells().len()
}

/// Whether a cell may be a name: a text with a letter, or a year.
fn is_name(row: &SampleRow, index: usize) -> bool {
    let cell = row.cell(index);
    cell.is_empty()
        || (row.kind(index) == CellKind::Text
            && cell.chars().any(char::is_alphabetic)
            && !matches!(cell.to_lowercase().as_str(), "true" | "false" | "null" | "n/a"))
        || super::months::month_of(cell).is_some()
}
