//! Pages of a report's activities, by number and step by step, without reading the activities before them nor the days
//! between: the cube says on which days activities start, and of which series these are.

use std::collections::HashSet;

use domain::{Activity, Attribution, Cube, Day, Filter, FirstDays, ScopeId, Starts};
use ports::Stored;
use ports::inbound::Step;
use ports::repo::{OnDays, Page, Place, Side};
use ports::store::{ReadTx, StoreError};

/// What a page is of: the activities of a snapshot, and what its cube says of them.
pub(super) struct Pages<'a> {
    pub(super) tx: &'a mut dyn ReadTx,
    pub(super) cube: &'a Cube,
    pub(super) filter: &'a Filter,
    pub(super) not_spread: &'a HashSet<ScopeId>,
    /// How many activities the filter selects.
    pub(super) count: u64,
}

/// A page, and where there are more.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The activities, by first day, then id.
    pub(super) activities: Vec<Stored<Activity>>,
    /// The place of the first of them, where there are others before it.
    pub(super) previous: Option<Place>,
    /// The place of the last of them, where there are others after it.
    pub(super) next: Option<Place>,
}

impl Found {
    fn first(&self) -> Option<Place> {
        self.activities.first().map(|first| Place::of(&first.value))
    }

    fn last(&self) -> Option<Place> {
        self.activities.last().map(|last| Place::of(&last.value))
    }
}

impl Pages<'_> {
    /// The activities of the page.
    pub(super) async fn page(&mut self, page: Page) -> Result<Found, StoreError> {
        let (offset, days) = (page.offset(), FirstDays::new(self.cube, self.filter));
        let rows = self.behind(&days, offset, page.size.saturating_add(1)).await?;
        let (activities, is_more) = cut(rows, page.size);
        let found = Found { activities, ..Found::default() };
        let previous = found.first().filter(|_| offset > 0);
        Ok(Found { previous, next: found.last().filter(|_| is_more), ..found })
    }

    /// The activities of the step.
    pub(super) async fn step(&mut self, step: Step) -> Result<Found, StoreError> {
        let Step { side, limit } = step;
        let days = FirstDays::new(self.cube, self.filter);
        let rows = self.beside(&days, side, limit.saturating_add(1)).await?;
        let (mut activities, is_more) = cut(rows, limit);
        if let Side::Before(_) = side {
            activities.reverse();
        }
        let found = Found { activities, ..Found::default() };
        let (first, last) = (found.first(), found.last());
        let (previous, next) = match side {
            Side::After(None) => (None, last.filter(|_| is_more)),
            Side::After(Some(_)) => (self.where_any(&days, first.map(Side::Before)).await?, last.filter(|_| is_more)),
            Side::Before(_) => {
                let after = last.map(|last| Side::After(Some(last)));
                (first.filter(|_| is_more), self.where_any(&days, after).await?)
            }
        };
        Ok(Found { previous, next, ..found })
    }

    /// Up to `want` of the activities behind the first `offset`.
    async fn behind(
        &mut self,
        days: &FirstDays<'_>,
        offset: u64,
        want: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let Some(offset) = offset.checked_sub(self.before(days)) else {
            return self.tx.activities().page(self.filter, self.not_spread, offset, want).await;
        };
        let Some((first, earlier)) = days.at(offset) else { return Ok(Vec::new()) };
        let skip = offset - earlier;
        let starts = days.from(first, skip.saturating_add(want.into()));
        self.read(starts, Side::After(None), skip, want).await
    }

    /// Up to `want` of the activities on that side of a place, the nearest first.
    async fn beside(
        &mut self,
        days: &FirstDays<'_>,
        side: Side,
        want: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let is_any_before_period = self.before(days) > 0;
        match side {
            Side::After(after) => {
                let begins_behind =
                    after.zip(self.filter.period.first()).is_some_and(|(after, first)| after.day >= first);
                if is_any_before_period && !begins_behind {
                    return self.tx.activities().range(self.filter, self.not_spread, after, want).await;
                }
                let first = after.map_or(Day::MIN, |after| after.day);
                let starts = days.from(first, starts_on(after, &days.from(first, 1)).saturating_add(want.into()));
                self.read_beside(starts, side, want).await
            }
            Side::Before(before) => {
                let on_its_day = starts_on(Some(before), &days.until(before.day, 1));
                let starts = days.until(before.day, on_its_day.saturating_add(want.into()));
                let found = self.read_beside(starts, side, want).await?;
                if is_any_before_period && found.len() < want as usize {
                    return self.tx.activities().range_before(self.filter, self.not_spread, before, want).await;
                }
                Ok(found)
            }
        }
    }

    /// The place, where there are activities on that side of it.
    async fn where_any(&mut self, days: &FirstDays<'_>, side: Option<Side>) -> Result<Option<Place>, StoreError> {
        let Some((side, place)) = side.and_then(|side| Some((side, side.place()?))) else { return Ok(None) };
        let is_any_before_period =
            self.before(days) > 0 && self.filter.period.first().is_some_and(|first| place.day >= first);
        // On other days than its own the cube knows it.
        let is_on_another_day = match side {
            Side::After(_) => days.until(Day::MAX, 1).days.last().is_some_and(|(last, _)| *last > place.day),
            Side::Before(_) => {
                let first = days.from(Day::MIN, 1).days.first().map(|(first, _)| *first);
                is_any_before_period || first.is_some_and(|first| first < place.day)
            }
        };
        let is_any = is_on_another_day || !self.beside(days, side, 1).await?.is_empty();
        Ok(Some(place).filter(|_| is_any))
    }

    /// How many of the activities began before the period: they come first, and the cube counts them on their last days.
    fn before(&self, days: &FirstDays<'_>) -> u64 {
        match (self.filter.attribution, self.filter.period.first()) {
            (Attribution::Daily, Some(_)) => self.count.saturating_sub(days.count()),
            (Attribution::Daily, None) | (Attribution::Start, _) => 0,
        }
    }

    /// Up to `want` of the activities that start on those days on that side of a place, the nearest first. The place is sought
    /// on its own day; among days apart all that day's activities up to the place would be read.
    async fn read_beside(
        &mut self,
        starts: Starts,
        side: Side,
        want: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let Starts { days, series } = starts;
        let place_day = side.place().map(|place| place.day);
        let (own, others): (Vec<_>, Vec<_>) = days.into_iter().partition(|(day, _)| Some(*day) == place_day);
        let mut found = self.read(Starts { days: own, series: series.clone() }, side, 0, want).await?;
        let left = want.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX));
        if left > 0 {
            found.extend(self.read(Starts { days: others, series }, side, 0, left).await?);
        }
        Ok(found)
    }

    /// Up to `want` of the activities that start on those days on that side of a place, all but the nearest `skip`.
    async fn read(
        &mut self,
        starts: Starts,
        side: Side,
        skip: u64,
        want: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let Starts { days, series } = starts;
        if days.is_empty() {
            return Ok(Vec::new());
        }
        let Filter { scopes, orgs, taxonomies, .. } = self.filter;
        let is_narrow = scopes.is_some() || orgs.is_some() || taxonomies.is_some();
        let days = days.into_iter().map(|(day, _)| day).collect();
        let on = OnDays { days, series: is_narrow.then_some(series), without_co2e: false };
        self.tx.activities().on_days(&on, side, skip, want).await
    }
}

/// How many activities start on the day of the place: all of them may stand on its other side.
fn starts_on(place: Option<Place>, nearest: &Starts) -> u64 {
    let is_its_day = |(day, _): &&(Day, u64)| place.is_some_and(|place| place.day == *day);
    nearest.days.first().filter(is_its_day).map_or(0, |(_, count)| *count)
}

/// The first so many of the activities that were found, and whether there are more.
fn cut(mut rows: Vec<Stored<Activity>>, most: u32) -> (Vec<Stored<Activity>>, bool) {
    let is_more = rows.len() > most as usize;
    rows.truncate(most as usize);
    (rows, is_more)
}
