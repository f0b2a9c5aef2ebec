//! What activities need besides: ranges in order of their day, and batches.

use std::collections::HashSet;

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
}

/// One write of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActivityWrite {
    /// Adds an activity whose id is new.
    Add(Activity),
    /// Another value for the activity whose version was seen.
    Update(Activity, Version),
}

/// Activities whose stored CO2e may differ from what would be calculated today, though nobody changed them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pending {
    /// They have none, but a product and a quantity to compute it from: of that product alone, where one is named, and
    /// with their first day in that period.
    Incomplete(Option<ProductId>, Period),
    /// They were computed from one of these factors.
    ComputedFrom(HashSet<FactorId>),
}

impl Pending {
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
            Self::ComputedFrom(factors) => activity.calculation.factor().is_some_and(|used| factors.contains(&used)),
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
