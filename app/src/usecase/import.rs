//! Importing activities: each row adds one, changes one, leaves one as it is, or is rejected.

mod batch;
mod dry_run;
mod last_year;
mod nodes;
mod patience;
mod pending;
mod seen;
mod suspicion;
mod touched;
mod tx;

use std::mem;
use std::sync::Arc;

use async_trait::async_trait;
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::inbound::{BatchOutcome, Error, Import, ImportOptions, Imports, Outcome, Repeats, RowDraft};
use ports::store::{Intent, ReadTx, Store, StoreError};
use ports::{Caller, ChainHead, Grant, Permission, Write, demand, permit};

use super::read_model::ReadModels;
use super::report::snapshot;
use super::resolve::Resolver;
use batch::{Batch, Built};
use dry_run::{DryRun, Left};
use nodes::Making;
use patience::Patience;
use pending::{Ended, Pending, Unwritten, Why, Writer};
use seen::Seen;
use suspicion::Suspicions;
use tx::Tx;

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
}

/// The same imports, which also warn of ten times last year's amount.
pub struct ComparedImports {
    /// What imports.
    pub imports: ImportService,
    /// What the amounts of the year before are read from.
    pub read_models: Arc<ReadModels>,
}

impl Imports for ComparedImports {
    fn begin(&self, caller: &Caller, options: ImportOptions) -> Result<Box<dyn Import>, Error> {
        let mut import = self.imports.begin_import(caller, options)?;
        import.read_models = Some(Arc::clone(&self.read_models));
        Ok(Box::new(import))
    }
}

impl Imports for ImportService {
    fn begin(&self, caller: &Caller, options: ImportOptions) -> Result<Box<dyn Import>, Error> {
        Ok(Box::new(self.begin_import(caller, options)?))
    }
}

impl ImportService {
    fn begin_import(&self, caller: &Caller, options: ImportOptions) -> Result<ActivityImport, Error> {
        let making =
            if caller.permissions.allows(Permission::CatalogWrite) { Making::Allowed } else { Making::Refused };
        let grant = permit(caller, demand::ACTIVITY_WRITE)?;
        Ok(ActivityImport {
            store: Arc::clone(&self.store),
            clock: Arc::clone(&self.clock),
            ids: Arc::clone(&self.ids),
            grant,
            making,
            options,
            seen: Seen::default(),
            suspicions: Suspicions::default(),
            dry_run: DryRun::default(),
            resolver: None,
            pending: None,
            read_models: None,
            ended: BatchOutcome::default(),
        })
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
    /// What the amounts of the year before are read from.
    read_models: Option<Arc<ReadModels>>,
    /// What became of rows and was not said yet.
    ended: BatchOutcome,
}

#[async_trait]
impl Import for ActivityImport {
    async fn rows(&mut self, rows: Vec<RowDraft>) -> Result<BatchOutcome, Error> {
        match self.options.outcome {
            Outcome::Nothing => {
                let (outcome, left) = self.build_dry(&rows).await?;
                self.dry_run.note(left, self.options.repeats);
                Ok(outcome)
            }
            Outcome::AllOrNothing => {
                let built = self.build(&rows).await?;
                if built.outcome.rejected > 0 { Ok(built.outcome) } else { self.write(rows, built).await }
            }
            Outcome::KeepGood => {
                // What the batch before makes or changes must be there to be found.
                let is_before =
                    self.options.repeats == Repeats::Last || self.pending.as_ref().is_some_and(Pending::makes_nodes);
                if is_before {
                    self.settle().await?;
                }
                let built = self.build(&rows).await?;
                self.settle().await?;
                let writer = Writer::of(&self.store, &self.grant, self.intent());
                self.pending = Some(Pending::begin(writer, rows, built));
                Ok(mem::take(&mut self.ended))
            }
        }
    }

    async fn finish(&mut self) -> Result<BatchOutcome, Error> {
        self.settle().await?;
        self.compare_years().await;
        Ok(mem::take(&mut self.ended))
    }
}

impl ActivityImport {
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
            Ended::Written(outcome) => outcome,
            Ended::Unwritten(unwritten) => self.write_again(unwritten).await?,
        };
        self.ended.add(outcome);
        Ok(())
    }

    /// Writes a batch and waits for it.
    async fn write(&mut self, rows: Vec<RowDraft>, built: Built) -> Result<BatchOutcome, Error> {
        let writer = Writer::of(&self.store, &self.grant, self.intent());
        match Pending::begin(writer, rows, built).end().await? {
            Ended::Written(outcome) => Ok(outcome),
            Ended::Unwritten(unwritten) => self.write_again(unwritten).await,
        }
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
            }
            let built = self.build(&rows).await?;
            if self.options.outcome == Outcome::AllOrNothing && built.outcome.rejected > 0 {
                return Ok(built.outcome);
            }
            let writer = Writer::of(&self.store, &self.grant, self.intent());
            match Pending::begin(writer, rows, built).end().await? {
                Ended::Written(outcome) => return Ok(outcome),
                Ended::Unwritten(again) => unwritten = again,
            }
        };
        let tx = Tx::Write(Writer::of(&self.store, &self.grant, self.intent()).open().await?);
        let mut batch = self.batch(tx, Resolver::default(), &rows, &mut DryRun::default()).await?;
        batch.rows(&rows, self.options.repeats, &mut self.seen, &mut self.suspicions).await?;
        self.seen.take_noted();
        let outcome = mem::take(&mut batch.outcome);
        if self.options.outcome == Outcome::KeepGood || outcome.rejected == 0 {
            batch.commit().await?;
        }
        Ok(outcome)
    }

    fn intent(&self) -> Intent {
        Intent { at: self.clock.now(), cause: self.options.cause.clone() }
    }
}
