//! The rows that an import rejected, as they were, with the reason: to be mended and imported again.

mod filling;
mod lines;
mod reasons;
mod table;

use std::io::{self, BufRead, BufWriter, Read, Write};

pub use reasons::Reasons;

use crate::activity::MAX_ROW_BYTES;
use crate::delimited::TableForm;
use crate::encoding::TextEncoding;
use crate::error::FileError;
use crate::map::Map;
use crate::table_records::TableRecords;
use crate::workbook::Workbook;
use filling::Filling;
use reasons::Reader;

/// Copies the rows of a text that `reasons` has to `target`: the table of a map where there is one, else CSV whose columns are an
/// activity's. What stands above its rows is copied too, so that the same map reads the copy, which is CSV in UTF-8.
pub fn copy_rejected<R: BufRead, W: Write>(
    source: R,
    map: Option<&Map>,
    reasons: impl Read,
    target: W,
) -> Result<(), FileError> {
    let records = match map {
        Some(map) => map.text(source, MAX_ROW_BYTES)?,
        None => TableRecords::of_text(source, TextEncoding::default(), b',', MAX_ROW_BYTES).map_err(FileError::Read)?,
    };
    copy(records, map, reasons, target)
}

/// The same of a sheet of a workbook: of that which the map names, else of `sheet`.
pub fn copy_rejected_of_sheet<W: Write>(
    workbook: Workbook,
    sheet: Option<&str>,
    map: Option<&Map>,
    reasons: impl Read,
    target: W,
) -> Result<(), FileError> {
    let sheet = map.map_or(sheet, Map::sheet_name);
    let rows = workbook.into_rows(sheet, MAX_ROW_BYTES)?;
    copy(TableRecords::<io::Empty>::Sheet(rows), map, reasons, target)
}

/// The same of NDJSON: the lines as they are, with a member for the reason.
pub fn copy_rejected_lines<R: BufRead, W: Write>(source: R, reasons: impl Read, target: W) -> Result<(), FileError> {
    let mut target = BufWriter::new(target);
    lines::copy(source, Reader::new(reasons), &mut target).and_then(|()| target.flush()).map_err(FileError::Read)
}

fn copy<R: BufRead, W: Write>(
    mut records: TableRecords<R>,
    map: Option<&Map>,
    reasons: impl Read,
    target: W,
) -> Result<(), FileError> {
    let form = map.map_or_else(TableForm::default, Map::form);
    let mut target = BufWriter::new(target);
    let mut reasons = Reader::new(reasons);
    let mut filling = map.map(Filling::new);
    let mut table = table::Copy::new(form, &mut target);
    let copied = (|| -> io::Result<()> {
        table.begin()?;
        while let Some(mut record) = records.next_record()? {
            let reason = if table.is_above(record.line) { None } else { reasons.of_line(record.line)? };
            if let Some(filling) = &mut filling {
                let is_above = table.is_above(record.line);
                filling.pass(&mut record, is_above, matches!(records, TableRecords::Sheet(_)));
            }
            table.record(&record, reason.as_deref())?;
        }
        Ok(())
    })();
    copied.and_then(|()| target.flush()).map_err(FileError::Read)
}
