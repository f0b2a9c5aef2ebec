//! What the series of a report come to in a period, added up by lane: what is counted through the last day of the period,
//! less what is counted before the first.

use std::ops::Range;

use super::block::{Cells, Column};
use super::column::{Adding, Counts};
use super::lanes::{Lane, Lanes, SLOTS};
use super::table::Table;
use super::{Cube, SeriesTotals};
use crate::aggregate::measure::Measure;
use crate::amount::total::Total;
use crate::calendar::day::{Day, Period};

/// What series come to in a period.
pub(crate) struct LaneTotals {
    /// How many activities each series has, by index; any number where it is left out.
    pub(crate) counts: Vec<i64>,
    /// How many of the activities have no amount, by slot.
    incomplete: [i64; SLOTS],
    added: Amounts,
    taken: Amounts,
}

/// Amounts by slot. Of each, only the slots of lanes that count so are of use.
struct Amounts {
    whole: [Adding; SLOTS],
    spread: [Adding; SLOTS],
}

impl Amounts {
    const ZERO: Self = Self { whole: [Adding::ZERO; SLOTS], spread: [Adding::ZERO; SLOTS] };

    fn of(&self, sum: u8) -> Total {
        self.whole[Lane::whole(sum).slot()].total() + self.spread[Lane::spread(sum).slot()].total()
    }
}

impl LaneTotals {
    /// What is in a sum beside the number of activities.
    pub(crate) fn sum(&self, sum: u8) -> SeriesTotals {
        let [whole, spread] = [Lane::whole(sum), Lane::spread(sum)].map(|lane| self.incomplete[lane.slot()]);
        let co2e = self.added.of(sum) - self.taken.of(sum);
        SeriesTotals { count: 0, incomplete: whole.wrapping_add(spread), co2e }
    }
}

/// What is read of the rows through one day.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    /// What counts on the days up to it.
    Last,
    /// What counts on none of the days behind it.
    Before,
}

/// Whether rows are added or taken away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

impl Cube {
    /// What the series come to in the period: their numbers of activities and their CO2e.
    pub(crate) fn lane_totals(&self, period: Period, lanes: &Lanes) -> LaneTotals {
        self.lane_totals_of(Measure::Co2e, vec![0; self.series.len()], period, lanes)
    }

    /// What the series have of a measure other than CO2e in the period, by sum; `None` where none has any of it, which takes
    /// no time.
    pub(crate) fn lane_sums(&self, measure: Measure, period: Period, lanes: &Lanes) -> Option<impl Fn(u8) -> Total> {
        self.has(measure).then(|| {
            let totals = self.lane_totals_of(measure, Vec::new(), period, lanes);
            move |sum| totals.sum(sum).co2e
        })
    }

    fn lane_totals_of(&self, measure: Measure, counts: Vec<i64>, period: Period, lanes: &Lanes) -> LaneTotals {
        let mut totals = LaneTotals { counts, incomplete: [0; SLOTS], added: Amounts::ZERO, taken: Amounts::ZERO };
        let what = (measure, lanes);
        self.read(period.last().unwrap_or(Day::MAX).number(), Edge::Last, what, &mut totals);
        if let Some(first) = period.first() {
            self.read(first.number() - 1, Edge::Before, what, &mut totals);
        }
        totals
    }

    /// Reads everything through the day of that number: the running totals before its block and the rows up to it, or
    /// those behind its block and the rows after it, whichever rows are fewer.
    fn read(&self, through: i32, edge: Edge, (measure, lanes): (Measure, &Lanes), totals: &mut LaneTotals) {
        let at = self.blocks.partition_point(|block| block.cells.last().number() <= through);
        let (sign, opposite) = if edge == Edge::Last { (Sign::Plus, Sign::Minus) } else { (Sign::Minus, Sign::Plus) };
        let cells = self.blocks.get(at).map(|block| &block.cells);
        let days = cells.map_or(0, |cells| cells.days_through(through));
        let is_behind = cells.is_some_and(|cells| cells.rows_before(days) > cells.len() / 2);
        let base = if is_behind { Some(at) } else { at.checked_sub(1) };
        if let Some(base) = base.and_then(|base| self.blocks.get(base)) {
            let days = i64::from(through - base.cells.last().number());
            Reading { measure, lanes, edge, sign, totals: &mut *totals }.column(&base.after, days);
        }
        if let Some(cells) = cells {
            let (days, sign) = if is_behind { (days..cells.day_count(), opposite) } else { (0..days, sign) };
            Reading { measure, lanes, edge, sign, totals }.cells(cells, days, through);
        }
    }
}

struct Reading<'a> {
    /// What is added up; activities are counted with CO2e alone.
    measure: Measure,
    lanes: &'a Lanes,
    edge: Edge,
    sign: Sign,
    totals: &'a mut LaneTotals,
}

impl Reading<'_> {
    /// Running totals, whose slopes have counted on so many days since.
    fn column(&mut self, column: &Column, days: i64) {
        let lanes = self.lanes;
        let mut slopes = [Adding::ZERO; SLOTS];
        if let Some(few) = lanes.few() {
            for index in few {
                if let Some((table, row)) = column.find(*index) {
                    self.rows(table, row..row + 1, |_| *index as usize, &mut slopes);
                }
            }
        } else {
            for (first, table) in column.pages() {
                self.rows(table, 0..table.len(), |at| first + at, &mut slopes);
            }
        }
        self.add_slopes(&slopes, days);
    }

    /// The cells of some of a block's days.
    fn cells(&mut self, cells: &Cells, days: Range<usize>, through: i32) {
        for at in days {
            let (day, rows) = cells.day(at);
            let series = cells.series(rows.clone());
            let mut slopes = [Adding::ZERO; SLOTS];
            if self.lanes.few().is_some() {
                for (row, series) in rows.zip(series) {
                    let series = *series as usize;
                    if !self.lanes.of_series()[series].is_left_out() {
                        self.rows(cells.table(), row..row + 1, |_| series, &mut slopes);
                    }
                }
            } else {
                self.rows(cells.table(), rows, |at| series[at] as usize, &mut slopes);
            }
            self.add_slopes(&slopes, i64::from(through - day.number()) + 1);
        }
    }

    fn add_slopes(&mut self, slopes: &[Adding; SLOTS], days: i64) {
        for (sum, slope) in self.amounts().spread.iter_mut().zip(slopes) {
            let slope = slope.total();
            if !slope.is_zero() {
                sum.add_wide(slope.times(days));
            }
        }
    }

    fn amounts(&mut self) -> &mut Amounts {
        match self.sign {
            Sign::Plus => &mut self.totals.added,
            Sign::Minus => &mut self.totals.taken,
        }
    }

    /// Rows of a table, of the series that `series` gives for each, counted from the first of them.
    #[inline]
    fn rows(
        &mut self,
        table: &Table,
        rows: Range<usize>,
        series: impl Fn(usize) -> usize + Copy,
        slopes: &mut [Adding; SLOTS],
    ) {
        let (lanes, edge) = (self.lanes, self.edge);
        let of = lanes.of_series();
        if self.measure != Measure::Co2e {
            // Counted with CO2e.
        } else if edge == Edge::Last || !lanes.any_spread() || table.ends_as_it_starts() {
            self.counts(table.starts(), table.incomplete_starts(), rows.clone(), series, |_| true);
        } else if !lanes.any_whole() {
            self.counts(table.ends(), table.incomplete_ends(), rows.clone(), series, |_| true);
        } else {
            self.counts(table.starts(), table.incomplete_starts(), rows.clone(), series, Lane::is_whole);
            self.counts(table.ends(), table.incomplete_ends(), rows.clone(), series, Lane::is_spread);
        }
        let Some(columns) = table.columns(self.measure) else { return };
        let amounts = self.amounts();
        let slot = |at: usize| of[series(at)].slot();
        if lanes.any_whole() {
            columns.amount().add_to(rows.clone(), slot, &mut amounts.whole);
        }
        if lanes.any_spread() {
            columns.step().add_to(rows.clone(), slot, &mut amounts.spread);
            columns.slope().add_to(rows, slot, slopes);
        }
    }

    /// Numbers of activities of the lanes that are meant. None of the sums leaves 64 bits: see
    /// [`Magnitude`](crate::Magnitude).
    #[inline]
    fn counts(
        &mut self,
        counts: &Counts,
        incomplete: &Counts,
        rows: Range<usize>,
        series: impl Fn(usize) -> usize,
        is_meant: impl Fn(Lane) -> bool,
    ) {
        let (of, minus) = (self.lanes.of_series(), self.sign == Sign::Minus);
        let LaneTotals { counts: sums, incomplete: incomplete_sums, .. } = &mut *self.totals;
        let mut at = 0;
        counts.visit(rows.clone(), |count| {
            let series = series(at);
            at += 1;
            if is_meant(of[series]) {
                let sum = &mut sums[series];
                *sum = if minus { sum.wrapping_sub(count) } else { sum.wrapping_add(count) };
            }
        });
        let mut at = 0;
        incomplete.visit(rows, |count| {
            let lane = of[series(at)];
            at += 1;
            if is_meant(lane) {
                let sum = &mut incomplete_sums[lane.slot()];
                *sum = if minus { sum.wrapping_sub(count) } else { sum.wrapping_add(count) };
            }
        });
    }
}
