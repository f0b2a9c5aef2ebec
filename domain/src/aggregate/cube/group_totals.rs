//! What groups of series come to in periods, one after the other. What counts through a day is read once where one period ends
//! and the next begins.

use std::borrow::Cow;

use super::adding::{Adding, add_narrow};
use super::column::{Counts, Sums};
use super::series_totals::{Run, Series};
use super::table::Columns;
use super::{Cube, SeriesTotals};
use crate::aggregate::measure::Measure;
use crate::amount::total::Total;
use crate::calendar::day::{Day, Period};

/// Which group each series counts in, and on which days. Groups are numbered from 0; all series of one count alike.
pub(crate) struct Groups {
    /// By group, whether its activities count on their first day.
    is_whole: Vec<bool>,
    /// By series, its group; the number behind the last where it counts in none.
    all: Vec<u32>,
    /// The same of the groups whose activities count on their first day; `None` where there are no others.
    whole: Option<Vec<u32>>,
    /// The same of the groups whose activities count on every day; `None` where there are none.
    spread: Option<Vec<u32>>,
}

impl Groups {
    /// The groups of the series, by index, `None` where one counts in none; and by group, whether its activities count on their
    /// first day.
    #[expect(clippy::cast_possible_truncation, reason = "series are numbered in 32 bits, and groups are no more")]
    pub(crate) fn new(of_series: &[Option<u32>], is_whole: Vec<bool>) -> Self {
        let none = is_whole.len() as u32;
        let those = |is_meant: &dyn Fn(u32) -> bool| -> Vec<u32> {
            of_series.iter().map(|group| group.filter(|group| is_meant(*group)).unwrap_or(none)).collect()
        };
        let any_spread = is_whole.iter().any(|whole| !whole);
        Self {
            all: those(&|_| true),
            whole: any_spread.then(|| those(&|group| is_whole[group as usize])),
            spread: any_spread.then(|| those(&|group| !is_whole[group as usize])),
            is_whole,
        }
    }
}

/// What the series of a group come to in a period.
#[derive(Clone, Debug)]
pub(crate) struct GroupTotals {
    /// Their numbers of activities and their CO2e.
    pub(crate) sums: SeriesTotals,
    /// What they have of each measure that was asked for, in that order.
    pub(crate) measures: Vec<Total>,
}

/// Reads what groups come to, period by period.
pub(crate) struct GroupReading<'a> {
    cube: &'a Cube,
    groups: &'a Groups,
    /// CO2e, and behind it the measures that are asked for.
    measures: Vec<Measure>,
    /// What counts through the last day of the period before.
    newest: Option<(i32, Through)>,
}

impl<'a> GroupReading<'a> {
    /// Begins to read of those measures, beside CO2e.
    pub(crate) fn new(cube: &'a Cube, groups: &'a Groups, measures: &[Measure]) -> Self {
        let measures = [Measure::Co2e].into_iter().chain(measures.iter().copied()).collect();
        Self { cube, groups, measures, newest: None }
    }

    /// What each group comes to in the period, by number.
    pub(crate) fn totals(&mut self, period: Period) -> Vec<GroupTotals> {
        let before = period.first().map(|first| {
            let day = first.number() - 1;
            let known = self.newest.take().filter(|(known, _)| *known == day);
            known.map_or_else(|| self.through(day), |(_, through)| through)
        });
        let day = period.last().unwrap_or(Day::MAX).number();
        let last = self.through(day);
        let of = |(group, is_whole): (usize, &bool)| last.less(before.as_ref(), group, *is_whole);
        let totals = self.groups.is_whole.iter().enumerate().map(of).collect();
        self.newest = Some((day, last));
        totals
    }

    fn through(&self, day: i32) -> Through {
        let mut through = Through::new(self.groups, self.measures.len());
        self.cube.each_run(day, |run| through.add(run, self.groups, &self.measures));
        through
    }
}

/// What counts through one day, by group; what counts in none is behind the last group.
struct Through {
    starts: Vec<i64>,
    ends: Vec<i64>,
    incomplete_starts: Vec<i64>,
    incomplete_ends: Vec<i64>,
    /// By group, then measure: what narrow columns come to.
    near: Vec<i128>,
    /// The same of the other columns.
    far: Vec<Adding>,
    /// How many measures there are.
    measures: usize,
}

impl Through {
    fn new(groups: &Groups, measures: usize) -> Self {
        let width = groups.is_whole.len() + 1;
        let counts = || vec![0; width];
        Self {
            starts: counts(),
            ends: counts(),
            incomplete_starts: counts(),
            incomplete_ends: counts(),
            near: vec![0; width * measures],
            far: vec![Adding::ZERO; width * measures],
            measures,
        }
    }

    fn add(&mut self, run: &Run<'_>, groups: &Groups, measures: &[Measure]) {
        let table = run.table;
        let all = run.of_rows(&groups.all);
        count(run, table.starts(), &all, &mut self.starts);
        count(run, table.incomplete_starts(), &all, &mut self.incomplete_starts);
        let whole = groups.whole.as_ref().map(|whole| run.of_rows(whole)).unwrap_or(all);
        self.amounts(run, &whole, measures, |columns| columns.amount());
        let Some(spread) = groups.spread.as_ref().map(|spread| run.of_rows(spread)) else { return };
        count(run, table.ends(), &spread, &mut self.ends);
        count(run, table.incomplete_ends(), &spread, &mut self.incomplete_ends);
        self.amounts(run, &spread, measures, Columns::step);
        for (place, measure) in measures.iter().enumerate() {
            let Some(columns) = table.columns(*measure) else { continue };
            columns.slope().visit(run.rows.clone(), |at, slope| {
                self.far[spread[at] as usize * self.measures + place].add_signed(run.sign, slope.times(run.days));
            });
        }
    }

    fn amounts(&mut self, run: &Run<'_>, groups: &[u32], measures: &[Measure], of: impl Fn(&Columns) -> &Sums) {
        let mut narrow = Vec::with_capacity(measures.len());
        for (place, measure) in measures.iter().enumerate() {
            let Some(sums) = run.table.columns(*measure).map(&of) else { continue };
            match sums.narrow(run.rows.clone()) {
                Some(column) => narrow.push((place, column)),
                None => sums.visit(run.rows.clone(), |at, amount| {
                    self.far[groups[at] as usize * self.measures + place].add_signed(run.sign, amount);
                }),
            }
        }
        add_narrow(run.sign, &narrow, |at| groups[at] as usize, &mut self.near, self.measures);
    }

    /// What a group comes to behind the days of the other.
    fn less(&self, before: Option<&Self>, group: usize, is_whole: bool) -> GroupTotals {
        let counts = |of: &Self| {
            let (all, incomplete) =
                if is_whole { (&of.starts, &of.incomplete_starts) } else { (&of.ends, &of.incomplete_ends) };
            (all[group], incomplete[group])
        };
        let (count, incomplete) = before.map_or((0, 0), counts);
        let amount = |measure: usize| {
            let at = group * self.measures + measure;
            let of = |of: &Self| Total::from_scaled(of.near[at]) + of.far[at].total();
            of(self) - before.map(of).unwrap_or_default()
        };
        // See `Magnitude`: no count leaves 64 bits.
        let sums = SeriesTotals {
            count: self.starts[group].wrapping_sub(count),
            incomplete: self.incomplete_starts[group].wrapping_sub(incomplete),
            co2e: amount(0),
        };
        GroupTotals { sums, measures: (1..self.measures).map(amount).collect() }
    }
}

impl Run<'_> {
    /// By row, what is said of its series.
    fn of_rows<'s>(&self, of_series: &'s [u32]) -> Cow<'s, [u32]> {
        match self.series {
            Series::From(first) => Cow::Borrowed(&of_series[first..first + self.rows.len()]),
            Series::Listed(series) => Cow::Owned(series.iter().map(|series| of_series[*series as usize]).collect()),
        }
    }
}

fn count(run: &Run<'_>, counts: &Counts, groups: &[u32], sums: &mut [i64]) {
    let mut groups = groups.iter();
    counts.visit(run.rows.clone(), |count| {
        if let Some(sum) = groups.next().map(|group| &mut sums[*group as usize]) {
            *sum = run.sign.apply(*sum, count);
        }
    });
}
