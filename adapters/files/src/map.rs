//! Mapping files: how any table becomes activities, said once in TOML. `docs/mapping.md` has every key.

mod dates;
mod link;
mod numbers;
mod row;
mod rows;
mod skip;
mod spec;
mod template;
mod toml;

use std::collections::BTreeSet;
use std::io::{BufRead, Chain, Cursor};

use domain::Faults;

use crate::bom::without_bom;
use crate::delimited::{ColumnIndex, Records, check_names, header_fault};
use crate::error::FileError;
use crate::suggest::did_you_mean;
pub use rows::MapRows;
use spec::{ActivitySpec, TableSpec};

/// The records of a table without its byte-order mark.
type SourceRecords<R> = Records<Chain<Cursor<Vec<u8>>, R>>;

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

    /// All that is wrong with a mapping file that [`parse`](Self::parse) refuses: its own faults, and the columns of the
    /// table `source` that it names and that are missing there.
    pub fn refusal<R: BufRead>(text: &str, source: R, most_bytes: usize) -> FileError {
        let (map, mut faults) = match Self::read(text) {
            Ok(read) => read,
            Err(error) => return error,
        };
        // Without the table's delimiter and header line its columns are not known.
        if !faults.as_slice().iter().any(|fault| fault.pointer.starts_with("/table"))
            && let Err(FileError::Header(missing)) = map.header(source, most_bytes)
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
        let (records, columns) = self.header(source, most_bytes)?;
        Ok(MapRows::new(self, records, columns))
    }

    /// The records behind the header, and its columns, among which are all that the map names.
    fn header<R: BufRead>(&self, source: R, most_bytes: usize) -> Result<(SourceRecords<R>, ColumnIndex), FileError> {
        let source = without_bom(source).map_err(FileError::Read)?;
        let mut records = Records::new(source, self.table.delimiter, most_bytes);
        let line = self.table.header;
        let header = loop {
            match records.next_record().map_err(FileError::Read)? {
                Some(record) if record.line < line => {}
                Some(record) if record.line == line => break record,
                Some(_) | None => return Err(header_fault(&format!("is missing: no row starts on line {line}"))),
            }
        };
        let names = header.cells.map_err(|detail| header_fault(&detail))?;
        let columns = check_names(&names).map_err(FileError::Header)?;
        let mut faults = Faults::new();
        for name in self.columns() {
            if columns.find(name).is_none() {
                let near = did_you_mean(name, columns.names());
                faults.add("", format!("column {name:?}, which the map names, is missing{near}"));
            }
        }
        faults.into_result().map(|()| (records, columns)).map_err(FileError::Header)
    }

    /// The columns that the map names.
    fn columns(&self) -> BTreeSet<&str> {
        self.activities.iter().flat_map(ActivitySpec::columns).collect()
    }
}
