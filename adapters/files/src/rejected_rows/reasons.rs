//! Why rows were rejected, line by line: written while they are, and read beside the rows afterwards.

use std::io::{self, Read, Write};

use domain::Faults;

/// Writes the faults of rejected rows, in the order of their lines.
pub struct Reasons<W: Write> {
    table: ::csv::Writer<W>,
}

impl<W: Write> std::fmt::Debug for Reasons<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reasons").finish_non_exhaustive()
    }
}

impl<W: Write> Reasons<W> {
    /// Nothing yet.
    pub fn new(target: W) -> Self {
        Self { table: ::csv::Writer::from_writer(target) }
    }

    /// Notes what is wrong with the row that starts on `line`.
    pub fn write(&mut self, line: u64, faults: &Faults) -> io::Result<()> {
        for fault in faults.as_slice() {
            let field = fault.pointer.strip_prefix('/').unwrap_or(&fault.pointer);
            let reason = if field.is_empty() { fault.detail.clone() } else { format!("{field}: {}", fault.detail) };
            self.table.write_record([line.to_string().as_str(), &reason])?;
        }
        Ok(())
    }

    /// Writes what is still held back, and gives the target back.
    pub fn finish(self) -> io::Result<W> {
        self.table.into_inner().map_err(|error| io::Error::new(error.error().kind(), error.to_string()))
    }
}

/// The reasons, read beside the rows.
pub(super) struct Reader<R> {
    table: ::csv::Reader<R>,
    /// The next one that was read.
    next: Option<(u64, String)>,
}

impl<R: Read> Reader<R> {
    pub(super) fn new(source: R) -> Self {
        Self { table: ::csv::ReaderBuilder::new().has_headers(false).from_reader(source), next: None }
    }

    /// Why the row that starts on that line was rejected, if it was. Lines must be asked for in their order.
    pub(super) fn of_line(&mut self, line: u64) -> io::Result<Option<String>> {
        let mut found: Vec<String> = Vec::new();
        loop {
            if self.next.is_none() {
                let mut record = ::csv::StringRecord::new();
                if self.table.read_record(&mut record)? {
                    let at = record.get(0).and_then(|at| at.parse().ok()).unwrap_or_default();
                    self.next = Some((at, record.get(1).unwrap_or_default().to_owned()));
                }
            }
            match self.next.take() {
                Some((at, reason)) if at <= line => {
                    // Several activities of a row may have one fault.
                    if at == line && !found.contains(&reason) {
                        found.push(reason);
                    }
                }
                later => {
                    self.next = later;
                    return Ok(if found.is_empty() {
                        None
                    } else {
                        Some(format!("line {line}: {}", found.join("; ")))
                    });
                }
            }
        }
    }
}
