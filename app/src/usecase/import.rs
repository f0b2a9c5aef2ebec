//! Importing activities: each row adds one, changes one, leaves one as it is, or is rejected.

mod at_once;
mod batch;
mod built;
mod check;
mod closed;
mod content;
mod dry_run;
mod edited;
mod effect;
mod last_year;
mod missing;
mod nodes;
mod parts;
mod patience;
mod pending;
mod record;
mod recorded;
mod rows_at_once;
mod same;
mod seen;
mod settle;
mod suspicion;
mod take_back;
mod touched;
mod turn;
mod tx;
mod under_way;
mod undo;
mod undo_tasks;
mod untouched;

use std::sync::Arc;

use async_trait::async_trait;
use domain::Digest;
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::import_batch::{ImportBatch, ImportState};
use ports::inbound::{Error, Import, ImportOptions, Imports, UndoPatience};
use ports::repo::{Listing, Page};
use ports::store::Store;
use ports::{Caller, ImportId, Permission, demand, permit};

use super::published::Chooser;
use super::read_model::ReadModels;
use crate::measure::MeasuredImport;
pub(super) use closed::refuse_undo;
pub(super) use edited::{Places, edited, parse};
pub(super) use missing::Missing;
use nodes::Making;
pub(super) use parts::{PARTS_AT_ONCE, count_parts, items_of};
pub(super) use take_back::{restore, standing};
use under_way::ActivityImport;
use undo::Undo;

pub use undo_tasks::UndoTasks;

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
    /// Which imports are being undone beside requests.
    pub undo_tasks: UndoTasks,
    /// What chooses published factors by the rules of products.
    pub chooser: Arc<Chooser>,
}

#[async_trait]
impl Imports for ImportService {
    fn begin(&self, caller: &Caller, options: ImportOptions) -> Result<Box<dyn Import>, Error> {
        let making =
            if caller.permissions.allows(Permission::CatalogWrite) { Making::Allowed } else { Making::Refused };
        let grant = permit(caller, demand::ACTIVITY_WRITE)?;
        let (store, clock, ids) = (Arc::clone(&self.store), Arc::clone(&self.clock), Arc::clone(&self.ids));
        let (read_models, chooser) = (self.read_models.clone(), Arc::clone(&self.chooser));
        let outcome = options.outcome;
        let import = ActivityImport::begin((store, clock, ids, chooser), read_models, grant, making, options);
        Ok(Box::new(MeasuredImport::new(Box::new(import), outcome)))
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

    async fn same_file(
        &self,
        caller: &Caller,
        hash: Digest,
        reading: Option<Digest>,
    ) -> Result<Option<ImportBatch>, Error> {
        let grant = permit(caller, demand::ACTIVITY_WRITE)?.to_read();
        let mut tx = self.store.read(&grant).await?;
        Ok(same::same_file(tx.as_mut(), (hash, reading), self.clock.now()).await?)
    }

    async fn same_bytes(&self, caller: &Caller, hash: Digest) -> Result<Option<ImportBatch>, Error> {
        let grant = permit(caller, demand::ACTIVITY_WRITE)?.to_read();
        let found = self.store.read(&grant).await?.imports().with_hash(hash).await?;
        let wrote = |batch: &ImportBatch| batch.state != ImportState::Undone && batch.changes.is_some();
        Ok(found.into_iter().find(wrote).map(|batch| self.as_seen(batch)))
    }

    async fn undoing(&self, caller: &Caller) -> Result<Vec<ImportBatch>, Error> {
        let grant = permit(caller, demand::ACTIVITY_READ)?;
        Ok(self.store.read(&grant).await?.imports().undoing().await?)
    }

    async fn undo(&self, caller: &Caller, id: ImportId, patience: UndoPatience) -> Result<ImportBatch, Error> {
        let grant = permit(caller, demand::ACTIVITY_WRITE)?;
        let making =
            if caller.permissions.allows(Permission::CatalogWrite) { Making::Allowed } else { Making::Refused };
        let undo = Undo::new(&self.store, &self.clock, grant, making, self.atomic_rows, &self.undo_tasks);
        undo.run(id, patience).await.map(|batch| self.as_seen(batch))
    }
}

impl ImportService {
    /// The import with the state that it has by now.
    fn as_seen(&self, batch: ImportBatch) -> ImportBatch {
        ImportBatch { state: batch.state_at(self.clock.now()), ..batch }
    }
}
