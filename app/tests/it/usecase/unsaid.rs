//! A store whose commit is made, and whose answer is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use ports::ledger::CheckpointCells;
use ports::load::Load;
use ports::store::{Intent, ReadTx, Store, StoreError, Verification, WriteTx};
use ports::{ChainHead, Grant, Maintenance, Read, Revision, Write};

/// A store of which that write transaction, counted from 1, commits and says that it does not know.
pub(super) struct Unsaid {
    pub(super) store: Arc<dyn Store>,
    pub(super) nth: usize,
    pub(super) begun: AtomicUsize,
}

/// A transaction that commits and does not say so.
struct Silent(Box<dyn WriteTx>);

#[async_trait]
impl ReadTx for Silent {
    async fn head(&mut self) -> Result<ChainHead, StoreError> {
        self.0.head().await
    }

    ports::reader_accessors!(0);
}

#[async_trait]
impl WriteTx for Silent {
    fn number(&self) -> u64 {
        self.0.number()
    }

    ports::writer_accessors!(0);

    async fn commit(self: Box<Self>) -> Result<ChainHead, StoreError> {
        self.0.commit().await?;
        Err(StoreError::Unknown("the connection was cut".into()))
    }
}

#[async_trait]
impl Store for Unsaid {
    async fn read(&self, grant: &Grant<Read>) -> Result<Box<dyn ReadTx>, StoreError> {
        self.store.read(grant).await
    }

    async fn write(&self, grant: &Grant<Write>, intent: Intent) -> Result<Box<dyn WriteTx>, StoreError> {
        let tx = self.store.write(grant, intent).await?;
        let is_it = self.begun.fetch_add(1, Ordering::Relaxed) + 1 == self.nth;
        Ok(if is_it { Box::new(Silent(tx)) } else { tx })
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
