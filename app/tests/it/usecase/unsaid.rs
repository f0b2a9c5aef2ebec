//! A store whose commit is made, and whose answer is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use ports::store::{Intent, ReadTx, Store, StoreError, WriteTx};
use ports::{ChainHead, Grant, Write};

use super::wrapped::{Change, Wrapped};

/// Of a store's write transactions one commits and says that it does not know.
pub(super) struct Unsaid {
    /// Which one, counted from 1.
    nth: usize,
    begun: AtomicUsize,
}

impl Unsaid {
    /// The store, of which that write transaction, counted from 1, commits and says that it does not know.
    pub(super) fn store(below: Arc<dyn Store>, nth: usize) -> Arc<Wrapped<Self>> {
        Arc::new(Wrapped { below, change: Self { nth, begun: AtomicUsize::new(0) } })
    }
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
impl Change for Unsaid {
    async fn write(
        &self,
        below: &dyn Store,
        grant: &Grant<Write>,
        intent: Intent,
    ) -> Result<Box<dyn WriteTx>, StoreError> {
        let tx = below.write(grant, intent).await?;
        let is_it = self.begun.fetch_add(1, Ordering::Relaxed) + 1 == self.nth;
        Ok(if is_it { Box::new(Silent(tx)) } else { tx })
    }
}
