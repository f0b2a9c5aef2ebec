//! Places among the connections, each tenant's share of them, and its queue of writers: one tenant cannot keep the others
//! out, and nobody waits for a server that is away.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ports::TenantId;
use ports::store::StoreError;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use crate::worker::Worker;

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
    _worker: Option<OwnedSemaphorePermit>,
    _turn: Option<OwnedSemaphorePermit>,
}

/// How many of so many connections tenants may have.
pub(crate) const fn of_tenants(all: u32) -> u32 {
    all.saturating_sub(if all < 8 { 1 } else { 2 })
}

impl Shares {
    /// So many connections, of which each tenant has at most so many.
    pub(crate) fn new(all: u32, each: u32) -> Self {
        let places = |count: u32| usize::try_from(count).unwrap_or(usize::MAX).clamp(1, Semaphore::MAX_PERMITS);
        Self {
            all: Arc::new(Semaphore::new(places(all))),
            tenants_all: Arc::new(Semaphore::new(places(of_tenants(all)))),
            each: places(each),
            tenants: Mutex::default(),
            away: Notify::new(),
        }
    }

    /// A place for what belongs to no tenant, once there is one.
    pub(crate) async fn anyone(&self, wait: Duration) -> Result<Held, StoreError> {
        let connection = self.take(Arc::clone(&self.all), wait).await?;
        Ok(Held { _connection: connection, _own: None, _worker: None, _turn: None })
    }

    /// A place to read in, once there is one. Where the tenant's rows are on a worker, it counts in that worker's share.
    pub(crate) async fn reader(&self, tenant: TenantId, worker: Worker, wait: Duration) -> Result<Held, StoreError> {
        let share = self.of(tenant);
        self.own(share.connections, worker, None, wait).await
    }

    /// A place to write in, behind the tenant's other writers on this node: while they wait they hold no connection.
    pub(crate) async fn writer(
        &self,
        tenant: TenantId,
        worker: Worker,
        turn: Duration,
        wait: Duration,
    ) -> Result<Held, StoreError> {
        let share = self.of(tenant);
        let turn = self.take(share.writer, turn).await?;
        self.own(share.connections, worker, Some(turn), wait).await
    }

    /// A place among a tenant's, then among its worker's and then among all tenants', once there are all.
    async fn own(
        &self,
        share: Arc<Semaphore>,
        worker: Worker,
        turn: Option<OwnedSemaphorePermit>,
        wait: Duration,
    ) -> Result<Held, StoreError> {
        let deadline = Instant::now() + wait;
        let left = || deadline.saturating_duration_since(Instant::now());
        let own = self.take(share, wait).await?;
        let of_worker = match worker {
            Some(places) => Some(self.take(places, left()).await?),
            None => None,
        };
        let connection = self.take(Arc::clone(&self.tenants_all), left()).await?;
        Ok(Held { _connection: connection, _own: Some(own), _worker: of_worker, _turn: turn })
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
    use crate::worker::Workers;

    const LONG: Duration = Duration::from_mins(1);

    fn tenant(number: u128) -> TenantId {
        TenantId::new(uuid::Uuid::from_u128(number))
    }

    #[tokio::test]
    async fn a_tenant_beyond_its_share_waits_and_the_others_do_not() {
        let shares = Shares::new(4, 2);
        let held = [
            shares.reader(tenant(1), None, LONG).await.unwrap(),
            shares.writer(tenant(1), None, LONG, LONG).await.unwrap(),
        ];
        assert!(matches!(shares.reader(tenant(1), None, Duration::ZERO).await, Err(StoreError::Busy(_))));
        assert!(shares.writer(tenant(2), None, Duration::ZERO, Duration::ZERO).await.is_ok());
        drop(held);
        assert!(shares.reader(tenant(1), None, Duration::ZERO).await.is_ok());
    }

    #[tokio::test]
    async fn writers_in_the_queue_hold_no_connection() {
        let shares = Shares::new(4, 2);
        let _first = shares.writer(tenant(1), None, LONG, LONG).await.unwrap();
        assert!(matches!(shares.writer(tenant(1), None, Duration::ZERO, LONG).await, Err(StoreError::Busy(_))));
        assert!(shares.reader(tenant(1), None, Duration::ZERO).await.is_ok());
    }

    #[tokio::test]
    async fn tenants_together_leave_the_directory_a_connection() {
        let shares = Shares::new(3, 2);
        let _held =
            [shares.reader(tenant(1), None, LONG).await.unwrap(), shares.reader(tenant(2), None, LONG).await.unwrap()];
        assert!(matches!(shares.reader(tenant(3), None, Duration::ZERO).await, Err(StoreError::Busy(_))));
        assert!(shares.anyone(Duration::ZERO).await.is_ok());
    }

    #[tokio::test]
    async fn tenants_of_a_worker_that_hangs_leave_those_of_others_connections() {
        let (shares, workers) = (Shares::new(8, 8), Workers::new(of_tenants(8)));
        let of = |number, name: &str| workers.learn(tenant(number), name.to_owned());
        let mut held = Vec::new();
        while let Ok(place) = shares.reader(tenant(1), Some(of(1, "first")), Duration::ZERO).await {
            held.push(place);
        }
        assert_eq!(held.len(), 3);
        assert!(shares.reader(tenant(2), Some(of(2, "first")), Duration::ZERO).await.is_err());
        assert!(shares.reader(tenant(3), Some(of(3, "second")), Duration::ZERO).await.is_ok());
    }

    #[tokio::test]
    async fn who_waits_for_a_turn_learns_at_once_that_the_server_is_away() {
        let shares = Arc::new(Shares::new(4, 2));
        let _first = shares.writer(tenant(1), None, LONG, LONG).await.unwrap();
        let second = Arc::clone(&shares);
        let waiting = tokio::spawn(async move { second.writer(tenant(1), None, LONG, LONG).await.map(drop) });
        while !waiting.is_finished() {
            shares.server_is_away();
            tokio::task::yield_now().await;
        }
        assert!(matches!(waiting.await.unwrap(), Err(StoreError::Busy(_))));
    }
}
