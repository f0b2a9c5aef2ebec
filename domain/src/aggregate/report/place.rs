//! Where in the order of first days activities stand, from the cube alone: so that a page of them is found without reading
//! those before it, nor the days between.

use super::Filter;
use super::choice::Choice;
use crate::aggregate::cube::lanes::Lanes;
use crate::aggregate::cube::{Attribution, Cube, Starts};
use crate::calendar::day::{Day, Period};
use crate::id::ScopeId;

/// The first days of the activities that a filter selects under [`Attribution::Start`], whatever it says of attribution.
pub struct FirstDays<'a> {
    cube: &'a Cube,
    lanes: Lanes,
    period: Period,
    /// The first and the last of the days, and how many activities there are; `None` where there are none.
    bounds: Option<(Day, Day, u64)>,
}

impl<'a> FirstDays<'a> {
    /// Those of the activities in the cube that the filter selects.
    #[must_use]
    pub fn new(cube: &'a Cube, filter: &Filter) -> Self {
        let series = cube.series_list();
        let filter = filter.clone().with_attribution(Attribution::Start);
        let lanes = Choice::new(series, &filter, &|_: ScopeId| None).lanes(series);
        let mut days = Self { cube, lanes, period: filter.period, bounds: None };
        let counts = cube.lane_totals(days.period, &days.lanes).counts;
        let (first, last) = (cube.first_day(&days.lanes, &counts), cube.last_day(&days.lanes, &counts));
        if let (Some(first), Some(last), count @ 1..) = (first, last, days.sum(&counts)) {
            let first = days.period.first().map_or(first, |from| from.max(first));
            let last = days.period.last().map_or(last, |to| to.min(last));
            days.bounds = Some((first, last, count));
        }
        days
    }

    /// How many activities there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.bounds.map_or(0, |(_, _, count)| count)
    }

    /// The first day of the activity that `offset` others come before, in the order of first days; and how many of them
    /// start on earlier days. `None` where there are not so many.
    #[must_use]
    pub fn at(&self, offset: u64) -> Option<(Day, u64)> {
        let (mut low, mut high, count) = self.bounds?;
        if count <= offset {
            return None;
        }
        while low < high {
            // Numbers of days are positive, so the middle of two is never the later one.
            let middle = Day::from_number(low.number().midpoint(high.number()))?;
            if self.through(middle) > offset {
                high = middle;
            } else {
                low = middle.next();
            }
        }
        let earlier = if low == Day::MIN { 0 } else { self.through(low.previous()) };
        Some((low, earlier))
    }

    /// The first of the days from `first` on, until `enough` activities start on them together.
    #[must_use]
    pub fn from(&self, first: Day, enough: u64) -> Starts {
        let Some((earliest, latest, _)) = self.bounds else { return Starts::default() };
        self.cube.first_starts(first.max(earliest), latest, &self.lanes, enough)
    }

    /// The last of the days up to `last`, until `enough` activities start on them together.
    #[must_use]
    pub fn until(&self, last: Day, enough: u64) -> Starts {
        let Some((earliest, latest, _)) = self.bounds else { return Starts::default() };
        self.cube.last_starts(earliest, last.min(latest), &self.lanes, enough)
    }

    /// All of the days on which activities without CO2e start, each with how many of those do.
    #[must_use]
    pub fn incomplete(&self) -> Starts {
        let Some((earliest, latest, _)) = self.bounds else { return Starts::default() };
        self.cube.incomplete_starts(earliest, latest, &self.lanes)
    }

    /// How many start through that day.
    fn through(&self, last: Day) -> u64 {
        match Period::new(self.period.first(), Some(last)) {
            Some(period) => self.sum(&self.cube.lane_totals(period, &self.lanes).counts),
            None => 0,
        }
    }

    fn sum(&self, counts: &[i64]) -> u64 {
        let lanes = self.lanes.of_series();
        let meant = counts.iter().zip(lanes).filter(|(_, lane)| !lane.is_left_out());
        u64::try_from(meant.map(|(count, _)| count).sum::<i64>()).unwrap_or(0)
    }
}
