//! A store in which somebody else writes between the transactions of a use case.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use ports::store::{Intent, NoRoom, ReadTx, Store, StoreError, WriteTx};
use ports::{Grant, Read, Write};

use super::wrapped::{Change, Wrapped};

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

/// Somebody else writes in a store before certain transactions begin.
#[derive(Default)]
pub(super) struct Meddled {
    begun: Mutex<(usize, usize)>,
    deeds: Mutex<BTreeMap<Begin, Deed>>,
    /// Transactions that find the store busy.
    refused: Mutex<BTreeSet<Begin>>,
    /// Why many rows at once are refused.
    no_room: Option<NoRoom>,
}

impl Meddled {
    /// The store, in which somebody does that before those transactions begin.
    pub(super) fn store(below: Arc<dyn Store>, deeds: impl IntoIterator<Item = (Begin, Deed)>) -> Arc<Wrapped<Self>> {
        let deeds = Mutex::new(deeds.into_iter().collect());
        Arc::new(Wrapped { below, change: Self { deeds, ..Self::default() } })
    }

    /// The store, which is busy when those transactions begin.
    pub(super) fn busy(below: Arc<dyn Store>, refused: impl IntoIterator<Item = Begin>) -> Arc<Wrapped<Self>> {
        let refused = Mutex::new(refused.into_iter().collect());
        Arc::new(Wrapped { below, change: Self { refused, ..Self::default() } })
    }

    /// The store on a disk without room for many rows at once.
    pub(super) fn without_room(below: Arc<dyn Store>, no_room: NoRoom) -> Arc<Wrapped<Self>> {
        Arc::new(Wrapped { below, change: Self { no_room: Some(no_room), ..Self::default() } })
    }

    async fn meddle(&self, begin: Begin) -> Result<(), StoreError> {
        let deed = self.deeds.lock().unwrap().remove(&begin);
        if let Some(deed) = deed {
            deed.await;
        }
        if self.refused.lock().unwrap().remove(&begin) { Err(StoreError::Busy(None)) } else { Ok(()) }
    }
}

impl Wrapped<Meddled> {
    /// Whether all of it was done.
    pub(super) fn is_done(&self) -> bool {
        let Meddled { deeds, refused, .. } = &self.change;
        deeds.lock().unwrap().is_empty() && refused.lock().unwrap().is_empty()
    }
}

#[async_trait]
impl Change for Meddled {
    async fn read(&self, below: &dyn Store, grant: &Grant<Read>) -> Result<Box<dyn ReadTx>, StoreError> {
        let number = count(&mut self.begun.lock().unwrap().0);
        self.meddle(Begin::Read(number)).await?;
        below.read(grant).await
    }

    async fn write(
        &self,
        below: &dyn Store,
        grant: &Grant<Write>,
        intent: Intent,
    ) -> Result<Box<dyn WriteTx>, StoreError> {
        let number = count(&mut self.begun.lock().unwrap().1);
        self.meddle(Begin::Write(number)).await?;
        let tx = below.write(grant, intent).await?;
        self.meddle(Begin::Opened(number)).await?;
        Ok(tx)
    }

    async fn check_room(&self, below: &dyn Store, grant: &Grant<Write>, rows: u64) -> Result<(), StoreError> {
        match self.no_room {
            Some(no_room) => Err(StoreError::Failed(Box::new(NoRoom { rows, ..no_room }))),
            None => below.check_room(grant, rows).await,
        }
    }
}

fn count(number: &mut usize) -> usize {
    *number += 1;
    *number
}
