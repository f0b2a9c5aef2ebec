//! What each series comes to in a period: what is counted through the last day of the period, less what is counted before the
//! first.

use std::ops::Range;

use super::adding::Sign;
use super::block::{Block, Cells};
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
    /// How many days the rows' slopes have been in force beyond their steps; below zero where rows of later days are taken away.
    pub(super) days: i64,
    pub(super) sign: Sign,
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
        let mut add = |sign: Sign, series: usize, totals: SeriesTotals| match sign {
            Sign::Plus => sums[series] += totals,
            Sign::Minus => sums[series] -= totals,
        };
        self.runs(period.last().unwrap_or(Day::MAX).number(), |Run { table, days, sign, .. }, row, series| {
            add(*sign, series, if whole[series] { table.started_whole(row) } else { table.started_spread(row, *days) });
        });
        if let Some(first) = period.first() {
            self.runs(first.number() - 1, |Run { table, days, sign, .. }, row, series| {
                let totals = if whole[series] { table.started_whole(row) } else { table.ended_spread(row, *days) };
                add(sign.opposite(), series, totals);
            });
        }
        sums
    }

    /// How many activities each series has, by index; `whole` says which of them count on first days.
    pub(crate) fn counts_of_series(&self, period: Period, whole: &[bool]) -> Vec<i64> {
        let mut sums = vec![0_i64; self.series.len()];
        let mut through = |last: i32, edge: Sign| {
            self.each_run(last, |run| {
                let (starts, ends) = (run.table.starts(), run.table.ends());
                let ends = if edge == Sign::Plus { starts } else { ends };
                for (row, series) in run.rows() {
                    let count = if whole[series] { starts.get(row) } else { ends.get(row) };
                    // See `Magnitude`: no sum leaves 64 bits.
                    let sum = sums[series];
                    sums[series] = if run.sign == edge { sum.wrapping_add(count) } else { sum.wrapping_sub(count) };
                }
            });
        };
        through(period.last().unwrap_or(Day::MAX).number(), Sign::Plus);
        if let Some(first) = period.first() {
            through(first.number() - 1, Sign::Minus);
        }
        sums
    }

    /// What each series has of a measure, by index; `whole` says which of them count on first days.
    pub(crate) fn measure_of_series(&self, measure: Measure, period: Period, whole: &[bool]) -> Vec<Total> {
        let mut sums = vec![Total::ZERO; self.series.len()];
        let mut through = |last: i32, edge: Sign| {
            self.each_run(last, |run| {
                let Some(columns) = run.table.columns(measure) else { return };
                let is_added = run.sign == edge;
                for (row, series) in run.rows() {
                    let amount = if whole[series] { columns.whole(row) } else { columns.spread(row, run.days) };
                    if amount.is_zero() {
                        continue;
                    }
                    if is_added {
                        sums[series] += amount;
                    } else {
                        sums[series] -= amount;
                    }
                }
            });
        };
        through(period.last().unwrap_or(Day::MAX).number(), Sign::Plus);
        if let Some(first) = period.first() {
            through(first.number() - 1, Sign::Minus);
        }
        sums
    }

    /// Hands over rows that come to everything through the day of that number, each with its run and its series.
    fn runs(&self, through: i32, mut visit: impl FnMut(&Run<'_>, usize, usize)) {
        self.each_run(through, |run| run.rows().for_each(|(row, series)| visit(run, row, series)));
    }

    /// The same run by run: the running totals before the day's block and the rows up to the day, or those behind its block and,
    /// to be taken away, the rows after the day, whichever rows are fewer.
    pub(super) fn each_run(&self, through: i32, mut visit: impl FnMut(&Run<'_>)) {
        let near = self.nearer_end(through);
        if let Some(base) = near.base {
            let days = i64::from(through - base.cells.last().number());
            for (first, table) in base.after.pages() {
                visit(&Run { table, rows: 0..table.len(), series: Series::From(first), days, sign: Sign::Plus });
            }
        }
        let Some(cells) = near.cells else { return };
        for at in near.days {
            let (day, rows) = cells.day(at);
            let series = Series::Listed(cells.series(rows.clone()));
            let days = i64::from(through - day.number()) + 1;
            visit(&Run { table: cells.table(), rows, series, days, sign: near.sign });
        }
    }

    /// From where everything through the day of that number takes the fewest rows to read.
    pub(super) fn nearer_end(&self, through: i32) -> NearerEnd<'_> {
        let at = self.blocks.partition_point(|block| block.cells.last().number() <= through);
        let cells = self.blocks.get(at).map(|block| &*block.cells);
        let days = cells.map_or(0, |cells| cells.days_through(through));
        let is_behind = cells.is_some_and(|cells| cells.rows_before(days) > cells.len() / 2);
        let base = if is_behind { Some(at) } else { at.checked_sub(1) };
        let (days, sign) =
            if is_behind { (days..cells.map_or(0, Cells::day_count), Sign::Minus) } else { (0..days, Sign::Plus) };
        NearerEnd { base: base.and_then(|base| self.blocks.get(base)), cells, days, sign }
    }
}

/// Running totals, and the days whose cells are added to them or taken away.
pub(super) struct NearerEnd<'a> {
    /// The block whose running totals are the nearer ones; none where nothing is counted before.
    pub(super) base: Option<&'a Block>,
    /// The cells of the days.
    pub(super) cells: Option<&'a Cells>,
    pub(super) days: Range<usize>,
    pub(super) sign: Sign,
}
