//! Mapping files: how any table becomes activities, said once in TOML. `docs/mapping.md` has every key.

mod activity_spec;
mod co2e_unit;
mod column_form;
mod dates;
mod intensity;
mod link;
mod marks_seen;
mod number_spec;
mod numbers;
mod row;
mod rows;
mod skip;
mod spec;
mod table_spec;
mod template;
mod toml;
mod unit_words;

use std::collections::BTreeSet;
use std::io::{BufRead, Empty};

use domain::Faults;

use crate::delimited::{Cells, ColumnIndex, Filler, TableForm, header_fault, index_names, joined_names};
use crate::encoding::TextEncoding;
use crate::error::FileError;
use crate::suggest::did_you_mean;
use crate::table_records::TableRecords;
use crate::workbook::Workbook;
use activity_spec::ActivitySpec;
pub(crate) use dates::{DateForm, Digits, Edge, SERIAL, moment};
pub(crate) use numbers::Marks;
pub use rows::MapRows;
use table_spec::TableSpec;
pub(crate) use toml::{read as read_toml, with_paths};

/// A mapping file that was read and found correct.
#[derive(Clone, Debug)]
pub struct Map {
    table: TableSpec,
    activities: Vec<ActivitySpec>,
}

impl Map {
    /// Reads a mapping file, or says all that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, FileError> {
        let (map, faults) = Self::read(text)?;
        faults.into_result().map(|()| map).map_err(|faults| FileError::Map(toml::with_paths(faults)))
    }

    /// What can be read of a mapping file that [`parse`](Self::parse) refuses, to try it; `None` where that is nothing.
    #[must_use]
    pub fn of_what_is_sound(text: &str) -> Option<Self> {
        Self::read(text).ok().map(|(map, _)| map)
    }

    /// All that is wrong with a mapping file that [`parse`](Self::parse) refuses: its own faults, and the columns of the
    /// table `source` that it names and that are missing there.
    pub fn refusal<R: BufRead>(text: &str, source: R, most_bytes: usize) -> FileError {
        Self::refusal_with(text, |map| map.header(map.text(source, most_bytes)?).map(|_| ()))
    }

    /// The same for a sheet of a workbook.
    #[must_use]
    pub fn workbook_refusal(text: &str, workbook: Workbook, most_bytes: usize) -> FileError {
        Self::refusal_with(text, |map| map.header(map.sheet(workbook, most_bytes)?).map(|_| ()))
    }

    fn refusal_with(text: &str, header: impl FnOnce(&Self) -> Result<(), FileError>) -> FileError {
        let (map, mut faults) = match Self::read(text) {
            Ok(read) => read,
            Err(error) => return error,
        };
        // Without the table's delimiter and header line its columns are not known.
        if !faults.as_slice().iter().any(|fault| fault.pointer.starts_with("/table"))
            && let Err(FileError::Header(missing)) = header(&map)
        {
            faults.extend(missing);
        }
        FileError::Map(toml::with_paths(faults))
    }

    /// What can be read of a mapping file, and what is wrong with the rest.
    fn read(text: &str) -> Result<(Self, Faults), FileError> {
        let json = toml::read(text).map_err(FileError::Map)?;
        spec::read(&json).map_err(|faults| FileError::Map(toml::with_paths(faults)))
    }

    /// The activities of the table `source`, whose rows have at most `most_bytes` bytes each. An error when the header
    /// is wrong or lacks a column that the map names.
    pub fn rows<R: BufRead>(&self, source: R, most_bytes: usize) -> Result<MapRows<'_, R>, FileError> {
        let (records, columns) = self.header(self.text(source, most_bytes)?)?;
        Ok(MapRows::new(self, records, columns))
    }

    /// The activities of a sheet of a workbook: of that which the map names, else of the only one that is shown.
    pub fn workbook_rows(&self, workbook: Workbook, most_bytes: usize) -> Result<MapRows<'_, Empty>, FileError> {
        let (records, columns) = self.header(self.sheet(workbook, most_bytes)?)?;
        Ok(MapRows::new(self, records, columns))
    }

    /// The sheet of a workbook that it is about, where it says so.
    #[must_use]
    pub fn sheet_name(&self) -> Option<&str> {
        self.table.sheet.as_deref()
    }

    /// The same map about another sheet of a workbook, where one is named.
    #[must_use]
    pub fn with_sheet(mut self, sheet: Option<&str>) -> Self {
        self.table.sheet = sheet.map(str::to_owned).or(self.table.sheet);
        self
    }

    /// The lines of the header of its table.
    pub(crate) fn header_lines(&self) -> &[u64] {
        &self.table.header
    }

    /// The delimiter of a text.
    pub(crate) const fn delimiter(&self) -> u8 {
        self.table.delimiter
    }

    /// The encoding of a text.
    pub(crate) const fn encoding(&self) -> TextEncoding {
        self.table.encoding
    }

    /// How its table is written, for a copy of some of its rows.
    pub(crate) fn form(&self) -> TableForm {
        let TableSpec { delimiter, header, marks, columns, .. } = &self.table;
        let own = columns.columns().map(|column| (column.to_owned(), self.table.marks_in(column).decimal));
        TableForm { delimiter: *delimiter, header: header.clone(), decimal: marks.decimal, decimals: own.collect() }
    }

    /// What fills its empty cells from above, in a table with that header.
    pub(crate) fn filler(&self, header: &[Cells]) -> Filler {
        Filler::new(&self.table.fill, &index_names(&joined_names(&header.iter().collect::<Vec<_>>())))
    }

    pub(crate) fn text<R: BufRead>(&self, source: R, most_bytes: usize) -> Result<TableRecords<R>, FileError> {
        let TableSpec { encoding, delimiter, .. } = self.table;
        TableRecords::of_text(source, encoding, delimiter, most_bytes).map_err(FileError::Read)
    }

    fn sheet(&self, workbook: Workbook, most_bytes: usize) -> Result<TableRecords<Empty>, FileError> {
        workbook.into_rows(self.sheet_name(), most_bytes).map(TableRecords::Sheet)
    }

    /// The records behind the header, and its columns, among which are all that the map names.
    fn header<R: BufRead>(&self, mut records: TableRecords<R>) -> Result<(TableRecords<R>, ColumnIndex), FileError> {
        let rows = header_rows(&mut records, &self.table.header)?;
        let columns = index_names(&joined_names(&rows.iter().collect::<Vec<_>>()));
        records.fit(columns.len());
        let mut faults = Faults::new();
        for name in self.columns() {
            if columns.is_doubled(name) {
                let way = "with a header of two rows, such as header = [1, 2], the upper one can tell them apart";
                faults.add("", format!("column {name:?}, which the map names, stands twice; {way}"));
            } else if columns.find(name).is_none() {
                let near = did_you_mean(name, columns.names());
                faults.add("", format!("column {name:?}, which the map names, is missing{near}"));
            }
        }
        faults.into_result().map(|()| (records, columns)).map_err(FileError::Header)
    }

    /// The columns that the map reads whole dates from.
    pub(crate) fn date_columns(&self) -> BTreeSet<String> {
        self.activities.iter().flat_map(ActivitySpec::date_columns).map(str::to_owned).collect()
    }

    /// The forms of dates in a column.
    pub(crate) fn dates_in(&self, column: &str) -> &[DateForm] {
        self.table.dates_in(column)
    }

    /// The decimal mark of numbers in a column, where it says one.
    pub(crate) fn said_decimal_in(&self, column: &str) -> Option<char> {
        self.table.said_decimal_in(column)
    }

    /// The columns that the map reads numbers from.
    pub(crate) fn number_columns(&self) -> BTreeSet<String> {
        self.activities.iter().flat_map(ActivitySpec::number_columns).map(str::to_owned).collect()
    }

    /// The columns that the map names.
    fn columns(&self) -> BTreeSet<&str> {
        let filled = self.table.fill.iter().map(String::as_str);
        self.activities
            .iter()
            .flat_map(ActivitySpec::columns)
            .chain(filled)
            .chain(self.table.columns.columns())
            .collect()
    }
}

/// The rows of the header, which start on these lines.
fn header_rows<R: BufRead>(records: &mut TableRecords<R>, lines: &[u64]) -> Result<Vec<Cells>, FileError> {
    let mut rows = Vec::with_capacity(lines.len());
    for line in lines {
        loop {
            match records.next_record().map_err(FileError::Read)? {
                Some(record) if record.line < *line => {}
                Some(record) if record.line == *line => {
                    rows.push(record.cells.map_err(|detail| header_fault(&detail))?);
                    break;
                }
                Some(_) | None => return Err(header_fault(&format!("is missing: no row starts on line {line}"))),
            }
        }
    }
    Ok(rows)
}
