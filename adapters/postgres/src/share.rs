//! Each tenant's share of the connections, and its queue of writers: one tenant cannot keep the others out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::TenantId;
use ports::store::StoreError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Tenants that are remembered without a transaction under way.
const IDLE: usize = 1_000;

/// The shares of all tenants.
#[derive(Debug)]
pub(crate) struct Shares {
    connections: usize,
    tenants: Mutex<HashMap<TenantId, Share>>,
}

#[derive(Clone, Debug)]
struct Share {
    connections: Arc<Semaphore>,
    writer: Arc<Semaphore>,
}

/// A place among the connections of a tenant; free again when it is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    _connection: OwnedSemaphorePermit,
    _turn: Option<OwnedSemaphorePermit>,
}

impl Shares {
    /// Shares of at most so many connections.
    pub(crate) fn new(connections: u32) -> Self {
        Self { connections: usize::try_from(connections).unwrap_or(usize::MAX).max(1), tenants: Mutex::default() }
    }

    /// A place to read in, once there is one.
    pub(crate) async fn reader(&self, tenant: TenantId, wait: Duration) -> Result<Held, StoreError> {
        let share = self.of(tenant);
        Ok(Held { _connection: take(share.connections, wait).await?, _turn: None })
    }

    /// A place to write in, behind the tenant's other writers on this node: while they wait they hold no connection.
    pub(crate) async fn writer(&self, tenant: TenantId, turn: Duration, wait: Duration) -> Result<Held, StoreError> {
        let share = self.of(tenant);
        let turn = take(share.writer, turn).await?;
        Ok(Held { _connection: take(share.connections, wait).await?, _turn: Some(turn) })
    }

    fn of(&self, tenant: TenantId) -> Share {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        if tenants.len() > IDLE {
            tenants
                .retain(|_, share| Arc::strong_count(&share.connections) > 1 || Arc::strong_count(&share.writer) > 1);
        }
        let new =
            || Share { connections: Arc::new(Semaphore::new(self.connections)), writer: Arc::new(Semaphore::new(1)) };
        tenants.entry(tenant).or_insert_with(new).clone()
    }
}

async fn take(places: Arc<Semaphore>, wait: Duration) -> Result<OwnedSemaphorePermit, StoreError> {
    timeout(wait, places.acquire_owned()).await.ok().and_then(Result::ok).ok_or(StoreError::Busy(None))
}
