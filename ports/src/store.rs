//! The store of a tenant's records: transactions and verification.

mod accessors;
pub mod finding;

use std::sync::Arc;

use crate::{ChainHead, Grant, Maintenance, Read, Revision, Stored, Write};
use async_trait::async_trait;
use domain::{
    Activity, ActivityId, ClosedPeriod, Exclusion, Factor, Footprint, Input, Model, Org, Partner, Product, Scope,
    Sharing, Switch, Taxonomy, Timestamp,
};
use uuid::Uuid;

use crate::ledger::CheckpointCells;
use crate::load::Load;
use crate::repo::{
    ActivityReader, ActivityWrite, ActivityWriter, AnswerReader, AnswerWriter, ExchangeReader, ExchangeWriter,
    FactorReader, FootprintReader, ImportReader, ImportWriter, LedgerReader, LedgerWriter, PartnerReader, PeriodReader,
    ProductReader, Reader, SharingReader, TaxonomyReader, TreeReader, Writer,
};

pub use crate::conflict::{Conflict, PeriodClosed};
pub use crate::store_error::{DiskFailed, LogFull, NoRoom, StoreError};
pub use accessors::HasRepository;
pub use finding::Finding;

/// Where tenants' records are stored.
///
/// Implementations MUST give each read transaction one snapshot, order each tenant's write transactions by its head,
/// and make a committed transaction survive a crash of the process and of the machine.
#[async_trait]
pub trait Store: Send + Sync {
    /// Opens a snapshot of the grant's tenant: whatever is committed later is not seen in it.
    async fn read(&self, grant: &Grant<Read>) -> Result<Box<dyn ReadTx>, StoreError>;

    /// The head of the grant's tenant, as a snapshot that is opened now has it.
    async fn head(&self, grant: &Grant<Read>) -> Result<ChainHead, StoreError> {
        self.read(grant).await?.head().await
    }

    /// An activity, if it is there, with the head, as a snapshot that is opened now has both.
    async fn activity(
        &self,
        grant: &Grant<Read>,
        id: ActivityId,
    ) -> Result<(ChainHead, Option<Stored<Activity>>), StoreError> {
        let mut tx = self.read(grant).await?;
        let found = tx.activities().find(id).await?;
        Ok((tx.head().await?, found))
    }

    /// Opens a write transaction of the grant's tenant. It waits for its turn, at most as long as the store's own
    /// bound ([`StoreError::Busy`]); until it ends no other write transaction of the tenant can begin, so nothing but
    /// the store is awaited in it.
    async fn write(&self, grant: &Grant<Write>, intent: Intent) -> Result<Box<dyn WriteTx>, StoreError>;

    /// Adds and replaces activities that were built in a snapshot with the head `since`, in a write transaction of their own,
    /// and gives the new head, whose number is their version. `Stale` when the catalog has changed since, or one of those that
    /// are replaced has; errors else as from [`write`](Self::write), [`put_all`](ActivityWriter::put_all) and
    /// [`commit`](WriteTx::commit). A store may do all of it in one step.
    async fn put_activities(
        &self,
        grant: &Grant<Write>,
        intent: Intent,
        since: &ChainHead,
        writes: Vec<ActivityWrite>,
    ) -> Result<ChainHead, StoreError> {
        write_batch(self, grant, intent, since, writes).await
    }

    /// Refuses rows that are to be written in one write transaction where the disk lacks the room for so many: `Failed` with a
    /// [`NoRoom`]. What they need is estimated for rows of usual length. Does nothing where the store does not know its disk.
    async fn check_room(&self, _: &Grant<Write>, _: u64) -> Result<(), StoreError> {
        Ok(())
    }

    /// Makes room for the grant's tenant, empty, with a head of number 0. Does nothing when it is there.
    async fn prepare(&self, grant: &Grant<Maintenance>) -> Result<(), StoreError>;

    /// Begins to fill the grant's tenant, once prepared, with what was exported elsewhere. `Conflict` with [`Conflict::NotEmpty`] unless its
    /// head has the number 0 and it has no series. Until it ends no write transaction of the tenant can begin.
    async fn load(&self, grant: &Grant<Maintenance>) -> Result<Box<dyn Load>, StoreError>;

    /// Removes everything that is stored of the grant's tenant, whose newest change has that number: 0 is a tenant that
    /// nothing was ever written in. `Stale`, and nothing is removed, when its head has another number. Does nothing when there is
    /// nothing. It waits for its turn as [`write`](Self::write) does. Writers behind it fail, as do later transactions, with
    /// `Failed`, until the tenant is prepared again; snapshots under way may.
    async fn remove(&self, grant: &Grant<Maintenance>, number: u64) -> Result<(), StoreError>;

    /// Gives the grant's tenant that epoch, as after a restore: from then on its numbers do not compare with those that were
    /// shown before. Everything else stays. It waits for its turn as [`write`](Self::write) does.
    async fn renew_epoch(&self, grant: &Grant<Maintenance>, epoch: Uuid) -> Result<(), StoreError>;

    /// Keeps the cells of the grant's tenant at that revision as its newest checkpoint, and removes earlier ones. `Stale`
    /// when the head is of another epoch or earlier; does nothing when there is a checkpoint of that change or a later one.
    ///
    /// It makes no change. It is found once it is whole; one that was left half-way is as if there were none.
    /// Implementations MUST write it so that no write waits for it longer than 50 ms: beside the tenant's writers, or where
    /// they take turns with it in short steps.
    async fn checkpoint(
        &self,
        grant: &Grant<Maintenance>,
        revision: Revision,
        cells: Arc<dyn CheckpointCells>,
    ) -> Result<(), StoreError>;

    /// Removes first answers of the grant's tenant that are outdated ([`outdated_before`](crate::repeat::outdated_before)), at
    /// most [`SWEPT_AT_ONCE`](crate::repo::SWEPT_AT_ONCE), and gives how many. That is no change. It waits for its turn as
    /// [`write`](Self::write) does, where there are any.
    async fn sweep_answers(&self, grant: &Grant<Maintenance>, now: Timestamp) -> Result<u64, StoreError>;

    /// Makes the verdicts on up to [`RENEWED_AT_ONCE`](crate::repo::RENEWED_AT_ONCE) footprints anew that were made by other rules
    /// than those of now, and gives how many: fewer when no more are left. No record and no change of the ledger changes by it.
    async fn renew_verdicts(&self, grant: &Grant<Maintenance>) -> Result<u64, StoreError>;

    /// Checks everything that is stored of the grant's tenant: that the file is sound, that each record's content has its
    /// digest, that each change's items and the chain add up, and that a recount of the activities gives the cells: those
    /// of the newest checkpoint and the later postings, added.
    async fn verify(&self, grant: &Grant<Maintenance>) -> Result<Verification, StoreError>;
}

/// What [`Store::put_activities`] does, as a write transaction of a few calls.
pub async fn write_batch<S: Store + ?Sized>(
    store: &S,
    grant: &Grant<Write>,
    intent: Intent,
    since: &ChainHead,
    writes: Vec<ActivityWrite>,
) -> Result<ChainHead, StoreError> {
    let mut tx = store.write(grant, intent).await?;
    if !tx.head().await?.has_catalog_of(since) {
        return Err(StoreError::Stale);
    }
    let activities = tx.activities_mut();
    // What stores do for batches pays for many.
    match <[ActivityWrite; 1]>::try_from(writes) {
        Ok([ActivityWrite::Add(activity)]) => drop(activities.add(activity).await?),
        Ok([ActivityWrite::Update(activity, seen)]) => drop(activities.update(activity, seen).await?),
        Err(writes) => activities.put_all(writes).await?,
    }
    tx.commit().await
}

/// What a write transaction is for; it is in the change chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// The moment that its records get as created and updated.
    pub at: Timestamp,
    /// What for, such as `POST /v1/switch` or `import activities`.
    pub cause: String,
}

/// One snapshot of a tenant. Dropping it ends it.
#[async_trait]
pub trait ReadTx: Send {
    /// The tenant's head in this snapshot; in a write transaction, as it was before it.
    async fn head(&mut self) -> Result<ChainHead, StoreError>;

    /// The reader of activities.
    fn activities(&mut self) -> &mut dyn ActivityReader;
    /// The reader of scopes.
    fn scopes(&mut self) -> &mut dyn TreeReader<Scope>;
    /// The reader of orgs.
    fn orgs(&mut self) -> &mut dyn TreeReader<Org>;
    /// The reader of taxonomies.
    fn taxonomies(&mut self) -> &mut dyn TaxonomyReader;
    /// The reader of products.
    fn products(&mut self) -> &mut dyn ProductReader;
    /// The factors of products.
    fn factors(&mut self) -> &mut dyn FactorReader;
    /// The reader of models.
    fn models(&mut self) -> &mut dyn Reader<Model>;
    /// The inputs of models.
    fn inputs(&mut self) -> &mut dyn Reader<Input>;
    /// The reader of switches.
    fn switches(&mut self) -> &mut dyn Reader<Switch>;
    /// The reader of footprints.
    fn footprints(&mut self) -> &mut dyn FootprintReader;
    /// The reader of closed periods.
    fn closed_periods(&mut self) -> &mut dyn PeriodReader;
    /// The reader of exclusions.
    fn exclusions(&mut self) -> &mut dyn Reader<Exclusion>;
    /// The reader of partners.
    fn partners(&mut self) -> &mut dyn PartnerReader;
    /// The reader of sharings.
    fn sharings(&mut self) -> &mut dyn SharingReader;
    /// Series, postings, checkpoints and changes.
    fn ledger(&mut self) -> &mut dyn LedgerReader;
    /// First answers to requests that may be sent again.
    fn answers(&mut self) -> &mut dyn AnswerReader;
    /// Imports as batches that have a name.
    fn imports(&mut self) -> &mut dyn ImportReader;
    /// What is kept of the exchange with partners beside records.
    fn exchange(&mut self) -> &mut dyn ExchangeReader;
}

/// A write transaction. It reads what it wrote. [`commit`](WriteTx::commit) consumes it; dropping it undoes everything.
///
/// After an error of the kinds `Busy` or `Failed` nothing more can be done with it. After `Conflict` or `Stale` it is
/// as it was before the call.
#[async_trait]
pub trait WriteTx: ReadTx {
    /// The number that this transaction gets when it commits: the version of every record it writes.
    fn number(&self) -> u64;

    /// The activities. Their postings are in the same transaction.
    fn activities_mut(&mut self) -> &mut dyn ActivityWriter;
    /// The writer of scopes.
    fn scopes_mut(&mut self) -> &mut dyn Writer<Scope>;
    /// The writer of orgs.
    fn orgs_mut(&mut self) -> &mut dyn Writer<Org>;
    /// The writer of taxonomies.
    fn taxonomies_mut(&mut self) -> &mut dyn Writer<Taxonomy>;
    /// The writer of products.
    fn products_mut(&mut self) -> &mut dyn Writer<Product>;
    /// The factors of products.
    fn factors_mut(&mut self) -> &mut dyn Writer<Factor>;
    /// The writer of models.
    fn models_mut(&mut self) -> &mut dyn Writer<Model>;
    /// The inputs of models.
    fn inputs_mut(&mut self) -> &mut dyn Writer<Input>;
    /// The writer of switches.
    fn switches_mut(&mut self) -> &mut dyn Writer<Switch>;
    /// The footprints. One added with number 0 gets the next free number, counted from 1 and never used again.
    fn footprints_mut(&mut self) -> &mut dyn Writer<Footprint>;
    /// The writer of closed periods.
    fn closed_periods_mut(&mut self) -> &mut dyn Writer<ClosedPeriod>;
    /// The writer of exclusions.
    fn exclusions_mut(&mut self) -> &mut dyn Writer<Exclusion>;
    /// The writer of partners.
    fn partners_mut(&mut self) -> &mut dyn Writer<Partner>;
    /// The writer of sharings.
    fn sharings_mut(&mut self) -> &mut dyn Writer<Sharing>;
    /// First answers to requests that may be sent again.
    fn answers_mut(&mut self) -> &mut dyn AnswerWriter;
    /// The history: what of it may be blanked.
    fn ledger_mut(&mut self) -> &mut dyn LedgerWriter;
    /// Imports as batches that have a name.
    fn imports_mut(&mut self) -> &mut dyn ImportWriter;
    /// What is kept of the exchange with partners beside records.
    fn exchange_mut(&mut self) -> &mut dyn ExchangeWriter;

    /// Whether others wait to write until this transaction ends, as far as the store can tell at no cost: who has many rows to
    /// write then writes fewer of them at a time.
    fn others_wait(&mut self) -> bool {
        false
    }

    /// Makes it durable and visible, and gives the new head. A transaction that wrote no record makes no change and
    /// leaves the head as it was. [`StoreError::Unknown`] when the commit was sent and its answer was lost; with
    /// every other error nothing is stored.
    async fn commit(self: Box<Self>) -> Result<ChainHead, StoreError>;
}

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// How many records were checked.
    pub records: u64,
    /// How many changes were checked.
    pub changes: u64,
    /// How many cells were checked: those that the checkpoint and the postings add up to, zero ones left out.
    pub cells: u64,
    /// How many texts of replaced versions are blanked: their digests are there, and changes that say so.
    pub blanked: u64,
    /// What is wrong; empty when all is well.
    pub findings: Vec<Finding>,
}
