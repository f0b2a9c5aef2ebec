//! Activities in a write transaction in which nothing alters a figure of a closed period.

use std::collections::HashSet;

use async_trait::async_trait;
use domain::{Activity, ActivityId, Filter, ScopeId, SyncId};
use ports::repo::{ActivityReader, ActivityWrite, ActivityWriter, OnDays, Pending, Place, Side};
use ports::store::StoreError;
use ports::{Stored, Version};

use super::guarded_tx::GuardedTx;

#[async_trait]
impl ActivityReader for GuardedTx {
    async fn range(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        self.tx.activities().range(filter, not_spread, after, limit).await
    }

    async fn range_before(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        before: Place,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        self.tx.activities().range_before(filter, not_spread, before, limit).await
    }

    async fn on_days(
        &mut self,
        on: &OnDays,
        side: Side,
        skip: u64,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        self.tx.activities().on_days(on, side, skip, limit).await
    }

    async fn page(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        offset: u64,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        self.tx.activities().page(filter, not_spread, offset, limit).await
    }

    async fn pending(
        &mut self,
        pending: &Pending,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        self.tx.activities().pending(pending, after, limit).await
    }

    async fn with_sync_ids(&mut self, sync_ids: &[SyncId]) -> Result<Vec<Stored<Activity>>, StoreError> {
        self.tx.activities().with_sync_ids(sync_ids).await
    }
}

#[async_trait]
impl ActivityWriter for GuardedTx {
    async fn put_all(&mut self, batch: Vec<ActivityWrite>) -> Result<(), StoreError> {
        let (mut after, mut replaced) = (Vec::with_capacity(batch.len()), Vec::new());
        for write in &batch {
            match write {
                ActivityWrite::Add(activity) => after.push(activity),
                ActivityWrite::Update(activity, _) => {
                    after.push(activity);
                    replaced.push(activity.id);
                }
            }
        }
        self.check(&after, &replaced).await?;
        self.tx.activities_mut().put_all(batch).await
    }

    async fn remove_all(&mut self, removed: Vec<(ActivityId, Version)>) -> Result<(), StoreError> {
        let ids: Vec<ActivityId> = removed.iter().map(|(id, _)| *id).collect();
        self.check(&[], &ids).await?;
        self.tx.activities_mut().remove_all(removed).await
    }
}
