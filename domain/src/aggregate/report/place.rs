//! Where a page of activities begins, without reading those before it.

use super::Filter;
use super::choice::Choice;
use crate::aggregate::cube::{Attribution, Cube};
use crate::calendar::day::{Day, Period};
use crate::id::ScopeId;

/// The first day of the activity that `offset` others come before, in the order of first days, of those that the filter
/// selects under [`Attribution::Start`]; and how many of them start on earlier days. `None` where there are not so many.
///
/// What the filter says of attribution is passed over.
#[must_use]
pub fn first_day_at(cube: &Cube, filter: &Filter, offset: u64) -> Option<(Day, u64)> {
    let filter = filter.clone().with_attribution(Attribution::Start);
    let series = cube.series_list();
    let lanes = Choice::new(series, &filter, &|_: ScopeId| None).lanes(series);
    let first = filter.period.first();
    let is_meant = |at: usize| !lanes.of_series()[at].is_left_out();
    let started = |last: Day| {
        let Some(period) = Period::new(first, Some(last)) else { return 0 };
        let counts = cube.lane_totals(period, &lanes).counts;
        let sum: i64 = counts.iter().enumerate().filter(|(at, _)| is_meant(*at)).map(|(_, count)| count).sum();
        u64::try_from(sum).unwrap_or(0)
    };
    let whole = cube.lane_totals(filter.period, &lanes);
    let (mut low, mut high) = (
        first.or_else(|| cube.first_day(&lanes, &whole.counts))?,
        filter.period.last().or_else(|| cube.last_day(&lanes, &whole.counts))?,
    );
    if started(high) <= offset {
        return None;
    }
    while low < high {
        let middle = Day::from_number(low.number().midpoint(high.number()))?;
        if started(middle) > offset {
            high = middle;
        } else {
            low = middle.next();
        }
    }
    let earlier = if low == Day::MIN { 0 } else { started(low.previous()) };
    Some((low, earlier))
}
