//! What activities need besides: ranges in order of their day, and batches.

use std::collections::{BTreeMap, HashSet};

use crate::{Stored, Version};
use async_trait::async_trait;
use domain::{Activity, ActivityId, Day, FactorId, Filter, Period, ProductId, ScopeId, SyncId};

use super::{Reader, Writer};
use crate::store::StoreError;

/// What can be read of activities beside what all records have.
#[async_trait]
pub trait ActivityReader: Reader<Activity> {
    /// Up to `limit` of the activities that the filter [selects](Filter::selects) behind `after`, by first day, then id.
    /// Fewer than `limit` means that there are no more. Walking on from the last one visits each once.
    async fn range(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError>;

    /// Up to `limit` of the activities that the filter selects before `before`: the nearest first, so in reverse order. Fewer
    /// than `limit` means that there are no more.
    async fn range_before(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        before: Place,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError>;

    /// Up to `limit` of the activities that start on those days on that side of a place, all but the nearest `skip`: those
    /// after it by first day, then id, those before it in reverse order.
    async fn on_days(
        &mut self,
        on: &OnDays,
        side: Side,
        skip: u64,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError>;

    /// Up to `limit` of the activities that the filter selects behind the first `offset` of them, by first day, then id.
    async fn page(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        offset: u64,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError>;

    /// Up to `limit` of the activities behind `after` that are pending in that way, by first day, then id. Fewer than
    /// `limit` means that there are no more.
    async fn pending(
        &mut self,
        pending: &Pending,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError>;

    /// The activities that have one of those syncIds, in no order.
    async fn with_sync_ids(&mut self, sync_ids: &[SyncId]) -> Result<Vec<Stored<Activity>>, StoreError>;
}

/// What can be written of activities beside what all records have.
#[async_trait]
pub trait ActivityWriter: ActivityReader + Writer<Activity> {
    /// Adds and replaces many at once, in order. An error leaves none of them written. `Conflict` and `Stale` as for one.
    async fn put_all(&mut self, batch: Vec<ActivityWrite>) -> Result<(), StoreError>;

    /// Removes many at once, each of the version that was seen; each stands once in the list. An error leaves all of them
    /// there. `Stale` when one has another version or is not there.
    async fn remove_all(&mut self, removed: Vec<(ActivityId, Version)>) -> Result<(), StoreError>;
}

/// One write of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActivityWrite {
    /// Adds an activity whose id is new.
    Add(Activity),
    /// Another value for the activity whose version was seen.
    Update(Activity, Version),
}

/// Activities whose stored CO2e, or lack of one, may differ from what would be calculated today, though nobody changed them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pending {
    /// They have none, but a product and a quantity to compute it from: of that product alone, where one is named, and
    /// with their first day in that period.
    Incomplete(Option<ProductId>, Period),
    /// They were computed from one of these factors, or it counts for them in the market, and their first day is that day of it or
    /// a later one.
    ComputedFrom(BTreeMap<FactorId, Day>),
}

impl Pending {
    /// The factors of [`Self::ComputedFrom`] by the day from which they count.
    #[must_use]
    pub fn by_day(factors: &BTreeMap<FactorId, Day>) -> BTreeMap<Day, HashSet<FactorId>> {
        let mut by_day: BTreeMap<Day, HashSet<FactorId>> = BTreeMap::new();
        for (factor, from) in factors {
            by_day.entry(*from).or_default().insert(*factor);
        }
        by_day
    }

    /// The days on which something is computed from one of the factors of [`Self::ComputedFrom`] that counts.
    #[must_use]
    pub fn period(factors: &BTreeMap<FactorId, Day>) -> Period {
        let first = factors.values().min().copied().filter(|first| *first != Day::MIN);
        Period::new(first, None).unwrap_or(Period::ALL)
    }

    /// Whether the activity is pending in this way: the rule that every store follows.
    #[must_use]
    pub fn selects(&self, activity: &Activity) -> bool {
        match self {
            Self::Incomplete(product, period) => {
                activity.co2e().is_none()
                    && activity.measured.is_some()
                    && activity.product.is_some_and(|own| product.is_none_or(|product| product == own))
                    && period.contains(activity.span.first())
            }
            Self::ComputedFrom(factors) => {
                let in_market = activity.stated.market.as_ref().map(|market| market.factor);
                let mut used = activity.calculation.factor().into_iter().chain(in_market);
                used.any(|used| factors.get(&used).is_some_and(|from| activity.span.first() >= *from))
            }
        }
    }
}

/// Where an activity is in the order of activities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The activity's first day.
    pub day: Day,
    /// The activity's identifier; orders those of one day.
    pub id: ActivityId,
}

impl Place {
    /// Where the activity is in the order.
    #[must_use]
    pub fn of(activity: &Activity) -> Self {
        Self { day: activity.span.first(), id: activity.id }
    }
}

/// The side of a place that activities are read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// After it; `None` is from the first on.
    After(Option<Place>),
    /// Before it.
    Before(Place),
}

impl Side {
    /// The place.
    #[must_use]
    pub const fn place(self) -> Option<Place> {
        match self {
            Self::After(place) => place,
            Self::Before(place) => Some(place),
        }
    }

    /// What bounds the places in a period that are on this side, from below and from above. A store that were told the end of
    /// the period beside the place might seek the end, and read all activities up to the place.
    #[must_use]
    pub fn within(self, period: Period) -> (Option<Edge>, Option<Edge>) {
        let (after, before) = match self {
            Self::After(place) => (place, None),
            Self::Before(place) => (None, Some(place)),
        };
        let after = after.filter(|after| period.first().is_none_or(|first| after.day >= first));
        let before = before.filter(|before| period.last().is_none_or(|last| before.day <= last));
        let (first, last) = (period.first().map(Edge::Day), period.last().map(Edge::Day));
        (after.map(Edge::Place).or(first), before.map(Edge::Place).or(last))
    }

    /// Whether that place is on this side.
    #[must_use]
    pub fn has(self, place: Place) -> bool {
        match self {
            Self::After(after) => after.is_none_or(|after| place > after),
            Self::Before(before) => place < before,
        }
    }
}

/// Where places that are read begin or end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// With the activities that start on that day.
    Day(Day),
    /// Beside that place, which is not one of them.
    Place(Place),
}

/// Activities by the days on which they start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnDays {
    /// The days, in order.
    pub days: Vec<Day>,
    /// Only those of these series, by index; `None` is all.
    pub series: Option<Vec<u32>>,
    /// Only those without CO2e: a store seeks them and reads no others.
    pub without_co2e: bool,
}

impl OnDays {
    /// The period of the days, where it has no other day: a store reads it as one range.
    #[must_use]
    pub fn period(&self) -> Option<Period> {
        let (first, last) = (*self.days.first()?, *self.days.last()?);
        let length = i64::from(last.number()) - i64::from(first.number()) + 1;
        let is_whole = i64::try_from(self.days.len()) == Ok(length);
        Period::new(Some(first), Some(last)).filter(|_| is_whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_outside_a_period_bounds_nothing_in_it() {
        let day = |text| Day::parse(text).unwrap();
        let place = |text| Place { day: day(text), id: uuid::Uuid::nil().into() };
        let edge = |text| Some(Edge::Day(day(text)));
        let period = Period::parse("2025-03").unwrap();
        let ends = (edge("2025-03-01"), edge("2025-03-31"));
        for outside in [Side::After(None), Side::After(Some(place("2025-02-28"))), Side::Before(place("2025-04-01"))] {
            assert_eq!(outside.within(period), ends, "{outside:?}");
        }
        for on in ["2025-03-01", "2025-03-15", "2025-03-31"] {
            let beside = Some(Edge::Place(place(on)));
            assert_eq!(Side::After(Some(place(on))).within(period), (beside, ends.1));
            assert_eq!(Side::Before(place(on)).within(period), (ends.0, beside));
            assert_eq!(Side::Before(place(on)).within(Period::ALL), (None, beside));
        }
        // Nothing is both in the period and on that side.
        let behind = Side::After(Some(place("2025-04-01")));
        assert_eq!(behind.within(period), (Some(Edge::Place(place("2025-04-01"))), ends.1));
    }

    #[test]
    fn days_that_follow_each_other_are_a_period() {
        let on = |days: &[&str]| {
            let days = days.iter().map(|day| Day::parse(day).unwrap()).collect();
            OnDays { days, series: None, without_co2e: false }
        };
        let period = on(&["2025-02-28", "2025-03-01", "2025-03-02"]).period();
        assert_eq!(period, Period::new(Day::parse("2025-02-28").ok(), Day::parse("2025-03-02").ok()));
        assert_eq!(on(&["2025-03-01"]).period(), Period::parse("2025-03-01").ok());
        assert_eq!(on(&["2025-02-27", "2025-03-01"]).period(), None);
        assert_eq!(on(&[]).period(), None);
    }
}
