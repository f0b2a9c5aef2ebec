//! Activities in, from CSV whose columns are named as an activity's fields: `columns.rs` lists them.

use std::io::{BufRead, Empty};

use domain::Faults;
use ports::inbound::{ActivityDraft, RowDraft};

use super::columns::{ALSO_KNOWN, COLUMNS};
use super::csv_row::Row;
use super::from_json::without_empty;
use super::from_ndjson::faulty;
use super::supplied::{Co2eUnit, missing, settle};
use crate::delimited::{Cells, ColumnIndex, Record, check_names, header_fault, ragged};
use crate::encoding::TextEncoding;
use crate::error::FileError;
use crate::suggest::did_you_mean;
use crate::table_records::TableRecords;
use crate::workbook::Workbook;

/// Why a row of a workbook is refused.
const BROKEN_FORMULA: &str = "has a formula that failed, or whose result was not saved; mend it, or open the workbook in a \
                              spreadsheet program and save it";

/// The rows of a CSV stream, one after the other: commas, `"` as quote, the first row names the columns.
///
/// Columns are an activity's fields and those of our own answers, in any order; those of answers that are computed are
/// left alone. A column that is not there leaves the member as it is, an empty cell clears it. A row that is wrong is a
/// row with faults, and reading goes on.
#[derive(Debug)]
pub struct CsvRows<R> {
    records: TableRecords<R>,
    columns: ColumnIndex,
    done: bool,
}

impl<R: BufRead> CsvRows<R> {
    /// The rows of `source`, of at most `most_bytes` bytes each; an error when the header is wrong.
    pub fn new(source: R, most_bytes: usize) -> Result<Self, FileError> {
        let said = TextEncoding::default();
        Self::of(TableRecords::of_text(source, said, b',', most_bytes).map_err(FileError::Read)?)
    }

    fn of(mut records: TableRecords<R>) -> Result<Self, FileError> {
        let header = records.next_record().map_err(FileError::Read)?;
        let header = header.ok_or_else(|| header_fault("is missing: the first row must name the columns"))?;
        let names = header.cells.map_err(|detail| header_fault(&detail))?;
        let columns = activity_columns(&names).map_err(FileError::Header)?;
        records.fit(columns.len());
        Ok(Self { records, columns, done: false })
    }

    fn draft(&self, record: Record) -> ActivityDraft {
        match record.cells {
            Ok(cells) if cells.has_errors() => faulty("", BROKEN_FORMULA),
            Ok(cells) if cells.len() == self.columns.len() => read(&self.columns, &cells),
            Ok(cells) => faulty("", &ragged(cells.len(), self.columns.len())),
            Err(detail) => faulty("", &detail),
        }
    }
}

impl CsvRows<Empty> {
    /// The same rows of a sheet: of that name, else of the only one that is shown.
    pub fn of_sheet(workbook: Workbook, sheet: Option<&str>, most_bytes: usize) -> Result<Self, FileError> {
        Self::of(TableRecords::Sheet(workbook.into_rows(sheet, most_bytes)?))
    }
}

/// Whether all columns are an activity's, as answers of ours have them.
pub(crate) fn are_own_columns<'a>(mut names: impl Iterator<Item = &'a str>) -> bool {
    let mut required = 0;
    names.all(|name| {
        required += usize::from(matches!(name, "name" | "startDate"));
        COLUMNS.iter().map(|column| column.name).chain(ALSO_KNOWN).any(|known| known == name)
    }) && required == 2
}

/// The columns of a header that names an activity's fields; all that is wrong with it otherwise.
fn activity_columns(names: &Cells) -> Result<ColumnIndex, Faults> {
    let columns = check_names(names)?;
    let mut faults = Faults::new();
    let known = || COLUMNS.iter().map(|column| column.name).chain(ALSO_KNOWN);
    for name in names.iter().map(str::trim).filter(|name| !known().any(|known| known == *name)) {
        faults.add("", format!("column {name:?} is not known{}", did_you_mean(name, known())));
    }
    for name in ["name", "startDate"] {
        // With a syncId a row may change an activity that is there, of which the other columns are kept.
        if columns.find(name).is_none() && columns.find("syncId").is_none() {
            faults.add("", format!("column {name:?} is missing"));
        }
    }
    if names.len() == 1
        && let Some(only) = names.get(0)
        && let Some(mark) = only.chars().find(|c| matches!(c, ';' | '\t' | '|'))
    {
        faults.add("", format!("cells seem to be set apart by {mark:?}; a mapping file can say so (table.delimiter)"));
    }
    faults.into_result().map(|()| columns)
}

impl<R: BufRead> Iterator for CsvRows<R> {
    type Item = Result<RowDraft, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let record = self.records.next_record().map_err(FileError::Read).transpose();
        self.done = !matches!(record, Some(Ok(_)));
        record.map(|record| record.map(|record| RowDraft { line: record.line, draft: self.draft(record) }))
    }
}

fn read(columns: &ColumnIndex, cells: &Cells) -> ActivityDraft {
    let mut draft = ActivityDraft::default();
    let mut row = Row { columns, cells, unit: Co2eUnit::Kilogram };
    row.unit = row.cell("CO2eUnit", &mut draft.faults, Co2eUnit::parse).into_option().unwrap_or_default();
    for read in COLUMNS.iter().filter_map(|column| column.read) {
        read(&row, &mut draft);
    }
    missing(&mut draft);
    settle(&mut draft);
    without_empty(&mut draft);
    draft
}
