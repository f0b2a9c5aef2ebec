//! Several tables in one workbook, a sheet each.

use std::io::Cursor;

use rust_xlsxwriter::{Format, FormatAlign, Workbook};

use super::WorkbookError;
use super::sheet::{check_length, put, width};
use crate::table::Table;

/// The tables as one workbook, whose sheets have their titles: small ones, which are held in memory. Neither their total nor
/// what else is to be known of them is written.
pub(crate) fn tables_xlsx(tables: &[Table]) -> Result<Vec<u8>, WorkbookError> {
    let mut workbook = Workbook::new();
    let (bold, plain) = (Format::new().set_bold(), Format::new().set_align(FormatAlign::Top));
    for table in tables {
        let sheet = workbook.add_worksheet();
        sheet.set_name(&table.title)?.set_freeze_panes(1, 0)?;
        for (column, name) in (0..).zip(&table.columns) {
            sheet.set_column_width(column, width(name).max(if column == 0 { 38.0 } else { 0.0 }))?;
            sheet.write_string_with_format(0, column, name, &bold)?;
        }
        for (row, cells) in (1..).zip(&table.rows) {
            for (column, cell) in (0..).zip(cells) {
                check_length(&table.columns, (row, column), cell)?;
                put(sheet, (row, column), cell, &plain)?;
            }
        }
    }
    let mut out = Cursor::new(Vec::new());
    workbook.save_to_writer(&mut out)?;
    Ok(out.into_inner())
}
