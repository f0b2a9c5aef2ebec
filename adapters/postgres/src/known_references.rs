//! What activities refer to, looked up once: which records are there, and the numbers of series.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use domain::{Activity, SeriesKey};
use ports::store::StoreError;
use ports::{ChainHead, Entity as _, RecordKind, TenantId};
use uuid::Uuid;

use crate::conn::TenantConn;
use crate::database::Bulk;
use crate::{reference, series};

/// From so many on, those of a tenant are not kept: about 5 MB.
const MANY: usize = 50_000;
/// Of so many tenants they are kept.
const TENANTS: usize = 16;

/// What is known of the records that activities refer to.
#[derive(Debug, Default)]
pub(crate) struct KnownReferences {
    present: Arc<HashSet<(RecordKind, Uuid)>>,
    series: Arc<HashMap<SeriesKey, u32>>,
}

impl KnownReferences {
    /// The records that are there: all of those that the activities refer to, as far as they are there, and others.
    pub(crate) async fn look_up<'a>(
        &mut self,
        conn: &mut TenantConn,
        activities: impl Iterator<Item = &'a Activity> + Send,
    ) -> Result<Arc<HashSet<(RecordKind, Uuid)>>, StoreError> {
        let records = activities.flat_map(Activity::references).map(|to| (to.kind, to.id));
        let unknown: HashSet<(RecordKind, Uuid)> = records.filter(|record| !self.present.contains(record)).collect();
        let unknown: Vec<(RecordKind, Uuid)> = unknown.into_iter().collect();
        let found = reference::present(conn, &unknown).await?;
        if !found.is_empty() {
            Arc::make_mut(&mut self.present).extend(found);
        }
        Ok(Arc::clone(&self.present))
    }

    /// The numbers of all these series and others. Those that are not there are made, in that order; their nodes are there.
    pub(crate) async fn number(
        &mut self,
        conn: &mut TenantConn,
        bulk: Bulk,
        keys: impl Iterator<Item = SeriesKey> + Send,
    ) -> Result<Arc<HashMap<SeriesKey, u32>>, StoreError> {
        let mut seen = HashSet::new();
        let unknown: Vec<SeriesKey> = keys.filter(|key| !self.series.contains_key(key) && seen.insert(*key)).collect();
        if !unknown.is_empty() {
            let found = series::indexes(conn, bulk, &unknown).await?;
            Arc::make_mut(&mut self.series).extend(found);
        }
        Ok(Arc::clone(&self.series))
    }

    /// Forgets all: a record was removed, or what was written is undone.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// What write transactions have left, for the next of the same tenant; that of the latest one at the end.
#[derive(Debug, Default)]
pub(crate) struct ReferenceCache {
    kept: Mutex<Vec<(TenantId, ChainHead, KnownReferences)>>,
}

impl ReferenceCache {
    /// What is known behind that head, which is locked. Nothing is behind another one than it was left at: another node
    /// wrote, or the database was put back.
    pub(crate) fn take(&self, tenant: TenantId, head: ChainHead) -> KnownReferences {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = kept.iter().position(|(of, ..)| *of == tenant) else { return KnownReferences::default() };
        let (_, behind, references) = kept.remove(at);
        if behind == head { references } else { KnownReferences::default() }
    }

    /// Keeps what holds behind that head, once it is committed.
    pub(crate) fn keep(&self, tenant: TenantId, head: ChainHead, references: KnownReferences) {
        if references.present.len() + references.series.len() > MANY {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(of, ..)| *of != tenant);
        if kept.len() >= TENANTS {
            kept.remove(0);
        }
        kept.push((tenant, head, references));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Digest;

    fn head(digest: u8) -> ChainHead {
        ChainHead { number: 9, digest: Digest::from_stored([digest; 32]), epoch: Uuid::nil(), catalog: 0 }
    }

    fn some() -> KnownReferences {
        KnownReferences { present: Arc::new([(RecordKind::Org, Uuid::nil())].into()), ..KnownReferences::default() }
    }

    fn tenant(number: u128) -> TenantId {
        TenantId::new(Uuid::from_u128(number))
    }

    #[test]
    fn references_are_known_behind_the_head_they_were_left_at_alone_and_once() {
        let cache = ReferenceCache::default();
        for (of, at, known) in [(1, head(1), 1), (1, head(2), 0), (2, head(1), 0)] {
            cache.keep(tenant(1), head(1), some());
            assert_eq!(cache.take(tenant(of), at).present.len(), known);
        }
        cache.keep(tenant(1), head(1), some());
        drop(cache.take(tenant(1), head(1)));
        assert_eq!(cache.take(tenant(1), head(1)).present.len(), 0);
    }

    #[test]
    fn references_of_few_tenants_are_kept() {
        let cache = ReferenceCache::default();
        for number in 0..2 * TENANTS as u128 {
            cache.keep(tenant(number), head(1), some());
        }
        assert_eq!(cache.kept.lock().unwrap().len(), TENANTS);
        assert_eq!(cache.take(tenant(0), head(1)).present.len(), 0);
    }
}
