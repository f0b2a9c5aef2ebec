//! Rows that are written in one transaction, which keeps other writers waiting until it ends.

use std::mem;

use ports::inbound::{BatchOutcome, Error, RowDraft};

use super::dry_run::DryRun;
use super::patience::Patience;
use super::tx::Tx;
use super::under_way::ActivityImport;
use crate::usecase::resolve::Resolver;

impl ActivityImport {
    /// Writes rows in the one transaction. Behind a row that is rejected rows are only looked at. Where the first rows find the store
    /// busy, which has no room for so many beside a reader for example, they are taken once more in another transaction.
    pub(super) async fn rows_at_once(&mut self, rows: &[RowDraft]) -> Result<BatchOutcome, Error> {
        if self.at_once.is_refused {
            return self.rows_dry(rows).await;
        }
        let mut patience = Patience::of(self.options.patience);
        loop {
            let are_first = self.at_once.tx().is_none();
            match self.write_at_once(rows, &mut patience).await {
                Err(Error::Busy(_)) if are_first && patience.allows_another().await => {
                    let noted = self.seen.take_noted();
                    self.seen.forget(&noted);
                }
                taken => return taken,
            }
        }
    }

    async fn write_at_once(&mut self, rows: &[RowDraft], patience: &mut Patience) -> Result<BatchOutcome, Error> {
        // Only a transaction that went well is put back.
        self.at_once.is_refused = true;
        let tx = if let Some(tx) = self.at_once.tx().take() {
            tx
        } else {
            let mut tx = self.writer().open_within(patience).await?;
            self.record.refuse_same(tx.as_mut(), self.clock.now()).await?;
            tx
        };
        let mut batch = self.batch(Tx::Write(tx), Resolver::default(), rows, &mut DryRun::default()).await?;
        batch.rows(rows, self.options.repeats, &mut self.seen, &mut self.suspicions).await?;
        let outcome = mem::take(&mut batch.outcome);
        if outcome.rejected == 0 {
            *self.at_once.tx() = batch.write().await?;
            self.at_once.is_refused = false;
        }
        self.seen.take_noted();
        self.record.count(&outcome);
        Ok(outcome)
    }
}
