//! StreamSlots for streams: so many in all, and so many for each tenant, so that one leaves the others their share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use ports::TenantId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::problem::Problem;

/// How long a request waits for a slot.
const PATIENCE: Duration = Duration::from_secs(1);

/// All stream slots of a service.
#[derive(Debug)]
pub(crate) struct StreamSlots {
    all: Arc<Semaphore>,
    each: usize,
    /// Those of tenants that have or want one.
    tenants: Mutex<HashMap<TenantId, Weak<Semaphore>>>,
}

/// A slot; free again when it is dropped.
#[derive(Debug)]
pub(crate) struct StreamSlot {
    _own: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl StreamSlots {
    /// So many slots, so many of them for each tenant.
    pub(crate) fn new(all: usize, each: usize) -> Self {
        Self { all: Arc::new(Semaphore::new(all)), each, tenants: Mutex::default() }
    }

    /// A slot for that tenant, once there is one; after a second without one the service is busy. Whoever waits for a
    /// slot of its tenant takes none from the others.
    pub(crate) async fn take(&self, tenant: TenantId) -> Result<StreamSlot, Problem> {
        let both = async {
            let own = self.of(tenant).acquire_owned().await.ok()?;
            let of_all = Arc::clone(&self.all).acquire_owned().await.ok()?;
            Some(StreamSlot { _own: own, _of_all: of_all })
        };
        timeout(PATIENCE, both).await.ok().flatten().ok_or_else(|| Problem::busy("no slot for another stream was free"))
    }

    fn of(&self, tenant: TenantId) -> Arc<Semaphore> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        tenants.retain(|_, slots| slots.strong_count() > 0);
        let known = tenants.get(&tenant).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let slots = Arc::new(Semaphore::new(self.each));
            tenants.insert(tenant, Arc::downgrade(&slots));
            slots
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
        let slots = StreamSlots::new(3, 2);
        let (_first, second) = (slots.take(tenant(1)).await.unwrap(), slots.take(tenant(1)).await.unwrap());
        assert!(slots.take(tenant(1)).await.is_err());
        let _other = slots.take(tenant(2)).await.unwrap();
        assert!(slots.take(tenant(3)).await.is_err());
        drop(second);
        slots.take(tenant(1)).await.unwrap();
    }

    #[tokio::test]
    async fn who_waits_for_a_slot_of_its_tenant_takes_none_from_the_others() {
        let slots = StreamSlots::new(2, 1);
        let _first = slots.take(tenant(1)).await.unwrap();
        let (waited, other) = tokio::join!(slots.take(tenant(1)), slots.take(tenant(2)));
        assert!(waited.is_err() && other.is_ok());
    }

    #[tokio::test]
    async fn tenants_without_a_slot_are_not_remembered() {
        let slots = StreamSlots::new(8, 4);
        for number in 0..100 {
            drop(slots.take(tenant(number)).await.unwrap());
        }
        let _held = slots.take(tenant(1)).await.unwrap();
        assert_eq!(slots.tenants.lock().unwrap().len(), 1);
    }
}
