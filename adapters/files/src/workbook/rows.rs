//! The rows of a sheet, read by a thread of their own a little ahead of whoever takes them.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use calamine::{Data, DataRef, Range, Reader as _};

use super::Book;
use super::cell::{NO_RESULT, cell, ods_cell, verbatim_cell, verbatim_ods_cell};
use crate::delimited::{CellKind, Cells, Record};

/// Rows that are handed over together.
const BATCH: usize = 256;
/// How many batches are ready before the reader waits.
const AHEAD: usize = 4;
/// A sheet has no more columns.
const MOST_COLUMNS: u32 = 16_384;

/// What the reading thread says.
enum Message {
    Rows(Vec<Record>),
    Failed(String),
    End,
}

/// What becomes of the number cells of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberText {
    /// Their decimals of 15 significant digits.
    Meant,
    /// The shortest decimals that are the same binary numbers.
    Verbatim,
}

/// The rows of a sheet that have a cell, in their order; their lines are the numbers that the spreadsheet shows.
#[derive(Debug)]
pub(crate) struct SheetRows {
    messages: Receiver<Message>,
    ready: std::vec::IntoIter<Record>,
    /// How many cells each row has, once it is known.
    width: Option<usize>,
    ended: bool,
}

impl SheetRows {
    pub(super) fn begin(book: Book, sheet: String, most_bytes: usize, numbers: NumberText) -> Self {
        let (sender, messages) = sync_channel(AHEAD);
        // Ends by itself when nobody takes rows any more.
        thread::spawn(move || {
            let read_cell = match (&book, numbers) {
                (Book::Ods(_), NumberText::Meant) => ods_cell,
                (Book::Ods(_), NumberText::Verbatim) => verbatim_ods_cell,
                (Book::Xlsx(_) | Book::Xls(_), NumberText::Meant) => cell,
                (Book::Xlsx(_) | Book::Xls(_), NumberText::Verbatim) => verbatim_cell,
            };
            let mut writer =
                RowWriter { sender, read_cell, batch: Vec::new(), line: 0, cells: Cells::default(), most_bytes };
            let last = match read(book, &sheet, &mut writer) {
                Ok(()) => Message::End,
                Err(Stop::Failed(detail)) => Message::Failed(detail),
                Err(Stop::Unwanted) => return,
            };
            // Whoever waited may be gone.
            let _ = writer.sender.send(last);
        });
        Self { messages, ready: Vec::new().into_iter(), width: None, ended: false }
    }

    /// Gives every row so many cells from here on: what is to the right is left out.
    pub(crate) const fn fit(&mut self, width: usize) {
        self.width = Some(width);
    }

    /// The next row; `None` at the end.
    pub(crate) fn next_record(&mut self) -> io::Result<Option<Record>> {
        loop {
            if let Some(mut record) = self.ready.next() {
                if let (Ok(cells), Some(width)) = (&mut record.cells, self.width) {
                    cells.fit(width);
                }
                return Ok(Some(record));
            }
            if self.ended {
                return Ok(None);
            }
            let broken = |detail: String| io::Error::new(io::ErrorKind::InvalidData, detail);
            match self.messages.recv() {
                Ok(Message::Rows(rows)) => self.ready = rows.into_iter(),
                Ok(Message::End) => self.ended = true,
                Ok(Message::Failed(detail)) => {
                    self.ended = true;
                    return Err(broken(detail));
                }
                Err(_) => {
                    self.ended = true;
                    return Err(broken("the workbook is damaged".to_owned()));
                }
            }
        }
    }
}

/// Why reading ends early.
enum Stop {
    Failed(String),
    /// Nobody takes the rows.
    Unwanted,
}

fn failed(error: impl std::fmt::Display) -> Stop {
    Stop::Failed(error.to_string())
}

fn read(book: Book, sheet: &str, writer: &mut RowWriter) -> Result<(), Stop> {
    match book {
        Book::Xlsx(mut book) => {
            let mut cells = book.worksheet_cells_reader(sheet).map_err(failed)?;
            while let Some(found) = cells.next_cell_with_formula_metadata().map_err(failed)? {
                let (row, column) = found.pos;
                if found.formula.is_some() && matches!(found.value, DataRef::Empty) {
                    writer.text(row, column, (NO_RESULT.to_owned(), CellKind::Error))?;
                } else {
                    writer.cell(row, column, found.value)?;
                }
            }
        }
        Book::Xls(mut book) => read_range(&book.worksheet_range(sheet).map_err(failed)?, writer)?,
        Book::Ods(mut book) => {
            let mut range = book.worksheet_range(sheet).map_err(failed)?;
            let formulas = book.worksheet_formula(sheet).map_err(failed)?;
            // The library keeps every sheet.
            drop(book);
            mark_formulas_without_results(&mut range, &formulas);
            read_range(&range, writer)?;
        }
    }
    writer.finish()
}

fn read_range(range: &Range<Data>, writer: &mut RowWriter) -> Result<(), Stop> {
    let Some((top, left)) = range.start() else { return Ok(()) };
    for (row, column, value) in range.used_cells() {
        let at = |offset: usize, first: u32| u32::try_from(offset).unwrap_or(u32::MAX).saturating_add(first);
        writer.cell(at(row, top), at(column, left), borrowed(value))?;
    }
    Ok(())
}

/// Puts [`NO_RESULT`] where there is a formula and no value. Those above or left of every value are passed over: no header is
/// there.
fn mark_formulas_without_results(range: &mut Range<Data>, formulas: &Range<String>) {
    let (Some((top, left)), Some(first)) = (range.start(), formulas.start()) else { return };
    let at = |offset: usize, first: u32| u32::try_from(offset).unwrap_or(u32::MAX).saturating_add(first);
    let places = formulas.used_cells().map(|(row, column, _)| (at(row, first.0), at(column, first.1)));
    for (row, column) in places.filter(|(row, column)| *row >= top && *column >= left) {
        if matches!(range.get_value((row, column)), None | Some(Data::Empty)) {
            range.set_value((row, column), Data::String(NO_RESULT.to_owned()));
        }
    }
}

fn borrowed(value: &Data) -> DataRef<'_> {
    match value {
        Data::String(text) => DataRef::SharedString(text),
        Data::Int(number) => DataRef::Int(*number),
        Data::Float(number) => DataRef::Float(*number),
        Data::Bool(flag) => DataRef::Bool(*flag),
        Data::DateTime(date) => DataRef::DateTime(*date),
        Data::DateTimeIso(text) => DataRef::DateTimeIso(text.clone()),
        Data::DurationIso(text) => DataRef::DurationIso(text.clone()),
        Data::Error(error) => DataRef::Error(error.clone()),
        Data::Empty => DataRef::Empty,
    }
}

/// Puts cells together to rows.
struct RowWriter {
    sender: SyncSender<Message>,
    /// What a cell is, as a text.
    read_cell: fn(DataRef<'_>) -> Option<(String, CellKind)>,
    batch: Vec<Record>,
    /// The row under way, from 1; 0 before the first.
    line: u64,
    cells: Cells,
    most_bytes: usize,
}

impl RowWriter {
    fn cell(&mut self, row: u32, column: u32, value: DataRef<'_>) -> Result<(), Stop> {
        (self.read_cell)(value).map_or(Ok(()), |text| self.text(row, column, text))
    }

    fn text(&mut self, row: u32, column: u32, (text, kind): (String, CellKind)) -> Result<(), Stop> {
        let line = u64::from(row) + 1;
        if line != self.line {
            self.end_row()?;
            if line < self.line {
                return Err(failed(format!("row {line} stands behind row {}", self.line)));
            }
            self.line = line;
        }
        if (column as usize) < self.cells.len() || column >= MOST_COLUMNS {
            return Err(failed(format!("cell {} of row {line} is out of its place", column + 1)));
        }
        while self.cells.len() < column as usize {
            self.cells.push("", CellKind::Text);
        }
        // A row that is too long is still one row: its rest is passed over.
        if self.cells.bytes() <= self.most_bytes {
            self.cells.push(&text, kind);
        }
        Ok(())
    }

    fn end_row(&mut self) -> Result<(), Stop> {
        if self.cells.len() == 0 {
            return Ok(());
        }
        let cells = std::mem::take(&mut self.cells);
        let too_long = cells.bytes() > self.most_bytes;
        let cells = if too_long { Err(format!("is longer than {} bytes", self.most_bytes)) } else { Ok(cells) };
        self.batch.push(Record { line: self.line, cells });
        if self.batch.len() == BATCH { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<(), Stop> {
        let rows = std::mem::take(&mut self.batch);
        self.sender.send(Message::Rows(rows)).map_err(|_| Stop::Unwanted)
    }

    fn finish(&mut self) -> Result<(), Stop> {
        self.end_row()?;
        self.send()
    }
}
