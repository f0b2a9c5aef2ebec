//! A store whose transactions are measured: the same for every kind of store.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use domain::{Activity, ActivityId, Timestamp};
use metrics::{counter, gauge, histogram};
use ports::ledger::CheckpointCells;
use ports::load::Load;
use ports::repo::ActivityWrite;
use ports::store::{Intent, ReadTx, Store, StoreError, Verification, WriteTx};
use ports::{ChainHead, Grant, Maintenance, Read, Revision, Stored, Write, metric};
use tracing::{Instrument as _, info_span};
use uuid::Uuid;

use super::tx::MeasuredTx;

/// A store, with its writers counted and its calls in spans of the request's trace.
pub struct MeasuredStore(Arc<dyn Store>);

impl MeasuredStore {
    /// That store, measured.
    #[must_use]
    pub const fn new(store: Arc<dyn Store>) -> Self {
        Self(store)
    }
}

/// A change that is being written, or waits for its turn.
pub(super) struct Writing(Instant);

impl Writing {
    fn begin() -> Self {
        gauge!(metric::WRITERS.name).increment(1.0);
        Self(Instant::now())
    }

    /// Notes how it ended.
    pub(super) fn end<T>(&self, ended: &Result<T, StoreError>) {
        let outcome = match ended {
            Ok(_) => "done",
            Err(StoreError::Conflict(_)) => "conflict",
            Err(StoreError::Stale) => "stale",
            Err(StoreError::Corrupt { .. }) => "corrupt",
            Err(StoreError::Busy(_)) => "busy",
            Err(StoreError::Unknown(_)) => "unknown",
            Err(StoreError::Failed(_)) => "failed",
        };
        counter!(metric::WRITES.name, "outcome" => outcome).increment(1);
        if ended.is_ok() {
            histogram!(metric::WRITE_DURATION.name).record(self.0.elapsed());
        }
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        gauge!(metric::WRITERS.name).decrement(1.0);
    }
}

#[async_trait]
impl Store for MeasuredStore {
    async fn read(&self, grant: &Grant<Read>) -> Result<Box<dyn ReadTx>, StoreError> {
        self.0.read(grant).instrument(info_span!("store.read")).await
    }

    async fn head(&self, grant: &Grant<Read>) -> Result<ChainHead, StoreError> {
        self.0.head(grant).instrument(info_span!("store.head")).await
    }

    async fn activity(
        &self,
        grant: &Grant<Read>,
        id: ActivityId,
    ) -> Result<(ChainHead, Option<Stored<Activity>>), StoreError> {
        self.0.activity(grant, id).instrument(info_span!("store.activity")).await
    }

    async fn write(&self, grant: &Grant<Write>, intent: Intent) -> Result<Box<dyn WriteTx>, StoreError> {
        let (writing, started) = (Writing::begin(), Instant::now());
        match self.0.write(grant, intent).instrument(info_span!("store.write")).await {
            Ok(tx) => {
                histogram!(metric::WRITE_WAIT.name).record(started.elapsed());
                Ok(Box::new(MeasuredTx::new(tx, writing)))
            }
            Err(error) => {
                let ended = Err(error);
                writing.end(&ended);
                ended
            }
        }
    }

    async fn put_activities(
        &self,
        grant: &Grant<Write>,
        intent: Intent,
        since: &ChainHead,
        writes: Vec<ActivityWrite>,
    ) -> Result<ChainHead, StoreError> {
        let writing = Writing::begin();
        let span = info_span!("store.put_activities", activities = writes.len());
        let ended = self.0.put_activities(grant, intent, since, writes).instrument(span).await;
        writing.end(&ended);
        ended
    }

    async fn prepare(&self, grant: &Grant<Maintenance>) -> Result<(), StoreError> {
        self.0.prepare(grant).await
    }

    async fn load(&self, grant: &Grant<Maintenance>) -> Result<Box<dyn Load>, StoreError> {
        self.0.load(grant).await
    }

    async fn remove(&self, grant: &Grant<Maintenance>, number: u64) -> Result<(), StoreError> {
        self.0.remove(grant, number).await
    }

    async fn renew_epoch(&self, grant: &Grant<Maintenance>, epoch: Uuid) -> Result<(), StoreError> {
        self.0.renew_epoch(grant, epoch).await
    }

    async fn checkpoint(
        &self,
        grant: &Grant<Maintenance>,
        revision: Revision,
        cells: Arc<dyn CheckpointCells>,
    ) -> Result<(), StoreError> {
        self.0.checkpoint(grant, revision, cells).instrument(info_span!("store.checkpoint")).await
    }

    async fn sweep_answers(&self, grant: &Grant<Maintenance>, now: Timestamp) -> Result<u64, StoreError> {
        self.0.sweep_answers(grant, now).await
    }

    async fn verify(&self, grant: &Grant<Maintenance>) -> Result<Verification, StoreError> {
        self.0.verify(grant).await
    }
}
