//! Building rows in a snapshot, and writing them until they are written.

use std::mem;
use std::sync::Arc;

use ports::inbound::{BatchOutcome, Error, RowDraft};
use ports::store::{Intent, ReadTx, StoreError};

use super::batch::Batch;
use super::built::Built;
use super::dry_run::{DryRun, Left};
use super::last_year;
use super::patience::Patience;
use super::pending::{Ended, Pending, Unwritten, Why, Writer};
use super::record::{self, Record};
use super::tx::Tx;
use super::under_way::ActivityImport;
use crate::usecase::report::snapshot;
use crate::usecase::resolve::Resolver;

/// How often a batch that other writers overtook is built in a snapshot again.
const ATTEMPTS: usize = 3;

impl ActivityImport {
    /// Builds what the rows come to, in a snapshot.
    pub(super) async fn build(&mut self, rows: &[RowDraft]) -> Result<Built, Error> {
        let mut tx = self.snapshot().await?;
        let head = tx.head().await?;
        let resolver = self.resolver.take().filter(|(of, _)| of.has_catalog_of(&head)).map(|(_, resolver)| resolver);
        let mut batch = self.batch(Tx::Read(tx), resolver.unwrap_or_default(), rows, &mut DryRun::default()).await?;
        batch.rows(rows, self.options.repeats, &mut self.seen, &mut self.suspicions).await?;
        let (built, resolver) = batch.into_built(head, self.seen.take_noted());
        self.resolver = resolver.map(|resolver| (head, resolver));
        Ok(built)
    }

    /// Builds what the rows would come to behind those before them.
    pub(super) async fn build_dry(&mut self, rows: &[RowDraft]) -> Result<(BatchOutcome, Left), Error> {
        let tx = Tx::Read(self.snapshot().await?);
        let mut dry_run = mem::take(&mut self.dry_run);
        let resolver = dry_run.resolver();
        let mut batch = self.batch(tx, resolver, rows, &mut dry_run).await?;
        batch.rows(rows, self.options.repeats, &mut self.seen, &mut self.suspicions).await?;
        // Nobody overtakes what is not written.
        self.seen.take_noted();
        let outcome = mem::take(&mut batch.outcome);
        let left = batch.into_left();
        self.dry_run = dry_run;
        Ok((outcome, left))
    }

    /// Warns of series that come to many times what they came to the year before. Rows are written whether that can be read
    /// or not.
    pub(super) async fn compare_years(&mut self) {
        let changes = self.suspicions.changes();
        let Some(read_models) = self.read_models.as_ref().filter(|_| !changes.is_empty()) else { return };
        if let Ok((_, read_model)) = snapshot(self.store.as_ref(), read_models, &self.grant.to_read()).await {
            self.ended.warnings.extend(last_year::warnings(&read_model, changes, self.options.outcome));
        }
    }

    async fn snapshot(&self) -> Result<Box<dyn ReadTx>, Error> {
        let mut patience = Patience::of(self.options.patience);
        loop {
            match self.store.read(&self.grant.to_read()).await {
                Err(StoreError::Busy(_)) if patience.allows_another().await => {}
                opened => return Ok(opened?),
            }
        }
    }

    pub(super) async fn batch(
        &self,
        tx: Tx,
        resolver: Resolver,
        rows: &[RowDraft],
        dry_run: &mut DryRun,
    ) -> Result<Batch, Error> {
        let choosing = self.chooser.begin(self.grant.to_read());
        Batch::open(tx, (resolver, choosing), Arc::clone(&self.ids), self.clock.now(), rows, self.making, dry_run).await
    }

    /// Waits for the batch that is being written, and keeps what became of its rows until it is said.
    pub(super) async fn settle(&mut self) -> Result<(), Error> {
        let Some(pending) = self.pending.take() else { return Ok(()) };
        let ended = pending.end().await;
        // What was sent may be stored: how the import ended is looked for there.
        self.is_in_doubt |= matches!(ended, Err(Error::Unknown(_)));
        let outcome = match ended? {
            Ended::Written(written, turn) => {
                let (outcome, record) = *written;
                self.take(record);
                self.turn_size = turn.map_or(self.turn_size, |turn| self.turn_size.after(turn));
                outcome
            }
            Ended::Unwritten(unwritten) => self.write_again(unwritten).await?,
        };
        self.ended.add(outcome);
        Ok(())
    }

    /// Takes the record as the last transaction left it.
    fn take(&mut self, record: Record) {
        let hash = self.record.batch.hash;
        self.record = record;
        self.record.batch.hash = hash;
    }

    /// Builds rows once more, and writes them: where other writers overtake them again and again, in a transaction that keeps
    /// all others waiting.
    async fn write_again(&mut self, mut unwritten: Unwritten) -> Result<BatchOutcome, Error> {
        let (mut patience, mut overtaken) = (Patience::of(self.options.patience), 0);
        let rows = loop {
            let Unwritten { rows, noted, why } = unwritten;
            self.seen.forget(&noted);
            match why {
                Why::Overtaken if overtaken == ATTEMPTS => break rows,
                Why::Overtaken => overtaken += 1,
                Why::Busy(error) => {
                    if !patience.allows_another().await {
                        return Err(error);
                    }
                }
                Why::Undone => return Err(record::undone()),
                Why::Same(error) => return Err(error),
            }
            let built = self.build(&rows).await?;
            let ended = Pending::begin(self.writer(), rows, built).end().await;
            self.is_in_doubt |= matches!(ended, Err(Error::Unknown(_)));
            match ended? {
                Ended::Written(written, _) => {
                    let (outcome, record) = *written;
                    self.take(record);
                    return Ok(outcome);
                }
                Ended::Unwritten(again) => unwritten = again,
            }
        };
        let mut tx = self.writer().open().await?;
        if !self.record.goes_on(tx.as_mut()).await? {
            return Err(record::undone());
        }
        self.record.refuse_same(tx.as_mut(), self.clock.now()).await?;
        let mut batch = self.batch(Tx::Write(tx), Resolver::default(), &rows, &mut DryRun::default()).await?;
        batch.rows(&rows, self.options.repeats, &mut self.seen, &mut self.suspicions).await?;
        self.seen.take_noted();
        let outcome = mem::take(&mut batch.outcome);
        let mut record = self.record.clone();
        record.count(&outcome);
        if let Some(mut tx) = batch.write().await? {
            if record.has_written() {
                record.note_change(tx.number());
            }
            record.put(tx.as_mut(), self.clock.now()).await?;
            let committed = tx.commit().await;
            self.is_in_doubt |= matches!(committed, Err(StoreError::Unknown(_)));
            committed?;
        }
        self.take(record);
        Ok(outcome)
    }

    pub(super) fn writer(&self) -> Writer {
        let intent = Intent { at: self.clock.now(), cause: self.record.batch.cause() };
        Writer::of(&self.store, &self.grant, intent, self.record.clone(), self.options.patience)
    }
}
