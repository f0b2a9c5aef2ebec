//! Each tenant's share of the connections, and its queue of writers: one tenant cannot keep the others out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::TenantId;
use ports::store::StoreError;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Tenants that are remembered without a transaction under way.
const IDLE: usize = 1_000;

/// The shares of all tenants.
#[derive(Debug)]
pub(crate) struct Shares {
    connections: usize,
    tenants: Mutex<HashMap<TenantId, Share>>,
    away: Notify,
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
        let connections = usize::try_from(connections).unwrap_or(usize::MAX).max(1);
        Self { connections, tenants: Mutex::default(), away: Notify::new() }
    }

    /// A place to read in, once there is one.
    pub(crate) async fn reader(&self, tenant: TenantId, wait: Duration) -> Result<Held, StoreError> {
        let share = self.of(tenant);
        Ok(Held { _connection: take(share.connections, wait).await?, _turn: None })
    }

    /// A place to write in, behind the tenant's other writers on this node: while they wait they hold no connection.
    pub(crate) async fn writer(&self, tenant: TenantId, turn: Duration, wait: Duration) -> Result<Held, StoreError> {
        let share = self.of(tenant);
        let turn = tokio::select! {
            turn = take(share.writer, turn) => turn?,
            () = self.away.notified() => return Err(StoreError::Busy(None)),
        };
        Ok(Held { _connection: take(share.connections, wait).await?, _turn: Some(turn) })
    }

    /// Tells the writers that wait for their turn that the server cannot be reached: they need not find it out one after
    /// another.
    pub(crate) fn server_is_away(&self) {
        self.away.notify_waiters();
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

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn tenant(number: u128) -> TenantId {
        TenantId::new(uuid::Uuid::from_u128(number))
    }

    #[tokio::test]
    async fn a_tenant_beyond_its_share_waits_and_the_others_do_not() {
        let shares = Shares::new(2);
        let held = [shares.reader(tenant(1), LONG).await.unwrap(), shares.writer(tenant(1), LONG, LONG).await.unwrap()];
        assert!(matches!(shares.reader(tenant(1), Duration::ZERO).await, Err(StoreError::Busy(_))));
        assert!(shares.writer(tenant(2), Duration::ZERO, Duration::ZERO).await.is_ok());
        drop(held);
        assert!(shares.reader(tenant(1), Duration::ZERO).await.is_ok());
    }

    #[tokio::test]
    async fn writers_in_the_queue_hold_no_connection() {
        let shares = Shares::new(2);
        let _first = shares.writer(tenant(1), LONG, LONG).await.unwrap();
        assert!(matches!(shares.writer(tenant(1), Duration::ZERO, LONG).await, Err(StoreError::Busy(_))));
        assert!(shares.reader(tenant(1), Duration::ZERO).await.is_ok());
    }

    #[tokio::test]
    async fn who_waits_for_a_turn_learns_at_once_that_the_server_is_away() {
        let shares = Arc::new(Shares::new(2));
        let _first = shares.writer(tenant(1), LONG, LONG).await.unwrap();
        let second = Arc::clone(&shares);
        let waiting = tokio::spawn(async move { second.writer(tenant(1), LONG, LONG).await.map(drop) });
        while !waiting.is_finished() {
            shares.server_is_away();
            tokio::task::yield_now().await;
        }
        assert!(matches!(waiting.await.unwrap(), Err(StoreError::Busy(_))));
    }
}
