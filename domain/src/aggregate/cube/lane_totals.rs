//! What the series of a report come to in a period, added up by lane: what is counted through the last day of the period,
//! less what is counted before the first.

use std::ops::Range;

use super::adding::{Adding, Sign, add_narrow};
use super::block::{Cells, Column};
use super::column::{Counts, Narrow, Sums};
use super::lanes::{Lane, Lanes, SLOTS};
use super::table::{Columns, Table};
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

/// The most measures that are read at once.
pub(crate) const MOST: usize = 8;

/// Amounts of some measures by slot. Of each, only the slots of lanes that count so are of use.
struct Amounts {
    whole: BySlot,
    spread: BySlot,
}

impl Amounts {
    fn zero(measures: usize) -> Self {
        Self { whole: BySlot::zero(measures), spread: BySlot::zero(measures) }
    }

    fn of(&self, sum: u8, measure: usize) -> Total {
        self.whole.of(Lane::whole(sum), measure) + self.spread.of(Lane::spread(sum), measure)
    }
}

/// Amounts by slot, then measure.
struct BySlot {
    /// What narrow columns come to.
    near: Vec<i128>,
    /// What the others do.
    far: Vec<Adding>,
    measures: usize,
}

impl BySlot {
    fn zero(measures: usize) -> Self {
        Self { near: vec![0; SLOTS * measures], far: vec![Adding::ZERO; SLOTS * measures], measures }
    }

    fn at(&self, at: usize) -> Total {
        Total::from_scaled(self.near[at]) + self.far[at].total()
    }

    fn of(&self, lane: Lane, measure: usize) -> Total {
        self.at(lane.slot() * self.measures + measure)
    }

    /// Adds rows of the columns, of which there is one for each measure, and none where no row has any of it.
    #[inline]
    fn add(&mut self, columns: [Option<&Sums>; MOST], rows: &Range<usize>, slot: impl Fn(usize) -> usize + Copy) {
        let (far, width) = (&mut self.far, self.measures);
        if rows.len() == 1 {
            for (place, sums) in columns.into_iter().take(width).enumerate() {
                let Some(sums) = sums else { continue };
                sums.visit(rows.clone(), |at, amount| far[slot(at) * width + place].add_amount(amount));
            }
            return;
        }
        let (mut narrow, mut count): ([(usize, &[Narrow]); MOST], usize) = ([(0, &[]); MOST], 0);
        for (place, sums) in columns.into_iter().enumerate() {
            let Some(sums) = sums else { continue };
            match sums.narrow(rows.clone()) {
                Some(column) => {
                    narrow[count] = (place, column);
                    count += 1;
                }
                None => {
                    sums.visit(rows.clone(), |at, amount| far[slot(at) * width + place].add_amount(amount));
                }
            }
        }
        if count > 0 {
            add_narrow(Sign::Plus, &narrow[..count], slot, &mut self.near, self.measures);
        }
    }
}

impl LaneTotals {
    /// What is in a sum beside the number of activities.
    pub(crate) fn sum(&self, sum: u8) -> SeriesTotals {
        let [whole, spread] = [Lane::whole(sum), Lane::spread(sum)].map(|lane| self.incomplete[lane.slot()]);
        SeriesTotals { count: 0, incomplete: whole.wrapping_add(spread), co2e: self.amount(sum, 0) }
    }

    /// What is in a sum of the measure of that place among those that were read.
    pub(crate) fn amount(&self, sum: u8, measure: usize) -> Total {
        self.added.of(sum, measure) - self.taken.of(sum, measure)
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

impl Cube {
    /// What the series come to in the period: their numbers of activities and their CO2e.
    pub(crate) fn lane_totals(&self, period: Period, lanes: &Lanes) -> LaneTotals {
        self.lane_totals_of(&[Measure::Co2e], period, lanes)
    }

    /// What the series come to in the period: their numbers of activities, and their amounts of the measures, of which CO2e is the
    /// first and [`MOST`] are read.
    pub(crate) fn lane_totals_of(&self, measures: &[Measure], period: Period, lanes: &Lanes) -> LaneTotals {
        let amounts = || Amounts::zero(measures.len().min(MOST));
        let counts = vec![0; self.series.len()];
        let mut totals = LaneTotals { counts, incomplete: [0; SLOTS], added: amounts(), taken: amounts() };
        let what = (measures, lanes);
        self.read(period.last().unwrap_or(Day::MAX).number(), Edge::Last, what, &mut totals);
        if let Some(first) = period.first() {
            self.read(first.number() - 1, Edge::Before, what, &mut totals);
        }
        totals
    }

    /// Reads everything through the day of that number.
    fn read(&self, through: i32, edge: Edge, (measures, lanes): (&[Measure], &Lanes), totals: &mut LaneTotals) {
        let near = self.nearer_end(through);
        let sign = if edge == Edge::Last { Sign::Plus } else { Sign::Minus };
        if let Some(base) = near.base {
            let days = i64::from(through - base.cells.last().number());
            Reading { measures, lanes, edge, sign, totals: &mut *totals }.column(&base.after, days);
        }
        if let Some(cells) = near.cells {
            let sign = if near.sign == Sign::Plus { sign } else { sign.opposite() };
            Reading { measures, lanes, edge, sign, totals }.cells(cells, near.days, through);
        }
    }
}

struct Reading<'a> {
    /// What is added up beside the numbers of activities.
    measures: &'a [Measure],
    lanes: &'a Lanes,
    edge: Edge,
    sign: Sign,
    totals: &'a mut LaneTotals,
}

impl Reading<'_> {
    /// Running totals, whose slopes have counted on so many days since.
    fn column(&mut self, column: &Column, days: i64) {
        let lanes = self.lanes;
        let mut slopes = self.no_slopes();
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
            let mut slopes = self.no_slopes();
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

    /// Where nothing counts on every day there are none.
    fn no_slopes(&self) -> BySlot {
        BySlot::zero(if self.lanes.any_spread() { self.totals.added.spread.measures } else { 0 })
    }

    fn add_slopes(&mut self, slopes: &BySlot, days: i64) {
        for (at, sum) in self.amounts().spread.far.iter_mut().enumerate().take(slopes.far.len()) {
            let slope = slopes.at(at);
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
    fn rows(&mut self, table: &Table, rows: Range<usize>, series: impl Fn(usize) -> usize + Copy, slopes: &mut BySlot) {
        let (lanes, edge) = (self.lanes, self.edge);
        let of = lanes.of_series();
        if edge == Edge::Last || !lanes.any_spread() || table.ends_as_it_starts() {
            self.counts(table.starts(), table.incomplete_starts(), rows.clone(), series, |_| true);
        } else if !lanes.any_whole() {
            self.counts(table.ends(), table.incomplete_ends(), rows.clone(), series, |_| true);
        } else {
            self.counts(table.starts(), table.incomplete_starts(), rows.clone(), series, Lane::is_whole);
            self.counts(table.ends(), table.incomplete_ends(), rows.clone(), series, Lane::is_spread);
        }
        let columns = self.columns(table);
        let amounts = self.amounts();
        let slot = |at: usize| of[series(at)].slot();
        let sums = |sums: fn(&Columns) -> &Sums| columns.map(|columns| columns.map(sums));
        if lanes.any_whole() {
            amounts.whole.add(sums(Columns::amount), &rows, slot);
        }
        if lanes.any_spread() {
            amounts.spread.add(sums(Columns::step), &rows, slot);
            slopes.add(sums(Columns::slope), &rows, slot);
        }
    }

    /// The columns of the measures.
    #[inline]
    fn columns<'t>(&self, table: &'t Table) -> [Option<&'t Columns>; MOST] {
        let mut columns = [None; MOST];
        for (place, measure) in columns.iter_mut().zip(self.measures) {
            *place = table.columns(*measure);
        }
        columns
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
        let (of, sign) = (self.lanes.of_series(), self.sign);
        let LaneTotals { counts: sums, incomplete: incomplete_sums, .. } = &mut *self.totals;
        let mut at = 0;
        counts.visit(rows.clone(), |count| {
            let series = series(at);
            at += 1;
            if is_meant(of[series]) {
                let sum = &mut sums[series];
                *sum = sign.apply(*sum, count);
            }
        });
        let mut at = 0;
        incomplete.visit(rows, |count| {
            let lane = of[series(at)];
            at += 1;
            if is_meant(lane) {
                let sum = &mut incomplete_sums[lane.slot()];
                *sum = sign.apply(*sum, count);
            }
        });
    }
}
