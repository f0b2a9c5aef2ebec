//! What the records of an .xls become in memory, found out before the library keeps any of them.

mod records;
mod strings;

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use cfb::{CompoundFile, Version};

use super::Source;
use super::extent::MostCells;
use records::{HEAD, Record, Records};

/// A larger .xls is refused: all of it is in memory, more than once.
const MOST_BYTES: u64 = 128 << 20;
/// What such a file calls its only stream that is read; the second is that of older ones.
const STREAMS: [&str; 2] = ["/Workbook", "/Book"];

/// Kinds of records.
mod kind {
    pub(super) const FORMULA: u16 = 0x0006;
    pub(super) const END: u16 = 0x000a;
    pub(super) const EXTERNAL_SHEETS: u16 = 0x0017;
    pub(super) const DEFINED_NAME: u16 = 0x0018;
    pub(super) const SHEET: u16 = 0x0085;
    pub(super) const SEVERAL_NUMBERS: u16 = 0x00bd;
    pub(super) const STRINGS: u16 = 0x00fc;
    pub(super) const SHARED_TEXT: u16 = 0x00fd;
    pub(super) const DIMENSIONS: u16 = 0x0200;
    pub(super) const BEGIN: u16 = 0x0809;
    /// Of cells with one value: rich text, number, text, flag or error, text of a formula, short number.
    pub(super) const CELLS: [u16; 6] = [0x00d6, 0x0203, 0x0204, 0x0205, 0x0207, 0x027e];
    /// Of nothing: it is passed over.
    pub(super) const NONE: [u8; 2] = [0xff, 0xff];
}

/// Two bytes of the stream that are written anew: where, and what.
type Change = (usize, [u8; 2]);
/// Where in the data of a formula stands how many bytes its expression has.
const LENGTH_OF_EXPRESSION: usize = 20;

/// The .xls with nothing in it but the cells, where they are not too many. It is written anew, so that what was looked at is what
/// the library reads.
pub(super) fn checked(source: Source) -> Result<Source, String> {
    let stream = stream(source).map_err(|error| format!("{error} (is it an .xls?)"))??;
    let stream = check(stream, MostCells::default())?;
    rewritten(&stream).map_err(|error| format!("it is damaged: {error}"))
}

fn stream(mut source: Source) -> io::Result<Result<Vec<u8>, String>> {
    if source.seek(SeekFrom::End(0))? > MOST_BYTES {
        let mebibytes = MOST_BYTES >> 20;
        return Ok(Err(format!("it is larger than {mebibytes} MiB; save it as .xlsx, or the sheet as CSV")));
    }
    source.seek(SeekFrom::Start(0))?;
    let mut file = CompoundFile::open(source)?;
    let Some(name) = STREAMS.into_iter().find(|name| file.is_stream(name)) else {
        return Ok(Err("it is no workbook, or protected by a password".to_owned()));
    };
    let mut bytes = Vec::new();
    file.open_stream(name)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(Ok(bytes))
}

fn rewritten(stream: &[u8]) -> io::Result<Source> {
    // The library refuses a file of version 4 whose streams are all large.
    let mut file = CompoundFile::create_with_version(Version::V3, Cursor::new(Vec::new()))?;
    file.create_stream(STREAMS[0])?.write_all(stream)?;
    let mut bytes = file.into_inner();
    bytes.set_position(0);
    Ok(Box::new(bytes))
}

/// The stream without what is not read and may be kept many times; else why it is not read.
fn check(mut stream: Vec<u8>, most: MostCells) -> Result<Vec<u8>, String> {
    let (mut sheets, mut strings, mut changes) = (Vec::new(), Vec::new(), Vec::<Change>::new());
    let mut records = Records::new(&stream, 0);
    while let Some(record) = records.next_record()? {
        match record.kind {
            kind::SHEET => sheets.push(record.number_at(0)? as usize),
            kind::STRINGS => strings = strings::lengths(&record)?,
            kind::DEFINED_NAME | kind::EXTERNAL_SHEETS => changes.push((record.start, kind::NONE)),
            kind::END => break,
            _ => {}
        }
    }
    let mut end = records.at();
    sheets.sort_unstable();
    let (mut cells, mut texts) = (0_u64, 0_u64);
    for start in sheets {
        // What two sheets share would be kept twice.
        if start < end {
            return Err("its sheets stand in each other: it is damaged".to_owned());
        }
        let mut sheet = Sheet::default();
        let mut records = Records::new(&stream, start);
        sheet.read(&mut records, &strings, &mut changes)?;
        end = records.at();
        cells = cells.saturating_add(sheet.cells());
        texts = texts.saturating_add(sheet.texts);
        if cells > most.cells {
            return Err(format!("its sheets reach over more than {} cells; save the sheet as CSV", most.cells));
        }
        if texts > most.texts {
            let mebibytes = most.texts >> 20;
            return Err(format!("the texts of its cells come to more than {mebibytes} MiB; save the sheet as CSV"));
        }
    }
    for (start, bytes) in changes {
        if let Some(place) = stream.get_mut(start..start + bytes.len()) {
            place.copy_from_slice(&bytes);
        }
    }
    Ok(stream)
}

/// How far a sheet reaches.
#[derive(Default)]
struct Sheet {
    count: u64,
    /// First and last row and column with a cell.
    rows: Option<(u16, u16)>,
    columns: Option<(u16, u16)>,
    texts: u64,
}

impl Sheet {
    fn read(&mut self, records: &mut Records<'_>, strings: &[u64], changes: &mut Vec<Change>) -> Result<(), String> {
        // Charts within it have records of cells too, which the library passes over.
        let mut depth = 0_usize;
        while let Some(record) = records.next_record()? {
            match record.kind {
                kind::BEGIN => depth += 1,
                kind::END if depth > 1 => depth -= 1,
                kind::END => return Ok(()),
                _ if depth > 1 => {}
                kind::DIMENSIONS => changes.push((record.start, kind::NONE)),
                kind::SEVERAL_NUMBERS => {
                    let last = record.data.len().checked_sub(2).ok_or_else(records::short)?;
                    self.cell(&record)?;
                    self.count += record.data.len() as u64 / 6;
                    widen(&mut self.columns, record.short_at(last)?);
                }
                kind::SHARED_TEXT => {
                    self.cell(&record)?;
                    let index = record.number_at(6)? as usize;
                    self.texts = self.texts.saturating_add(strings.get(index).copied().unwrap_or(0));
                }
                kind::FORMULA => {
                    self.cell(&record)?;
                    // The library would write the text of its expression, which may be very much longer than that.
                    record.short_at(LENGTH_OF_EXPRESSION)?;
                    changes.push((record.start + HEAD + LENGTH_OF_EXPRESSION, [0, 0]));
                }
                other if kind::CELLS.contains(&other) => self.cell(&record)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn cell(&mut self, record: &Record<'_>) -> Result<(), String> {
        self.count += 1;
        // The text of a formula is its cell's, and has no place of its own.
        if record.kind != 0x0207 {
            widen(&mut self.rows, record.short_at(0)?);
            widen(&mut self.columns, record.short_at(2)?);
        }
        Ok(())
    }

    /// How many cells are kept of it: those that are there, and all of its area.
    fn cells(&self) -> u64 {
        let length = |range: Option<(u16, u16)>| range.map_or(0, |(first, last)| u64::from(last - first) + 1);
        self.count.saturating_add(length(self.rows) * length(self.columns))
    }
}

fn widen(range: &mut Option<(u16, u16)>, place: u16) {
    let (first, last) = range.unwrap_or((place, place));
    *range = Some((first.min(place), last.max(place)));
}

#[cfg(test)]
mod tests;
