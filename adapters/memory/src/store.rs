//! The store: tenants by their id.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use domain::{PackedCells, Timestamp};
use ports::id_source::Ids;
use ports::ledger::{CheckpointCells, Draft};
use ports::load::Load;
use ports::repo::SWEPT_AT_ONCE;
use ports::store::{Intent, ReadTx, Store, StoreError, Verification, WriteTx};
use ports::{Access, Grant, Maintenance, Read, Revision, TenantId, Write};
use uuid::Uuid;

use crate::load::Loading;
use crate::state::State;
use crate::tenant::Tenant;
use crate::tx::{Tx, WriteState};
use crate::verify::verify;
use crate::writer_queue::Turn;

/// A store that keeps its tenants in memory.
pub struct MemoryStore {
    ids: Arc<dyn Ids>,
    /// How many may be in a tenant's line when another comes.
    most: usize,
    tenants: Mutex<HashMap<TenantId, Arc<Tenant>>>,
}

impl MemoryStore {
    /// A store without a tenant. `ids` gives each tenant's epoch.
    #[must_use]
    pub fn new(ids: Arc<dyn Ids>) -> Self {
        Self { ids, most: usize::MAX, tenants: Mutex::default() }
    }

    /// The same store, in which a writer that finds more than `most` others of its tenant, the one that writes included,
    /// gets the error that the store is busy.
    #[must_use]
    pub fn busy_behind(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// The newest state of the grant's tenant.
    pub(crate) fn newest<A: Access>(&self, grant: &Grant<A>) -> Result<State, StoreError> {
        self.tenant(grant).map(|tenant| tenant.newest())
    }

    fn tenant<A: Access>(&self, grant: &Grant<A>) -> Result<Arc<Tenant>, StoreError> {
        self.tenants().get(&grant.tenant()).cloned().ok_or_else(|| unknown(grant))
    }

    /// Waits for a turn to write in the tenant, which may be removed meanwhile.
    async fn turn<A: Access>(&self, grant: &Grant<A>) -> Result<(Arc<Tenant>, Turn), StoreError> {
        let tenant = self.tenant(grant)?;
        let turn = tenant.queue.take(self.most).await.ok_or(StoreError::Busy(None))?;
        if Arc::ptr_eq(&tenant, &self.tenant(grant)?) { Ok((tenant, turn)) } else { Err(unknown(grant)) }
    }

    fn tenants(&self) -> MutexGuard<'_, HashMap<TenantId, Arc<Tenant>>> {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unknown<A: Access>(grant: &Grant<A>) -> StoreError {
    StoreError::Failed(format!("the tenant {} was not prepared", grant.tenant()).into())
}

#[async_trait]
impl Store for MemoryStore {
    async fn read(&self, grant: &Grant<Read>) -> Result<Box<dyn ReadTx>, StoreError> {
        Ok(Box::new(Tx { state: self.newest(grant)?, write: () }))
    }

    async fn write(&self, grant: &Grant<Write>, intent: Intent) -> Result<Box<dyn WriteTx>, StoreError> {
        let (tenant, turn) = self.turn(grant).await?;
        let state = tenant.newest();
        let draft = Draft::new(state.head, &intent, grant.actor());
        let write = WriteState { tenant, turn, draft, writes_beside: false };
        Ok(Box::new(Tx { state, write }))
    }

    async fn prepare(&self, grant: &Grant<Maintenance>) -> Result<(), StoreError> {
        self.tenants().entry(grant.tenant()).or_insert_with(|| Arc::new(Tenant::new(State::new(self.ids.random()))));
        Ok(())
    }

    async fn load(&self, grant: &Grant<Maintenance>) -> Result<Box<dyn Load>, StoreError> {
        let (tenant, turn) = self.turn(grant).await?;
        let state = tenant.newest();
        Ok(Box::new(Loading::begin(tenant, turn, state, self.ids.random())?))
    }

    async fn remove(&self, grant: &Grant<Maintenance>, number: u64) -> Result<(), StoreError> {
        let tenant = grant.tenant();
        let found = self.tenants().get(&tenant).cloned();
        let Some(found) = found else { return Ok(()) };
        let _turn = found.queue.take(self.most).await.ok_or(StoreError::Busy(None))?;
        let mut tenants = self.tenants();
        if !tenants.get(&tenant).is_some_and(|there| Arc::ptr_eq(there, &found)) {
            return Ok(());
        }
        if found.newest().head.number != number {
            return Err(StoreError::Stale);
        }
        tenants.remove(&tenant);
        Ok(())
    }

    async fn renew_epoch(&self, grant: &Grant<Maintenance>, epoch: Uuid) -> Result<(), StoreError> {
        let (tenant, _turn) = self.turn(grant).await?;
        let mut state = tenant.newest();
        state.head.epoch = epoch;
        tenant.publish(state);
        Ok(())
    }

    async fn checkpoint(
        &self,
        grant: &Grant<Maintenance>,
        revision: Revision,
        cells: Arc<dyn CheckpointCells>,
    ) -> Result<(), StoreError> {
        let parts: Arc<Vec<PackedCells>> = Arc::new(cells.parts().collect::<Result<_, _>>()?);
        // A writer publishes the state that it began with: the turn keeps this one from being lost in between.
        let (tenant, _turn) = self.turn(grant).await?;
        let mut state = tenant.newest();
        if revision.epoch != state.head.epoch || revision.number > state.head.number {
            return Err(StoreError::Stale);
        }
        if state.checkpoint.as_ref().is_none_or(|(number, _)| *number < revision.number) {
            state.checkpoint = Some((revision.number, parts));
            tenant.publish(state);
        }
        Ok(())
    }

    async fn sweep_answers(&self, grant: &Grant<Maintenance>, now: Timestamp) -> Result<u64, StoreError> {
        let (tenant, _turn) = self.turn(grant).await?;
        let mut state = tenant.newest();
        let removed = Arc::make_mut(&mut state.answers).sweep(now, SWEPT_AT_ONCE);
        tenant.publish(state);
        Ok(removed)
    }

    async fn renew_verdicts(&self, grant: &Grant<Maintenance>) -> Result<u64, StoreError> {
        // Every verdict is of this process, which knows one set of rules.
        self.newest(grant).map(|_| 0)
    }

    async fn verify(&self, grant: &Grant<Maintenance>) -> Result<Verification, StoreError> {
        Ok(verify(&self.newest(grant)?))
    }
}
