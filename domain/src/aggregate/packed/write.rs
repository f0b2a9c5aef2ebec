//! Writing packed cells.

use super::{COUNTS, FORM, MAX_COUNT, MAX_NUMBER, PackError, PackedCells, needed};
use crate::aggregate::cell::{Amounts, Cell};
use crate::aggregate::measure::Measure;
use crate::calendar::day::Day;
use crate::varint::write_varint;

/// Counts cells and holds their bytes until their number is known.
#[derive(Default)]
pub(super) struct Writer {
    count: u64,
    before: Option<(Day, u32)>,
    body: Vec<u8>,
}

impl Writer {
    pub(super) fn cell(&mut self, series: u32, day: Day, cell: &Cell) -> Result<(), PackError> {
        let (days, ahead) = self.step(series, day)?;
        write_varint(&mut self.body, days.into());
        write_varint(&mut self.body, ahead.into());
        let counts = cell.counts();
        let measures = u64::from(!cell.co2e.is_zero()) + cell.others.len() as u64;
        if cell.is_zero() {
            return Err(PackError::Zero);
        }
        let given = counts.iter().zip(0..).fold(0, |bits, (count, at)| bits | u64::from(*count != 0) << at);
        write_varint(&mut self.body, given | measures << COUNTS);
        for count in counts.into_iter().filter(|count| *count != 0) {
            signed(&mut self.body, &count.to_le_bytes(), MAX_COUNT)?;
        }
        let co2e = (!cell.co2e.is_zero()).then_some((Measure::Co2e, &cell.co2e));
        for (measure, Amounts { amount, slope, step }) in co2e.into_iter().chain(cell.others.iter()) {
            write_varint(&mut self.body, measure.code().into());
            for total in [amount, slope, step] {
                signed(&mut self.body, &total.to_le_bytes(), MAX_NUMBER)?;
            }
        }
        self.count += 1;
        self.before = Some((day, series));
        Ok(())
    }

    /// How a place is written: the days since the cell before, and the series, on the same day less those up to that cell's.
    fn step(&self, series: u32, day: Day) -> Result<(u32, u32), PackError> {
        let (last, passed) = match self.before {
            None => (Day::MIN, None),
            Some((last, _)) if last < day => (last, None),
            Some((last, before)) if last == day => (last, Some(before)),
            Some(_) => return Err(PackError::Order),
        };
        let ahead = match passed {
            None => Some(series),
            Some(before) => series.checked_sub(before).and_then(|ahead| ahead.checked_sub(1)),
        };
        Ok((day.number().abs_diff(last.number()), ahead.ok_or(PackError::Order)?))
    }

    pub(super) fn finish(self) -> PackedCells {
        let mut bytes = Vec::with_capacity(self.body.len() + 6);
        bytes.push(FORM);
        write_varint(&mut bytes, self.count);
        bytes.extend_from_slice(&self.body);
        PackedCells(bytes)
    }
}

/// Writes two's complement, given with the lowest byte first, without the upper bytes that only repeat the sign, of
/// which no more than `most` may be left.
fn signed(bytes: &mut Vec<u8>, number: &[u8], most: usize) -> Result<(), PackError> {
    let needed = number.get(..needed(number)).filter(|needed| needed.len() <= most).ok_or(PackError::TooLarge)?;
    bytes.push(u8::try_from(needed.len()).map_err(|_| PackError::TooLarge)?);
    bytes.extend_from_slice(needed);
    Ok(())
}
