//! Activities without CO2e, read without any others: the cube says on which days such start, and of which series these are.

use domain::{Activity, Cube, Day, Filter, FirstDays, Starts};
use ports::Stored;
use ports::repo::{OnDays, Place, Side};
use ports::store::{ReadTx, StoreError};

/// Where the activities without CO2e of a snapshot stand that a filter selects.
#[derive(Clone, Debug)]
pub(super) struct WithoutCo2e {
    /// The days on which they start, in order, each with how many of them do.
    days: Vec<(Day, u64)>,
    /// The series that they are of, by index; `None` is all.
    series: Option<Vec<u32>>,
}

impl WithoutCo2e {
    /// Those that start in the filter's period, whatever it says of attribution. The cube is that of the snapshot.
    pub(super) fn of(cube: &Cube, filter: &Filter) -> Self {
        let Starts { days, series } = FirstDays::new(cube, filter).incomplete();
        let Filter { scopes, orgs, taxonomies, .. } = filter;
        let is_narrow = scopes.is_some() || orgs.is_some() || taxonomies.is_some();
        Self { days, series: is_narrow.then_some(series) }
    }

    /// Up to `limit` of them behind `after`, by first day, then id. Fewer than `limit` means that there are no more.
    pub(super) async fn behind(
        &self,
        tx: &mut dyn ReadTx,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let at = self.days.partition_point(|(day, _)| after.is_some_and(|after| *day < after.day));
        let mut days = self.days.get(at..).unwrap_or_default();
        let mut found = Vec::new();
        while let Some((first, _)) = days.first() {
            let left = limit.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX));
            if left == 0 {
                break;
            }
            // The place is sought on its own day: among days apart all that day's activities up to the place would be read.
            let place = after.filter(|after| after.day == *first);
            let (now, later) = days.split_at(if place.is_some() { 1 } else { enough(days, left) });
            let days_now = now.iter().map(|(day, _)| *day).collect();
            let on = OnDays { days: days_now, series: self.series.clone(), without_co2e: true };
            found.extend(tx.activities().on_days(&on, Side::After(place), 0, left).await?);
            days = later;
        }
        Ok(found)
    }
}

/// How many of the days it takes until so many activities start on them together; all of them where fewer do.
fn enough(days: &[(Day, u64)], wanted: u32) -> usize {
    let mut counted = 0_u64;
    let is_needed = |(_, count): &&(Day, u64)| {
        let before = counted;
        counted = counted.saturating_add(*count);
        before < u64::from(wanted)
    };
    days.iter().take_while(is_needed).count()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use domain::{Calculation, Incomplete, Period};
    use memory::MemoryStore;
    use ports::contract::sample::{self, SampleIds};
    use ports::contract::tenant::Tenant;
    use ports::repo::ActivityWrite;

    use super::*;
    use crate::usecase::checkpoint::Checkpoints;
    use crate::usecase::read_model::ReadModels;

    /// 40 activities of two orgs on six days; every fifth has a CO2e.
    fn mixed() -> Vec<Activity> {
        let one = |number: u64| {
            let day = format!("2025-03-{:02}", 1 + number * number % 11);
            let activity = sample::activity_in(number, sample::span(&day, &day), "1");
            let known = activity.calculation;
            let none = Calculation::incomplete(Incomplete::NoProduct);
            activity.with_org(Some(sample::org(1 + number % 2).id)).with_calculation(if number.is_multiple_of(5) {
                known
            } else {
                none
            })
        };
        (1..=40).map(one).collect()
    }

    #[tokio::test]
    async fn steps_of_any_length_give_each_of_those_that_are_selected_once_and_in_order() {
        let store = Arc::new(MemoryStore::new(SampleIds::shared()));
        let tenant = Tenant::prepare(&*store).await;
        let mut tx = tenant.write().await;
        for number in [1, 2] {
            tx.orgs_mut().add(sample::org(number)).await.unwrap();
        }
        tx.activities_mut().put_all(mixed().into_iter().map(ActivityWrite::Add).collect()).await.unwrap();
        tx.commit().await.unwrap();
        let read_models = ReadModels::new(1 << 20, Arc::new(Checkpoints::new(store.clone())));
        let mut tx = tenant.read().await;
        let model = read_models.of(tenant.reading().tenant(), tx.as_mut()).await.unwrap().unwrap();
        let of_org = Filter::default().with_orgs(Some([sample::org(2).id].into()));
        let of_day = of_org.clone().with_period(Period::parse("2025-03-04").unwrap());
        for filter in [Filter::default(), of_org, of_day] {
            let mut expected: Vec<Place> = mixed()
                .iter()
                .filter(|one| one.co2e().is_none() && filter.selects(one, &HashSet::new()))
                .map(Place::of)
                .collect();
            expected.sort_unstable();
            assert!(!expected.is_empty(), "{filter:?}");
            let without_co2e = WithoutCo2e::of(model.cube(), &filter);
            for limit in [1, 2, 7, 100] {
                let (mut found, mut after) = (Vec::new(), None);
                loop {
                    let step = without_co2e.behind(tx.as_mut(), after, limit).await.unwrap();
                    found.extend(step.iter().map(|stored| Place::of(&stored.value)));
                    after = found.last().copied();
                    if step.len() < limit as usize {
                        break;
                    }
                }
                assert_eq!(found, expected, "{limit} of {filter:?}");
            }
        }
    }
}
