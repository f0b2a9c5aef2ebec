//! A store that keeps which activities were read from it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use domain::{Activity, ActivityId, Filter, ScopeId, SyncId};
use ports::repo::{ActivityReader, Listing, OnDays, Pending, Place, Query, Reader, Side, Use};
use ports::store::{ReadTx, Store, StoreError};
use ports::{ChainHead, Grant, Read, Stored};

use super::wrapped::{Change, Wrapped};

/// What is kept.
type Kept = Arc<Mutex<Vec<Activity>>>;

/// Keeps the activities that the store's read transactions gave.
#[derive(Default)]
pub(super) struct Watched {
    pub(super) read: Kept,
}

impl Watched {
    /// The store, whose read transactions are watched.
    pub(super) fn store(below: Arc<dyn Store>) -> Arc<Wrapped<Self>> {
        Arc::new(Wrapped { below, change: Self::default() })
    }
}

/// A transaction of such a store.
struct WatchedTx {
    tx: Box<dyn ReadTx>,
    read: Kept,
}

impl WatchedTx {
    fn keep(&self, found: Vec<Stored<Activity>>) -> Vec<Stored<Activity>> {
        self.read.lock().unwrap().extend(found.iter().map(|stored| stored.value.clone()));
        found
    }
}

#[async_trait]
impl ReadTx for WatchedTx {
    async fn head(&mut self) -> Result<ChainHead, StoreError> {
        self.tx.head().await
    }

    fn activities(&mut self) -> &mut dyn ActivityReader {
        self
    }

    ports::reader_accessors_but_activities!(tx);
}

#[async_trait]
impl Reader<Activity> for WatchedTx {
    async fn find(&mut self, id: ActivityId) -> Result<Option<Stored<Activity>>, StoreError> {
        let found = self.tx.activities().find(id).await?;
        Ok(self.keep(found.into_iter().collect()).pop())
    }

    async fn find_all(&mut self, ids: &[ActivityId]) -> Result<Vec<Stored<Activity>>, StoreError> {
        let found = self.tx.activities().find_all(ids).await?;
        Ok(self.keep(found))
    }

    async fn find_by_sync_id(&mut self, sync_id: &SyncId) -> Result<Option<Stored<Activity>>, StoreError> {
        let found = self.tx.activities().find_by_sync_id(sync_id).await?;
        Ok(self.keep(found.into_iter().collect()).pop())
    }

    async fn list(&mut self, query: &Query<Activity>) -> Result<Listing<Stored<Activity>>, StoreError> {
        self.tx.activities().list(query).await
    }

    async fn uses(&mut self, id: ActivityId) -> Result<Vec<Use>, StoreError> {
        self.tx.activities().uses(id).await
    }
}

#[async_trait]
impl ActivityReader for WatchedTx {
    async fn range(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let found = self.tx.activities().range(filter, not_spread, after, limit).await?;
        Ok(self.keep(found))
    }

    async fn range_before(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        before: Place,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let found = self.tx.activities().range_before(filter, not_spread, before, limit).await?;
        Ok(self.keep(found))
    }

    async fn on_days(
        &mut self,
        on: &OnDays,
        side: Side,
        skip: u64,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let found = self.tx.activities().on_days(on, side, skip, limit).await?;
        Ok(self.keep(found))
    }

    async fn page(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        offset: u64,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let found = self.tx.activities().page(filter, not_spread, offset, limit).await?;
        Ok(self.keep(found))
    }

    async fn pending(
        &mut self,
        pending: &Pending,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let found = self.tx.activities().pending(pending, after, limit).await?;
        Ok(self.keep(found))
    }

    async fn with_sync_ids(&mut self, sync_ids: &[SyncId]) -> Result<Vec<Stored<Activity>>, StoreError> {
        let found = self.tx.activities().with_sync_ids(sync_ids).await?;
        Ok(self.keep(found))
    }
}

#[async_trait]
impl Change for Watched {
    async fn read(&self, below: &dyn Store, grant: &Grant<Read>) -> Result<Box<dyn ReadTx>, StoreError> {
        Ok(Box::new(WatchedTx { tx: below.read(grant).await?, read: Arc::clone(&self.read) }))
    }
}
