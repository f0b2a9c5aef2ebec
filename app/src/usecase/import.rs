//! Importing activities: each row adds one, changes one, leaves one as it is, or is rejected.

mod batch;
mod dry_run;
mod edited;
mod last_year;
mod nodes;
mod parts;
mod patience;
mod pending;
mod record;
mod seen;
mod suspicion;
mod take_back;
mod touched;
mod tx;
mod undo;

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use domain::Digest;
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::import_batch::{ImportBatch, ImportState};
use ports::inbound::{BatchOutcome, Error, Import, ImportOptions, Imports, Outcome, Repeats, RowDraft, UndoPatience};
use ports::repo::{Listing, Page};
use ports::store::{Intent, ReadTx, Store, StoreError, WriteTx};
use ports::{Caller, ChainHead, Grant, ImportId, Permission, Write, demand, permit};

use super::read_model::ReadModels;
use super::report::snapshot;
use super::resolve::Resolver;
use batch::{Batch, Built};
use dry_run::{DryRun, Left};
use nodes::Making;
use patience::Patience;
use pending::{Ended, Pending, Unwritten, Why, Writer};
use record::Record;
use seen::Seen;
use suspicion::Suspicions;
use tx::Tx;
use undo::Undo;

/// How often a batch that other writers overtook is built in a snapshot again.
const ATTEMPTS: usize = 3;

/// Imports activities into a store.
pub struct ImportService {
    /// The store of these records.
    pub store: Arc<dyn Store>,
    /// Stamps what is written.
    pub clock: Arc<dyn Clock>,
    /// Gives new records their ids.
    pub ids: Arc<dyn Ids>,
    /// The most records that are taken back in one change.
    pub atomic_rows: u64,
    /// What the amounts of the year before are read from; without it no rows are warned of for them.
    pub read_models: Option<Arc<ReadModels>>,
}

#[async_trait]
impl Imports for ImportService {
    fn begin(&self, caller: &Caller, options: ImportOptions) -> Result<Box<dyn Import>, Error> {
        let making =
            if caller.permissions.allows(Permission::CatalogWrite) { Making::Allowed } else { Making::Refused };
        let grant = permit(caller, demand::ACTIVITY_WRITE)?;
        let now = self.clock.now();
        let id = ImportId::new(self.ids.next(now));
        let record = Record::begin(id, options.name.clone(), grant.actor().to_owned(), now, options.hash);
        Ok(Box::new(ActivityImport {
            store: Arc::clone(&self.store),
            clock: Arc::clone(&self.clock),
            ids: Arc::clone(&self.ids),
            grant,
            making,
            options,
            record,
            seen: Seen::default(),
            suspicions: Suspicions::default(),
            dry_run: DryRun::default(),
            resolver: None,
            pending: None,
            at_once: AtOnce::default(),
            read_models: self.read_models.clone(),
            ended: BatchOutcome::default(),
            end: None,
        }))
    }

    async fn find(&self, caller: &Caller, id: ImportId) -> Result<ImportBatch, Error> {
        let grant = permit(caller, demand::ACTIVITY_READ)?;
        let found = self.store.read(&grant).await?.imports().find(id).await?.ok_or(Error::NotFound)?;
        Ok(self.as_seen(found))
    }

    async fn list(&self, caller: &Caller, page: Page) -> Result<Listing<ImportBatch>, Error> {
        let grant = permit(caller, demand::ACTIVITY_READ)?;
        let listing = self.store.read(&grant).await?.imports().list(page).await?;
        Ok(listing.map(|batch| self.as_seen(batch)))
    }

    async fn same_file(&self, caller: &Caller, hash: Digest) -> Result<Option<ImportBatch>, Error> {
        let grant = permit(caller, demand::ACTIVITY_WRITE)?.to_read();
        let found = self.store.read(&grant).await?.imports().with_hash(hash).await?;
        let took_rows = |batch: &ImportBatch| {
            let counts = batch.counts;
            counts.created + counts.updated + counts.unchanged > 0
        };
        Ok(found.into_iter().find(|batch| batch.state == ImportState::Done && took_rows(batch)))
    }

    async fn undo(&self, caller: &Caller, id: ImportId, patience: UndoPatience) -> Result<ImportBatch, Error> {
        let grant = permit(caller, demand::ACTIVITY_WRITE)?;
        let making =
            if caller.permissions.allows(Permission::CatalogWrite) { Making::Allowed } else { Making::Refused };
        let undo = Undo::new(&self.store, &self.clock, grant, making, self.atomic_rows);
        undo.run(id, patience).await.map(|batch| self.as_seen(batch))
    }
}

impl ImportService {
    /// The import with the state that it has by now.
    fn as_seen(&self, batch: ImportBatch) -> ImportBatch {
        ImportBatch { state: batch.state_at(self.clock.now()), ..batch }
    }
}

/// An import under way.
struct ActivityImport {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    grant: Grant<Write>,
    making: Making,
    options: ImportOptions,
    /// What is stored of it.
    record: Record,
    /// What the rows so far are about.
    seen: Seen,
    /// What of the rows so far looks wrong.
    suspicions: Suspicions,
    /// What the rows so far would have left, where nothing is written.
    dry_run: DryRun,
    /// What references led to in the catalog of that head.
    resolver: Option<(ChainHead, Resolver)>,
    /// The batch that is being written.
    pending: Option<Pending>,
    /// Where all rows are written, or none.
    at_once: AtOnce,
    /// What the amounts of the year before are read from.
    read_models: Option<Arc<ReadModels>>,
    /// What became of rows and was not said yet.
    ended: BatchOutcome,
    /// How it ended, once that is so.
    end: Option<ImportState>,
}

/// The one transaction of an import of all rows or none.
#[derive(Default)]
struct AtOnce {
    /// Never locked: it makes the import one that threads can share.
    tx: Mutex<Option<Box<dyn WriteTx>>>,
    /// Whether a row was rejected, or the transaction failed: nothing is written.
    is_refused: bool,
}

impl AtOnce {
    fn tx(&mut self) -> &mut Option<Box<dyn WriteTx>> {
        self.tx.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Import for ActivityImport {
    fn id(&self) -> Option<ImportId> {
        (self.options.outcome != Outcome::Nothing).then_some(self.record.batch.id)
    }

    fn hashed(&mut self, hash: Digest) {
        self.record.batch.hash = Some(hash);
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
    async fn rows_dry(&mut self, rows: &[RowDraft]) -> Result<BatchOutcome, Error> {
        let (outcome, left) = self.build_dry(rows).await?;
        self.dry_run.note(left, self.options.repeats);
        Ok(outcome)
    }

    async fn rows_in_turn(&mut self, rows: Vec<RowDraft>) -> Result<BatchOutcome, Error> {
        // What the batch before makes or changes must be there to be found.
        let is_before =
            self.options.repeats == Repeats::Last || self.pending.as_ref().is_some_and(Pending::makes_nodes);
        if is_before {
            self.settle().await?;
        }
        let built = self.build(&rows).await?;
        self.settle().await?;
        self.pending = Some(Pending::begin(self.writer(), rows, built));
        Ok(mem::take(&mut self.ended))
    }

    /// Writes rows in the one transaction, which keeps other writers waiting until it ends. Behind a row that is rejected
    /// rows are only looked at.
    async fn rows_at_once(&mut self, rows: &[RowDraft]) -> Result<BatchOutcome, Error> {
        if self.at_once.is_refused {
            return self.rows_dry(rows).await;
        }
        // Only a transaction that went well is put back.
        self.at_once.is_refused = true;
        let tx = match self.at_once.tx().take() {
            Some(tx) => tx,
            None => self.writer().open().await?,
        };
        let mut batch = self.batch(Tx::Write(tx), Resolver::default(), rows, &mut DryRun::default()).await?;
        batch.rows(rows, self.options.repeats, &mut self.seen, &mut self.suspicions).await?;
        self.seen.take_noted();
        let outcome = mem::take(&mut batch.outcome);
        self.record.count(&outcome);
        if outcome.rejected == 0 {
            *self.at_once.tx() = batch.write().await?;
            self.at_once.is_refused = false;
        }
        Ok(outcome)
    }

    /// Waits for the rows that are being written, and stores how it ended.
    async fn end_as(&mut self, end: ImportState) -> Result<BatchOutcome, Error> {
        let settled = self.settle().await;
        let is_first = self.end.is_none() || self.record.batch.state == ImportState::Running;
        let end = if settled.is_err() { ImportState::BrokenOff } else { self.end.unwrap_or(end) };
        self.end = Some(end);
        let closed = if is_first { self.close(end).await } else { Ok(()) };
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
            Outcome::KeepGood if self.record.is_empty() => return Ok(()),
            Outcome::KeepGood => {
                // That it was broken off is nothing to wait long for.
                let writer = self.writer();
                let opened = if end == ImportState::Done { writer.open().await } else { writer.open_at_once().await };
                let mut tx = opened?;
                if !self.record.goes_on(tx.as_mut()).await? {
                    return Err(record::undone());
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

    /// Builds what the rows come to, in a snapshot.
    async fn build(&mut self, rows: &[RowDraft]) -> Result<Built, Error> {
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
    async fn build_dry(&mut self, rows: &[RowDraft]) -> Result<(BatchOutcome, Left), Error> {
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
    async fn compare_years(&mut self) {
        let changes = self.suspicions.changes();
        let Some(read_models) = self.read_models.as_ref().filter(|_| !changes.is_empty()) else { return };
        if let Ok((_, read_model)) = snapshot(self.store.as_ref(), read_models, &self.grant.to_read()).await {
            self.ended.warnings.extend(last_year::warnings(&read_model, changes, self.options.outcome));
        }
    }

    async fn snapshot(&self) -> Result<Box<dyn ReadTx>, Error> {
        let mut patience = Patience::new();
        loop {
            match self.store.read(&self.grant.to_read()).await {
                Err(StoreError::Busy(_)) if patience.allows_another().await => {}
                opened => return Ok(opened?),
            }
        }
    }

    async fn batch(&self, tx: Tx, resolver: Resolver, rows: &[RowDraft], dry_run: &mut DryRun) -> Result<Batch, Error> {
        Batch::open(tx, resolver, Arc::clone(&self.ids), self.clock.now(), rows, self.making, dry_run).await
    }

    /// Waits for the batch that is being written, and keeps what became of its rows until it is said.
    async fn settle(&mut self) -> Result<(), Error> {
        let Some(pending) = self.pending.take() else { return Ok(()) };
        let outcome = match pending.end().await? {
            Ended::Written(outcome, record) => {
                self.take(record);
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
        let (mut patience, mut overtaken) = (Patience::new(), 0);
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
            }
            let built = self.build(&rows).await?;
            match Pending::begin(self.writer(), rows, built).end().await? {
                Ended::Written(outcome, record) => {
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
            tx.commit().await?;
        }
        self.take(record);
        Ok(outcome)
    }

    fn writer(&self) -> Writer {
        let intent = Intent { at: self.clock.now(), cause: self.record.batch.cause() };
        Writer::of(&self.store, &self.grant, intent, self.record.clone())
    }
}
