//! Writing packed cells.

use super::{COUNTS, FORM, PackedCells, needed};
use crate::aggregate::cell::{Amounts, Cell};
use crate::aggregate::measure::Measure;
use crate::calendar::day::Day;

/// Counts cells and holds their bytes until their number is known.
#[derive(Default)]
pub(super) struct Writer {
    count: u64,
    before: Option<(Day, u32)>,
    body: Vec<u8>,
}

impl Writer {
    pub(super) fn cell(&mut self, series: u32, day: Day, cell: &Cell) {
        let last = self.before.map_or(Day::MIN, |(day, _)| day);
        varint(&mut self.body, u64::from(day.number().abs_diff(last.number())));
        match self.before {
            Some((same, before)) if same == day => varint(&mut self.body, u64::from(series - before) - 1),
            Some(_) | None => varint(&mut self.body, series.into()),
        }
        let counts = [cell.starts, cell.ends, cell.incomplete_starts, cell.incomplete_ends];
        let measures = u64::from(!cell.co2e.is_zero()) + cell.others.len() as u64;
        let given = counts.iter().zip(0..).fold(0, |bits, (count, at)| bits | u64::from(*count != 0) << at);
        varint(&mut self.body, given | measures << COUNTS);
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

    pub(super) fn finish(self) -> PackedCells {
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
