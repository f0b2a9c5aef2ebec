//! Writing: every call is checked first and cannot fail once it writes; each write is an item of the change.

use std::sync::Arc;

use async_trait::async_trait;
use domain::{Input, ModelId};
use ports::ledger::Closed;
use ports::repo::{Page, Query, Writer};
use ports::store::{Conflict, StoreError, WriteTx};
use ports::{ChainHead, ChangeItem, RecordKind, Stored, Version};

use crate::read::matching;
use crate::record::Record;
use crate::state::State;
use crate::tx::{WriteState, Writing};

impl Writing {
    /// The record of that id, when it has the version that was seen.
    fn seen<T: Record>(&self, id: T::Id, seen: Version) -> Result<Arc<Stored<T>>, StoreError> {
        let stored = T::table(&self.state).find(id.into()).filter(|stored| stored.version == seen);
        stored.cloned().ok_or(StoreError::Stale)
    }

    /// Puts the record in place of the one before.
    fn put<T: Record>(&mut self, stored: Stored<T>, before: Option<&Stored<T>>) {
        self.write.draft.note(match before {
            Some(before) => ChangeItem::updated(&stored, before),
            None => ChangeItem::added(&stored),
        });
        self.post(before.map(|before| &before.value), Some(&stored.value));
        T::settle(&mut self.state, before.map(|before| &before.value), Some(&stored.value));
        T::table_mut(&mut self.state).put(stored);
    }

    fn take<T: Record>(&mut self, before: &Stored<T>) {
        self.write.draft.note(ChangeItem::removed(before));
        self.post(Some(&before.value), None);
        T::settle(&mut self.state, Some(&before.value), None);
        T::table_mut(&mut self.state).remove(before.value.id().into());
    }

    fn post<T: Record>(&mut self, before: Option<&T>, after: Option<&T>) {
        if let Some((key, posting)) = after.and_then(Record::posting) {
            self.write.draft.post(self.state.series_of(key), &posting);
        }
        if let Some((key, posting)) = before.and_then(Record::posting) {
            self.write.draft.unpost(self.state.series_of(key), &posting);
        }
    }

    pub(crate) fn add_one<T: Record>(&mut self, record: T) -> Result<Stored<T>, StoreError> {
        let id = record.id().into();
        if T::table(&self.state).find(id).is_some() {
            return Err(StoreError::Conflict(Conflict::Exists(id)));
        }
        let record = record.completed(&self.state);
        check(&self.state, &record).map_err(StoreError::Conflict)?;
        let (at, version) = (self.write.draft.at(), self.write.draft.version());
        let stored = Stored { value: record, created: at, updated: at, version };
        self.put(stored.clone(), None);
        Ok(stored)
    }

    pub(crate) fn update_one<T: Record>(&mut self, record: T, seen: Version) -> Result<Stored<T>, StoreError> {
        let before = self.seen::<T>(record.id(), seen)?;
        check(&self.state, &record).map_err(StoreError::Conflict)?;
        let (updated, version) = (self.write.draft.at(), self.write.draft.version());
        let stored = Stored { value: record, created: before.created, updated, version };
        self.put(stored.clone(), Some(&before));
        Ok(stored)
    }

    /// Removes a record, and before a model its inputs.
    pub(crate) fn remove_one<T: Record>(&mut self, id: T::Id, seen: Version) -> Result<(), StoreError> {
        let before = self.seen::<T>(id, seen)?;
        let uses = self.state.uses(T::KIND, id.into());
        if !uses.is_empty() {
            return Err(StoreError::Conflict(Conflict::InUse(uses)));
        }
        if T::KIND == RecordKind::Model {
            let inputs = Query::<Input>::of(ModelId::new(id.into()), Page::FIRST);
            for input in matching(&self.state, &inputs) {
                self.take(&input);
            }
        }
        self.take(&before);
        Ok(())
    }
}

/// What of the state stands against the record, whether it is new or replaces one.
pub(crate) fn check<T: Record>(state: &State, record: &T) -> Result<(), Conflict> {
    let holder = record.sync_id().and_then(|sync_id| T::table(state).find_by_sync_id(sync_id));
    if let Some(holder) = holder.filter(|holder| holder.value.id() != record.id()) {
        return Err(Conflict::SyncId { kind: T::KIND, holder: holder.value.id().into() });
    }
    if let Some(missing) = record.references().into_iter().find(|to| !state.contains(to.kind, to.id)) {
        return Err(Conflict::Missing { kind: missing.kind, id: missing.id });
    }
    record.doubled(state).map_or(Ok(()), Err)
}

#[async_trait]
impl<T: Record> Writer<T> for Writing {
    async fn add(&mut self, record: T) -> Result<Stored<T>, StoreError> {
        let stored = self.add_one(record)?;
        self.write.draft.keep()?;
        Ok(stored)
    }

    async fn update(&mut self, record: T, seen: Version) -> Result<Stored<T>, StoreError> {
        let stored = self.update_one(record, seen)?;
        self.write.draft.keep()?;
        Ok(stored)
    }

    async fn remove(&mut self, id: T::Id, seen: Version) -> Result<(), StoreError> {
        self.remove_one::<T>(id, seen)?;
        self.write.draft.keep()?;
        Ok(())
    }
}

#[async_trait]
impl WriteTx for Writing {
    fn number(&self) -> u64 {
        self.write.draft.number()
    }

    ports::writer_accessors!();

    async fn commit(self: Box<Self>) -> Result<ChainHead, StoreError> {
        let Self { mut state, write: WriteState { tenant, turn, draft, writes_beside } } = *self;
        let closed = draft.close()?;
        if closed.is_none() && !writes_beside {
            return Ok(state.head);
        }
        if let Some(Closed { change, head, parts }) = closed {
            state.head = head;
            Arc::make_mut(&mut state.changes).push(change);
            state.append(parts);
        }
        let head = state.head;
        tenant.publish(state);
        drop(turn);
        Ok(head)
    }
}
