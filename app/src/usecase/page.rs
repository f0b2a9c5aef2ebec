//! Pages of a report's activities, by number and step by step, without reading the activities before them nor the days
//! between: the cube says on which days activities start.

use std::collections::HashSet;

use domain::{Activity, Attribution, Cube, Day, Filter, FirstDays, Period, ScopeId};
use ports::Stored;
use ports::inbound::Step;
use ports::repo::{Page, Place};
use ports::store::{ReadTx, StoreError};

/// Days without a match between two with one are read over rather than left out, up to so many.
const GAP: i32 = 2;

/// What a page is of: the activities of a snapshot, and what its cube says of them.
pub(super) struct Pages<'a> {
    pub(super) tx: &'a mut dyn ReadTx,
    pub(super) cube: &'a Cube,
    pub(super) filter: &'a Filter,
    pub(super) not_spread: &'a HashSet<ScopeId>,
    /// How many activities the filter selects.
    pub(super) count: u64,
}

impl Pages<'_> {
    /// The activities of the page, and one more if there is one.
    pub(super) async fn page(&mut self, page: Page) -> Result<Vec<Stored<Activity>>, StoreError> {
        let (offset, want) = (page.offset(), page.size.saturating_add(1));
        let days = FirstDays::new(self.cube, self.filter);
        let before = self.before(&days);
        let Some(offset) = offset.checked_sub(before) else {
            return self.tx.activities().page(self.filter, self.not_spread, offset, want).await;
        };
        let Some((first, earlier)) = days.at(offset) else { return Ok(Vec::new()) };
        let skip = offset - earlier;
        let days = days.from(first, skip.saturating_add(want.into()));
        self.read(&days, None, skip, want).await
    }

    /// The activities of the step, and one more if there is one.
    pub(super) async fn step(&mut self, step: Step) -> Result<Vec<Stored<Activity>>, StoreError> {
        let Step { after, limit } = step;
        let want = limit.saturating_add(1);
        let days = FirstDays::new(self.cube, self.filter);
        let begins_behind = after.zip(self.filter.period.first()).is_some_and(|(after, first)| after.day >= first);
        if self.before(&days) > 0 && !begins_behind {
            return self.tx.activities().range(self.filter, self.not_spread, after, want).await;
        }
        let first = after.map_or(Day::MIN, |after| after.day);
        // All that start on the day of the place may stand before it.
        let on_its_day = match (after, days.from(first, 1).first()) {
            (Some(after), Some((day, count))) if *day == after.day => *count,
            _ => 0,
        };
        let days = days.from(first, on_its_day.saturating_add(want.into()));
        self.read(&days, after, 0, want).await
    }

    /// How many of the activities began before the period: they come first, and the cube counts them on their last days.
    fn before(&self, days: &FirstDays<'_>) -> u64 {
        match (self.filter.attribution, self.filter.period.first()) {
            (Attribution::Daily, Some(_)) => self.count.saturating_sub(days.count()),
            (Attribution::Daily, None) | (Attribution::Start, _) => 0,
        }
    }

    /// Up to `want` of the activities that start on those days behind `after`, all but the first `skip`, which start on the
    /// first day.
    async fn read(
        &mut self,
        days: &[(Day, u64)],
        after: Option<Place>,
        mut skip: u64,
        want: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let mut found: Vec<Stored<Activity>> = Vec::new();
        for run in runs(days) {
            let left = want.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX));
            if left == 0 {
                break;
            }
            // On its first day an activity is selected under either attribution.
            let within = self.filter.clone().with_attribution(Attribution::Start).with_period(run);
            let activities = self.tx.activities();
            found.extend(match after {
                Some(_) => activities.range(&within, self.not_spread, after, left).await?,
                None => activities.page(&within, self.not_spread, skip, left).await?,
            });
            skip = 0;
        }
        Ok(found)
    }
}

/// The days in as few periods as leave out what is worth leaving out.
fn runs(days: &[(Day, u64)]) -> Vec<Period> {
    let is_near = |a: &(Day, u64), b: &(Day, u64)| b.0.number() - a.0.number() <= GAP + 1;
    let run = |run: &[(Day, u64)]| Period::new(run.first().map(|(day, _)| *day), run.last().map(|(day, _)| *day));
    days.chunk_by(is_near).filter_map(run).collect()
}

/// The first so many of the activities that were found; where there are more, the place of the last of them.
pub(super) fn cut(mut found: Vec<Stored<Activity>>, most: u32, next: &mut Option<Place>) -> Vec<Stored<Activity>> {
    if found.len() > most as usize {
        found.truncate(most as usize);
        *next = found.last().map(|last| Place::of(&last.value));
    }
    found
}
