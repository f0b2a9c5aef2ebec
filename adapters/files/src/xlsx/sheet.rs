//! The rows of one sheet: written one after the other, in constant memory.

use rust_xlsxwriter::{Format, Workbook, Worksheet};

use super::{WorkbookError, number};
use crate::table::Cell;

/// How many rows a sheet holds below its header.
pub const MOST_ROWS: u32 = 1_048_575;
/// The most characters of a cell.
const MOST_CHARACTERS: usize = 32_767;

/// A sheet that is being written. Its rows are in temporary files until it is finished.
pub struct SheetRows {
    workbook: Workbook,
    columns: Vec<String>,
    /// How many rows there are below the header.
    rows: u32,
    bold: Format,
    /// How many amounts are texts, as a number cell does not say them exactly.
    pub(super) texts: u64,
}

impl std::fmt::Debug for SheetRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SheetRows").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl SheetRows {
    /// A sheet of that name with those columns.
    pub fn new(title: &str, columns: &[String]) -> Result<Self, WorkbookError> {
        let (mut workbook, bold) = (Workbook::new(), Format::new().set_bold());
        let sheet = workbook.add_worksheet_with_constant_memory()?;
        sheet.set_name(title)?.set_freeze_panes(1, 0)?;
        for (column, name) in (0..).zip(columns) {
            sheet.set_column_width(column, width(name))?;
        }
        for (column, name) in (0..).zip(columns) {
            sheet.write_string_with_format(0, column, name, &bold)?;
        }
        Ok(Self { workbook, columns: columns.to_vec(), rows: 0, bold, texts: 0 })
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[Cell]) -> Result<(), WorkbookError> {
        self.write(row, None)
    }

    /// Adds a row that says what the others add up to.
    pub(super) fn push_total(&mut self, row: &[Cell]) -> Result<(), WorkbookError> {
        let bold = self.bold.clone();
        self.write(row, Some(&bold))
    }

    fn write(&mut self, row: &[Cell], format: Option<&Format>) -> Result<(), WorkbookError> {
        if self.rows == MOST_ROWS {
            return Err(WorkbookError::TooManyRows);
        }
        self.rows += 1;
        let (at, plain) = (self.rows, Format::default());
        let format = format.unwrap_or(&plain);
        let sheet = self.workbook.worksheet_from_index(0)?;
        for (column, cell) in (0..).zip(row) {
            check_length(&self.columns, (at, column), cell)?;
            put(sheet, (at, column), cell, format)?;
            self.texts += u64::from(matches!(cell, Cell::Number(_)) && number(cell).is_none());
        }
        Ok(())
    }

    pub(super) fn into_workbook(self) -> Workbook {
        self.workbook
    }
}

/// Refuses a text that is longer than a cell holds.
pub(super) fn check_length(columns: &[String], (row, column): (u32, u16), cell: &Cell) -> Result<(), WorkbookError> {
    if cell.as_str().chars().count() <= MOST_CHARACTERS {
        return Ok(());
    }
    let column = columns.get(usize::from(column)).cloned().unwrap_or_default();
    Err(WorkbookError::TooLong { row, column })
}

pub(super) fn put(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    cell: &Cell,
    format: &Format,
) -> Result<(), WorkbookError> {
    match (number(cell), cell) {
        (Some(number), _) => sheet.write_number_with_format(row, column, number, format)?,
        (None, Cell::Text(text) | Cell::Number(text)) if !text.is_empty() => {
            sheet.write_string_with_format(row, column, text, format)?
        }
        (None, Cell::Empty | Cell::Text(_) | Cell::Number(_)) => return Ok(()),
    };
    Ok(())
}

/// How wide a column of that name is, in characters.
pub(super) fn width(name: &str) -> f64 {
    match name {
        "uuid" | "name" | "description" | "path" | "stated" | "explanation" => 38.0,
        name if name.ends_with("Path") || name.ends_with("Name") || name.ends_with("uuid") => 30.0,
        _ => 18.0,
    }
}
