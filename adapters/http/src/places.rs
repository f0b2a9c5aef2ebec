//! Places for streams: so many in all, and so many for each tenant, so that one leaves the others their share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use ports::TenantId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::problem::Problem;

/// How long a request waits for a place.
const PATIENCE: Duration = Duration::from_secs(1);

/// All places of a service.
#[derive(Debug)]
pub(crate) struct Places {
    all: Arc<Semaphore>,
    each: usize,
    /// Those of tenants that have or want one.
    tenants: Mutex<HashMap<TenantId, Weak<Semaphore>>>,
}

/// A place; free again when it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    _own: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Places {
    /// So many places, so many of them for each tenant.
    pub(crate) fn new(all: usize, each: usize) -> Self {
        Self { all: Arc::new(Semaphore::new(all)), each, tenants: Mutex::default() }
    }

    /// A place for that tenant, once there is one; after a second without one the service is busy. Whoever waits for a
    /// place of its tenant takes none from the others.
    pub(crate) async fn take(&self, tenant: TenantId) -> Result<Place, Problem> {
        let both = async {
            let own = self.of(tenant).acquire_owned().await.ok()?;
            let of_all = Arc::clone(&self.all).acquire_owned().await.ok()?;
            Some(Place { _own: own, _of_all: of_all })
        };
        timeout(PATIENCE, both)
            .await
            .ok()
            .flatten()
            .ok_or_else(|| Problem::busy("no place for another stream was free"))
    }

    fn of(&self, tenant: TenantId) -> Arc<Semaphore> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        tenants.retain(|_, places| places.strong_count() > 0);
        let known = tenants.get(&tenant).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let places = Arc::new(Semaphore::new(self.each));
            tenants.insert(tenant, Arc::downgrade(&places));
            places
        })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn tenant(number: u128) -> TenantId {
        TenantId::new(Uuid::from_u128(number))
    }

    #[tokio::test]
    async fn one_tenant_leaves_the_others_their_share() {
        let places = Places::new(3, 2);
        let (_first, second) = (places.take(tenant(1)).await.unwrap(), places.take(tenant(1)).await.unwrap());
        assert!(places.take(tenant(1)).await.is_err());
        let _other = places.take(tenant(2)).await.unwrap();
        assert!(places.take(tenant(3)).await.is_err());
        drop(second);
        places.take(tenant(1)).await.unwrap();
    }

    #[tokio::test]
    async fn who_waits_for_a_place_of_its_tenant_takes_none_from_the_others() {
        let places = Places::new(2, 1);
        let _first = places.take(tenant(1)).await.unwrap();
        let (waited, other) = tokio::join!(places.take(tenant(1)), places.take(tenant(2)));
        assert!(waited.is_err() && other.is_ok());
    }

    #[tokio::test]
    async fn tenants_without_a_place_are_not_remembered() {
        let places = Places::new(8, 4);
        for number in 0..100 {
            drop(places.take(tenant(number)).await.unwrap());
        }
        let _held = places.take(tenant(1)).await.unwrap();
        assert_eq!(places.tenants.lock().unwrap().len(), 1);
    }
}
