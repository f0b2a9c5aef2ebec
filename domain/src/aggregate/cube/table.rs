//! Cells laid out column by column, so that a reading passes over only what it sums, in sequence. A measure has columns
//! only where a cell has some of it.

use super::SeriesTotals;
use super::column::{Counts, Sums};
use crate::aggregate::cell::{Amounts, Cell};
use crate::aggregate::measure::{ByMeasure, Measure};
use crate::amount::total::Total;

/// A sequence of cells.
pub(super) struct Table {
    starts: Counts,
    ends: Counts,
    incomplete_starts: Counts,
    incomplete_ends: Counts,
    co2e: Columns,
    others: ByMeasure<Columns>,
}

/// What the cells have of one measure.
#[derive(Default)]
pub(super) struct Columns {
    amount: Sums,
    slope: Sums,
    step: Sums,
}

impl Columns {
    fn new<'a>(amounts: impl Iterator<Item = Amounts> + Clone + 'a) -> Self {
        Self {
            amount: Sums::new(amounts.clone().map(|amounts| amounts.amount)),
            slope: Sums::new(amounts.clone().map(|amounts| amounts.slope)),
            step: Sums::new(amounts.map(|amounts| amounts.step)),
        }
    }

    fn get(&self, row: usize) -> Amounts {
        Amounts { amount: self.amount.get(row), slope: self.slope.get(row), step: self.step.get(row) }
    }

    /// The whole amounts of the activities that start.
    pub(super) fn whole(&self, row: usize) -> Total {
        self.amount.get(row)
    }

    /// What is counted when the daily share has counted on so many days: the step, and the slope times the days.
    pub(super) fn spread(&self, row: usize, days: i64) -> Total {
        let (slope, step) = (self.slope.get(row), self.step.get(row));
        if days == 0 || slope.is_zero() { step } else { step + slope.times(days) }
    }
}

impl Table {
    /// The cells, in their order.
    pub(super) fn new<'a>(cells: impl Iterator<Item = &'a Cell> + Clone) -> Self {
        let mut others: ByMeasure<Columns> = ByMeasure::NONE;
        for (measure, _) in cells.clone().flat_map(|cell| cell.others.iter()) {
            if others.get(measure).is_none() {
                *others.entry(measure) = Columns::new(cells.clone().map(move |cell| cell.amounts(measure)));
            }
        }
        Self {
            starts: Counts::new(cells.clone().map(|cell| cell.starts)),
            ends: Counts::new(cells.clone().map(|cell| cell.ends)),
            incomplete_starts: Counts::new(cells.clone().map(|cell| cell.incomplete_starts)),
            incomplete_ends: Counts::new(cells.clone().map(|cell| cell.incomplete_ends)),
            co2e: Columns::new(cells.map(|cell| cell.co2e)),
            others,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn get(&self, row: usize) -> Cell {
        let mut cell = Cell {
            starts: self.starts.get(row),
            ends: self.ends.get(row),
            incomplete_starts: self.incomplete_starts.get(row),
            incomplete_ends: self.incomplete_ends.get(row),
            co2e: self.co2e.get(row),
            others: ByMeasure::NONE,
        };
        for (measure, columns) in self.others.iter() {
            cell.put(measure, columns.get(row));
        }
        cell
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        (0..self.len()).map(|row| self.get(row))
    }

    /// The columns of a measure; `None` where no cell has any of it.
    pub(super) fn columns(&self, measure: Measure) -> Option<&Columns> {
        if measure == Measure::Co2e { Some(&self.co2e) } else { self.others.get(measure) }
    }

    pub(super) fn starts(&self, row: usize) -> i64 {
        self.starts.get(row)
    }

    pub(super) fn ends(&self, row: usize) -> i64 {
        self.ends.get(row)
    }

    /// The number of activities that start, with their whole amounts.
    pub(super) fn started_whole(&self, row: usize) -> SeriesTotals {
        self.starting(row, self.co2e.whole(row))
    }

    /// The number of activities that start, with what is counted of spread amounts.
    pub(super) fn started_spread(&self, row: usize, days: i64) -> SeriesTotals {
        self.starting(row, self.co2e.spread(row, days))
    }

    /// The number of activities that end, with what is counted of spread amounts.
    pub(super) fn ended_spread(&self, row: usize, days: i64) -> SeriesTotals {
        let co2e = self.co2e.spread(row, days);
        SeriesTotals { count: self.ends.get(row), incomplete: self.incomplete_ends.get(row), co2e }
    }

    fn starting(&self, row: usize, co2e: Total) -> SeriesTotals {
        SeriesTotals { count: self.starts.get(row), incomplete: self.incomplete_starts.get(row), co2e }
    }
}
