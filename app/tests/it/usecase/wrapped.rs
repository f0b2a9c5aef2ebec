//! A store that does as the store below it, but for what a test changes.

use std::sync::Arc;

use async_trait::async_trait;
use ports::ledger::CheckpointCells;
use ports::load::Load;
use ports::store::{Intent, ReadTx, Store, StoreError, Verification, WriteTx};
use ports::{Grant, Maintenance, Read, Revision, Write};

/// What a test changes in a store: each method does as the store below, unless it is overridden.
#[async_trait]
pub(super) trait Change: Send + Sync {
    async fn read(&self, below: &dyn Store, grant: &Grant<Read>) -> Result<Box<dyn ReadTx>, StoreError> {
        below.read(grant).await
    }

    async fn write(
        &self,
        below: &dyn Store,
        grant: &Grant<Write>,
        intent: Intent,
    ) -> Result<Box<dyn WriteTx>, StoreError> {
        below.write(grant, intent).await
    }

    async fn check_room(&self, below: &dyn Store, grant: &Grant<Write>, rows: u64) -> Result<(), StoreError> {
        below.check_room(grant, rows).await
    }
}

/// A store with such a change.
pub(super) struct Wrapped<C> {
    pub(super) below: Arc<dyn Store>,
    pub(super) change: C,
}

#[async_trait]
impl<C: Change> Store for Wrapped<C> {
    async fn read(&self, grant: &Grant<Read>) -> Result<Box<dyn ReadTx>, StoreError> {
        self.change.read(self.below.as_ref(), grant).await
    }

    async fn write(&self, grant: &Grant<Write>, intent: Intent) -> Result<Box<dyn WriteTx>, StoreError> {
        self.change.write(self.below.as_ref(), grant, intent).await
    }

    async fn check_room(&self, grant: &Grant<Write>, rows: u64) -> Result<(), StoreError> {
        self.change.check_room(self.below.as_ref(), grant, rows).await
    }

    async fn prepare(&self, grant: &Grant<Maintenance>) -> Result<(), StoreError> {
        self.below.prepare(grant).await
    }

    async fn load(&self, grant: &Grant<Maintenance>) -> Result<Box<dyn Load>, StoreError> {
        self.below.load(grant).await
    }

    async fn remove(&self, grant: &Grant<Maintenance>, number: u64) -> Result<(), StoreError> {
        self.below.remove(grant, number).await
    }

    async fn renew_epoch(&self, grant: &Grant<Maintenance>, epoch: uuid::Uuid) -> Result<(), StoreError> {
        self.below.renew_epoch(grant, epoch).await
    }

    async fn checkpoint(
        &self,
        grant: &Grant<Maintenance>,
        revision: Revision,
        cells: Arc<dyn CheckpointCells>,
    ) -> Result<(), StoreError> {
        self.below.checkpoint(grant, revision, cells).await
    }

    async fn sweep_answers(&self, grant: &Grant<Maintenance>, now: domain::Timestamp) -> Result<u64, StoreError> {
        self.below.sweep_answers(grant, now).await
    }

    async fn renew_verdicts(&self, grant: &Grant<Maintenance>) -> Result<u64, StoreError> {
        self.below.renew_verdicts(grant).await
    }

    async fn verify(&self, grant: &Grant<Maintenance>) -> Result<Verification, StoreError> {
        self.below.verify(grant).await
    }
}
