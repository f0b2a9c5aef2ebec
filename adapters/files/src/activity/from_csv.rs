//! Activities in, from CSV whose columns are named as an activity's fields: `columns.rs` lists them.

use std::io::{BufRead, Chain, Cursor};

use domain::{Co2e, Faults};
use ports::inbound::{ActivityDraft, Field, Reference, RowDraft};

use super::columns::COLUMNS;
use super::from_json::without_empty;
use super::from_ndjson::faulty;
use super::supplied::{Co2eUnit, missing, settle};
use crate::bom::without_bom;
use crate::delimited::{ColumnIndex, Record, Records, check_names, header_fault, ragged};
use crate::error::FileError;
use crate::json::Wrong;
use crate::suggest::did_you_mean;

/// The rows of a CSV stream, one after the other: commas, `"` as quote, the first row names the columns.
///
/// Columns are an activity's fields and those of our own answers, in any order; those of answers that are computed are
/// left alone. A column that is not there leaves the member as it is, an empty cell clears it. A row that is wrong is a
/// row with faults, and reading goes on.
#[derive(Debug)]
pub struct CsvRows<R> {
    records: Records<Chain<Cursor<Vec<u8>>, R>>,
    columns: ColumnIndex,
    done: bool,
}

impl<R: BufRead> CsvRows<R> {
    /// The rows of `source`, of at most `most_bytes` bytes each; an error when the header is wrong.
    pub fn new(source: R, most_bytes: usize) -> Result<Self, FileError> {
        let mut records = Records::new(without_bom(source).map_err(FileError::Read)?, b',', most_bytes);
        let header = records.next_record().map_err(FileError::Read)?;
        let header = header.ok_or_else(|| header_fault("is missing: the first row must name the columns"))?;
        let names = header.fields.map_err(|detail| header_fault(&detail))?;
        let columns = activity_columns(&names).map_err(FileError::Header)?;
        Ok(Self { records, columns, done: false })
    }

    fn draft(&self, record: Record) -> ActivityDraft {
        match record.fields {
            Ok(fields) if fields.len() == self.columns.len() => read(&self.columns, &fields),
            Ok(fields) => faulty("", &ragged(fields.len(), self.columns.len())),
            Err(detail) => faulty("", &detail),
        }
    }
}

/// The columns of a header that names an activity's fields; all that is wrong with it otherwise.
fn activity_columns(names: &[String]) -> Result<ColumnIndex, Faults> {
    let columns = check_names(names)?;
    let mut faults = Faults::new();
    let known = || COLUMNS.iter().map(|column| column.name);
    for name in names.iter().map(|name| name.trim()).filter(|name| !known().any(|known| known == *name)) {
        faults.add("", format!("column {name:?} is not known{}", did_you_mean(name, known())));
    }
    for name in ["name", "startDate"] {
        // With a syncId a row may change an activity that is there, of which the other columns are kept.
        if columns.find(name).is_none() && columns.find("syncId").is_none() {
            faults.add("", format!("column {name:?} is missing"));
        }
    }
    if let [only] = names
        && let Some(mark) = only.chars().find(|c| matches!(c, ';' | '\t' | '|'))
    {
        faults.add("", format!("cells seem to be set apart by {mark:?}; a mapping file can say so (table.delimiter)"));
    }
    faults.into_result().map(|()| columns)
}

/// So many characters of a faulty cell are shown.
const SHOWN: usize = 40;

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

/// A row, as its columns read it.
pub(super) struct Row<'a> {
    columns: &'a ColumnIndex,
    fields: &'a [String],
    /// The unit of every CO2e in it.
    unit: Co2eUnit,
}

impl Row<'_> {
    /// A cell whose blanks around it mean nothing.
    pub(super) fn cell<T, E: std::fmt::Display>(
        &self,
        name: &str,
        faults: &mut Faults,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Field<T> {
        self.text(name, faults, |text| match text.trim() {
            "" => Ok(None),
            text => parse(text).map(Some),
        })
    }

    /// A cell that names another record, for the use case to look up.
    pub(super) fn word(&self, name: &str, faults: &mut Faults) -> Field<Reference> {
        self.cell(name, faults, |text| Ok::<_, Wrong>(Reference::Word(text.to_owned())))
    }

    /// A cell with a CO2e in the row's unit.
    pub(super) fn co2e(&self, name: &str, faults: &mut Faults) -> Field<Co2e> {
        self.cell(name, faults, |digits| self.unit.co2e(digits))
    }

    /// Whether a cell says anything.
    pub(super) fn is_given(&self, name: &str) -> bool {
        let cell = self.columns.find(name).and_then(|index| self.fields.get(index));
        cell.is_some_and(|cell| !cell.trim().is_empty())
    }

    /// A cell that is taken with its blanks; `parse` may find nothing in it.
    pub(super) fn text<T, E: std::fmt::Display>(
        &self,
        name: &str,
        faults: &mut Faults,
        parse: impl FnOnce(&str) -> Result<Option<T>, E>,
    ) -> Field<T> {
        let Some(cell) = self.columns.find(name).and_then(|index| self.fields.get(index)) else { return Field::Absent };
        if cell.is_empty() {
            return Field::Null;
        }
        match parse(cell) {
            Ok(Some(value)) => Field::Given(value),
            Ok(None) => Field::Null,
            Err(error) => {
                faults.add(format!("/{name}"), format!("{}: {error}", shown(cell)));
                Field::Faulty
            }
        }
    }
}

/// A cell in quotes, cut where it is long.
fn shown(cell: &str) -> String {
    let mut start: String = cell.chars().take(SHOWN).collect();
    if start.len() < cell.len() {
        start.push('\u{2026}');
    }
    format!("{start:?}")
}

fn read(columns: &ColumnIndex, fields: &[String]) -> ActivityDraft {
    let mut draft = ActivityDraft::default();
    let mut row = Row { columns, fields, unit: Co2eUnit::Kilogram };
    row.unit = row.cell("CO2eUnit", &mut draft.faults, Co2eUnit::parse).into_option().unwrap_or_default();
    for read in COLUMNS.iter().filter_map(|column| column.read) {
        read(&row, &mut draft);
    }
    missing(&mut draft);
    settle(&mut draft);
    without_empty(&mut draft);
    draft
}
