//! An import under way: rows come in, and are written in one of three ways.

use std::mem;
use std::sync::Arc;

use async_trait::async_trait;
use domain::Digest;
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::import_batch::ImportState;
use ports::inbound::{BatchOutcome, Error, Import, ImportOptions, Outcome, Repeats, RowDraft};
use ports::store::Store;
use ports::{ChainHead, Grant, ImportId, Write};

use super::at_once::AtOnce;
use super::dry_run::DryRun;
use super::nodes::Making;
use super::pending::Pending;
use super::record::{self, Record};
use super::seen::Seen;
use super::suspicion::Suspicions;
use super::turn::TurnSize;
use crate::usecase::published::Chooser;
use crate::usecase::read_model::ReadModels;
use crate::usecase::resolve::Resolver;

/// An import under way.
pub(super) struct ActivityImport {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn Ids>,
    /// What chooses published factors by the rules of products.
    pub(super) chooser: Arc<Chooser>,
    pub(super) grant: Grant<Write>,
    pub(super) making: Making,
    pub(super) options: ImportOptions,
    /// What is stored of it.
    pub(super) record: Record,
    /// What the rows so far are about.
    pub(super) seen: Seen,
    /// What of the rows so far looks wrong.
    pub(super) suspicions: Suspicions,
    /// What the amounts of the year before are read from.
    pub(super) read_models: Option<Arc<ReadModels>>,
    /// What the rows so far would have left, where nothing is written.
    pub(super) dry_run: DryRun,
    /// What references led to in the catalog of that head.
    pub(super) resolver: Option<(ChainHead, Resolver)>,
    /// The batch that is being written.
    pub(super) pending: Option<Pending>,
    /// How many rows are written at a time.
    pub(super) turn_size: TurnSize,
    /// Where all rows are written, or none.
    pub(super) at_once: AtOnce,
    /// What became of rows and was not said yet.
    pub(super) ended: BatchOutcome,
    /// How it ended, once that is so.
    pub(super) end: Option<ImportState>,
    /// Whether that is stored, or nothing is to be.
    is_closed: bool,
    /// Whether a commit was made of which nobody knows the outcome.
    pub(super) is_in_doubt: bool,
}

/// What an import works with.
pub(super) type Means = (Arc<dyn Store>, Arc<dyn Clock>, Arc<dyn Ids>, Arc<Chooser>);

#[async_trait]
impl Import for ActivityImport {
    fn id(&self) -> Option<ImportId> {
        (self.options.outcome != Outcome::Nothing).then_some(self.record.batch.id)
    }

    fn hashed(&mut self, hash: Digest) {
        self.record.batch.hash = Some(hash);
    }

    async fn check_room(&mut self, rows: u64) -> Result<(), Error> {
        match self.options.outcome {
            Outcome::AllOrNothing => Ok(self.store.check_room(&self.grant, rows).await?),
            Outcome::KeepGood | Outcome::Nothing => Ok(()),
        }
    }

    async fn rows(&mut self, rows: Vec<RowDraft>) -> Result<BatchOutcome, Error> {
        let taken = match self.options.outcome {
            Outcome::Nothing => self.rows_dry(&rows).await,
            Outcome::AllOrNothing => self.rows_at_once(&rows).await,
            Outcome::KeepGood => self.rows_in_turn(rows).await,
        };
        if taken.is_err() {
            self.end = Some(ImportState::BrokenOff);
        }
        taken
    }

    async fn finish(&mut self) -> Result<BatchOutcome, Error> {
        self.end_as(ImportState::Done).await
    }

    async fn break_off(&mut self) -> Result<BatchOutcome, Error> {
        self.end_as(ImportState::BrokenOff).await
    }
}

impl ActivityImport {
    /// An import that begins, with its store, clock and identifiers.
    pub(super) fn begin(
        (store, clock, ids, chooser): Means,
        read_models: Option<Arc<ReadModels>>,
        grant: Grant<Write>,
        making: Making,
        options: ImportOptions,
    ) -> Self {
        let now = clock.now();
        let id = ImportId::new(ids.next(now));
        let record = Record::begin(id, grant.actor().to_owned(), now, &options);
        Self {
            store,
            clock,
            ids,
            chooser,
            grant,
            making,
            options,
            record,
            seen: Seen::default(),
            suspicions: Suspicions::default(),
            read_models,
            dry_run: DryRun::default(),
            resolver: None,
            pending: None,
            turn_size: TurnSize::default(),
            at_once: AtOnce::default(),
            ended: BatchOutcome::default(),
            end: None,
            is_closed: false,
            is_in_doubt: false,
        }
    }

    pub(super) async fn rows_dry(&mut self, rows: &[RowDraft]) -> Result<BatchOutcome, Error> {
        let (outcome, left) = self.build_dry(rows).await?;
        self.dry_run.note(left, self.options.repeats);
        Ok(outcome)
    }

    /// Writes rows in as many turns as it takes.
    async fn rows_in_turn(&mut self, mut rows: Vec<RowDraft>) -> Result<BatchOutcome, Error> {
        loop {
            let behind = rows.split_off(self.turn_size.of(rows.len()));
            self.rows_of_turn(rows).await?;
            if behind.is_empty() {
                return Ok(mem::take(&mut self.ended));
            }
            rows = behind;
        }
    }

    async fn rows_of_turn(&mut self, rows: Vec<RowDraft>) -> Result<(), Error> {
        // What the batch before makes or changes must be there to be found.
        let is_before =
            self.options.repeats == Repeats::Last || self.pending.as_ref().is_some_and(Pending::makes_nodes);
        if is_before {
            self.settle().await?;
        }
        let built = self.build(&rows).await?;
        self.settle().await?;
        self.pending = Some(Pending::begin(self.writer(), rows, built));
        Ok(())
    }

    /// Waits for the rows that are being written, and stores how it ended.
    async fn end_as(&mut self, end: ImportState) -> Result<BatchOutcome, Error> {
        let settled = self.settle().await;
        let end = if settled.is_err() { ImportState::BrokenOff } else { self.end.unwrap_or(end) };
        self.end = Some(end);
        let is_first = !self.is_closed;
        let closed = if is_first { self.close(end).await } else { Ok(()) };
        // Where the store was busy, whoever ends it once more has it stored.
        self.is_closed = !matches!(closed, Err(Error::Busy(_)));
        settled?;
        match closed {
            Err(error) if end == ImportState::Done => return Err(error),
            // That it was broken off is seen by its silence too.
            Ok(()) | Err(_) => {}
        }
        if is_first && end == ImportState::Done {
            self.compare_years().await;
        }
        Ok(mem::take(&mut self.ended))
    }

    /// Stores how it ended.
    async fn close(&mut self, end: ImportState) -> Result<(), Error> {
        self.record.batch.state = end;
        let mut tx = match self.options.outcome {
            Outcome::Nothing => return Ok(()),
            Outcome::KeepGood if self.record.is_empty() && !self.is_in_doubt => return Ok(()),
            Outcome::KeepGood => {
                // That it was broken off is nothing to wait long for.
                let writer = self.writer();
                let opened = if end == ImportState::Done { writer.open().await } else { writer.open_at_once().await };
                let mut tx = opened?;
                if !self.record.goes_on(tx.as_mut()).await? {
                    return Err(record::undone());
                }
                if self.record.is_empty() {
                    // The commit in doubt was not made.
                    return Ok(());
                }
                tx
            }
            Outcome::AllOrNothing => match self.at_once.tx().take().filter(|_| end == ImportState::Done) {
                Some(tx) => {
                    if self.record.has_written() {
                        self.record.note_change(tx.number());
                    }
                    tx
                }
                None => return Ok(()),
            },
        };
        let now = self.clock.now();
        self.record.put(tx.as_mut(), now).await?;
        tx.commit().await?;
        Ok(())
    }
}
