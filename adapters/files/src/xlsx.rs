//! Workbooks, out: the one writer of `.xlsx`, for reports and collections alike.
//!
//! A number cell of a workbook is binary floating point by its format. So a decimal becomes a number cell only where its
//! reading with 15 significant digits, which is what spreadsheets show, is the same decimal; else it is a text.

mod sheet;
mod sheets;

use std::io::{Cursor, Seek, Write};

use rust_xlsxwriter::XlsxError;

pub use sheet::{MOST_ROWS, SheetRows};
pub(crate) use sheets::tables_xlsx;

use crate::table::{Cell, Table};

/// The media type of workbooks.
pub const XLSX_MEDIA: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// What is to be known of amounts that are no number cells, behind how many there are.
const LONG_AMOUNTS: &str = "amounts have more than 15 significant digits, which no number of a spreadsheet has: they are texts, and \
                            its sums leave them out. Rounded, all are numbers.";

/// Why there is no workbook.
#[derive(Debug, thiserror::Error)]
pub enum WorkbookError {
    /// A sheet does not hold so many rows.
    #[error("a sheet holds {MOST_ROWS} rows below its header, and there are more; ask for fewer, or for CSV")]
    TooManyRows,
    /// A cell does not hold so long a text.
    #[error("a cell of a sheet holds 32767 characters, and row {row} has a longer text in {column}; ask for CSV")]
    TooLong {
        /// The row, counted from 1 below the header.
        row: u32,
        /// The name of the column.
        column: String,
    },
    /// It cannot be written.
    #[error("the workbook cannot be written")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<XlsxError> for WorkbookError {
    fn from(error: XlsxError) -> Self {
        Self::Failed(Box::new(error))
    }
}

/// The table as a workbook.
pub fn table_xlsx(table: &Table) -> Result<Vec<u8>, WorkbookError> {
    let mut rows = SheetRows::new(&table.title, &table.columns)?;
    for row in &table.rows {
        rows.push(row)?;
    }
    if let Some(total) = &table.total {
        rows.push_total(total)?;
    }
    let mut out = Cursor::new(Vec::new());
    rows.finish(&table.about, &mut out)?;
    Ok(out.into_inner())
}

impl SheetRows {
    /// Writes the workbook, with what else is to be known on a sheet of its own.
    pub fn finish(self, about: &[(String, String)], out: impl Write + Seek + Send) -> Result<(), WorkbookError> {
        let texts = self.texts;
        let mut workbook = self.into_workbook();
        if !about.is_empty() {
            let sheet = workbook.add_worksheet();
            sheet.set_name("About")?.set_column_width(0, 20)?.set_column_width(1, 100)?;
            for (row, (name, text)) in (0..).zip(about) {
                sheet.write_string(row, 0, name)?.write_string(row, 1, text)?;
            }
            if texts > 0 {
                let row = u32::try_from(about.len()).unwrap_or(MOST_ROWS);
                let note = format!("{texts} {LONG_AMOUNTS}");
                sheet.write_string(row, 0, "note")?.write_string(row, 1, &note)?;
            }
        }
        Ok(workbook.save_to_writer(out)?)
    }
}

/// The number of a cell, where a number cell says it exactly.
fn number(cell: &Cell) -> Option<f64> {
    let Cell::Number(digits) = cell else { return None };
    let significant = digits.trim_start_matches('-').replace('.', "");
    let significant = significant.trim_start_matches('0');
    let is_whole = !digits.contains('.');
    let significant = if is_whole { significant.trim_end_matches('0') } else { significant };
    if significant.len() > SIGNIFICANT_DIGITS { None } else { digits.parse().ok() }
}

/// How many digits a spreadsheet shows of a number.
const SIGNIFICANT_DIGITS: usize = 15;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(digits: &str) -> Option<f64> {
        number(&Cell::Number(digits.to_owned()))
    }

    #[test]
    fn a_number_of_more_than_15_digits_is_a_text() {
        for exact in
            ["0", "-0.5", "999999999999999", "0.000000000000000001", "12300000000000000000", "1234567890.12345"]
        {
            assert!(of(exact).is_some(), "{exact}");
        }
        for long in ["1007.250000000000000001", "1234567890123456", "1.234567890123456", "9007199254740993"] {
            assert_eq!(of(long), None, "{long}");
        }
        assert_eq!(number(&Cell::Text("1".to_owned())), None);
    }

    proptest! {
        #[test]
        fn what_is_a_number_cell_reads_the_same_with_15_digits(scaled in any::<i64>(), scale in 0_u32..=18) {
            let exact = domain::Decimal::parse(&format!("{scaled}e-{scale}")).unwrap();
            if let Some(number) = of(&exact.to_string()) {
                let read = domain::Decimal::parse(&format!("{number:.14e}")).unwrap();
                prop_assert_eq!(read, exact);
            }
        }
    }
}
