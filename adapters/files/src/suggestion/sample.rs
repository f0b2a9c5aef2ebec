//! The first rows of a table, and how they seem to be written.

use std::io::{self, BufRead, Read};

use crate::activity::MAX_ROW_BYTES;
use crate::delimited::{CellKind, Cells, Record};
use crate::encoding::TextEncoding;
use crate::error::FileError;
use crate::map::Map;
use crate::table_records::TableRecords;
use crate::workbook::Workbook;

/// So much of a text is looked at.
const BYTES: u64 = 1 << 20;
/// So many rows are looked at.
const ROWS: usize = 500;
/// What sets cells apart, the likeliest first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The first rows of a table.
#[derive(Debug)]
pub struct TableSample {
    pub(super) rows: Vec<SampleRow>,
    pub(super) form: SampleForm,
}

/// How a table seems to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SampleForm {
    /// A text in that encoding, with that delimiter.
    Text(&'static str, u8),
    /// A sheet of a workbook, and whether it has others.
    Sheet(String, bool),
}

/// A row.
#[derive(Debug)]
pub(super) struct SampleRow {
    pub(super) line: u64,
    cells: Cells,
}

impl SampleRow {
    /// The text of a cell, without the blanks around it; empty where there is none.
    pub(super) fn cell(&self, index: usize) -> &str {
        self.cells.get(index).unwrap_or_default().trim()
    }

    pub(super) fn kind(&self, index: usize) -> CellKind {
        self.cells.kind(index)
    }

    pub(super) fn cells(&self) -> &Cells {
        &self.cells
    }

    /// How many cells say anything.
    pub(super) fn filled(&self) -> usize {
        self.cells.iter().filter(|cell| !cell.trim().is_empty()).count()
    }
}

impl TableSample {
    /// Whether its cells are set apart as an import without a map takes them.
    pub(super) const fn has_commas(&self) -> bool {
        match self.form {
            SampleForm::Text(_, delimiter) => delimiter == b',',
            SampleForm::Sheet(_, others) => !others,
        }
    }

    /// The first rows of a text.
    pub fn of_text(source: impl BufRead) -> Result<Self, FileError> {
        Self::guessed(&first_bytes(source)?)
    }

    /// The first rows of a text, in the encoding and with the delimiter that a map says; as they seem to be where that makes no table.
    pub fn of_text_by(source: impl BufRead, map: &Map) -> Result<Self, FileError> {
        let bytes = first_bytes(source)?;
        let (encoding, delimiter) = (map.encoding(), map.delimiter());
        let records = TableRecords::of_text(&bytes[..], encoding, delimiter, MAX_ROW_BYTES).map_err(FileError::Read)?;
        let said = Self { rows: read(records)?, form: SampleForm::Text(encoding.name(), delimiter) };
        said.checked("the file").or_else(|_| Self::guessed(&bytes))
    }

    fn guessed(bytes: &[u8]) -> Result<Self, FileError> {
        let encoding = encoding(bytes);
        if !encoding.starts_with("utf-16") && bytes.iter().any(|byte| *byte < 9) {
            return Err(FileError::NoTable("it is neither a text nor a workbook (.xlsx, .xls, .ods)".to_owned()));
        }
        let said = TextEncoding::parse(encoding).unwrap_or_default();
        let mut best: Option<(usize, u8, Vec<SampleRow>)> = None;
        for delimiter in DELIMITERS {
            let rows = read(TableRecords::of_text(bytes, said, delimiter, MAX_ROW_BYTES).map_err(FileError::Read)?)?;
            let score = regularity(&rows);
            if best.as_ref().is_none_or(|(most, ..)| score > *most) {
                best = Some((score, delimiter, rows));
            }
        }
        let (_, delimiter, rows) = best.unwrap_or((0, b',', Vec::new()));
        Self { rows, form: SampleForm::Text(encoding, delimiter) }.checked("the file")
    }

    /// The first rows of a sheet: of that name, else of the only one that is shown.
    pub fn of_sheet(workbook: Workbook, sheet: Option<&str>) -> Result<Self, FileError> {
        let name = workbook.choose(sheet)?.name.clone();
        let others = workbook.sheets().len() > 1;
        let rows = workbook.into_rows(Some(&name), MAX_ROW_BYTES)?;
        let rows = read(TableRecords::<io::Empty>::Sheet(rows))?;
        let what = format!("the sheet {name:?}");
        Self { rows, form: SampleForm::Sheet(name, others) }.checked(&what)
    }

    /// How it seems to be written, in words.
    #[must_use]
    pub fn form_in_words(&self) -> String {
        match &self.form {
            SampleForm::Text(encoding, delimiter) => {
                let apart = match delimiter {
                    b',' => "commas",
                    b';' => "semicolons",
                    b'\t' => "tabs",
                    _ => "|",
                };
                format!("text in {encoding}, cells set apart by {apart}")
            }
            SampleForm::Sheet(name, _) => format!("the sheet {name:?} of a workbook"),
        }
    }

    /// The cells of its first rows, each with the line it starts on.
    #[must_use]
    pub fn first_rows(&self, most: usize) -> Vec<(u64, Vec<String>)> {
        let rows = self.rows.iter().take(most);
        rows.map(|row| (row.line, row.cells.iter().map(str::to_owned).collect())).collect()
    }

    /// An error where no row has two cells.
    fn checked(self, what: &str) -> Result<Self, FileError> {
        let wanted = "a table has a row with the names of its columns and rows below it";
        if self.rows.is_empty() {
            return Err(FileError::NoTable(format!("{what} is empty; {wanted}")));
        }
        if self.rows.iter().all(|row| row.filled() < 2) {
            let divided = match self.form {
                SampleForm::Text(..) => ": no comma, semicolon, tab or | divides its rows into columns",
                SampleForm::Sheet(..) => "",
            };
            return Err(FileError::NoTable(format!(
                "no row of {what} has two cells that say something{divided}; {wanted}"
            )));
        }
        Ok(self)
    }

    /// The rows behind a line.
    pub(super) fn rows_behind(&self, line: u64) -> &[SampleRow] {
        let first = self.rows.partition_point(|row| row.line <= line);
        &self.rows[first..]
    }
}

fn first_bytes(source: impl BufRead) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    source.take(BYTES).read_to_end(&mut bytes).map_err(FileError::Read)?;
    if bytes.len() as u64 == BYTES {
        // The last line may be cut.
        let end = bytes.iter().rposition(|byte| *byte == b'\n').unwrap_or(bytes.len());
        bytes.truncate(end);
    }
    Ok(bytes)
}

fn read<R: BufRead>(mut records: TableRecords<R>) -> Result<Vec<SampleRow>, FileError> {
    let mut rows = Vec::new();
    while rows.len() < ROWS
        && let Some(Record { line, cells }) = records.next_record().map_err(FileError::Read)?
    {
        if let Ok(cells) = cells
            && !cells.is_blank()
        {
            rows.push(SampleRow { line, cells });
        }
    }
    Ok(rows)
}

/// How well a delimiter divides rows: how many have the most usual number of cells, if that is more than one.
fn regularity(rows: &[SampleRow]) -> usize {
    let usual = usual_width(rows);
    if usual < 2 { 0 } else { rows.iter().filter(|row| row.cells.len() == usual).count() * 100 + usual.min(99) }
}

/// The number of cells that most rows have.
fn usual_width(rows: &[SampleRow]) -> usize {
    let mut widths: Vec<usize> = rows.iter().map(|row| row.cells.len()).collect();
    widths.sort_unstable();
    let groups = widths.chunk_by(|one, other| one == other);
    groups.max_by_key(|group| group.len()).and_then(|group| group.first().copied()).unwrap_or_default()
}

/// The encoding of a text that has no byte-order mark, or has one.
fn encoding(bytes: &[u8]) -> &'static str {
    let zeros = |odd: usize| bytes.iter().skip(odd).step_by(2).take(200).filter(|byte| **byte == 0).count();
    match std::str::from_utf8(bytes) {
        _ if bytes.starts_with(&[0xff, 0xfe]) || zeros(1) > zeros(0).max(10) => "utf-16le",
        _ if bytes.starts_with(&[0xfe, 0xff]) || zeros(0) > zeros(1).max(10) => "utf-16be",
        Ok(_) => "utf-8",
        // Cut within a letter.
        Err(error) if error.error_len().is_none() => "utf-8",
        Err(_) => "windows-1252",
    }
}
