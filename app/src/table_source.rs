//! Rows of activities, wherever they are read from: a text, a table that a map describes, or a sheet of a workbook; compressed
//! or not. The command line and imports in steps read by this alone.

use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};

use clap::ValueEnum;
use domain::Digest;
use files::{CsvRows, FileError, FileStart, MAX_ROW_BYTES, Map, MapRows, NdjsonRows, Workbook};
use flate2::bufread::MultiGzDecoder;
use ports::inbound::RowDraft;

use crate::temporary_file::temporary_file;

/// So many bytes tell what a file is.
pub(crate) const START: u64 = 8;
/// A workbook that comes compressed is put into a file of at most so many bytes.
pub(crate) const MOST_SPOOLED: u64 = 1 << 30;

/// Something to read a text from.
pub(crate) type Source = Box<dyn BufRead + Send>;

/// What is in a file.
pub(crate) enum Content {
    /// A text, CSV or NDJSON.
    Text(Source),
    /// A workbook.
    Workbook(Workbook),
}

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Comma-separated values; the first row names the columns.
    Csv,
    /// One JSON object a line.
    Ndjson,
    /// A workbook: .xlsx, .xls or .ods.
    Workbook,
}

/// What comes of a source that is read from front to back.
pub(crate) enum Unpacked {
    /// A text.
    Text(Source),
    /// A workbook, which must be kept to be read.
    Workbook(Source),
}

/// What a source says, inflated where it is compressed.
pub(crate) fn unpacked(source: Source) -> io::Result<Unpacked> {
    let (start, source) = peeked(source)?;
    let source = match start {
        FileStart::Gzip => buffered(MultiGzDecoder::new(source)),
        FileStart::Workbook | FileStart::Text => source,
    };
    // What is inside may be a workbook, and a text that is compressed twice is none.
    let (start, source) = peeked(source)?;
    Ok(if start == FileStart::Workbook { Unpacked::Workbook(source) } else { Unpacked::Text(source) })
}

/// What is in bytes that can be read again and again.
pub(crate) fn content_of(mut bytes: impl Read + Seek + Send + 'static) -> Result<Content, FileError> {
    let mut start = Vec::new();
    Read::by_ref(&mut bytes).take(START).read_to_end(&mut start).map_err(FileError::Read)?;
    bytes.seek(SeekFrom::Start(0)).map_err(FileError::Read)?;
    let source = BufReader::with_capacity(1 << 16, bytes);
    if FileStart::of(&start) == FileStart::Workbook {
        return Workbook::open(Box::new(source)).map(Content::Workbook);
    }
    match unpacked(Box::new(source)).map_err(FileError::Read)? {
        Unpacked::Text(source) => Ok(Content::Text(source)),
        Unpacked::Workbook(source) => {
            let file = temporary_file(source.take(MOST_SPOOLED + 1), MOST_SPOOLED).map_err(FileError::Read)?;
            Workbook::open(Box::new(BufReader::new(file))).map(Content::Workbook)
        }
    }
}

/// What a source begins with, and all of it.
pub(crate) fn peeked(mut source: Source) -> io::Result<(FileStart, Source)> {
    let mut start = Vec::new();
    source.by_ref().take(START).read_to_end(&mut start)?;
    Ok((FileStart::of(&start), Box::new(Cursor::new(start).chain(source))))
}

/// Reads in larger steps.
pub(crate) fn buffered(source: impl Read + Send + 'static) -> Source {
    Box::new(BufReader::with_capacity(1 << 16, source))
}

/// Rows, one after the other.
pub(crate) type Rows<'a> = Box<dyn ReadRows + Send + 'a>;

/// A reader of rows.
pub(crate) trait ReadRows: Iterator<Item = Result<RowDraft, FileError>> {
    /// How many activities a map has left out so far.
    fn skipped(&self) -> u64 {
        0
    }

    /// Columns whose numbers may mean something else than a map says, of the rows so far; a sentence each.
    fn doubts(&self) -> Vec<String> {
        Vec::new()
    }
}

impl<R: BufRead> ReadRows for MapRows<'_, R> {
    fn skipped(&self) -> u64 {
        Self::skipped(self)
    }

    fn doubts(&self) -> Vec<String> {
        Self::doubts(self)
    }
}

impl<R: BufRead> ReadRows for CsvRows<R> {}

impl<R: BufRead> ReadRows for NdjsonRows<R> {}

/// The rows of a content, by the map where there is one. `sheet` is the one to read of a workbook without a map.
pub(crate) fn rows<'a>(
    content: Content,
    format: Format,
    map: Option<&'a Map>,
    sheet: Option<&str>,
) -> Result<Rows<'a>, FileError> {
    Ok(match (content, map, format) {
        (Content::Text(source), Some(map), _) => Box::new(map.rows(source, MAX_ROW_BYTES)?),
        (Content::Text(source), None, Format::Csv) => Box::new(CsvRows::new(source, MAX_ROW_BYTES)?),
        (Content::Text(source), None, Format::Ndjson) => Box::new(NdjsonRows::new(source, MAX_ROW_BYTES)),
        (Content::Text(_), None, Format::Workbook) => {
            let detail = "it is a text, whatever its name says; --format csv reads it as one".to_owned();
            return Err(FileError::Workbook(detail));
        }
        (Content::Workbook(workbook), Some(map), _) => Box::new(map.workbook_rows(workbook, MAX_ROW_BYTES)?),
        (Content::Workbook(workbook), None, _) => Box::new(CsvRows::of_sheet(workbook, sheet, MAX_ROW_BYTES)?),
    })
}

/// The SHA-256 of how a file is read: of the sheet, where it is a workbook, and of the text of the map.
pub(crate) fn reading(sheet: Option<&str>, map: Option<&str>) -> Option<Digest> {
    let part = |text: Option<&str>| text.map_or_else(|| "-".to_owned(), |text| Digest::of(text.as_bytes()).to_string());
    (sheet.is_some() || map.is_some())
        .then(|| Digest::of(format!("sheet {} map {}", part(sheet), part(map)).as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compressed_workbook_is_kept_up_to_a_gibibyte() {
        assert_eq!(MOST_SPOOLED, 1_073_741_824);
    }
}
