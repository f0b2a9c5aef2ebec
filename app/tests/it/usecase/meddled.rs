//! A store in which somebody else writes between the transactions of a use case.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use ports::ledger::CheckpointCells;
use ports::load::Load;
use ports::store::{Intent, NoRoom, ReadTx, Store, StoreError, Verification, WriteTx};
use ports::{Grant, Maintenance, Read, Revision, Write};

/// That a transaction begins, or has begun: the first read is `Read(1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Begin {
    Read(usize),
    Write(usize),
    /// A write transaction was opened, and waits for nothing but what somebody else does.
    Opened(usize),
}

/// What somebody else does.
pub(super) type Deed = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A store in which somebody else writes before certain transactions begin.
pub(super) struct Meddled {
    store: Arc<dyn Store>,
    begun: Mutex<(usize, usize)>,
    deeds: Mutex<BTreeMap<Begin, Deed>>,
    /// Transactions that find the store busy.
    refused: Mutex<BTreeSet<Begin>>,
    /// Why many rows at once are refused.
    no_room: Option<NoRoom>,
}

impl Meddled {
    /// The store, in which somebody does that before those transactions begin.
    pub(super) fn store(store: Arc<dyn Store>, deeds: impl IntoIterator<Item = (Begin, Deed)>) -> Arc<Self> {
        let (begun, refused) = (Mutex::default(), Mutex::default());
        Arc::new(Self { store, begun, deeds: Mutex::new(deeds.into_iter().collect()), refused, no_room: None })
    }

    /// The store, which is busy when those transactions begin.
    pub(super) fn busy(store: Arc<dyn Store>, refused: impl IntoIterator<Item = Begin>) -> Arc<Self> {
        let (begun, deeds) = (Mutex::default(), Mutex::default());
        Arc::new(Self { store, begun, deeds, refused: Mutex::new(refused.into_iter().collect()), no_room: None })
    }

    /// The store on a disk without room for many rows at once.
    pub(super) fn without_room(store: Arc<dyn Store>, no_room: NoRoom) -> Arc<Self> {
        let (begun, deeds, refused) = (Mutex::default(), Mutex::default(), Mutex::default());
        Arc::new(Self { store, begun, deeds, refused, no_room: Some(no_room) })
    }

    /// Whether all of it was done.
    pub(super) fn is_done(&self) -> bool {
        self.deeds.lock().unwrap().is_empty() && self.refused.lock().unwrap().is_empty()
    }

    async fn meddle(&self, begin: Begin) -> Result<(), StoreError> {
        let deed = self.deeds.lock().unwrap().remove(&begin);
        if let Some(deed) = deed {
            deed.await;
        }
        if self.refused.lock().unwrap().remove(&begin) { Err(StoreError::Busy(None)) } else { Ok(()) }
    }
}

#[async_trait]
impl Store for Meddled {
    async fn read(&self, grant: &Grant<Read>) -> Result<Box<dyn ReadTx>, StoreError> {
        let number = count(&mut self.begun.lock().unwrap().0);
        self.meddle(Begin::Read(number)).await?;
        self.store.read(grant).await
    }

    async fn write(&self, grant: &Grant<Write>, intent: Intent) -> Result<Box<dyn WriteTx>, StoreError> {
        let number = count(&mut self.begun.lock().unwrap().1);
        self.meddle(Begin::Write(number)).await?;
        let tx = self.store.write(grant, intent).await?;
        self.meddle(Begin::Opened(number)).await?;
        Ok(tx)
    }

    async fn check_room(&self, grant: &Grant<Write>, rows: u64) -> Result<(), StoreError> {
        match self.no_room {
            Some(no_room) => Err(StoreError::Failed(Box::new(NoRoom { rows, ..no_room }))),
            None => self.store.check_room(grant, rows).await,
        }
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

fn count(number: &mut usize) -> usize {
    *number += 1;
    *number
}
