//! What is stored of an import as a batch with a name, in the transactions that write its rows.

use domain::Timestamp;
use ports::ImportId;
use ports::import_batch::{ImportBatch, ImportState};
use ports::inbound::{BatchOutcome, Error, ImportOptions};
use ports::store::{ReadTx, WriteTx};

use super::same::refuse_same;

/// An import as it is stored, or will be with its next rows.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) batch: ImportBatch,
    /// What it was begun with.
    options: ImportOptions,
    /// Whether a transaction stored it.
    is_stored: bool,
}

impl Record {
    /// An import that begins.
    pub(super) fn begin(id: ImportId, actor: String, now: Timestamp, options: &ImportOptions) -> Self {
        let batch = ImportBatch::begin(id, options.name.clone(), actor, now, options.hash);
        Self { batch: ImportBatch { reading: options.reading, ..batch }, options: options.clone(), is_stored: false }
    }

    /// Counts what became of more rows.
    pub(super) fn count(&mut self, outcome: &BatchOutcome) {
        let counts = &mut self.batch.counts;
        counts.created += outcome.created;
        counts.updated += outcome.updated;
        counts.unchanged += outcome.unchanged;
        counts.rejected += outcome.rejected;
        counts.warnings += outcome.warned();
    }

    /// Whether rows were counted or written.
    pub(super) fn is_empty(&self) -> bool {
        let counts = self.batch.counts;
        !self.is_stored && counts.created + counts.updated + counts.unchanged + counts.rejected == 0
    }

    /// Whether activities were written so far.
    pub(super) const fn has_written(&self) -> bool {
        self.batch.counts.created + self.batch.counts.updated > 0
    }

    /// Notes that the change of that number is one of its own.
    pub(super) fn note_change(&mut self, number: u64) {
        let first = self.batch.changes.map_or(number, |(first, _)| first);
        self.batch.changes = Some((first, number));
    }

    /// Stores it in a transaction of that moment.
    pub(super) async fn put(&mut self, tx: &mut dyn WriteTx, now: Timestamp) -> Result<(), Error> {
        self.batch.updated = now;
        tx.imports_mut().put(self.batch.clone()).await?;
        self.is_stored = true;
        Ok(())
    }

    /// Refuses to store it for the first time where the same file was imported meanwhile.
    pub(super) async fn refuse_same(&self, tx: &mut dyn ReadTx, now: Timestamp) -> Result<(), Error> {
        if self.is_stored { Ok(()) } else { refuse_same(tx, &self.options, now).await }
    }

    /// Whether it goes on: it was not undone since its last rows. Where a commit whose end was not known was made, what it
    /// stored counts.
    pub(super) async fn goes_on(&mut self, tx: &mut dyn WriteTx) -> Result<bool, Error> {
        let Some(stored) = tx.imports().find(self.batch.id).await? else { return Ok(!self.is_stored) };
        if stored.changes > self.batch.changes {
            self.batch.counts = stored.counts;
            self.batch.changes = stored.changes;
        }
        self.is_stored = true;
        Ok(stored.state == ImportState::Running)
    }
}

/// Refuses to import while an import of the tenant is being undone: what it has not taken back yet is there to be found, and
/// would be gone behind rows that say it is as they are.
pub(super) async fn refuse_beside_undoing(tx: &mut dyn ReadTx) -> Result<(), Error> {
    let Some(batch) = tx.imports().undoing().await?.pop() else { return Ok(()) };
    let detail = format!(
        "import {} ({}) is being undone; import again once it is. Where its undoing was broken off, undo it again",
        batch.id, batch.name
    );
    Err(Error::Conflict { pointer: String::new(), detail })
}

/// That an import was undone while its rows were written.
pub(super) fn undone() -> Error {
    let detail = "the import was undone while it ran: nothing more of it is written; import the file again".to_owned();
    Error::Conflict { pointer: String::new(), detail }
}
