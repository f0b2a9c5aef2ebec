//! Slots of streams: so many in all, so many for each tenant, and so many for each credential, so that one leaves the
//! others their share.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use metrics::{counter, gauge};
use ports::{Caller, TenantId, metric};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::problem::Problem;

/// How long a request waits for a slot.
const PATIENCE: Duration = Duration::from_secs(1);

/// All stream slots of a service.
#[derive(Debug)]
pub(crate) struct StreamSlots {
    all: Arc<Semaphore>,
    tenants: Shares<TenantId>,
    credentials: Shares<String>,
}

/// A slot; free again when it is dropped.
#[derive(Debug)]
pub struct StreamSlot {
    _credential: OwnedSemaphorePermit,
    _tenant: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl StreamSlots {
    /// So many slots, so many of them for each tenant, so many for each credential.
    pub(crate) fn new(all: usize, per_tenant: usize, per_credential: usize) -> Self {
        let (tenants, credentials) = (Shares::new(per_tenant), Shares::new(per_credential));
        Self { all: Arc::new(Semaphore::new(all)), tenants, credentials }
    }

    /// A slot for that caller, once there is one; after a second without one the service is busy. Whoever waits for a slot
    /// of its own share takes none from the others.
    pub(crate) async fn take(&self, caller: &Caller) -> Result<StreamSlot, Problem> {
        let three = async {
            let credential = self.credentials.of(caller.actor.clone()).acquire_owned().await.ok()?;
            let tenant = self.tenants.of(caller.tenant).acquire_owned().await.ok()?;
            let all = Arc::clone(&self.all).acquire_owned().await.ok()?;
            Some((credential, tenant, all))
        };
        let Some((credential, tenant, all)) = timeout(PATIENCE, three).await.ok().flatten() else {
            counter!(metric::STREAMS_REFUSED.name).increment(1);
            return Err(Problem::busy("no slot for another stream was free"));
        };
        counter!(metric::STREAMS_BEGUN.name).increment(1);
        gauge!(metric::STREAMS.name).increment(1.0);
        Ok(StreamSlot { _credential: credential, _tenant: tenant, _all: all })
    }
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        gauge!(metric::STREAMS.name).decrement(1.0);
    }
}

/// The shares of those that have or want a slot.
#[derive(Debug)]
struct Shares<K> {
    each: usize,
    known: Mutex<HashMap<K, Weak<Semaphore>>>,
}

impl<K: Eq + Hash> Shares<K> {
    fn new(each: usize) -> Self {
        Self { each, known: Mutex::default() }
    }

    fn of(&self, key: K) -> Arc<Semaphore> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, slots| slots.strong_count() > 0);
        known.get(&key).and_then(Weak::upgrade).unwrap_or_else(|| {
            let slots = Arc::new(Semaphore::new(self.each));
            known.insert(key, Arc::downgrade(&slots));
            slots
        })
    }
}

#[cfg(test)]
mod tests {
    use ports::Permissions;
    use uuid::Uuid;

    use super::*;

    /// A caller of that tenant with that key.
    fn caller(tenant: u128, key: u32) -> Caller {
        let tenant = TenantId::new(Uuid::from_u128(tenant));
        Caller { tenant, actor: format!("key:{tenant}:{key}"), permissions: Permissions::NONE, partner: None }
    }

    #[tokio::test]
    async fn one_tenant_leaves_the_others_their_share() {
        let slots = StreamSlots::new(3, 2, 3);
        let (_first, second) = (slots.take(&caller(1, 1)).await.unwrap(), slots.take(&caller(1, 2)).await.unwrap());
        assert!(slots.take(&caller(1, 3)).await.is_err());
        let _other = slots.take(&caller(2, 1)).await.unwrap();
        assert!(slots.take(&caller(3, 1)).await.is_err());
        drop(second);
        slots.take(&caller(1, 1)).await.unwrap();
    }

    #[tokio::test]
    async fn one_credential_leaves_the_others_of_its_tenant_their_share() {
        let slots = StreamSlots::new(8, 8, 2);
        let (_first, second) = (slots.take(&caller(1, 1)).await.unwrap(), slots.take(&caller(1, 1)).await.unwrap());
        assert!(slots.take(&caller(1, 1)).await.is_err());
        let _other = slots.take(&caller(1, 2)).await.unwrap();
        drop(second);
        slots.take(&caller(1, 1)).await.unwrap();
    }

    #[tokio::test]
    async fn who_waits_for_a_slot_of_its_share_takes_none_from_the_others() {
        let slots = StreamSlots::new(2, 1, 1);
        let _first = slots.take(&caller(1, 1)).await.unwrap();
        let (one, two) = (caller(1, 2), caller(2, 1));
        let (waited, other) = tokio::join!(slots.take(&one), slots.take(&two));
        assert!(waited.is_err() && other.is_ok());
    }

    #[tokio::test]
    async fn those_without_a_slot_are_not_remembered() {
        let slots = StreamSlots::new(8, 4, 2);
        for number in 0..100 {
            drop(slots.take(&caller(number, 1)).await.unwrap());
        }
        let _held = slots.take(&caller(1, 1)).await.unwrap();
        assert_eq!(slots.tenants.known.lock().unwrap().len(), 1);
        assert_eq!(slots.credentials.known.lock().unwrap().len(), 1);
    }
}
