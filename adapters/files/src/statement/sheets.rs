//! A statement as a workbook, a sheet for each section.

use super::ShownStatement;
use super::readable::{Section, Shown};
use super::sections::statement_sections;
use crate::table::{Cell, Table};
use crate::xlsx::{WorkbookError, tables_xlsx};

/// The statement as a workbook. The last column of each sheet has the addresses of the explanations of its rows and notes.
pub fn statement_xlsx(shown: ShownStatement<'_>) -> Result<Vec<u8>, WorkbookError> {
    tables_xlsx(&statement_sections(shown).iter().map(table).collect::<Vec<_>>())
}

fn table(section: &Section) -> Table {
    let widest = section.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0).max(section.columns.len());
    let is_explained = section.is_explained() || section.notes.iter().any(|note| note.explained.is_some());
    let mut columns = section.columns.clone();
    if columns.is_empty() {
        columns = vec!["what".to_owned(), "stated".to_owned()];
    }
    columns.resize(widest.max(columns.len()), String::new());
    if is_explained {
        columns.push("explanation".to_owned());
    }
    let mut rows: Vec<Vec<Cell>> = section
        .rows
        .iter()
        .map(|row| {
            let cells: Vec<Cell> = row.cells.iter().map(cell).collect();
            if is_explained { explained(cells, columns.len(), row.explained.join("\n")) } else { cells }
        })
        .collect();
    rows.extend(section.notes.iter().map(|note| match &note.explained {
        Some(address) => explained(vec![Cell::text(&note.text)], columns.len(), address.clone()),
        None => vec![Cell::text(&note.text)],
    }));
    Table { title: section.sheet.to_owned(), columns, rows, total: None, about: Vec::new() }
}

/// The cells of a row of so many columns, with the addresses of its explanations in the last one.
fn explained(mut cells: Vec<Cell>, columns: usize, addresses: String) -> Vec<Cell> {
    cells.resize(columns.saturating_sub(1), Cell::Empty);
    cells.push(Cell::Text(addresses));
    cells
}

fn cell(shown: &Shown) -> Cell {
    match shown {
        Shown::Text(text) => Cell::Text(text.clone()),
        Shown::Amount(digits) => Cell::Number(digits.clone()),
        Shown::Absent(word) => Cell::text(word),
        Shown::Blank => Cell::Empty,
    }
}
