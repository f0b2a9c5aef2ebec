//! A batch that is being written, while the next one is built.

use std::sync::Arc;

use ports::inbound::{BatchOutcome, Error, RowDraft};
use ports::repo::ActivityWrite;
use ports::store::{Intent, Store, StoreError, WriteTx};
use ports::{ChainHead, Grant, Write};
use tokio::task::JoinHandle;

use super::batch::Built;
use super::nodes::MadeNodes;
use super::patience::Patience;
use super::seen::Key;

/// What a batch is written with.
pub(super) struct Writer {
    store: Arc<dyn Store>,
    grant: Grant<Write>,
    intent: Intent,
}

/// A batch that is being written.
pub(super) struct Pending {
    /// Its rows, to be built once more if another writer overtakes it.
    rows: Vec<RowDraft>,
    /// What they noted of what they are about.
    noted: Vec<Key>,
    outcome: BatchOutcome,
    makes_nodes: bool,
    writing: JoinHandle<Result<Option<Why>, Error>>,
}

/// How a batch ended.
pub(super) enum Ended {
    /// It is written, and this is what became of its rows.
    Written(BatchOutcome),
    /// Nothing of its rows is written.
    Unwritten(Unwritten),
}

/// Rows to be built once more.
pub(super) struct Unwritten {
    pub(super) rows: Vec<RowDraft>,
    /// What they noted of what they are about, which is to be forgotten.
    pub(super) noted: Vec<Key>,
    pub(super) why: Why,
}

/// Why rows were not written.
pub(super) enum Why {
    /// What they were built from has changed since.
    Overtaken,
    /// They lost their turn, or the store has no room for so many at the moment.
    Busy(Error),
}

impl Writer {
    pub(super) fn of(store: &Arc<dyn Store>, grant: &Grant<Write>, intent: Intent) -> Self {
        Self { store: Arc::clone(store), grant: grant.clone(), intent }
    }

    /// Waits for a turn, longer than other writers do.
    pub(super) async fn open(self) -> Result<Box<dyn WriteTx>, StoreError> {
        let Self { store, grant, intent } = self;
        let mut patience = Patience::new();
        loop {
            match store.write(&grant, intent.clone()).await {
                Err(StoreError::Busy(_)) if patience.allows_another().await => {}
                opened => return opened,
            }
        }
    }

    /// Writes the batch, if the catalog is still that which it was built in; else says why not.
    async fn write(self, since: ChainHead, nodes: MadeNodes, writes: Vec<ActivityWrite>) -> Result<Option<Why>, Error> {
        match put(self.open().await?, since, nodes, writes).await {
            Ok(()) => Ok(None),
            Err(Error::Stale | Error::Conflict { .. }) => Ok(Some(Why::Overtaken)),
            Err(error @ Error::Busy(_)) => Ok(Some(Why::Busy(error))),
            Err(error) => Err(error),
        }
    }
}

async fn put(
    mut tx: Box<dyn WriteTx>,
    since: ChainHead,
    nodes: MadeNodes,
    writes: Vec<ActivityWrite>,
) -> Result<(), Error> {
    if !tx.head().await?.has_catalog_of(&since) {
        return Err(Error::Stale);
    }
    for org in nodes.orgs {
        tx.orgs_mut().add(org).await?;
    }
    for taxonomy in nodes.taxonomies {
        tx.taxonomies_mut().add(taxonomy).await?;
    }
    if !writes.is_empty() {
        tx.activities_mut().put_all(writes).await?;
    }
    tx.commit().await?;
    Ok(())
}

impl Pending {
    /// Begins to write a batch.
    pub(super) fn begin(writer: Writer, rows: Vec<RowDraft>, built: Built) -> Self {
        let Built { since, nodes, writes, noted, outcome } = built;
        let makes_nodes = !nodes.is_empty();
        let is_empty = writes.is_empty() && !makes_nodes;
        let writing =
            tokio::spawn(async move { if is_empty { Ok(None) } else { writer.write(since, nodes, writes).await } });
        Self { rows, noted, outcome, makes_nodes, writing }
    }

    /// Whether it makes nodes that rows behind it may name.
    pub(super) const fn makes_nodes(&self) -> bool {
        self.makes_nodes
    }

    /// Waits until it is written.
    pub(super) async fn end(self) -> Result<Ended, Error> {
        let Self { rows, noted, outcome, writing, .. } = self;
        Ok(match writing.await.map_err(|error| Error::Failed(Box::new(error)))?? {
            None => Ended::Written(outcome),
            Some(why) => Ended::Unwritten(Unwritten { rows, noted, why }),
        })
    }
}
