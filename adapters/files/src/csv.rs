//! Activities in, from CSV whose columns are named as an activity's fields.

mod header;
mod records;

use std::io::{BufRead, Chain, Cursor};

use domain::{ActivityId, Description, Faults, Moment, Name, Quantity, SyncId, Unit};
use ports::inbound::{ActivityDraft, Field, Reference, RowDraft, SuppliedParts};

use crate::activity::{Co2eUnit, PERIOD_CO2E, SHARE_ALONE, listed_cell, missing, settle, without_empty};
use crate::bom::without_bom;
use crate::error::FileError;
use crate::json::Wrong;
use crate::ndjson::faulty;
pub(crate) use header::{Columns, check_names, header_fault};
pub(crate) use records::{Record, Records};

/// The rows of a CSV stream, one after the other: commas, `"` as quote, the first row names the columns.
///
/// Columns are an activity's fields and those of our own answers, in any order; those of answers that are computed are
/// left alone. A column that is not there leaves the member as it is, an empty cell clears it. A row that is wrong is a
/// row with faults, and reading goes on.
#[derive(Debug)]
pub struct CsvRows<R> {
    records: Records<Chain<Cursor<Vec<u8>>, R>>,
    columns: Columns,
    done: bool,
}

impl<R: BufRead> CsvRows<R> {
    /// The rows of `source`, of at most `most_bytes` bytes each; an error when the header is wrong.
    pub fn new(source: R, most_bytes: usize) -> Result<Self, FileError> {
        let mut records = Records::new(without_bom(source).map_err(FileError::Read)?, b',', most_bytes);
        let header = records.next_record().map_err(FileError::Read)?;
        let header = header.ok_or_else(|| header_fault("is missing: the first row must name the columns"))?;
        let names = header.fields.map_err(|detail| header_fault(&detail))?;
        let columns = Columns::new(&names).map_err(FileError::Header)?;
        Ok(Self { records, columns, done: false })
    }

    fn draft(&self, record: Record) -> ActivityDraft {
        match record.fields {
            Ok(fields) if fields.len() == self.columns.len() => read(&Row { columns: &self.columns, fields: &fields }),
            Ok(fields) => faulty("", &ragged(fields.len(), self.columns.len())),
            Err(detail) => faulty("", &detail),
        }
    }
}

/// What is wrong with a row of another length than the header.
pub(crate) fn ragged(found: usize, expected: usize) -> String {
    format!("has {found} cells, but the header has {expected}; a comma or a quote is missing or too many")
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

struct Row<'a> {
    columns: &'a Columns,
    fields: &'a [String],
}

impl Row<'_> {
    /// A cell whose blanks around it mean nothing.
    fn cell<T, E: std::fmt::Display>(
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
    fn word(&self, name: &str, faults: &mut Faults) -> Field<Reference> {
        self.cell(name, faults, |text| Ok::<_, Wrong>(Reference::Word(text.to_owned())))
    }

    /// A cell that is taken with its blanks; `parse` may find nothing in it.
    fn text<T, E: std::fmt::Display>(
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

fn read(row: &Row<'_>) -> ActivityDraft {
    let mut faults = Faults::new();
    let found = &mut faults;
    let unit: Co2eUnit = row.cell("CO2eUnit", found, Co2eUnit::parse).into_option().unwrap_or_default();
    let co2e = |digits: &str| -> Result<domain::Co2e, Wrong> { unit.co2e(digits) };
    let mut draft = ActivityDraft {
        name: row.cell("name", found, Name::parse),
        sync_id: row.text("syncId", found, |text| SyncId::parse(text).map(Some)),
        description: row.text("description", found, |text| Description::parse(text).map(Some)),
        quantity: row.cell("quantity", found, Quantity::parse),
        unit: row.cell("unit", found, Unit::parse),
        upstream: row.cell("UpstreamCO2e", found, co2e),
        downstream: row.cell("DownstreamCO2e", found, co2e),
        product: row.word("product", found),
        scope: row.word("scope", found),
        taxonomy: row.word("taxonomy", found),
        org: row.word("org", found),
        start: row.cell("startDate", found, Moment::parse_start),
        end: row.cell("endDate", found, Moment::parse_end),
        ..ActivityDraft::default()
    };
    draft.read_back.co2e = row.cell("CO2e", found, co2e).into_option();
    let listed: Field<SuppliedParts> = row.cell("supplied", found, listed_cell);
    missing(&draft, &listed, found);
    if listed.given().is_some() {
        draft.read_back.id = row.cell("uuid", found, str::parse::<ActivityId>).into_option();
    } else if !row.cell(PERIOD_CO2E, found, |text| Ok::<_, Wrong>(text.to_owned())).is_missing() {
        found.add(format!("/{PERIOD_CO2E}"), SHARE_ALONE);
    }
    settle(&mut draft, &listed);
    without_empty(&mut draft);
    draft.faults = faults;
    draft
}
