//! What activities need besides: ranges in order of their day, and batches.

use std::collections::HashSet;

use crate::{Stored, Version};
use async_trait::async_trait;
use domain::{Activity, ActivityId, Day, Filter, ScopeId, SyncId};

use super::{Page, Reader, Writer};
use crate::store::StoreError;

/// Reads activities.
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

    /// One page of the activities that the filter selects, by first day, then id.
    async fn page(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        page: Page,
    ) -> Result<Vec<Stored<Activity>>, StoreError>;

    /// The activities that have one of those syncIds, in no order.
    async fn with_sync_ids(&mut self, sync_ids: &[SyncId]) -> Result<Vec<Stored<Activity>>, StoreError>;
}

/// Writes activities.
#[async_trait]
pub trait ActivityWriter: ActivityReader + Writer<Activity> {
    /// Adds and replaces many at once, in order. An error leaves none of them written. `Conflict` and `Stale` as for one.
    async fn put_all(&mut self, batch: Vec<ActivityWrite>) -> Result<(), StoreError>;
}

/// One write of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActivityWrite {
    /// A new activity.
    Add(Activity),
    /// Another value for the activity whose version was seen.
    Update(Activity, Version),
}

/// Where an activity stands in the order of activities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Its first day.
    pub day: Day,
    /// Its id.
    pub id: ActivityId,
}

impl Place {
    /// The activity's place.
    #[must_use]
    pub fn of(activity: &Activity) -> Self {
        Self { day: activity.span.first(), id: activity.id }
    }
}
