//! What each series comes to in a period: what is counted through the last day of the period, less what is counted before the
//! first.

use std::ops::Range;

use super::table::Table;
use super::{Attribution, Cube, SeriesTotals};
use crate::aggregate::cell::SeriesKey;
use crate::aggregate::measure::Measure;
use crate::amount::total::Total;
use crate::calendar::day::{Day, Period};

/// Rows of a table in sequence.
pub(super) struct Run<'a> {
    pub(super) table: &'a Table,
    pub(super) rows: Range<usize>,
    pub(super) series: Series<'a>,
    /// How many days the rows' slopes have been in force beyond their steps.
    pub(super) days: i64,
}

/// The series of the rows of a run.
#[derive(Clone, Copy)]
pub(super) enum Series<'a> {
    /// One after the other, from that one on.
    From(usize),
    /// These.
    Listed(&'a [u32]),
}

impl Run<'_> {
    /// Each row of the table with its series.
    fn rows(&self) -> impl Iterator<Item = (usize, usize)> {
        let series = self.series;
        self.rows.clone().enumerate().map(move |(at, row)| match series {
            Series::From(first) => (row, first + at),
            Series::Listed(series) => (row, series[at] as usize),
        })
    }
}

impl Cube {
    /// Which series count on the first days of their activities, by index; the others count on every day.
    pub(crate) fn whole_series(&self, attribution: Attribution, not_spread: &dyn Fn(&SeriesKey) -> bool) -> Vec<bool> {
        match attribution {
            Attribution::Start => vec![true; self.series.len()],
            Attribution::Daily => self.series.keys().iter().map(not_spread).collect(),
        }
    }

    /// What each series comes to, by index; `whole` says which of them count on first days.
    pub(crate) fn totals_of_series(&self, period: Period, whole: &[bool]) -> Vec<SeriesTotals> {
        let mut sums = vec![SeriesTotals::default(); self.series.len()];
        self.runs(period.last().unwrap_or(Day::MAX).number(), |Run { table, days, .. }, row, series| {
            sums[series] += if whole[series] { table.started_whole(row) } else { table.started_spread(row, *days) };
        });
        if let Some(first) = period.first() {
            self.runs(first.number() - 1, |Run { table, days, .. }, row, series| {
                sums[series] -= if whole[series] { table.started_whole(row) } else { table.ended_spread(row, *days) };
            });
        }
        sums
    }

    /// What each series has of a measure, by index; `whole` says which of them count on first days.
    pub(crate) fn measure_of_series(&self, measure: Measure, period: Period, whole: &[bool]) -> Vec<Total> {
        let mut sums = vec![Total::ZERO; self.series.len()];
        let mut through = |last: i32, add: fn(&mut Total, Total)| {
            self.each_run(last, |run| {
                let Some(columns) = run.table.columns(measure) else { return };
                for (row, series) in run.rows() {
                    let amount = if whole[series] { columns.whole(row) } else { columns.spread(row, run.days) };
                    if !amount.is_zero() {
                        add(&mut sums[series], amount);
                    }
                }
            });
        };
        through(period.last().unwrap_or(Day::MAX).number(), |sum, amount| *sum += amount);
        if let Some(first) = period.first() {
            through(first.number() - 1, |sum, amount| *sum -= amount);
        }
        sums
    }

    /// Hands over rows that add up to everything through the day of that number, each with its run and its series.
    fn runs(&self, through: i32, mut visit: impl FnMut(&Run<'_>, usize, usize)) {
        self.each_run(through, |run| run.rows().for_each(|(row, series)| visit(run, row, series)));
    }

    /// The same run by run.
    pub(super) fn each_run(&self, through: i32, mut visit: impl FnMut(&Run<'_>)) {
        let at = self.blocks.partition_point(|block| block.cells.last().number() <= through);
        if let Some(before) = at.checked_sub(1).and_then(|before| self.blocks.get(before)) {
            let days = i64::from(through - before.cells.last().number());
            for (first, table) in before.after.pages() {
                visit(&Run { table, rows: 0..table.len(), series: Series::From(first), days });
            }
        }
        if let Some(part) = self.blocks.get(at) {
            let cells = &part.cells;
            for at in 0..cells.days_through(through) {
                let (day, rows) = cells.day(at);
                let series = Series::Listed(cells.series(rows.clone()));
                visit(&Run { table: cells.table(), rows, series, days: i64::from(through - day.number()) + 1 });
            }
        }
    }
}
