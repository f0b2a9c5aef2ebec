//! A write transaction that knows which periods are closed.

use std::sync::Arc;

use domain::{Activity, ActivityId, ClosedPeriods};
use ports::TenantId;
use ports::store::{StoreError, WriteTx};

use super::closed::{closed_periods, refuse};
use super::known::Known;

pub(super) struct GuardedTx {
    pub(super) tx: Box<dyn WriteTx>,
    tenant: TenantId,
    known: Known,
    /// The closed periods, once they are needed; `None` again when what they depend on was written.
    closed: Option<Arc<ClosedPeriods>>,
    /// Whether nodes or periods were written: what is known of the head is no longer so here.
    has_written_catalog: bool,
}

impl GuardedTx {
    pub(super) fn new(tx: Box<dyn WriteTx>, tenant: TenantId, known: Known) -> Self {
        Self { tx, tenant, known, closed: None, has_written_catalog: false }
    }

    /// The periods that are closed, as the transaction sees them.
    pub(super) async fn closed(&mut self) -> Result<Arc<ClosedPeriods>, StoreError> {
        if let Some(closed) = &self.closed {
            return Ok(Arc::clone(closed));
        }
        let known = if self.has_written_catalog { None } else { self.known.find(self.tenant, &self.tx.head().await?) };
        let closed = match known {
            Some(known) => known,
            None => Arc::new(closed_periods(self.tx.as_mut()).await?),
        };
        self.closed = Some(Arc::clone(&closed));
        Ok(closed)
    }

    /// Has them read again.
    pub(super) fn forget(&mut self) {
        (self.closed, self.has_written_catalog) = (None, true);
    }

    /// Refuses activities that touch a closed period, and those that are there under these ids and do.
    pub(super) async fn check(&mut self, after: &[&Activity], before: &[ActivityId]) -> Result<(), StoreError> {
        let closed = self.closed().await?;
        if closed.is_empty() {
            return Ok(());
        }
        refuse(&closed, after.iter().copied())?;
        let before = if before.is_empty() { Vec::new() } else { self.tx.activities().find_all(before).await? };
        refuse(&closed, before.iter().map(|stored| &stored.value))
    }
}
