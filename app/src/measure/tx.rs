//! A write transaction whose end is measured. What it reads and writes goes to the store's own.

use async_trait::async_trait;
use ports::ChainHead;
use ports::store::{ReadTx, StoreError, WriteTx};
use tracing::{Instrument as _, info_span};

use super::writing::Writing;

pub(super) struct MeasuredTx {
    tx: Box<dyn WriteTx>,
    writing: Writing,
}

impl MeasuredTx {
    pub(super) fn new(tx: Box<dyn WriteTx>, writing: Writing) -> Self {
        Self { tx, writing }
    }
}

#[async_trait]
impl ReadTx for MeasuredTx {
    async fn head(&mut self) -> Result<ChainHead, StoreError> {
        self.tx.head().await
    }

    ports::reader_accessors!(tx);
}

#[async_trait]
impl WriteTx for MeasuredTx {
    fn number(&self) -> u64 {
        self.tx.number()
    }

    ports::writer_accessors!(tx);

    fn others_wait(&mut self) -> bool {
        self.tx.others_wait()
    }

    async fn commit(self: Box<Self>) -> Result<ChainHead, StoreError> {
        let Self { tx, writing } = *self;
        let ended = tx.commit().instrument(info_span!("store.commit")).await;
        writing.end(&ended);
        ended
    }
}
