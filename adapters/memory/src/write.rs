//! Writing: every call is checked first and cannot fail once it writes; each write is an item of the change.

use std::sync::Arc;

use async_trait::async_trait;
use domain::{Canonical, Input, ModelId};
use ports::repo::{Page, Query, Writer};
use ports::store::{Conflict, Intent, StoreError, WriteTx};
use ports::{ChainHead, Change, ChangeDigest, ChangeItem, Entity, RecordKind, Stored, Verb, Version};

use crate::kept::Kept;
use crate::read::{Writing, matching};
use crate::state::State;
use crate::store::Tenant;
use crate::turn::Turn;

/// What a transaction writes with.
pub(crate) struct Pen {
    pub(crate) tenant: Arc<Tenant>,
    /// Held until the transaction ends.
    pub(crate) turn: Turn,
    pub(crate) actor: String,
    pub(crate) intent: Intent,
    pub(crate) items: Vec<ChangeItem>,
}

impl Writing {
    fn version(&self) -> Version {
        Version(self.state.head.number + 1)
    }

    /// The record of that id, when it has the version that was seen.
    fn seen<T: Kept>(&self, id: T::Id, seen: Version) -> Result<Arc<Stored<T>>, StoreError> {
        let stored = T::table(&self.state).find(id.into()).filter(|stored| stored.version == seen);
        stored.cloned().ok_or(StoreError::Stale)
    }

    /// Puts the record in place of the one before.
    fn put<T: Kept>(&mut self, stored: Stored<T>, before: Option<&Stored<T>>) {
        self.note(if before.is_some() { Verb::Updated } else { Verb::Added }, &stored, before);
        let number = self.version().0;
        T::settle(&mut self.state, before.map(|before| &before.value), Some(&stored.value), number);
        T::table_mut(&mut self.state).put(stored);
    }

    fn take<T: Kept>(&mut self, before: &Stored<T>) {
        self.note(Verb::Removed, before, Some(before));
        let number = self.version().0;
        T::settle(&mut self.state, Some(&before.value), None, number);
        T::table_mut(&mut self.state).remove(before.value.id().into());
    }

    fn note<T: Entity>(&mut self, verb: Verb, stored: &Stored<T>, before: Option<&Stored<T>>) {
        self.means.items.push(ChangeItem {
            verb,
            kind: T::KIND,
            id: stored.value.id().into(),
            digest: stored.digest(),
            replaced: before.map(Canonical::canonical),
        });
    }

    pub(crate) fn add_one<T: Kept>(&mut self, record: T) -> Result<Stored<T>, StoreError> {
        let id = record.id().into();
        if T::table(&self.state).find(id).is_some() {
            return Err(StoreError::Conflict(Conflict::Exists(id)));
        }
        let record = record.completed(&self.state);
        check(&self.state, &record).map_err(StoreError::Conflict)?;
        let at = self.means.intent.at;
        let stored = Stored { value: record, created: at, updated: at, version: self.version() };
        self.put(stored.clone(), None);
        Ok(stored)
    }

    pub(crate) fn update_one<T: Kept>(&mut self, record: T, seen: Version) -> Result<Stored<T>, StoreError> {
        let before = self.seen::<T>(record.id(), seen)?;
        check(&self.state, &record).map_err(StoreError::Conflict)?;
        let (created, updated) = (before.created, self.means.intent.at);
        let stored = Stored { value: record, created, updated, version: self.version() };
        self.put(stored.clone(), Some(&before));
        Ok(stored)
    }

    /// Removes a record, and before a model its inputs.
    fn remove_one<T: Kept>(&mut self, id: T::Id, seen: Version) -> Result<(), StoreError> {
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
pub(crate) fn check<T: Kept>(state: &State, record: &T) -> Result<(), Conflict> {
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
impl<T: Kept> Writer<T> for Writing {
    async fn add(&mut self, record: T) -> Result<Stored<T>, StoreError> {
        self.add_one(record)
    }

    async fn update(&mut self, record: T, seen: Version) -> Result<Stored<T>, StoreError> {
        self.update_one(record, seen)
    }

    async fn remove(&mut self, id: T::Id, seen: Version) -> Result<(), StoreError> {
        self.remove_one::<T>(id, seen)
    }
}

#[async_trait]
impl WriteTx for Writing {
    fn number(&self) -> u64 {
        self.version().0
    }

    ports::lend_writers!();

    async fn commit(self: Box<Self>) -> Result<ChainHead, StoreError> {
        let number = self.version().0;
        let Self { mut state, means: Pen { tenant, turn, actor, intent, items } } = *self;
        if items.is_empty() {
            return Ok(state.head);
        }
        let mut chain = ChangeDigest::new(state.head.digest, number, intent.at, &actor, &intent.cause);
        for item in &items {
            chain.item(item);
        }
        let digest = chain.finish();
        let catalog = if items.iter().any(in_catalogue) { number } else { state.head.catalog };
        state.head = ChainHead { number, digest, catalog, ..state.head };
        let change = Change { number, at: intent.at, actor, cause: intent.cause, digest };
        Arc::make_mut(&mut state.changes).push(Arc::new((change, items)));
        let head = state.head;
        tenant.publish(state);
        drop(turn);
        Ok(head)
    }
}

fn in_catalogue(item: &ChangeItem) -> bool {
    match item.kind {
        RecordKind::Scope | RecordKind::Org | RecordKind::Taxonomy | RecordKind::Product => true,
        RecordKind::Activity
        | RecordKind::Factor
        | RecordKind::Model
        | RecordKind::Input
        | RecordKind::Switch
        | RecordKind::Footprint => false,
    }
}
