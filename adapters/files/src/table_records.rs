//! The records of a table, wherever they are read from: a text in any encoding, or a sheet of a workbook.

use std::io::{self, BufRead};

use crate::delimited::{Record, Records};
use crate::encoding::{Decoded, TextEncoding, Unmarked, without_mark};
use crate::workbook::SheetRows;

/// The records of a table.
#[derive(Debug)]
pub(crate) enum TableRecords<R> {
    /// Of a text in UTF-8.
    Plain(Records<Unmarked<R>>),
    /// Of a text in another encoding.
    Decoded(Records<Decoded<Unmarked<R>>>, TextEncoding),
    /// Of a sheet.
    Sheet(SheetRows),
}

impl<R: BufRead> TableRecords<R> {
    /// The records of a text, in the encoding of its byte-order mark, else in that which is `said`.
    pub(crate) fn of_text(source: R, said: TextEncoding, delimiter: u8, most_bytes: usize) -> io::Result<Self> {
        let (source, encoding) = without_mark(source, said)?;
        Ok(if encoding.is_utf8() {
            Self::Plain(Records::new(source, delimiter, most_bytes))
        } else {
            Self::Decoded(Records::new(Decoded::new(source, encoding), delimiter, most_bytes), encoding)
        })
    }

    /// The next record; `None` at the end.
    pub(crate) fn next_record(&mut self) -> io::Result<Option<Record>> {
        match self {
            Self::Plain(records) => records.next_record(),
            Self::Decoded(records, encoding) => {
                let mut record = records.next_record()?;
                if let Some(Record { cells: Err(detail), .. }) = &mut record {
                    *detail = detail.replace("UTF-8", encoding.name());
                }
                Ok(record)
            }
            Self::Sheet(rows) => rows.next_record(),
        }
    }

    /// Says how many columns the header has: rows of a sheet, which end where their last cell is, get as many.
    pub(crate) const fn fit(&mut self, width: usize) {
        if let Self::Sheet(rows) = self {
            rows.fit(width);
        }
    }
}
