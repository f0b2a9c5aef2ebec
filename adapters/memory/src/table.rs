//! The records of one kind, by identifier, with an index of their syncIds.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use ports::{Entity, Stored};
use uuid::Uuid;

#[derive(Clone)]
pub(crate) struct Table<T> {
    rows: BTreeMap<Uuid, Arc<Stored<T>>>,
    sync_ids: HashMap<Box<str>, Uuid>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { rows: BTreeMap::new(), sync_ids: HashMap::new() }
    }
}

impl<T: Entity> Table<T> {
    pub(crate) fn find(&self, id: Uuid) -> Option<&Arc<Stored<T>>> {
        self.rows.get(&id)
    }

    pub(crate) fn find_by_sync_id(&self, sync_id: &T::SyncId) -> Option<&Arc<Stored<T>>> {
        self.sync_ids.get(sync_id.as_ref()).and_then(|id| self.rows.get(id))
    }

    /// Every record, by identifier.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Stored<T>> {
        self.rows.values().map(Arc::as_ref)
    }

    pub(crate) fn put(&mut self, stored: Stored<T>) {
        let id = stored.value.id().into();
        self.remove(id);
        if let Some(sync_id) = stored.value.sync_id() {
            self.sync_ids.insert(sync_id.as_ref().into(), id);
        }
        self.rows.insert(id, Arc::new(stored));
    }

    pub(crate) fn remove(&mut self, id: Uuid) {
        if let Some(before) = self.rows.remove(&id)
            && let Some(sync_id) = before.value.sync_id()
        {
            self.sync_ids.remove(sync_id.as_ref());
        }
    }
}
