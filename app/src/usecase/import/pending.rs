//! A batch that is being written, while the next one is built.

use std::sync::Arc;
use std::time::Instant;

use domain::Timestamp;
use ports::inbound::{BatchOutcome, Error, ImportPatience, RowDraft};
use ports::store::{Intent, Store, StoreError, WriteTx};
use ports::{ChainHead, Grant, Write};
use tokio::task::JoinHandle;

use super::built::{Built, RowWrite, put_rows};
use super::nodes::MadeNodes;
use super::patience::Patience;
use super::record::{Record, refuse_beside_undoing};
use super::seen::Key;
use super::turn::Turn;

/// What a batch is written with.
pub(super) struct Writer {
    store: Arc<dyn Store>,
    grant: Grant<Write>,
    intent: Intent,
    record: Record,
    patience: ImportPatience,
}

/// A batch that is being written.
pub(super) struct Pending {
    /// Its rows, to be built once more if another writer overtakes it.
    rows: Vec<RowDraft>,
    /// What they noted of what they are about.
    noted: Vec<Key>,
    outcome: BatchOutcome,
    makes_nodes: bool,
    writing: JoinHandle<Result<Result<Written, Why>, Error>>,
}

/// What is so once a batch is written.
struct Written {
    record: Record,
    /// The turn that it took; `None` where nothing had to be written.
    turn: Option<Turn>,
}

/// How a batch ended.
pub(super) enum Ended {
    /// It is written, and this is what became of its rows and of the import, in that turn.
    Written(Box<(BatchOutcome, Record)>, Option<Turn>),
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
    /// What the import wrote before was taken back.
    Undone,
    /// The same file was imported meanwhile.
    Same(Error),
}

impl Writer {
    pub(super) fn of(
        store: &Arc<dyn Store>,
        grant: &Grant<Write>,
        intent: Intent,
        record: Record,
        patience: ImportPatience,
    ) -> Self {
        Self { store: Arc::clone(store), grant: grant.clone(), intent, record, patience }
    }

    /// Waits for a turn, as long as the import does.
    pub(super) async fn open(self) -> Result<Box<dyn WriteTx>, StoreError> {
        let mut patience = Patience::of(self.patience);
        self.open_within(&mut patience).await
    }

    /// Waits for a turn while that patience lasts.
    pub(super) async fn open_within(self, patience: &mut Patience) -> Result<Box<dyn WriteTx>, StoreError> {
        let Self { store, grant, intent, .. } = self;
        loop {
            match store.write(&grant, intent.clone()).await {
                Err(StoreError::Busy(_)) if patience.allows_another().await => {}
                opened => return opened,
            }
        }
    }

    /// Waits for a turn no longer than other writers do.
    pub(super) async fn open_at_once(self) -> Result<Box<dyn WriteTx>, StoreError> {
        self.store.write(&self.grant, self.intent).await
    }

    /// Writes the batch, if the catalog is still that which it was built in; else says why not.
    async fn write(
        self,
        since: ChainHead,
        nodes: MadeNodes,
        writes: Vec<RowWrite>,
    ) -> Result<Result<Written, Why>, Error> {
        let (record, now, rows) = (self.record.clone(), self.intent.at, writes.len());
        let tx = self.open().await?;
        let begin = Instant::now();
        match put(tx, since, nodes, writes, record, now).await {
            Ok(put) => Ok(put.map(|(record, others_wait)| {
                let turn = Turn { rows, time: begin.elapsed(), others_wait };
                Written { record, turn: Some(turn) }
            })),
            // Where an import is being undone, building them again says so.
            Err(Error::Stale | Error::Conflict { .. }) => Ok(Err(Why::Overtaken)),
            Err(error @ Error::Busy(_)) => Ok(Err(Why::Busy(error))),
            Err(error) => Err(error),
        }
    }
}

/// Writes rows, and the import with them, and says whether others waited for that; unless it was undone meanwhile or the same
/// file was imported.
async fn put(
    mut tx: Box<dyn WriteTx>,
    since: ChainHead,
    nodes: MadeNodes,
    writes: Vec<RowWrite>,
    mut record: Record,
    now: Timestamp,
) -> Result<Result<(Record, bool), Why>, Error> {
    if !tx.head().await?.has_catalog_of(&since) {
        return Err(Error::Stale);
    }
    if !record.goes_on(tx.as_mut()).await? {
        return Ok(Err(Why::Undone));
    }
    if let Err(same) = record.refuse_same(tx.as_mut(), now).await {
        return if matches!(same, Error::Conflict { .. }) { Ok(Err(Why::Same(same))) } else { Err(same) };
    }
    refuse_beside_undoing(tx.as_mut()).await?;
    put_rows(tx.as_mut(), nodes, writes).await?;
    record.note_change(tx.number());
    record.put(tx.as_mut(), now).await?;
    let others_wait = tx.others_wait();
    tx.commit().await?;
    Ok(Ok((record, others_wait)))
}

impl Pending {
    /// Begins to write a batch.
    pub(super) fn begin(mut writer: Writer, rows: Vec<RowDraft>, built: Built) -> Self {
        let Built { since, nodes, writes, noted, outcome } = built;
        writer.record.count(&outcome);
        let makes_nodes = !nodes.is_empty();
        let is_empty = writes.is_empty() && !makes_nodes;
        let writing = tokio::spawn(async move {
            if is_empty {
                Ok(Ok(Written { record: writer.record, turn: None }))
            } else {
                writer.write(since, nodes, writes).await
            }
        });
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
            Ok(Written { record, turn }) => Ended::Written(Box::new((outcome, record)), turn),
            Err(why) => Ended::Unwritten(Unwritten { rows, noted, why }),
        })
    }
}
