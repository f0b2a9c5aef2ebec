//! The sheets of a file, with their numbers as they are kept verbatim. A text file is one sheet without a name.

use std::io::Cursor;
use std::sync::Arc;

use domain::{Decimal, SourceRow};

use super::amount::{Figure, figure, rounding};
use crate::activity::MAX_ROW_BYTES;
use crate::delimited::Cells;
use crate::encoding::TextEncoding;
use crate::error::FileError;
use crate::table_records::TableRecords;
use crate::workbook::{FileStart, Visibility, Workbook};

/// No sheet of published factors has more rows.
const MOST_ROWS: usize = 200_000;
/// Nor has a file of them more sheets that are shown: each is read.
const MOST_SHEETS: usize = 40;
/// Nor do the texts of all sheets come to more.
const MOST_TEXT: usize = 256 << 20;

/// A sheet.
#[derive(Debug)]
pub(super) struct Sheet {
    /// Its name; `None` for a text file.
    pub(super) name: Option<String>,
    /// Its rows with something in them.
    pub(super) rows: Vec<Row>,
}

/// A row of a sheet.
#[derive(Debug)]
pub(super) struct Row {
    /// From 1.
    pub(super) number: u32,
    /// Its cells, or what is wrong with it.
    pub(super) cells: Result<Cells, String>,
}

/// The sheets of a file that are shown, in their order.
pub(super) fn open(bytes: Vec<u8>) -> Result<Vec<Sheet>, FileError> {
    match FileStart::of(&bytes) {
        FileStart::Gzip => Err(FileError::Published("is compressed with gzip: unpack it first".to_owned())),
        FileStart::Workbook => workbook(&bytes.into()),
        FileStart::Text => {
            let records = TableRecords::of_text(bytes.as_slice(), TextEncoding::default(), b',', MAX_ROW_BYTES);
            let mut room = MOST_TEXT;
            Ok(vec![Sheet { name: None, rows: rows(records.map_err(FileError::Read)?, &mut room)? }])
        }
    }
}

fn workbook(bytes: &Arc<[u8]>) -> Result<Vec<Sheet>, FileError> {
    let open = || Workbook::open(Box::new(Cursor::new(Arc::clone(bytes))));
    let mut room = MOST_TEXT;
    let listed = open()?.sheets().to_vec();
    let shown: Vec<_> = listed.into_iter().filter(|sheet| sheet.visibility == Visibility::Shown).collect();
    if shown.len() > MOST_SHEETS {
        return Err(FileError::Published(format!(
            "has {} sheets, and at most {MOST_SHEETS} are read: leave those that are the publisher's, or hide the others",
            shown.len()
        )));
    }
    shown
        .into_iter()
        .map(|sheet| {
            let records = open()?.into_verbatim_rows(&sheet.name, MAX_ROW_BYTES)?;
            Ok(Sheet { name: Some(sheet.name), rows: rows(TableRecords::<&[u8]>::Sheet(records), &mut room)? })
        })
        .collect()
}

fn rows<R: std::io::BufRead>(mut records: TableRecords<R>, room: &mut usize) -> Result<Vec<Row>, FileError> {
    let mut rows = Vec::new();
    while let Some(record) = records.next_record().map_err(FileError::Read)? {
        let bytes = record.cells.as_ref().map_or(0, Cells::bytes);
        let number = u32::try_from(record.line).ok().filter(|_| rows.len() < MOST_ROWS);
        let Some((number, left)) = number.zip(room.checked_sub(bytes)) else {
            let mebibytes = MOST_TEXT >> 20;
            return Err(FileError::Published(format!(
                "has a sheet of more than {MOST_ROWS} rows, or more than {mebibytes} MiB of text: no table of factors does"
            )));
        };
        *room = left;
        if !record.cells.as_ref().is_ok_and(Cells::is_blank) {
            rows.push(Row { number, cells: record.cells });
        }
    }
    Ok(rows)
}

impl Sheet {
    /// Where a figure stands, such as `Factors by Category!J13`.
    pub(super) fn cell(&self, row: u32, column: usize) -> String {
        let place = format!("{}{row}", letters(column));
        self.name.as_ref().map_or_else(|| place.clone(), |name| format!("{name}!{place}"))
    }
}

/// The text of a cell without spaces around it; empty where there is none.
pub(super) fn text(cells: &Cells, column: usize) -> &str {
    cells.get(column).unwrap_or_default().trim()
}

/// The figure of a cell.
pub(super) fn amount(cells: &Cells, column: usize) -> Result<Figure, String> {
    figure(text(cells, column), cells.kind(column))
}

/// The value of a cell, and what is to be told of it.
pub(super) fn value(cells: &Cells, column: usize) -> Result<(Option<Decimal>, Option<String>), String> {
    let found = amount(cells, column)?;
    let told = match found {
        Figure::Rounded(value) => Some(rounding(text(cells, column), value)),
        Figure::Absent | Figure::Of(_) => None,
    };
    Ok((found.value(), told))
}

/// The row as it is kept with a factor, each cell below its header; below none, by the letters of its column.
pub(super) fn source_row(number: u32, header: &[String], cells: &Cells) -> SourceRow {
    let name = |column: usize| match header.get(column).map(String::as_str) {
        None | Some("") => letters(column),
        Some(name) => name.to_owned(),
    };
    let filled = cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
    SourceRow { row: number, cells: filled.map(|(column, cell)| (name(column), cell.to_owned())).collect() }
}

/// The words of a header cell in small letters, one space between them.
pub(super) fn header_words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// What a spreadsheet calls the column at that place, from 0: `A`, `Z`, `AA`.
fn letters(column: usize) -> String {
    let last = char::from(b'A' + u8::try_from(column % 26).unwrap_or_default());
    if column < 26 { last.to_string() } else { format!("{}{last}", letters(column / 26 - 1)) }
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn columns_have_the_letters_of_a_spreadsheet() {
        for (column, expected) in [(0, "A"), (9, "J"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")] {
            assert_eq!(letters(column), expected);
        }
    }
}
