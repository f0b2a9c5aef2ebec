//! The workers of a cluster (Citus): which of them has a tenant's rows, and each one's share of the connections. Requests
//! to one that does not answer wait on their connections; those for the other workers' tenants have some left.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ports::TenantId;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// The places of the worker that has a tenant's rows. `None` where the tables are on the server that is connected to.
pub(crate) type Worker = Option<Arc<Semaphore>>;

/// How long it is remembered where a tenant's rows are: an operator may move them.
const MEMORY: Duration = Duration::from_mins(1);

/// Shorter while all of the worker's places are taken: it may hang, and the rows may have been moved off it.
const MEMORY_OF_A_FULL_WORKER: Duration = Duration::from_secs(1);

/// Tenants that are remembered at most.
const TENANTS: usize = 10_000;

/// The places of all workers.
#[derive(Debug)]
pub(crate) struct Workers {
    each: usize,
    /// By host and port.
    places: Mutex<HashMap<String, Arc<Semaphore>>>,
    tenants: Mutex<HashMap<TenantId, (Arc<Semaphore>, Instant)>>,
}

impl Workers {
    /// The tenants of each worker may have half of so many connections, which are for all tenants together.
    pub(crate) fn new(connections: u32) -> Self {
        let each = usize::try_from(connections / 2).unwrap_or(usize::MAX).clamp(1, Semaphore::MAX_PERMITS);
        Self { each, places: Mutex::default(), tenants: Mutex::default() }
    }

    /// The query for the worker that has a tenant's rows: its host and port, a text.
    pub(crate) fn query(tenant: TenantId) -> String {
        format!(
            "SELECT nodename || ':' || nodeport FROM pg_dist_placement JOIN pg_dist_node USING (groupid) \
             WHERE noderole = 'primary' AND shardid = get_shard_id_for_distribution_column('tonne.head', '{tenant}')"
        )
    }

    /// The places of the worker that has the tenant's rows, where that was learnt lately.
    pub(crate) fn known(&self, tenant: TenantId) -> Worker {
        self.known_at(tenant, Instant::now())
    }

    fn known_at(&self, tenant: TenantId, now: Instant) -> Worker {
        let tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        let (places, learnt) = tenants.get(&tenant)?;
        let memory = if places.available_permits() == 0 { MEMORY_OF_A_FULL_WORKER } else { MEMORY };
        (now.saturating_duration_since(*learnt) < memory).then(|| Arc::clone(places))
    }

    /// Remembers that this worker has the tenant's rows, and gives its places.
    pub(crate) fn learn(&self, tenant: TenantId, worker: String) -> Arc<Semaphore> {
        let places = {
            let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(places.entry(worker).or_insert_with(|| Arc::new(Semaphore::new(self.each))))
        };
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        if tenants.len() >= TENANTS {
            tenants.clear();
        }
        tenants.insert(tenant, (Arc::clone(&places), Instant::now()));
        places
    }
}

#[cfg(test)]
mod tests {
    use ports::contract::sample;

    use super::*;

    fn tenant(number: u64) -> TenantId {
        sample::id(number)
    }

    #[test]
    fn where_a_tenants_rows_are_is_remembered_for_a_minute() {
        let workers = Workers::new(8);
        let before = Instant::now();
        let places = workers.learn(tenant(1), "one:5432".to_owned());
        let after = Instant::now();
        let still = workers.known_at(tenant(1), before + Duration::from_millis(59_999)).unwrap();
        assert!(Arc::ptr_eq(&still, &places));
        assert!(workers.known_at(tenant(1), after + Duration::from_mins(1)).is_none());
        assert!(workers.known(tenant(2)).is_none());
    }

    #[test]
    fn where_a_worker_has_no_place_left_it_is_asked_each_second_whether_the_rows_are_still_there() {
        let workers = Workers::new(2);
        let before = Instant::now();
        let places = workers.learn(tenant(1), "one:5432".to_owned());
        let after = Instant::now();
        let only = places.try_acquire().unwrap();
        assert!(workers.known_at(tenant(1), before + Duration::from_millis(999)).is_some());
        assert!(workers.known_at(tenant(1), after + Duration::from_secs(1)).is_none());
        drop(only);
        assert!(workers.known_at(tenant(1), before + Duration::from_secs(59)).is_some());
    }

    #[test]
    fn the_tenants_of_a_worker_have_half_of_the_connections_together() {
        let workers = Workers::new(8);
        let one = workers.learn(tenant(1), "one:5432".to_owned());
        let other = workers.learn(tenant(2), "one:5432".to_owned());
        let elsewhere = workers.learn(tenant(3), "two:5432".to_owned());
        assert!(Arc::ptr_eq(&one, &other) && !Arc::ptr_eq(&one, &elsewhere));
        assert_eq!((one.available_permits(), elsewhere.available_permits()), (4, 4));
        assert_eq!(Workers::new(1).learn(tenant(1), "one:5432".to_owned()).available_permits(), 1);
    }

    #[test]
    fn a_tenant_that_was_moved_takes_the_places_of_its_new_worker() {
        let workers = Workers::new(8);
        let before = workers.learn(tenant(1), "one:5432".to_owned());
        let after = workers.learn(tenant(1), "two:5432".to_owned());
        assert!(!Arc::ptr_eq(&before, &after));
        assert!(Arc::ptr_eq(&workers.known(tenant(1)).unwrap(), &after));
    }
}
