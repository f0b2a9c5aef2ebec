//! Places among the connections, each tenant's share of them, and its queue of writers: one tenant cannot keep the others
//! out, and nobody waits for a server that is away.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ports::TenantId;
use ports::store::StoreError;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// Tenants that are remembered without a transaction under way.
const IDLE: usize = 1_000;

/// The places among the connections, and the shares of all tenants.
#[derive(Debug)]
pub(crate) struct Shares {
    /// All connections, for what belongs to no tenant.
    all: Arc<Semaphore>,
    /// Those that tenants may have: a few are always left for the directory, however many tenants are busy.
    tenants_all: Arc<Semaphore>,
    each: usize,
    tenants: Mutex<HashMap<TenantId, Share>>,
    away: Notify,
}

#[derive(Clone, Debug)]
struct Share {
    connections: Arc<Semaphore>,
    writer: Arc<Semaphore>,
}

/// A place among the connections; free again when it is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    _connection: OwnedSemaphorePermit,
    _own: Option<OwnedSemaphorePermit>,
    _turn: Option<OwnedSemaphorePermit>,
}

impl Shares {
    /// So many connections, of which each tenant has at most so many.
    pub(crate) fn new(all: u32, each: u32) -> Self {
        let places = |count: u32| usize::try_from(count).unwrap_or(usize::MAX).clamp(1, Semaphore::MAX_PERMITS);
        let reserved = if all < 8 { 1 } else { 2 };
        Self {
            all: Arc::new(Semaphore::new(places(all))),
            tenants_all: Arc::new(Semaphore::new(places(all.saturating_sub(reserved)))),
            each: places(each),
            tenants: Mutex::default(),
            away: Notify::new(),
        }
    }

    /// A place for what belongs to no tenant, once there is one.
    pub(crate) async fn anyone(&self, wait: Duration) -> Result<Held, StoreError> {
        Ok(Held { _connection: self.take(Arc::clone(&self.all), wait).await?, _own: None, _turn: None })
    }

    /// A place to read in, once there is one.
    pub(crate) async fn reader(&self, tenant: TenantId, wait: Duration) -> Result<Held, StoreError> {
        let share = self.of(tenant);
        self.own(share.connections, None, wait).await
    }

    /// A place to write in, behind the tenant's other writers on this node: while they wait they hold no connection.
    pub(crate) async fn writer(&self, tenant: TenantId, turn: Duration, wait: Duration) -> Result<Held, StoreError> {
        let share = self.of(tenant);
        let turn = self.take(share.writer, turn).await?;
        self.own(share.connections, Some(turn), wait).await
    }

    /// A place among a tenant's and then among all tenants', once there are both.
    async fn own(
        &self,
        share: Arc<Semaphore>,
        turn: Option<OwnedSemaphorePermit>,
        wait: Duration,
    ) -> Result<Held, StoreError> {
        let deadline = Instant::now() + wait;
        let own = self.take(share, wait).await?;
        let left = deadline.saturating_duration_since(Instant::now());
        Ok(Held { _connection: self.take(Arc::clone(&self.tenants_all), left).await?, _own: Some(own), _turn: turn })
    }

    async fn take(&self, places: Arc<Semaphore>, wait: Duration) -> Result<OwnedSemaphorePermit, StoreError> {
        tokio::select! {
            // The place of whoever found the server away comes free with the news: the news counts.
            biased;
            () = self.away.notified() => Err(StoreError::Busy(None)),
            taken = timeout(wait, places.acquire_owned()) => taken.ok().and_then(Result::ok).ok_or(StoreError::Busy(None)),
        }
    }

    /// Tells all who wait that the server cannot be reached: they need not find it out one after another.
    pub(crate) fn server_is_away(&self) {
        self.away.notify_waiters();
    }

    fn of(&self, tenant: TenantId) -> Share {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        if tenants.len() > IDLE {
            tenants
                .retain(|_, share| Arc::strong_count(&share.connections) > 1 || Arc::strong_count(&share.writer) > 1);
        }
        let new = || Share { connections: Arc::new(Semaphore::new(self.each)), writer: Arc::new(Semaphore::new(1)) };
        tenants.entry(tenant).or_insert_with(new).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    fn tenant(number: u128) -> TenantId {
        TenantId::new(uuid::Uuid::from_u128(number))
    }

    #[tokio::test]
    async fn a_tenant_beyond_its_share_waits_and_the_others_do_not() {
        let shares = Shares::new(4, 2);
        let held = [shares.reader(tenant(1), LONG).await.unwrap(), shares.writer(tenant(1), LONG, LONG).await.unwrap()];
        assert!(matches!(shares.reader(tenant(1), Duration::ZERO).await, Err(StoreError::Busy(_))));
        assert!(shares.writer(tenant(2), Duration::ZERO, Duration::ZERO).await.is_ok());
        drop(held);
        assert!(shares.reader(tenant(1), Duration::ZERO).await.is_ok());
    }

    #[tokio::test]
    async fn writers_in_the_queue_hold_no_connection() {
        let shares = Shares::new(4, 2);
        let _first = shares.writer(tenant(1), LONG, LONG).await.unwrap();
        assert!(matches!(shares.writer(tenant(1), Duration::ZERO, LONG).await, Err(StoreError::Busy(_))));
        assert!(shares.reader(tenant(1), Duration::ZERO).await.is_ok());
    }

    #[tokio::test]
    async fn tenants_together_leave_the_directory_a_connection() {
        let shares = Shares::new(3, 2);
        let _held = [shares.reader(tenant(1), LONG).await.unwrap(), shares.reader(tenant(2), LONG).await.unwrap()];
        assert!(matches!(shares.reader(tenant(3), Duration::ZERO).await, Err(StoreError::Busy(_))));
        assert!(shares.anyone(Duration::ZERO).await.is_ok());
    }

    #[tokio::test]
    async fn who_waits_for_a_turn_learns_at_once_that_the_server_is_away() {
        let shares = Arc::new(Shares::new(4, 2));
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
