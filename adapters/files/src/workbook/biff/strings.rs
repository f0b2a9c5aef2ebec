//! How long the shared texts of a workbook are.

use super::records::{Record, short};

/// A letter is at most so many bytes in memory, whatever the encoding.
const BYTES_OF_LETTER: u64 = 6;

/// The most bytes that each text of the table may have in memory, in their order.
pub(super) fn lengths(record: &Record<'_>) -> Result<Vec<u64>, String> {
    let mut reader = Reader { data: record.data.get(8..).ok_or_else(short)?, pieces: record.pieces.iter() };
    let mut lengths = Vec::new();
    while !reader.data.is_empty() || reader.go_on() {
        lengths.push(reader.text()?);
    }
    Ok(lengths)
}

/// Reads texts that go on in later pieces of the record.
struct Reader<'a> {
    data: &'a [u8],
    pieces: std::slice::Iter<'a, &'a [u8]>,
}

impl Reader<'_> {
    /// Goes on with the next piece, if there is one.
    fn go_on(&mut self) -> bool {
        let piece = self.pieces.next();
        if let Some(piece) = piece {
            self.data = piece;
        }
        piece.is_some()
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (number, rest) = self.data.split_first_chunk().ok_or_else(short)?;
        self.data = rest;
        Ok(*number)
    }

    fn text(&mut self) -> Result<u64, String> {
        if self.data.is_empty() {
            return Ok(0);
        }
        let letters = u16::from_le_bytes(self.number()?);
        let [flags] = self.number()?;
        let runs = if flags & 8 == 0 { 0 } else { u16::from_le_bytes(self.number()?) };
        let more = if flags & 4 == 0 { 0 } else { u32::from_le_bytes(self.number()?) };
        let (mut left, mut is_wide) = (usize::from(letters), flags & 1 != 0);
        while left > 0 {
            let width = if is_wide { 2 } else { 1 };
            let taken = left.min(self.data.len() / width);
            self.data = self.data.get(taken * width..).unwrap_or_default();
            left -= taken;
            if left > 0 {
                if !self.go_on() {
                    return Err(short());
                }
                let [flags] = self.number()?;
                is_wide = flags & 1 != 0;
            }
        }
        self.skip(usize::from(runs) * 4)?;
        self.skip(more as usize)?;
        Ok(u64::from(letters) * BYTES_OF_LETTER)
    }

    fn skip(&mut self, mut length: usize) -> Result<(), String> {
        while length > 0 {
            if self.data.is_empty() && !self.go_on() {
                return Err(short());
            }
            let passed = length.min(self.data.len());
            self.data = self.data.get(passed..).unwrap_or_default();
            length -= passed;
        }
        Ok(())
    }
}
