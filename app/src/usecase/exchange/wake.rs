//! Who has events to send: told by those who store them, to the one that sends them.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use ports::TenantId;
use tokio::sync::Notify;

/// The tenants with new events to send.
#[derive(Debug, Default)]
pub struct Wake {
    tenants: Mutex<HashSet<TenantId>>,
    notify: Notify,
}

impl Wake {
    /// Tells that there is something to send.
    pub fn wake(&self, tenant: TenantId) {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner).insert(tenant);
        self.notify.notify_one();
    }

    /// Waits until there is something to send.
    pub(super) async fn wait(&self) {
        self.notify.notified().await;
    }

    /// The tenants that were told since.
    pub(super) fn take(&self) -> HashSet<TenantId> {
        std::mem::take(&mut *self.tenants.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
