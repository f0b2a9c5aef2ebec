//! Importing activities: each row adds one, changes one, leaves one as it is, or is rejected.

mod batch;
mod dry_run;
mod nodes;
mod seen;
mod touched;
mod tx;

use std::sync::Arc;

use async_trait::async_trait;
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::inbound::{BatchOutcome, Error, Import, ImportOptions, Imports, Outcome, RowDraft};
use ports::store::{Intent, Store};
use ports::{Caller, Grant, Permission, Write, demand, permit};

use batch::Batch;
use dry_run::DryRun;
use nodes::Making;
use seen::Seen;
use tx::Tx;

/// Imports activities into a store.
pub struct ImportService {
    /// The store of these records.
    pub store: Arc<dyn Store>,
    /// Stamps what is written.
    pub clock: Arc<dyn Clock>,
    /// Gives new records their ids.
    pub ids: Arc<dyn Ids>,
}

impl Imports for ImportService {
    fn begin(&self, caller: &Caller, options: ImportOptions) -> Result<Box<dyn Import>, Error> {
        let making =
            if caller.permissions.allows(Permission::CatalogWrite) { Making::Allowed } else { Making::Refused };
        Ok(Box::new(ActivityImport {
            store: Arc::clone(&self.store),
            clock: Arc::clone(&self.clock),
            ids: Arc::clone(&self.ids),
            grant: permit(caller, demand::ACTIVITY_WRITE)?,
            making,
            options,
            seen: Seen::default(),
            dry_run: DryRun::default(),
        }))
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
    /// What the rows so far would have left, where nothing is written.
    dry_run: DryRun,
}

#[async_trait]
impl Import for ActivityImport {
    async fn rows(&mut self, rows: Vec<RowDraft>) -> Result<BatchOutcome, Error> {
        let now = self.clock.now();
        let tx = match self.options.outcome {
            // Nothing is written, so that no writer waits for it.
            Outcome::Nothing => Tx::Read(self.store.read(&self.grant.to_read()).await?),
            Outcome::KeepGood | Outcome::AllOrNothing => {
                let intent = Intent { at: now, cause: self.options.cause.clone() };
                Tx::Write(self.store.write(&self.grant, intent).await?)
            }
        };
        let mut batch = Batch::open(tx, self.ids.as_ref(), now, &rows, self.making, &mut self.dry_run).await?;
        for row in rows {
            batch.row(row, self.options.repeats, &mut self.seen).await?;
        }
        let outcome = std::mem::take(&mut batch.outcome);
        match self.options.outcome {
            Outcome::Nothing => self.dry_run.note(batch.into_left(), self.options.repeats),
            Outcome::AllOrNothing if outcome.rejected > 0 => {}
            Outcome::KeepGood | Outcome::AllOrNothing => batch.commit().await?,
        }
        Ok(outcome)
    }
}
