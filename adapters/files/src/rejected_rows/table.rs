//! Rejected rows of a table, below what stands above its rows.

use std::io::{self, Write};

use crate::activity::REASON;
use crate::delimited::{CellKind, Cells, Record, TableForm, joined_names};

/// What is to be done with a row that is cut short.
const SHORT: &str = "fill in what is missing, and take away the empty cell at its end";

/// A copy under way.
pub(super) struct Copy<'a, W> {
    form: TableForm,
    target: &'a mut W,
    /// The line that is written next.
    line: u64,
    /// How many columns the header has without the one for reasons, and where one is that an earlier copy added.
    columns: usize,
    earlier: Option<usize>,
    /// The rows of the header, and the decimal mark of each column where that is its own.
    header: Vec<Cells>,
    decimals: Vec<Option<char>>,
    is_begun: bool,
}

impl<'a, W: Write> Copy<'a, W> {
    pub(super) fn new(form: TableForm, target: &'a mut W) -> Self {
        Self {
            form,
            target,
            line: 1,
            columns: 0,
            earlier: None,
            header: Vec::new(),
            decimals: Vec::new(),
            is_begun: false,
        }
    }

    /// The byte-order mark, by which spreadsheets and imports know the encoding.
    pub(super) fn begin(&mut self) -> io::Result<()> {
        self.target.write_all(b"\xef\xbb\xbf")
    }

    /// Whether a line is above the rows.
    pub(super) fn is_above(&self, line: u64) -> bool {
        // Without a map the first record is the header, wherever it stands.
        if self.form.header == [1] { !self.is_begun } else { self.form.header.last().is_some_and(|last| line <= *last) }
    }

    /// Writes what is above the rows, and rows that have a reason.
    pub(super) fn record(&mut self, record: &Record, reason: Option<&str>) -> io::Result<()> {
        if self.is_above(record.line) {
            return self.above(record);
        }
        let Some(reason) = reason else { return Ok(()) };
        let mut cells = match &record.cells {
            Ok(cells) => self.texts(cells),
            // What it was cannot be written as a row.
            Err(_) => Vec::new(),
        };
        let is_short = cells.len() < self.columns;
        cells.resize(cells.len().max(self.columns), String::new());
        if is_short {
            // Empty cells in place of those that are missing make no whole row of it: one too many has it refused again.
            cells.extend([format!("{reason}; {SHORT}"), String::new()]);
        } else {
            cells.push(reason.to_owned());
        }
        self.write(&cells)
    }

    fn above(&mut self, record: &Record) -> io::Result<()> {
        while self.line < record.line {
            self.target.write_all(b"\n")?;
            self.line += 1;
        }
        let is_header = self.form.header.contains(&record.line) || self.form.header == [1];
        let is_last = self.form.header.last() == Some(&record.line) || self.form.header == [1];
        let mut cells = match &record.cells {
            Ok(cells) => {
                if is_header {
                    self.earlier = cells.iter().position(|cell| cell.trim() == REASON).or(self.earlier);
                    self.header.push(cells.clone());
                }
                self.texts(cells)
            }
            Err(_) => Vec::new(),
        };
        if is_header {
            self.columns = self.columns.max(cells.len());
        } else {
            // The header must stay on its line.
            for cell in &mut cells {
                *cell = cell.replace(['\n', '\r'], " ");
            }
        }
        if is_last {
            cells.resize(self.columns, String::new());
            cells.push(REASON.to_owned());
            let names = joined_names(&self.header.iter().collect::<Vec<_>>());
            self.decimals = names.iter().map(|name| self.form.decimals.get(name).copied()).collect();
            self.is_begun = true;
        }
        self.write(&cells)
    }

    /// The cells as a text has them, without the reason of an earlier copy.
    fn texts(&self, cells: &Cells) -> Vec<String> {
        let text = |(index, cell): (usize, &str)| match cells.kind(index) {
            CellKind::Number => {
                let own = self.decimals.get(index).copied().flatten();
                cell.replace('.', &own.unwrap_or(self.form.decimal).to_string())
            }
            CellKind::Text | CellKind::Error => cell.to_owned(),
        };
        let kept = cells.iter().enumerate().filter(|(index, _)| Some(*index) != self.earlier);
        kept.map(text).collect()
    }

    fn write(&mut self, cells: &[String]) -> io::Result<()> {
        let mut writer =
            ::csv::WriterBuilder::new().delimiter(self.form.delimiter).flexible(true).from_writer(Vec::new());
        // A row without cells would be no line.
        if cells.is_empty() {
            writer.write_record([""])?;
        } else {
            writer.write_record(cells)?;
        }
        let text = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
        self.line += text.split(|byte| *byte == b'\n').skip(1).count() as u64;
        self.target.write_all(&text)
    }
}
