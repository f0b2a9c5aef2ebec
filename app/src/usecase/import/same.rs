//! Whether a file was imported already, or is being imported: the same bytes, read in the same way.

use domain::{Digest, Timestamp};
use ports::import_batch::{ImportBatch, ImportState};
use ports::inbound::{Error, ImportOptions, SameFile};
use ports::store::{ReadTx, StoreError};

/// Of the imports of a file with that digest that was read in that way, one that took rows, else one that is running.
pub(super) async fn same_file(
    tx: &mut dyn ReadTx,
    (hash, reading): (Digest, Option<Digest>),
    now: Timestamp,
) -> Result<Option<ImportBatch>, StoreError> {
    let found = tx.imports().with_hash(hash).await?;
    let took_rows = |batch: &ImportBatch| {
        let counts = batch.counts;
        counts.created + counts.updated + counts.unchanged > 0
    };
    let same = found.into_iter().filter(|batch| batch.reading == reading);
    let mut running = None;
    for batch in same.map(|batch| ImportBatch { state: batch.state_at(now), ..batch }) {
        match batch.state {
            ImportState::Done if took_rows(&batch) => return Ok(Some(batch)),
            ImportState::Running if running.is_none() => running = Some(batch),
            ImportState::Done
            | ImportState::Running
            | ImportState::BrokenOff
            | ImportState::Undoing
            | ImportState::Undone => {}
        }
    }
    Ok(running)
}

/// Refuses to begin an import where the same file was imported already, if that is asked for: in the transaction that is to
/// write its first rows, so that of two that begin at the same moment only one is written.
pub(super) async fn refuse_same(tx: &mut dyn ReadTx, options: &ImportOptions, now: Timestamp) -> Result<(), Error> {
    let (SameFile::Refused, Some(hash)) = (options.same_file, options.hash) else { return Ok(()) };
    let Some(ImportBatch { id, begun, state, .. }) = same_file(tx, (hash, options.reading), now).await? else {
        return Ok(());
    };
    let is = if state == ImportState::Running { "is being imported" } else { "was imported" };
    let detail =
        format!("the same file {is} as import {id} of {begun}, which began meanwhile; nothing of this one is written");
    Err(Error::Conflict { pointer: String::new(), detail })
}
