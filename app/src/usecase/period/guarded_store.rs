//! A store in which no write alters a figure of a closed period, whichever use case or command it comes from.

use std::sync::Arc;

use async_trait::async_trait;
use domain::{Activity, ActivityId, ClosedPeriods, Timestamp};
use ports::ledger::CheckpointCells;
use ports::load::Load;
use ports::repo::ActivityWrite;
use ports::store::{Intent, ReadTx, Store, StoreError, Verification, WriteTx};
use ports::{ChainHead, Grant, Maintenance, Read, Revision, Stored, Write};
use uuid::Uuid;

use super::closed::{closed_periods, refuse};
use super::guarded_tx::GuardedTx;
use super::known::Known;

/// A store that refuses what would alter a figure of a closed period, with [`Conflict::Closed`](ports::store::Conflict).
///
/// Closing a period counts as a change of the catalog. So what was built on an older catalog is `Stale`, and whoever holds
/// a tenant's turn to write sees every period that is closed: no write and no closing overtake each other.
pub struct GuardedStore {
    store: Arc<dyn Store>,
    known: Known,
}

impl GuardedStore {
    /// That store, guarded.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, known: Known::default() }
    }

    /// The closed periods at the catalog of `since`. `Stale` where the catalog has changed.
    async fn closed(&self, grant: &Grant<Write>, since: &ChainHead) -> Result<Arc<ClosedPeriods>, StoreError> {
        if let Some(closed) = self.known.find(grant.tenant(), since) {
            return Ok(closed);
        }
        let mut tx = self.store.read(&grant.to_read()).await?;
        let head = tx.head().await?;
        let closed = Arc::new(closed_periods(tx.as_mut()).await?);
        self.known.keep(grant.tenant(), &head, Arc::clone(&closed));
        if head.has_catalog_of(since) { Ok(closed) } else { Err(StoreError::Stale) }
    }

    /// Refuses writes that touch a closed period, with what they replace: of those whose version is another one than was
    /// seen the store says so.
    async fn check(&self, grant: &Grant<Write>, since: &ChainHead, writes: &[ActivityWrite]) -> Result<(), StoreError> {
        let closed = self.closed(grant, since).await?;
        if closed.is_empty() {
            return Ok(());
        }
        let (mut after, mut replaced) = (Vec::with_capacity(writes.len()), Vec::new());
        for write in writes {
            match write {
                ActivityWrite::Add(activity) => after.push(activity),
                ActivityWrite::Update(activity, _) => {
                    after.push(activity);
                    replaced.push(activity.id);
                }
            }
        }
        refuse(&closed, after)?;
        if replaced.is_empty() {
            return Ok(());
        }
        let before = self.store.read(&grant.to_read()).await?.activities().find_all(&replaced).await?;
        refuse(&closed, before.iter().map(|stored| &stored.value))
    }
}

#[async_trait]
impl Store for GuardedStore {
    async fn read(&self, grant: &Grant<Read>) -> Result<Box<dyn ReadTx>, StoreError> {
        self.store.read(grant).await
    }

    async fn head(&self, grant: &Grant<Read>) -> Result<ChainHead, StoreError> {
        self.store.head(grant).await
    }

    async fn activity(
        &self,
        grant: &Grant<Read>,
        id: ActivityId,
    ) -> Result<(ChainHead, Option<Stored<Activity>>), StoreError> {
        self.store.activity(grant, id).await
    }

    async fn write(&self, grant: &Grant<Write>, intent: Intent) -> Result<Box<dyn WriteTx>, StoreError> {
        let tx = self.store.write(grant, intent).await?;
        Ok(Box::new(GuardedTx::new(tx, grant.tenant(), self.known.clone())))
    }

    async fn put_activities(
        &self,
        grant: &Grant<Write>,
        intent: Intent,
        since: &ChainHead,
        writes: Vec<ActivityWrite>,
    ) -> Result<ChainHead, StoreError> {
        self.check(grant, since, &writes).await?;
        self.store.put_activities(grant, intent, since, writes).await
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

    async fn renew_epoch(&self, grant: &Grant<Maintenance>, epoch: Uuid) -> Result<(), StoreError> {
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

    async fn sweep_answers(&self, grant: &Grant<Maintenance>, now: Timestamp) -> Result<u64, StoreError> {
        self.store.sweep_answers(grant, now).await
    }

    async fn renew_verdicts(&self, grant: &Grant<Maintenance>) -> Result<u64, StoreError> {
        self.store.renew_verdicts(grant).await
    }

    async fn verify(&self, grant: &Grant<Maintenance>) -> Result<Verification, StoreError> {
        self.store.verify(grant).await
    }
}
