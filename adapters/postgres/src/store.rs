//! The store: how its transactions begin.

use std::sync::Arc;

use async_trait::async_trait;
use domain::{Activity, ActivityId, Timestamp};
use ports::ledger::CheckpointCells;
use ports::load::Load;
use ports::repo::{ActivityWrite, RENEWED_AT_ONCE, SWEPT_AT_ONCE};
use ports::store::{Intent, ReadTx, Store, StoreError, Verification, WriteTx, write_batch};
use ports::{ChainHead, Grant, Maintenance, Read, Revision, Stored, Write};
use uuid::Uuid;

use crate::activity::Change;
use crate::conn::sql;
use crate::database::Database;
use crate::group_writer::{Ending, GroupWriter};
use crate::head::{self, HeadRow, Lock};
use crate::known_references::ReferenceCache;
use crate::session::Session;
use crate::tx::{Snapshot, Tx, WriteSlot};
use crate::{activity, answer, checkpoint, footprint, load, row, verify};

/// So many activities of a change share a transaction with those of other changes; more are sent in bulk.
const FEW: usize = 50;

/// The records of all tenants, in one database.
#[derive(Clone, Debug)]
pub struct PostgresStore {
    database: Arc<Database>,
    references: Arc<ReferenceCache>,
    group_writer: Arc<GroupWriter>,
}

impl PostgresStore {
    /// The store in that database.
    #[must_use]
    pub fn new(database: Arc<Database>) -> Self {
        let references: Arc<ReferenceCache> = Arc::default();
        let group_writer = Arc::new(GroupWriter::new(Arc::clone(&database), Arc::clone(&references)));
        Self { database, references, group_writer }
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn read(&self, grant: &Grant<Read>) -> Result<Box<dyn ReadTx>, StoreError> {
        let mut conn = self.database.read(grant.tenant()).await?;
        // The first statement fixes the snapshot.
        let head = head::read(&mut conn, Lock::Free).await?;
        Ok(Box::new(Tx::new(Snapshot::new(conn, head.head))))
    }

    async fn head(&self, grant: &Grant<Read>) -> Result<ChainHead, StoreError> {
        let tenant = grant.tenant();
        let text = format!("SELECT {} FROM tonne.head WHERE tenant_id = '{tenant}'", head::COLUMNS);
        let Some(mut rows) = self.database.query_tenant(tenant, &text).await? else {
            return self.read(grant).await?.head().await;
        };
        let row = rows.pop().ok_or_else(|| head::absent(tenant))?;
        Ok(head::of_row(&row.into(), tenant)?.head)
    }

    async fn activity(
        &self,
        grant: &Grant<Read>,
        id: ActivityId,
    ) -> Result<(ChainHead, Option<Stored<Activity>>), StoreError> {
        activity::find_with_head(&mut self.database.read(grant.tenant()).await?, id).await
    }

    async fn write(&self, grant: &Grant<Write>, intent: Intent) -> Result<Box<dyn WriteTx>, StoreError> {
        let mut conn = self.database.write(grant.tenant()).await?;
        let session = Session::open(&mut conn, &intent, grant.actor()).await?;
        let references = Arc::clone(&self.references);
        Ok(Box::new(Tx::new(WriteSlot::new(conn, session, self.database.bulk(), references))))
    }

    async fn put_activities(
        &self,
        grant: &Grant<Write>,
        intent: Intent,
        since: &ChainHead,
        writes: Vec<ActivityWrite>,
    ) -> Result<ChainHead, StoreError> {
        let tenant = grant.tenant();
        if writes.len() > FEW || writes.is_empty() || !self.database.is_on_one_server() {
            return write_batch(self, grant, intent, since, writes).await;
        }
        let change = Change { intent, actor: grant.actor().to_owned(), since: *since, writes };
        match self.group_writer.write(tenant, change).await {
            Ending::Done(done) => done,
            Ending::Retry(Change { intent, since, writes, .. }) => {
                write_batch(self, grant, intent, &since, writes).await
            }
        }
    }

    async fn prepare(&self, grant: &Grant<Maintenance>) -> Result<(), StoreError> {
        let mut conn = self.database.write(grant.tenant()).await?;
        if head::find(&mut conn, Lock::Free).await?.is_some() {
            return conn.end().await;
        }
        head::check_format(&mut conn).await?;
        head::make(&mut conn, self.database.options().ids.random()).await?;
        conn.end().await
    }

    async fn renew_epoch(&self, grant: &Grant<Maintenance>, epoch: Uuid) -> Result<(), StoreError> {
        let mut conn = self.database.write(grant.tenant()).await?;
        let row = head::read(&mut conn, Lock::Write).await?;
        head::write(&mut conn, &HeadRow { head: ChainHead { epoch, ..row.head }, ..row }).await?;
        conn.commit().await
    }

    async fn load(&self, grant: &Grant<Maintenance>) -> Result<Box<dyn Load>, StoreError> {
        load::open(&self.database, grant.tenant()).await
    }

    async fn remove(&self, grant: &Grant<Maintenance>, number: u64) -> Result<(), StoreError> {
        let mut conn = self.database.write(grant.tenant()).await?;
        // Many rows take longer to delete than any other statement may run.
        conn.lift_limit().await?;
        let removed = conn.value(sql("SELECT tonne.remove_tenant($1)", [row::integer(number)?])).await?;
        if removed != Some(true) {
            return Err(StoreError::Stale);
        }
        conn.commit().await
    }

    async fn checkpoint(
        &self,
        grant: &Grant<Maintenance>,
        revision: Revision,
        cells: Arc<dyn CheckpointCells>,
    ) -> Result<(), StoreError> {
        checkpoint::write(&self.database, grant.tenant(), revision, cells.as_ref()).await
    }

    async fn sweep_answers(&self, grant: &Grant<Maintenance>, now: Timestamp) -> Result<u64, StoreError> {
        let mut conn = self.database.write(grant.tenant()).await?;
        // Behind other nodes' writers, who remove such rows too.
        head::read(&mut conn, Lock::Write).await?;
        let removed = answer::sweep(&mut conn, now, SWEPT_AT_ONCE).await?;
        conn.commit().await?;
        Ok(removed)
    }

    async fn renew_verdicts(&self, grant: &Grant<Maintenance>) -> Result<u64, StoreError> {
        let mut conn = self.database.write(grant.tenant()).await?;
        // Behind writers, so that no verdict is of a record before it was amended.
        head::read(&mut conn, Lock::Write).await?;
        let renewed = footprint::renew(&mut conn, RENEWED_AT_ONCE).await?;
        conn.commit().await?;
        Ok(renewed)
    }

    async fn verify(&self, grant: &Grant<Maintenance>) -> Result<Verification, StoreError> {
        verify::tenant(&self.database, grant.tenant()).await
    }
}
