//! The rows that an import rejected, as a table: line, field, reason.

use std::io::{self, Write};

use domain::Faults;

/// Writes rejected rows as CSV, one line per fault, under the header `line,field,reason`.
pub struct Rejects<W: Write> {
    table: ::csv::Writer<W>,
}

impl<W: Write> std::fmt::Debug for Rejects<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rejects").finish_non_exhaustive()
    }
}

impl<W: Write> Rejects<W> {
    /// Starts a file by writing its header row.
    pub fn new(target: W) -> io::Result<Self> {
        let mut table = ::csv::Writer::from_writer(target);
        table.write_record(["line", "field", "reason"])?;
        Ok(Self { table })
    }

    /// Writes what is wrong with the row that starts on `line`. The field is empty where the fault is the whole row's.
    pub fn write(&mut self, line: u64, faults: &Faults) -> io::Result<()> {
        for fault in faults.as_slice() {
            let field = fault.pointer.strip_prefix('/').unwrap_or(&fault.pointer);
            self.table.write_record([line.to_string().as_str(), field, &fault.detail])?;
        }
        Ok(())
    }

    /// Writes what is still held back, and gives the target back.
    pub fn finish(self) -> io::Result<W> {
        self.table.into_inner().map_err(|error| io::Error::new(error.error().kind(), error.to_string()))
    }
}
