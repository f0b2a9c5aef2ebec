//! A store whose transactions are measured: the same for every kind of store.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use domain::{Activity, ActivityId, Timestamp};
use metrics::histogram;
use ports::ledger::CheckpointCells;
use ports::load::Load;
use ports::repo::ActivityWrite;
use ports::store::{Intent, ReadTx, Store, StoreError, Verification, WriteTx};
use ports::{ChainHead, Grant, Maintenance, Read, Revision, Stored, Write, metric};
use tracing::{Instrument as _, info_span};
use uuid::Uuid;

use super::tx::MeasuredTx;
use super::writing::Writing;

/// A store, with its writers counted and its calls in spans of the request's trace.
pub struct MeasuredStore(Arc<dyn Store>);

impl MeasuredStore {
    /// That store, measured.
    #[must_use]
    pub const fn new(store: Arc<dyn Store>) -> Self {
        Self(store)
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

    async fn check_room(&self, grant: &Grant<Write>, rows: u64) -> Result<(), StoreError> {
        self.0.check_room(grant, rows).await
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

    async fn renew_verdicts(&self, grant: &Grant<Maintenance>) -> Result<u64, StoreError> {
        self.0.renew_verdicts(grant).await
    }

    async fn verify(&self, grant: &Grant<Maintenance>) -> Result<Verification, StoreError> {
        self.0.verify(grant).await
    }
}
