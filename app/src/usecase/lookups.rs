//! What was looked up in a tenant's catalog, kept over requests for as long as the catalog is the same.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ports::inbound::Named;
use ports::{ChainHead, RecordKind, TenantId};
use uuid::Uuid;

use super::factors::Factors;
use super::resolve::Resolver;

/// How many lookups are kept at most, of all tenants: as many requests find them at a time.
const MOST: usize = 64;
/// How many records and references a lookup that is kept holds at most: about 1 MB.
const MOST_ENTRIES: usize = 5_000;

/// What was looked up in one catalog.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    /// What references led to.
    pub(super) resolver: Resolver,
    /// The factors of products.
    pub(super) factors: Factors,
    /// Nodes and products by kind and identifier; `None` is not there.
    pub(super) names: HashMap<(RecordKind, Uuid), Option<Named>>,
}

impl Lookups {
    fn len(&self) -> usize {
        self.resolver.len() + self.factors.len() + self.names.len()
    }
}

/// A catalog: those of equal marks are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    tenant: TenantId,
    epoch: Uuid,
    catalog: u64,
}

impl Mark {
    const fn of(tenant: TenantId, head: &ChainHead) -> Self {
        Self { tenant, epoch: head.epoch, catalog: head.catalog }
    }
}

/// Lookups that no request uses now, the one that was used last at the end.
#[derive(Debug, Default)]
pub struct LookupCache {
    kept: Mutex<Vec<(Mark, Lookups)>>,
}

impl LookupCache {
    /// Lookups in the catalog of that head; empty ones where none are kept.
    pub(super) fn take(&self, tenant: TenantId, head: &ChainHead) -> Lookups {
        let mark = Mark::of(tenant, head);
        let mut kept = self.lock();
        let place = kept.iter().rposition(|(of, _)| *of == mark);
        place.map(|place| kept.remove(place).1).unwrap_or_default()
    }

    /// Keeps lookups in the catalog of that head, in place of earlier catalogs' and of those that were not used for longest.
    pub(super) fn keep(&self, tenant: TenantId, head: &ChainHead, lookups: Lookups) {
        if lookups.len() == 0 || lookups.len() > MOST_ENTRIES {
            return;
        }
        let mark = Mark::of(tenant, head);
        let mut kept = self.lock();
        let is_newer = |of: &Mark| of.tenant == tenant && of.epoch == mark.epoch && of.catalog > mark.catalog;
        if kept.iter().any(|(of, _)| is_newer(of)) {
            return;
        }
        kept.retain(|(of, _)| of.tenant != tenant || *of == mark);
        if kept.len() >= MOST {
            kept.remove(0);
        }
        kept.push((mark, lookups));
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Mark, Lookups)>> {
        // Nothing that holds the lock can fail half-way.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Digest;

    fn head(epoch: u128, catalog: u64) -> ChainHead {
        ChainHead { number: 9, digest: Digest::ZERO, epoch: Uuid::from_u128(epoch), catalog }
    }

    fn some() -> Lookups {
        let mut lookups = Lookups::default();
        lookups.names.insert((RecordKind::Org, Uuid::nil()), None);
        lookups
    }

    #[test]
    fn lookups_are_found_in_the_same_catalog_of_the_same_tenant_alone() {
        let (one, other) = (TenantId::new(Uuid::from_u128(1)), TenantId::new(Uuid::from_u128(2)));
        let cache = LookupCache::default();
        cache.keep(one, &head(1, 5), some());
        for (tenant, now) in [(other, head(1, 5)), (one, head(2, 5)), (one, head(1, 6))] {
            assert_eq!(cache.take(tenant, &now).len(), 0);
        }
        assert_eq!(cache.take(one, &head(1, 5)).len(), 1);
        assert_eq!(cache.take(one, &head(1, 5)).len(), 0, "who has them has them alone");
    }

    #[test]
    fn lookups_of_an_earlier_catalog_and_large_ones_are_dropped() {
        let one = TenantId::new(Uuid::from_u128(1));
        let cache = LookupCache::default();
        cache.keep(one, &head(1, 5), some());
        cache.keep(one, &head(1, 6), some());
        cache.keep(one, &head(1, 5), some());
        assert_eq!(cache.lock().len(), 1);
        assert_eq!(cache.take(one, &head(1, 6)).len(), 1);
        let mut large = Lookups::default();
        large.names.extend((0..=MOST_ENTRIES as u128).map(|at| ((RecordKind::Org, Uuid::from_u128(at)), None)));
        cache.keep(one, &head(1, 7), large);
        assert_eq!(cache.take(one, &head(1, 7)).len(), 0);
        for tenant in 0..2 * MOST as u128 {
            cache.keep(TenantId::new(Uuid::from_u128(tenant)), &head(1, 5), some());
        }
        assert_eq!(cache.lock().len(), MOST);
    }
}
