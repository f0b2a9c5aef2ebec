//! Cells laid out column by column, so that a reading passes over only what it sums, in sequence. A measure has columns
//! only where a cell has some of it.

use super::SeriesTotals;
use super::column::{Counts, Sums};
use crate::aggregate::cell::{Amounts, Cell};
use crate::aggregate::measure::{ByMeasure, Measure};
use crate::amount::total::Total;

/// A sequence of cells. Activities of one day make most of many tables: what starts and what ends is the same then, and
/// the step is the amount.
pub(super) struct Table {
    rows: usize,
    starts: Counts,
    /// `None` where they are the starts.
    ends: Option<Counts>,
    incomplete_starts: Counts,
    /// `None` where they are the incomplete starts.
    incomplete_ends: Option<Counts>,
    co2e: Columns,
    others: ByMeasure<Columns>,
}

/// What the cells have of one measure.
#[derive(Default)]
pub(super) struct Columns {
    amount: Sums,
    slope: Sums,
    /// `None` where it is the amount.
    step: Option<Sums>,
}

impl Columns {
    fn new<'a>(amounts: impl Iterator<Item = Amounts> + Clone + 'a) -> Self {
        let step = Sums::new(amounts.clone().map(|amounts| amounts.step));
        let amount = Sums::new(amounts.clone().map(|amounts| amounts.amount));
        let slope = Sums::new(amounts.map(|amounts| amounts.slope));
        Self { step: (step != amount).then_some(step), amount, slope }
    }

    fn get(&self, row: usize) -> Amounts {
        Amounts { amount: self.amount.get(row), slope: self.slope.get(row), step: self.step().get(row) }
    }

    /// The whole amounts of the activities that start.
    pub(super) const fn amount(&self) -> &Sums {
        &self.amount
    }

    /// The changes of the daily share.
    pub(super) const fn slope(&self) -> &Sums {
        &self.slope
    }

    /// What is counted once.
    pub(super) fn step(&self) -> &Sums {
        self.step.as_ref().unwrap_or(&self.amount)
    }

    /// The whole amounts of the activities that start.
    pub(super) fn whole(&self, row: usize) -> Total {
        self.amount.get(row)
    }

    /// What is counted when the daily share has counted on so many days: the step, and the slope times the days.
    pub(super) fn spread(&self, row: usize, days: i64) -> Total {
        let (slope, step) = (self.slope.get(row), self.step().get(row));
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
        let starts = Counts::new(cells.clone().map(|cell| cell.starts));
        let ends = Counts::new(cells.clone().map(|cell| cell.ends));
        let incomplete_starts = Counts::new(cells.clone().map(|cell| cell.incomplete_starts));
        let incomplete_ends = Counts::new(cells.clone().map(|cell| cell.incomplete_ends));
        Self {
            rows: cells.clone().count(),
            ends: (ends != starts).then_some(ends),
            starts,
            incomplete_ends: (incomplete_ends != incomplete_starts).then_some(incomplete_ends),
            incomplete_starts,
            co2e: Columns::new(cells.map(|cell| cell.co2e)),
            others,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.rows
    }

    pub(super) fn get(&self, row: usize) -> Cell {
        let mut cell = Cell {
            starts: self.starts().get(row),
            ends: self.ends().get(row),
            incomplete_starts: self.incomplete_starts().get(row),
            incomplete_ends: self.incomplete_ends().get(row),
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

    /// How many activities start.
    pub(super) const fn starts(&self) -> &Counts {
        &self.starts
    }

    /// How many activities end.
    pub(super) fn ends(&self) -> &Counts {
        self.ends.as_ref().unwrap_or(&self.starts)
    }

    /// Whether as many activities end as start in each of the cells, with an amount and without.
    pub(super) const fn ends_as_it_starts(&self) -> bool {
        self.ends.is_none() && self.incomplete_ends.is_none()
    }

    /// How many activities without an amount start.
    pub(super) const fn incomplete_starts(&self) -> &Counts {
        &self.incomplete_starts
    }

    /// How many activities without an amount end.
    pub(super) fn incomplete_ends(&self) -> &Counts {
        self.incomplete_ends.as_ref().unwrap_or(&self.incomplete_starts)
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
        SeriesTotals { count: self.ends().get(row), incomplete: self.incomplete_ends().get(row), co2e }
    }

    fn starting(&self, row: usize, co2e: Total) -> SeriesTotals {
        SeriesTotals { count: self.starts.get(row), incomplete: self.incomplete_starts.get(row), co2e }
    }
}
