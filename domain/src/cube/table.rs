//! Cells laid out by measure, so that a reading passes over only what it sums, in sequence.
//! Amounts take 16 bytes each as long as they all fit a [`Decimal`], else 32.

use super::SeriesTotals;
use crate::cell::Cell;
use crate::decimal::Decimal;
use crate::total::Total;

enum Amounts {
    Narrow(Box<[Decimal]>),
    Wide(Box<[Total]>),
}

impl Amounts {
    fn new(cells: &[Cell], part: impl Fn(&Cell) -> Total) -> Self {
        let narrow: Option<Box<[Decimal]>> = cells.iter().map(|cell| part(cell).to_decimal()).collect();
        narrow.map_or_else(|| Self::Wide(cells.iter().map(part).collect()), Self::Narrow)
    }

    fn get(&self, row: usize) -> Total {
        match self {
            Self::Narrow(amounts) => amounts[row].into(),
            Self::Wide(amounts) => amounts[row],
        }
    }
}

/// A sequence of cells.
pub(super) struct Table {
    starts: Box<[i64]>,
    ends: Box<[i64]>,
    incomplete_starts: Box<[i64]>,
    incomplete_ends: Box<[i64]>,
    co2e: Amounts,
    slope: Amounts,
    step: Amounts,
}

impl Table {
    pub(super) fn new(cells: &[Cell]) -> Self {
        let counts = |part: fn(&Cell) -> i64| cells.iter().map(part).collect();
        Self {
            starts: counts(|cell| cell.starts),
            ends: counts(|cell| cell.ends),
            incomplete_starts: counts(|cell| cell.incomplete_starts),
            incomplete_ends: counts(|cell| cell.incomplete_ends),
            co2e: Amounts::new(cells, |cell| cell.co2e),
            slope: Amounts::new(cells, |cell| cell.slope),
            step: Amounts::new(cells, |cell| cell.step),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn get(&self, row: usize) -> Cell {
        Cell {
            starts: self.starts[row],
            ends: self.ends[row],
            incomplete_starts: self.incomplete_starts[row],
            incomplete_ends: self.incomplete_ends[row],
            co2e: self.co2e.get(row),
            slope: self.slope.get(row),
            step: self.step.get(row),
        }
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        (0..self.len()).map(|row| self.get(row))
    }

    pub(super) fn starts(&self, row: usize) -> i64 {
        self.starts[row]
    }

    pub(super) fn ends(&self, row: usize) -> i64 {
        self.ends[row]
    }

    /// The activities that start, with their whole amounts.
    pub(super) fn started(&self, row: usize) -> SeriesTotals {
        SeriesTotals { count: self.starts[row], incomplete: self.incomplete_starts[row], co2e: self.co2e.get(row) }
    }

    /// The activities that start, with the amounts borne by then.
    pub(super) fn begun(&self, row: usize, days: i64) -> SeriesTotals {
        SeriesTotals { count: self.starts[row], incomplete: self.incomplete_starts[row], co2e: self.borne(row, days) }
    }

    /// The activities that end, with the amounts borne by then.
    pub(super) fn ended(&self, row: usize, days: i64) -> SeriesTotals {
        SeriesTotals { count: self.ends[row], incomplete: self.incomplete_ends[row], co2e: self.borne(row, days) }
    }

    fn borne(&self, row: usize, days: i64) -> Total {
        let (slope, step) = (self.slope.get(row), self.step.get(row));
        if days == 0 || slope.is_zero() { step } else { step + slope.times(days) }
    }
}
