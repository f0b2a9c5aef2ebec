//! What cases work with: one prepared tenant, and each kind of record by its type.

use crate::{ChainHead, Grant, Maintenance, Read, Stored, TenantId, Version, Write};
use std::collections::HashSet;

use domain::{Activity, ActivityId, Filter, Org, Scope, Taxonomy};

use super::sample;
use crate::repo::{Listing, Page, Query, Use};
use crate::store::{HasRepository, ReadTx, Store, StoreError, WriteTx};

/// A prepared tenant of a store. Every call but `write` and `read` is a transaction of its own.
pub struct Tenant<'a> {
    store: &'a dyn Store,
    grant: Grant<Maintenance>,
    reading: Grant<Read>,
    writing: Grant<Write>,
}

impl<'a> Tenant<'a> {
    /// The tenant that most cases work in.
    pub async fn prepare(store: &'a dyn Store) -> Self {
        Self::prepare_nth(store, 1).await
    }

    /// One of several tenants.
    pub async fn prepare_nth(store: &'a dyn Store, number: u64) -> Self {
        let id: TenantId = sample::id(number);
        let grant = Grant::for_maintenance(id, "cli:me");
        store.prepare(&grant).await.expect("prepares a tenant");
        Self { store, reading: grant.to_read(), writing: grant.to_write(), grant }
    }

    /// What its maintenance shows.
    #[must_use]
    pub const fn grant(&self) -> &Grant<Maintenance> {
        &self.grant
    }

    /// What its snapshots show.
    #[must_use]
    pub const fn reading(&self) -> &Grant<Read> {
        &self.reading
    }

    /// What its write transactions show.
    #[must_use]
    pub const fn writing(&self) -> &Grant<Write> {
        &self.writing
    }

    /// Opens a snapshot.
    pub async fn read(&self) -> Box<dyn ReadTx> {
        self.store.read(&self.reading).await.expect("opens a snapshot")
    }

    /// Opens a write transaction with the sample intent.
    pub async fn write(&self) -> Box<dyn WriteTx> {
        self.store.write(&self.writing, sample::intent()).await.expect("opens a write transaction")
    }

    /// The head of a new snapshot.
    pub async fn head(&self) -> ChainHead {
        self.read().await.head().await.expect("reads the head")
    }

    /// Adds a record.
    pub async fn add<T: HasRepository>(&self, record: T) -> Stored<T> {
        self.try_add(record).await.expect("adds the record")
    }

    /// Adds the first sample scope, org and taxonomy; the taxonomy's slug is `a`.
    pub async fn add_trees(&self) -> (Stored<Scope>, Stored<Org>, Stored<Taxonomy>) {
        (self.add(sample::scope(1)).await, self.add(sample::org(1)).await, self.add(sample::taxonomy(1, "a")).await)
    }

    /// Adds a record; nothing is committed on an error.
    pub async fn try_add<T: HasRepository>(&self, record: T) -> Result<Stored<T>, StoreError> {
        let mut tx = self.write().await;
        let stored = T::writer(&mut *tx).add(record).await?;
        tx.commit().await?;
        Ok(stored)
    }

    /// Replaces a record whose version was seen.
    pub async fn update<T: HasRepository>(&self, record: T, seen: Version) -> Stored<T> {
        self.try_update(record, seen).await.expect("updates the record")
    }

    /// Replaces a record whose version was seen; nothing is committed on an error.
    pub async fn try_update<T: HasRepository>(&self, record: T, seen: Version) -> Result<Stored<T>, StoreError> {
        let mut tx = self.write().await;
        let stored = T::writer(&mut *tx).update(record, seen).await?;
        tx.commit().await?;
        Ok(stored)
    }

    /// Removes a record as it was stored.
    pub async fn remove<T: HasRepository>(&self, stored: &Stored<T>) {
        self.try_remove::<T>(stored.value.id(), stored.version).await.expect("removes the record");
    }

    /// Removes a record whose version was seen; nothing is committed on an error.
    pub async fn try_remove<T: HasRepository>(&self, id: T::Id, seen: Version) -> Result<(), StoreError> {
        let mut tx = self.write().await;
        T::writer(&mut *tx).remove(id, seen).await?;
        tx.commit().await?;
        Ok(())
    }

    /// The record of that id.
    pub async fn find<T: HasRepository>(&self, id: T::Id) -> Option<Stored<T>> {
        T::reader(&mut *self.read().await).find(id).await.expect("finds")
    }

    /// An activity and the head, read together.
    pub async fn find_with_head(&self, id: ActivityId) -> (ChainHead, Option<Stored<Activity>>) {
        self.store.activity(&self.reading, id).await.expect("finds")
    }

    /// A page of records.
    pub async fn list<T: HasRepository>(&self, query: &Query<T>) -> Listing<Stored<T>> {
        T::reader(&mut *self.read().await).list(query).await.expect("lists")
    }

    /// How many records there are of a kind.
    pub async fn count<T: HasRepository>(&self) -> u64 {
        self.list(&Query::<T>::all(Page::FIRST)).await.count
    }

    /// What refers to the record, by kind.
    pub async fn uses<T: HasRepository>(&self, id: T::Id) -> Vec<Use> {
        let mut uses = T::reader(&mut *self.read().await).uses(id).await.expect("finds uses");
        uses.sort_by_key(|one| one.kind);
        uses
    }
}

/// The first 1,000 activities by their day, then id.
pub(super) async fn activities(tx: &mut dyn ReadTx) -> Vec<Stored<Activity>> {
    tx.activities().range(&Filter::default(), &HashSet::new(), None, 1000).await.expect("reads")
}
