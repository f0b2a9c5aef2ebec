//! Cells in bytes: one form for postings and checkpoints, for all stores and for other programs.
//!
//! The first byte is the form, 1. Then comes the number of cells and the cells, by day, then series. Whole numbers are
//! varints: seven bits a byte, the lowest first, the top bit set on all but the last. A cell is
//! - the days since the cell before, since 0001-01-01 for the first;
//! - the series: on the same day as the cell before how far behind its series, less one, else the index itself;
//! - a byte whose bits 0 to 3 say which of `starts`, `ends`, `incomplete_starts`, `incomplete_ends` are not zero, and
//!   whose upper bits are the number of measures;
//! - the counts that are not zero, each a signed number;
//! - for each measure, by code: the code, and `amount`, `slope` and `step` times 10^18, each a signed number.
//!
//! A signed number is a byte that says how many bytes follow, 0 to 24, and those bytes: two's complement, the lowest
//! first, no more than are needed. There is one spelling of each list of cells, and no other is read.

use std::fmt;

use crate::aggregate::cell::{Amounts, Cell};
use crate::aggregate::measure::{Measure, UnknownMeasure};
use crate::amount::total::Total;
use crate::calendar::day::Day;

const FORM: u8 = 1;
/// So many bytes hold the sum of 2^64 of the largest amounts.
const MAX_NUMBER: usize = 24;

/// Cells, by day, then series, in bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct PackedCells(Vec<u8>);

/// Why bytes are not cells.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackedError {
    /// The form is none that this version knows.
    #[error("the packed cells have the form {0}, which is unknown")]
    Form(u8),
    /// The bytes end within a cell.
    #[error("the packed cells end too early")]
    Short,
    /// Bytes stand behind the last cell.
    #[error("the packed cells have bytes behind their end")]
    Long,
    /// A measure is none that this version knows.
    #[error(transparent)]
    Measure(#[from] UnknownMeasure),
    /// Not the one spelling of these cells.
    #[error("the packed cells are not spelt as they should be: {0}")]
    Spelling(&'static str),
}

impl PackedCells {
    /// How many cells a part of postings or of a checkpoint has at most: about 120 kB of them.
    pub const PART: usize = 4_096;

    /// The cells, which come by day, then series, none of them zero.
    #[must_use]
    pub fn pack<'a>(cells: impl IntoIterator<Item = (u32, Day, &'a Cell)>) -> Self {
        let mut writer = Writer::default();
        cells.into_iter().for_each(|(series, day, cell)| writer.cell(series, day, cell));
        writer.finish()
    }

    /// The cells, which come by day, then series, none of them zero, in parts of at most `size` cells.
    pub fn parts<'a>(cells: impl IntoIterator<Item = (u32, Day, &'a Cell)>, size: usize) -> impl Iterator<Item = Self> {
        let mut cells = cells.into_iter().peekable();
        std::iter::from_fn(move || {
            cells.peek()?;
            Some(Self::pack(cells.by_ref().take(size.max(1))))
        })
    }

    /// Bytes as they were stored; [`cells`](Self::cells) tells whether they are sound.
    #[must_use]
    pub const fn from_stored(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Reads the cells one by one, by day, then series. Ends behind the first error.
    #[must_use]
    pub fn cells(&self) -> Cells<'_> {
        Cells { reader: Reader { rest: &self.0 }, left: None, before: None, failed: false }
    }
}

impl fmt::Debug for PackedCells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PackedCells({} bytes)", self.0.len())
    }
}

/// Counts cells and holds their bytes until their number is known.
#[derive(Default)]
struct Writer {
    count: u64,
    before: Option<(Day, u32)>,
    body: Vec<u8>,
}

impl Writer {
    fn cell(&mut self, series: u32, day: Day, cell: &Cell) {
        let last = self.before.map_or(Day::MIN, |(day, _)| day);
        varint(&mut self.body, u64::from(day.number().abs_diff(last.number())));
        match self.before {
            Some((same, before)) if same == day => varint(&mut self.body, u64::from(series - before) - 1),
            Some(_) | None => varint(&mut self.body, series.into()),
        }
        let counts = [cell.starts, cell.ends, cell.incomplete_starts, cell.incomplete_ends];
        let measures = usize::from(!cell.co2e.is_zero()) + cell.others.len();
        let given = counts.iter().zip(0..).fold(0, |bits, (count, at)| bits | u8::from(*count != 0) << at);
        self.body.push(given | u8::try_from(measures).unwrap_or_default() << 4);
        for count in counts.into_iter().filter(|count| *count != 0) {
            signed(&mut self.body, &count.to_le_bytes());
        }
        let co2e = (!cell.co2e.is_zero()).then_some((Measure::Co2e, &cell.co2e));
        for (measure, Amounts { amount, slope, step }) in co2e.into_iter().chain(cell.others.iter()) {
            varint(&mut self.body, measure.code().into());
            for total in [amount, slope, step] {
                signed(&mut self.body, &total.to_le_bytes());
            }
        }
        self.count += 1;
        self.before = Some((day, series));
    }

    fn finish(self) -> PackedCells {
        let mut bytes = Vec::with_capacity(self.body.len() + 6);
        bytes.push(FORM);
        varint(&mut bytes, self.count);
        bytes.extend_from_slice(&self.body);
        PackedCells(bytes)
    }
}

fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
}

/// Writes two's complement, given with the lowest byte first, without the upper bytes that only repeat the sign.
fn signed(bytes: &mut Vec<u8>, number: &[u8]) {
    let length = needed(number);
    bytes.push(u8::try_from(length).unwrap_or_default());
    bytes.extend_from_slice(&number[..length]);
}

/// How many of the bytes of a number in two's complement are needed; none for zero.
fn needed(number: &[u8]) -> usize {
    let sign = if number.last().is_some_and(|byte| byte & 0x80 != 0) { 0xff } else { 0 };
    let mut length = number.len();
    while length > 0 && number[length - 1] == sign {
        let next_sign = length.checked_sub(2).map_or(0, |at| number[at]) & 0x80;
        if next_sign != sign & 0x80 {
            break;
        }
        length -= 1;
    }
    length
}

/// The cells of packed bytes.
#[derive(Debug)]
pub struct Cells<'a> {
    reader: Reader<'a>,
    /// How many cells are still to come; `None` before the head was read.
    left: Option<u64>,
    before: Option<(Day, u32)>,
    failed: bool,
}

impl Cells<'_> {
    fn read(&mut self) -> Result<Option<(u32, Day, Cell)>, PackedError> {
        let left = if let Some(left) = self.left {
            left
        } else {
            let form = self.reader.byte()?;
            if form != FORM {
                return Err(PackedError::Form(form));
            }
            self.reader.varint()?
        };
        let Some(after) = left.checked_sub(1) else {
            self.left = Some(0);
            return if self.reader.rest.is_empty() { Ok(None) } else { Err(PackedError::Long) };
        };
        self.left = Some(after);
        let (day, series) = self.place()?;
        self.before = Some((day, series));
        Ok(Some((series, day, self.reader.cell()?)))
    }

    fn place(&mut self) -> Result<(Day, u32), PackedError> {
        let last = self.before.map_or(Day::MIN, |(day, _)| day);
        let days = i32::try_from(self.reader.varint()?).ok().and_then(|days| last.number().checked_add(days));
        let day = days.and_then(Day::from_number).ok_or(PackedError::Spelling("there is no such day"))?;
        let given = self.reader.varint()?;
        let series = match self.before {
            Some((same, before)) if same == day => given.checked_add(u64::from(before) + 1),
            Some(_) | None => Some(given),
        };
        let series = series.and_then(|series| u32::try_from(series).ok());
        Ok((day, series.ok_or(PackedError::Spelling("there is no such series"))?))
    }
}

impl Iterator for Cells<'_> {
    type Item = Result<(u32, Day, Cell), PackedError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let read = self.read();
        self.failed = !matches!(read, Ok(Some(_)));
        read.transpose()
    }
}

#[derive(Debug)]
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, PackedError> {
        let (first, rest) = self.rest.split_first().ok_or(PackedError::Short)?;
        self.rest = rest;
        Ok(*first)
    }

    fn varint(&mut self) -> Result<u64, PackedError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(PackedError::Spelling("a number is too large"));
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                let is_shortest = byte != 0 || shift == 0;
                return if is_shortest { Ok(value) } else { Err(PackedError::Spelling("a number is too long")) };
            }
        }
        Err(PackedError::Spelling("a number is too large"))
    }

    /// A signed number, its sign carried on to 32 bytes.
    fn signed(&mut self) -> Result<[u8; 32], PackedError> {
        let length = usize::from(self.byte()?);
        if length > MAX_NUMBER {
            return Err(PackedError::Spelling("a number is too large"));
        }
        let (number, rest) = self.rest.split_at_checked(length).ok_or(PackedError::Short)?;
        self.rest = rest;
        if needed(number) != length {
            return Err(PackedError::Spelling("a number is too long"));
        }
        let sign = if number.last().is_some_and(|byte| byte & 0x80 != 0) { 0xff } else { 0 };
        let mut bytes = [sign; 32];
        bytes[..length].copy_from_slice(number);
        Ok(bytes)
    }

    fn count(&mut self) -> Result<i64, PackedError> {
        let bytes = self.signed()?;
        let (low, high) = bytes.split_at(8);
        let count = low.try_into().map(i64::from_le_bytes).unwrap_or_default();
        let sign = if count < 0 { 0xff } else { 0 };
        if count == 0 {
            return Err(PackedError::Spelling("a count that is given is zero"));
        }
        if high.iter().any(|byte| *byte != sign) {
            return Err(PackedError::Spelling("a number is too large"));
        }
        Ok(count)
    }

    fn cell(&mut self) -> Result<Cell, PackedError> {
        let given = self.byte()?;
        let mut cell = Cell::ZERO;
        let counts = [&mut cell.starts, &mut cell.ends, &mut cell.incomplete_starts, &mut cell.incomplete_ends];
        for (count, at) in counts.into_iter().zip(0..) {
            if given >> at & 1 == 1 {
                *count = self.count()?;
            }
        }
        let mut before = None;
        for _ in 0..given >> 4 {
            let code = self.varint()?;
            let code = u32::try_from(code).map_err(|_| UnknownMeasure(code.to_string()))?;
            let measure = Measure::from_code(code)?;
            if before.is_some_and(|before| before >= measure) {
                return Err(PackedError::Spelling("measures do not stand by their codes"));
            }
            before = Some(measure);
            let mut total = || {
                let bytes = self.signed()?;
                Total::from_le_bytes(bytes).ok_or(PackedError::Spelling("a number is too large"))
            };
            let amounts = Amounts { amount: total()?, slope: total()?, step: total()? };
            if amounts.is_zero() {
                return Err(PackedError::Spelling("a measure that is given is zero"));
            }
            cell.put(measure, amounts);
        }
        if given == 0 { Err(PackedError::Spelling("a cell is zero")) } else { Ok(cell) }
    }
}
