//! Cells in bytes: one form for postings and checkpoints, for all stores and for other programs.
//!
//! The first byte is the form, 1. Then comes the number of cells and the cells, by day, then series. Whole numbers are
//! varints: seven bits a byte, the lowest first, the top bit set on all but the last. A cell is
//! - the days since the cell before, since 0001-01-01 for the first;
//! - the series: on the same day as the cell before how far behind its series, less one, else the index itself;
//! - a whole number whose bits 0 to 3 say which of `starts`, `ends`, `incomplete_starts`, `incomplete_ends` are not zero,
//!   and whose upper bits are the number of measures;
//! - the counts that are not zero, each a signed number;
//! - for each measure, by code: the code, and `amount`, `slope` and `step` times 10^18, each a signed number.
//!
//! A signed number is a byte that says how many bytes follow, 0 to 24, and those bytes: two's complement, the lowest
//! first, no more than are needed; a count has 6 at most. There is one spelling of each list of cells, and no other is read.

mod read;
mod write;

use std::fmt;

use crate::aggregate::cell::Cell;
use crate::aggregate::measure::UnknownMeasure;
use crate::calendar::day::Day;
use write::Writer;

pub use read::{Cells, IntoCells};

const FORM: u8 = 1;
/// How many counts a cell has.
const COUNTS: u32 = 4;
/// So many bytes hold the sum of 2^64 of the largest amounts.
const MAX_NUMBER: usize = 24;
/// So many bytes hold a hundred thousand milliard activities, and no count that is added up from parts leaves 64 bits.
const MAX_COUNT: usize = 6;

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
    /// Bytes are behind the last cell.
    #[error("the packed cells have bytes behind their end")]
    Long,
    /// A measure is none that this version knows.
    #[error(transparent)]
    Measure(#[from] UnknownMeasure),
    /// Not the one spelling of these cells.
    #[error("the packed cells are not spelt as they should be: {0}")]
    Spelling(&'static str),
}

/// Why cells cannot be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackError {
    /// A cell is before one that came earlier, or is of the same day and series.
    #[error("the cells do not stand in the order of day and series")]
    Order,
    /// A cell is zero, which is the same as absent.
    #[error("one of the cells is zero")]
    Zero,
    /// A count or a sum has more bytes than are read.
    #[error("a count beyond 48 bits or a sum beyond 192 bits")]
    TooLarge,
}

impl PackedCells {
    /// How many cells a part of postings or of a checkpoint has at most: about 120 kB of them.
    pub const PART: usize = 4_096;

    /// The cells, which come by day, then series, none of them zero: series, day, cell.
    pub fn pack<'a>(cells: impl IntoIterator<Item = (u32, Day, &'a Cell)>) -> Result<Self, PackError> {
        let mut writer = Writer::default();
        for (series, day, cell) in cells {
            writer.cell(series, day, cell)?;
        }
        Ok(writer.finish())
    }

    /// Bytes as they were stored; [`cells`](Self::cells) checks whether they are sound.
    #[must_use]
    pub const fn from_stored(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The packed form, as stores and tenant files write it.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The packed form, as stores and tenant files write it, without a copy.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Reads the cells one by one, by day, then series. Ends behind the first error.
    #[must_use]
    pub fn cells(&self) -> Cells<'_> {
        Cells::of(&self.0)
    }
}

impl IntoIterator for PackedCells {
    type Item = Result<(u32, Day, Cell), PackedError>;
    type IntoIter = IntoCells;

    /// Reads the cells one by one, as [`cells`](Self::cells) does, and holds the bytes for as long.
    fn into_iter(self) -> IntoCells {
        IntoCells::of(self.0)
    }
}

impl fmt::Debug for PackedCells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PackedCells({} bytes)", self.0.len())
    }
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
