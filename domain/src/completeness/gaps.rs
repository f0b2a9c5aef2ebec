//! Months without data in a series that usually has some.

use crate::aggregate::cell::SeriesKey;
use crate::aggregate::cube::{Attribution, Cube};
use crate::aggregate::report::Filter;
use crate::calendar::day::{Day, Period};
use crate::calendar::stretch::{Stretch, YearStart};
use crate::id::ScopeId;
use crate::tree::scope_kind::ScopeClass;

/// How many months before the period say what is usual.
pub const LOOK_BACK_MONTHS: i32 = 12;

/// The most months of a period, with those before it.
pub const MOST_MONTHS: usize = 132;

/// A series usually has data where at least so many of its months have some.
const FEWEST_MONTHS: usize = 3;

/// A series that usually has data, and the months of the period in which it has none.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gap {
    /// Which activities.
    pub series: SeriesKey,
    /// How many months have data, from the first that has to the last, within the period and the twelve months before it.
    pub with_data: usize,
    /// How many months that are.
    pub of: usize,
    /// The calendar months without data, in order; never none.
    pub months: Vec<Period>,
}

/// The gaps of a period with both ends, in the order of the series; `None` where it has an open end, or more than
/// [`MOST_MONTHS`] months with those that are looked back on.
///
/// A month of a series has data where an activity of it has a day in it; of scope 3 categories that are never spread over days,
/// its first day. A series usually has data where, from its first month with data to its last, within the calendar months that
/// the period touches and the twelve before them, at least three months and at least two in three have some. Then each month of
/// the period behind its first one that has none is a gap. A month that is not over on `today` is none.
///
/// Of the filter the period and the sets of nodes count.
#[must_use]
pub fn gaps(
    cube: &Cube,
    filter: &Filter,
    scopes: &dyn Fn(ScopeId) -> Option<ScopeClass>,
    today: Day,
) -> Option<Vec<Gap>> {
    let (asked, last) = (filter.period.first()?, filter.period.last()?);
    let months = YearStart::default().divide(looked_back(asked), last, &[Stretch::Month], MOST_MONTHS)?;
    // The last one is a whole month, too, though the period may end within it.
    let whole = |month: &Period| Period::parse(&month.first()?.to_string()[..7]).ok();
    let months: Vec<Period> = months.iter().filter_map(whole).collect();
    let months: Vec<Period> =
        months.into_iter().filter(|month| month.last().is_some_and(|last| last < today)).collect();
    let not_spread = |key: &SeriesKey| key.scope.and_then(scopes).is_some_and(ScopeClass::never_spread);
    let series = cube.series();
    let mut has_data = vec![Vec::with_capacity(months.len()); series.len()];
    let whole = cube.whole_series(Attribution::Daily, &not_spread);
    for month in &months {
        for (has_data, count) in has_data.iter_mut().zip(cube.counts_of_series(*month, &whole)) {
            has_data.push(count != 0);
        }
    }
    let is_asked = |month: &Period| month.last().is_some_and(|last| asked <= last);
    let mut found: Vec<Gap> = series
        .iter()
        .zip(&has_data)
        .filter(|(key, _)| filter.selects_series(key))
        .filter_map(|(key, has_data)| {
            let first = has_data.iter().position(|has| *has)?;
            let until = has_data.iter().rposition(|has| *has)?;
            let (with_data, of) = (has_data.iter().filter(|has| **has).count(), until - first + 1);
            let without = months.iter().zip(has_data).skip(first).filter(|(month, has)| !**has && is_asked(month));
            let without: Vec<Period> = without.map(|(month, _)| *month).collect();
            let is_usual = with_data >= FEWEST_MONTHS && with_data * 3 >= of * 2;
            (is_usual && !without.is_empty()).then_some(Gap { series: *key, with_data, of, months: without })
        })
        .collect();
    found.sort_by_key(|gap| gap.series);
    Some(found)
}

/// The first day of the month that lies [`LOOK_BACK_MONTHS`] before that of the day; the first there is near the beginning of
/// the calendar.
fn looked_back(day: Day) -> Day {
    let (year, month, _) = day.calendar();
    let months = year * 12 + i32::from(month) - 1 - LOOK_BACK_MONTHS;
    let (year, month) = (u16::try_from(months.div_euclid(12)), u16::try_from(months.rem_euclid(12) + 1));
    let found = year.ok().zip(month.ok()).and_then(|(year, month)| Day::from_calendar(year, month, 1).ok());
    found.unwrap_or(Day::MIN)
}
