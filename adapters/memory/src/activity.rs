//! What activities have besides: ranges in order of their day, and batches.

use std::collections::HashSet;
use std::ops::Bound;

use async_trait::async_trait;
use domain::{Activity, ActivityId, Attribution, Filter, ScopeId, SyncId};
use ports::repo::{ActivityReader, ActivityWrite, ActivityWriter, OnDays, Pending, Place, Side};
use ports::store::StoreError;
use ports::{Stored, Version};

use crate::state::State;
use crate::tx::{Tx, Writing};

/// The activities on that side of a place, in order.
fn beside(state: &State, side: Side) -> impl DoubleEndedIterator<Item = &Stored<Activity>> {
    let bounds = match side {
        Side::After(place) => (place.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded),
        Side::Before(place) => (Bound::Unbounded, Bound::Excluded(place)),
    };
    let places = state.places.range(bounds);
    places.filter_map(|place| state.activities.find(place.id.uuid())).map(AsRef::as_ref)
}

/// The selected activities behind a place, in order.
fn selected<'a>(
    state: &'a State,
    filter: &'a Filter,
    not_spread: &'a HashSet<ScopeId>,
    after: Option<Place>,
) -> impl Iterator<Item = &'a Stored<Activity>> {
    let first = filter.period.first().filter(|_| filter.attribution == Attribution::Start);
    let last = filter.period.last();
    beside(state, Side::After(after))
        .skip_while(move |stored| first.is_some_and(|first| stored.value.span.first() < first))
        .take_while(move |stored| last.is_none_or(|last| stored.value.span.first() <= last))
        .filter(|stored| filter.selects(&stored.value, not_spread))
}

#[async_trait]
impl<W: Send> ActivityReader for Tx<W> {
    async fn range(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        Ok(selected(&self.state, filter, not_spread, after).take(limit as usize).cloned().collect())
    }

    async fn range_before(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        before: Place,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let found = beside(&self.state, Side::Before(before)).rev();
        let found = found.filter(|stored| filter.selects(&stored.value, not_spread));
        Ok(found.take(limit as usize).cloned().collect())
    }

    async fn on_days(
        &mut self,
        on: &OnDays,
        side: Side,
        skip: u64,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let state = &self.state;
        let is_meant = |stored: &&Stored<Activity>| {
            let series = || state.series.find(stored.value.series());
            on.days.contains(&stored.value.span.first())
                && (!on.without_co2e || stored.value.co2e().is_none())
                && on.series.as_ref().is_none_or(|meant| series().is_some_and(|series| meant.contains(&series)))
        };
        let (skip, limit) = (usize::try_from(skip).unwrap_or(usize::MAX), limit as usize);
        let found = beside(state, side).filter(is_meant);
        Ok(match side {
            Side::After(_) => found.skip(skip).take(limit).cloned().collect(),
            Side::Before(_) => found.rev().skip(skip).take(limit).cloned().collect(),
        })
    }

    async fn page(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        offset: u64,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let before = usize::try_from(offset).unwrap_or(usize::MAX);
        Ok(selected(&self.state, filter, not_spread, None).skip(before).take(limit as usize).cloned().collect())
    }

    async fn pending(
        &mut self,
        pending: &Pending,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let (all, not_spread) = (Filter::default(), HashSet::new());
        let found = selected(&self.state, &all, &not_spread, after).filter(|stored| pending.selects(&stored.value));
        Ok(found.take(limit as usize).cloned().collect())
    }

    async fn with_sync_ids(&mut self, sync_ids: &[SyncId]) -> Result<Vec<Stored<Activity>>, StoreError> {
        let mut sync_ids: Vec<&SyncId> = sync_ids.iter().collect();
        sync_ids.sort_unstable();
        sync_ids.dedup();
        let table = &self.state.activities;
        let found = sync_ids.into_iter().filter_map(|sync_id| table.find_by_sync_id(sync_id));
        Ok(found.map(|stored| stored.as_ref().clone()).collect())
    }
}

#[async_trait]
impl ActivityWriter for Writing {
    async fn put_all(&mut self, batch: Vec<ActivityWrite>) -> Result<(), StoreError> {
        let state = self.state.clone();
        for put in batch {
            let written = match put {
                ActivityWrite::Add(activity) => self.add_one(activity),
                ActivityWrite::Update(activity, seen) => self.update_one(activity, seen),
            };
            if let Err(error) = written {
                self.state = state;
                self.write.draft.undo();
                return Err(error);
            }
        }
        self.write.draft.keep()?;
        Ok(())
    }

    async fn remove_all(&mut self, removed: Vec<(ActivityId, Version)>) -> Result<(), StoreError> {
        let state = self.state.clone();
        for (id, seen) in removed {
            if let Err(error) = self.remove_one::<Activity>(id, seen) {
                self.state = state;
                self.write.draft.undo();
                return Err(error);
            }
        }
        self.write.draft.keep()?;
        Ok(())
    }
}
