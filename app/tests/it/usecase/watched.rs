//! A store that keeps which activities were read from it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use domain::{Activity, ActivityId, Filter, ScopeId, SyncId};
use ports::ledger::CheckpointCells;
use ports::load::Load;
use ports::repo::{ActivityReader, Listing, OnDays, Pending, Place, Query, Reader, Side, Use};
use ports::store::{Intent, ReadTx, Store, StoreError, Verification, WriteTx};
use ports::{ChainHead, Grant, Maintenance, Read, Revision, Stored, Write};

/// What is kept.
type Kept = Arc<Mutex<Vec<Activity>>>;

/// A store that keeps the activities that its read transactions gave.
pub(super) struct Watched {
    pub(super) store: Arc<dyn Store>,
    pub(super) read: Kept,
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
impl Store for Watched {
    async fn read(&self, grant: &Grant<Read>) -> Result<Box<dyn ReadTx>, StoreError> {
        Ok(Box::new(WatchedTx { tx: self.store.read(grant).await?, read: Arc::clone(&self.read) }))
    }

    async fn write(&self, grant: &Grant<Write>, intent: Intent) -> Result<Box<dyn WriteTx>, StoreError> {
        self.store.write(grant, intent).await
    }

    async fn check_room(&self, grant: &Grant<Write>, rows: u64) -> Result<(), StoreError> {
        self.store.check_room(grant, rows).await
    }

    async fn prepare(&self, grant: &Grant<Maintenance>) -> Result<(), StoreError> {
        self.store.prepare(grant).await
    }

    async fn load(&self, grant: &Grant<Maintenance>) -> Result<Box<dyn Load>, StoreError> {
        self.store.load(grant).await
    }

    async fn remove(&self, grant: &Grant<Maintenance>, number: u64) -> Result<(), StoreError> {
        self.store.remove(grant, number).await
    }

    async fn renew_epoch(&self, grant: &Grant<Maintenance>, epoch: uuid::Uuid) -> Result<(), StoreError> {
        self.store.renew_epoch(grant, epoch).await
    }

    async fn checkpoint(
        &self,
        grant: &Grant<Maintenance>,
        revision: Revision,
        cells: Arc<dyn CheckpointCells>,
    ) -> Result<(), StoreError> {
        self.store.checkpoint(grant, revision, cells).await
    }

    async fn sweep_answers(&self, grant: &Grant<Maintenance>, now: domain::Timestamp) -> Result<u64, StoreError> {
        self.store.sweep_answers(grant, now).await
    }

    async fn renew_verdicts(&self, grant: &Grant<Maintenance>) -> Result<u64, StoreError> {
        self.store.renew_verdicts(grant).await
    }

    async fn verify(&self, grant: &Grant<Maintenance>) -> Result<Verification, StoreError> {
        self.store.verify(grant).await
    }
}
