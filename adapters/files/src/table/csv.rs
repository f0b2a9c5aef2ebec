//! Tables as CSV.

use std::io;

use super::{Cell, Table};
use crate::activity::Cells;

/// The byte-order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The table as CSV, its header line first, behind a byte-order mark where that is asked for.
pub fn table_csv(table: &Table, cells: Cells, mark: ByteOrderMark) -> io::Result<Vec<u8>> {
    let mut writer = ::csv::Writer::from_writer(mark.bytes().to_vec());
    writer.write_record(&table.columns)?;
    for row in &table.rows {
        writer.write_record(row.iter().map(|cell| match cell {
            Cell::Text(text) => cells.of(text.clone()),
            Cell::Empty | Cell::Number(_) => cell.as_str().to_owned(),
        }))?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// Whether a text begins with a byte-order mark, by which some spreadsheets tell UTF-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByteOrderMark {
    /// It does not.
    #[default]
    Absent,
    /// It does.
    Written,
}

impl ByteOrderMark {
    /// What the text begins with.
    #[must_use]
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            Self::Absent => b"",
            Self::Written => MARK,
        }
    }
}
