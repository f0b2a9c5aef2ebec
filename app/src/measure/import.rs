//! An import whose rows are counted.

use async_trait::async_trait;
use domain::Digest;
use metrics::counter;
use ports::inbound::{BatchOutcome, Error, Import, Outcome, RowDraft};
use ports::{ImportId, metric};

/// An import of activities, counted by what becomes of its rows. One that writes nothing is not counted.
pub(crate) struct MeasuredImport {
    import: Box<dyn Import>,
    outcome: Outcome,
    /// Rows whose end is said, but not known before the import's: all or none are written.
    held: Rows,
    is_ended: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Rows {
    created: u64,
    updated: u64,
    unchanged: u64,
    rejected: u64,
}

impl Rows {
    fn add(&mut self, outcome: &BatchOutcome) {
        self.created += outcome.created;
        self.updated += outcome.updated;
        self.unchanged += outcome.unchanged;
        self.rejected += outcome.rejected;
    }

    fn count(self) {
        let Self { created, updated, unchanged, rejected } = self;
        let rows = [("created", created), ("updated", updated), ("unchanged", unchanged), ("rejected", rejected)];
        for (outcome, rows) in rows {
            counter!(metric::IMPORT_ROWS.name, "outcome" => outcome).increment(rows);
        }
    }
}

impl MeasuredImport {
    pub(crate) fn new(import: Box<dyn Import>, outcome: Outcome) -> Self {
        Self { import, outcome, held: Rows::default(), is_ended: outcome == Outcome::Nothing }
    }

    fn rows_ended(&mut self, outcome: &BatchOutcome) {
        self.held.add(outcome);
        if self.outcome == Outcome::KeepGood {
            std::mem::take(&mut self.held).count();
        }
    }

    fn ended(&mut self, how: &'static str) {
        if self.is_ended {
            return;
        }
        self.is_ended = true;
        if self.outcome == Outcome::AllOrNothing {
            // One rejected row keeps all others from being written.
            let rejected = self.held.rejected;
            let is_written = how == "done" && rejected == 0;
            if is_written { self.held } else { Rows { rejected, ..Rows::default() } }.count();
        }
        counter!(metric::IMPORTS.name, "outcome" => how).increment(1);
    }
}

#[async_trait]
impl Import for MeasuredImport {
    fn id(&self) -> Option<ImportId> {
        self.import.id()
    }

    fn hashed(&mut self, hash: Digest) {
        self.import.hashed(hash);
    }

    async fn check_room(&mut self, rows: u64) -> Result<(), Error> {
        self.import.check_room(rows).await
    }

    async fn rows(&mut self, rows: Vec<RowDraft>) -> Result<BatchOutcome, Error> {
        let taken = self.import.rows(rows).await;
        if let Ok(outcome) = &taken {
            self.rows_ended(outcome);
        }
        taken
    }

    async fn finish(&mut self) -> Result<BatchOutcome, Error> {
        let finished = self.import.finish().await;
        if let Ok(outcome) = &finished {
            self.rows_ended(outcome);
        }
        self.ended(if finished.is_ok() { "done" } else { "failed" });
        finished
    }

    async fn break_off(&mut self) -> Result<BatchOutcome, Error> {
        let broken = self.import.break_off().await;
        if let Ok(outcome) = &broken {
            self.rows_ended(outcome);
        }
        self.ended("broken_off");
        broken
    }
}

impl Drop for MeasuredImport {
    fn drop(&mut self) {
        self.ended("broken_off");
    }
}
