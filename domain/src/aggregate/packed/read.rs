//! Reading packed cells, of which no other spelling is taken.

use super::{COUNTS, FORM, MAX_COUNT, MAX_NUMBER, PackedError, needed};
use crate::aggregate::cell::{Amounts, Cell};
use crate::aggregate::measure::{Measure, UnknownMeasure};
use crate::amount::total::Total;
use crate::calendar::day::Day;
use crate::varint::{VarintError, read_varint};

/// The cells of packed bytes that are borrowed.
#[derive(Debug)]
pub struct Cells<'a> {
    reader: Reader<'a>,
    progress: Progress,
}

impl<'a> Cells<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self { reader: Reader::of(bytes), progress: Progress::default() }
    }
}

impl Iterator for Cells<'_> {
    type Item = Result<(u32, Day, Cell), PackedError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.progress.next(&mut self.reader)
    }
}

/// The cells of packed bytes that are held here: beside the bytes, one cell at a time is in memory.
#[derive(Debug)]
pub struct IntoCells {
    bytes: Vec<u8>,
    /// How many of the bytes were read.
    read: usize,
    progress: Progress,
}

impl IntoCells {
    pub(super) fn of(bytes: Vec<u8>) -> Self {
        Self { bytes, read: 0, progress: Progress::default() }
    }
}

impl Iterator for IntoCells {
    type Item = Result<(u32, Day, Cell), PackedError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut reader = Reader::of(self.bytes.get(self.read..).unwrap_or_default());
        let next = self.progress.next(&mut reader);
        self.read = self.bytes.len() - reader.rest.len();
        next
    }
}

/// How far the cells of packed bytes were read.
#[derive(Debug, Default)]
struct Progress {
    /// How many cells are still to come; `None` before the head was read.
    left: Option<u64>,
    before: Option<(Day, u32)>,
    failed: bool,
}

impl Progress {
    fn next(&mut self, reader: &mut Reader<'_>) -> Option<Result<(u32, Day, Cell), PackedError>> {
        if self.failed {
            return None;
        }
        let read = self.read(reader);
        self.failed = !matches!(read, Ok(Some(_)));
        read.transpose()
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<Option<(u32, Day, Cell)>, PackedError> {
        let left = if let Some(left) = self.left {
            left
        } else {
            let form = reader.byte()?;
            if form != FORM {
                return Err(PackedError::Form(form));
            }
            reader.varint()?
        };
        let Some(after) = left.checked_sub(1) else {
            self.left = Some(0);
            return if reader.rest.is_empty() { Ok(None) } else { Err(PackedError::Long) };
        };
        self.left = Some(after);
        let (day, series) = self.place(reader)?;
        self.before = Some((day, series));
        Ok(Some((series, day, reader.cell()?)))
    }

    fn place(&self, reader: &mut Reader<'_>) -> Result<(Day, u32), PackedError> {
        let last = self.before.map_or(Day::MIN, |(day, _)| day);
        let days = i32::try_from(reader.varint()?).ok().and_then(|days| last.number().checked_add(days));
        let day = days.and_then(Day::from_number).ok_or(PackedError::Spelling("there is no such day"))?;
        let given = reader.varint()?;
        let series = match self.before {
            Some((same, before)) if same == day => given.checked_add(u64::from(before) + 1),
            Some(_) | None => Some(given),
        };
        let series = series.and_then(|series| u32::try_from(series).ok());
        Ok((day, series.ok_or(PackedError::Spelling("there is no such series"))?))
    }
}

#[derive(Debug)]
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    const fn of(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }
}

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, PackedError> {
        let (first, rest) = self.rest.split_first().ok_or(PackedError::Short)?;
        self.rest = rest;
        Ok(*first)
    }

    fn varint(&mut self) -> Result<u64, PackedError> {
        read_varint(&mut self.rest).map_err(|error| match error {
            VarintError::Short => PackedError::Short,
            VarintError::TooLarge => PackedError::Spelling("a number is too large"),
            VarintError::TooLong => PackedError::Spelling("a number is too long"),
        })
    }

    /// The bytes of a signed number, no more than `most`.
    fn signed(&mut self, most: usize) -> Result<&[u8], PackedError> {
        let length = usize::from(self.byte()?);
        if length > most {
            return Err(PackedError::Spelling("a number is too large"));
        }
        let (number, rest) = self.rest.split_at_checked(length).ok_or(PackedError::Short)?;
        self.rest = rest;
        if needed(number) == length { Ok(number) } else { Err(PackedError::Spelling("a number is too long")) }
    }

    fn count(&mut self) -> Result<i64, PackedError> {
        let count = i64::from_le_bytes(extended(self.signed(MAX_COUNT)?));
        if count == 0 { Err(PackedError::Spelling("a count that is given is zero")) } else { Ok(count) }
    }

    fn total(&mut self) -> Result<Total, PackedError> {
        if let Some(short) = self.short() {
            return Ok(Total::from_scaled(short));
        }
        Total::from_le_bytes(extended(self.signed(MAX_NUMBER)?)).ok_or(PackedError::Spelling("a number is too large"))
    }

    /// Takes a number of at most 16 bytes that is spelt as it should be, as nearly all are: read at once with the bytes
    /// behind it, which are then shifted out. Takes nothing where it is another, or near the end.
    fn short(&mut self) -> Option<i128> {
        let (length, rest) = self.rest.split_first()?;
        let kept = match length {
            0 => 0,
            1..=16 => {
                let excess = 128 - 8 * u32::from(*length);
                let read = i128::from_le_bytes(*rest.first_chunk()?);
                let number = read << excess >> excess;
                // One byte less would hold it too.
                let is_too_long =
                    number.checked_shl(excess + 8).map_or(number == 0, |high| high >> (excess + 8) == number);
                if is_too_long {
                    return None;
                }
                number
            }
            _ => return None,
        };
        self.rest = rest.get(usize::from(*length)..)?;
        Some(kept)
    }

    fn cell(&mut self) -> Result<Cell, PackedError> {
        let given = self.varint()?;
        let mut cell = Cell::ZERO;
        let counts = [&mut cell.starts, &mut cell.ends, &mut cell.incomplete_starts, &mut cell.incomplete_ends];
        for (count, at) in counts.into_iter().zip(0..) {
            if given >> at & 1 == 1 {
                *count = self.count()?;
            }
        }
        let mut before = None;
        for _ in 0..given >> COUNTS {
            let code = self.varint()?;
            let code = u32::try_from(code).map_err(|_| UnknownMeasure(code.to_string()))?;
            let measure = Measure::from_code(code)?;
            if before.is_some_and(|before| before >= measure) {
                return Err(PackedError::Spelling("measures do not stand by their codes"));
            }
            before = Some(measure);
            let amounts = Amounts { amount: self.total()?, slope: self.total()?, step: self.total()? };
            if amounts.is_zero() {
                return Err(PackedError::Spelling("a measure that is given is zero"));
            }
            if measure == Measure::Co2e {
                cell.co2e = amounts;
            } else {
                cell.put(measure, amounts);
            }
        }
        if given == 0 { Err(PackedError::Spelling("a cell is zero")) } else { Ok(cell) }
    }
}

/// A number in two's complement of at least as many bytes, its sign carried on.
fn extended<const N: usize>(number: &[u8]) -> [u8; N] {
    let sign = if number.last().is_some_and(|byte| byte & 0x80 != 0) { 0xff } else { 0 };
    let mut bytes = [sign; N];
    for (byte, given) in bytes.iter_mut().zip(number) {
        *byte = *given;
    }
    bytes
}
