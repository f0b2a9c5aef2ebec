//! The closed periods of tenants, as they were last read.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::ClosedPeriods;
use ports::{ChainHead, TenantId};
use uuid::Uuid;

/// The closed periods of tenants, each of the epoch and the catalog number that it was read at.
#[derive(Clone, Default)]
pub(super) struct Known(Arc<Mutex<HashMap<TenantId, AtCatalog>>>);

/// An epoch, a catalog number of it, and the periods that are closed at that.
type AtCatalog = (Uuid, u64, Arc<ClosedPeriods>);

impl Known {
    /// The closed periods of a tenant at that head, where they are known.
    pub(super) fn find(&self, tenant: TenantId, head: &ChainHead) -> Option<Arc<ClosedPeriods>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (epoch, catalog, closed) = known.get(&tenant)?;
        (*epoch == head.epoch && *catalog == head.catalog).then(|| Arc::clone(closed))
    }

    /// Keeps them, as they were read at that head.
    pub(super) fn keep(&self, tenant: TenantId, head: &ChainHead, closed: Arc<ClosedPeriods>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(tenant, (head.epoch, head.catalog, closed));
    }
}
