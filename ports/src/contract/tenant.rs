//! What cases work with: one prepared tenant, and each kind of record by its type.

use crate::{ChainHead, Entity, Grant, Maintenance, Read, Stored, TenantId, Version, Write};
use domain::{Activity, Factor, Footprint, Input, Model, Node, Product, Switch};

use super::sample;
use crate::repo::{Listing, Page, Query, Reader, Use, Writer};
use crate::store::{ReadTx, Store, StoreError, WriteTx};

/// A kind of record, with its place in a transaction.
pub trait Kept: Entity {
    /// Its reader.
    fn reader(tx: &mut dyn ReadTx) -> &mut dyn Reader<Self>;
    /// Its writer.
    fn writer(tx: &mut dyn WriteTx) -> &mut dyn Writer<Self>;
}

macro_rules! kept {
    ($($record:ty, $reader:ident, $writer:ident;)*) => {$(
        impl Kept for $record {
            fn reader(tx: &mut dyn ReadTx) -> &mut dyn Reader<Self> {
                tx.$reader()
            }

            fn writer(tx: &mut dyn WriteTx) -> &mut dyn Writer<Self> {
                tx.$writer()
            }
        }
    )*};
}

kept! {
    Activity, activities, activities_mut;
    Node, nodes, nodes_mut;
    Product, products, products_mut;
    Factor, factors, factors_mut;
    Model, models, models_mut;
    Input, inputs, inputs_mut;
    Switch, switches, switches_mut;
    Footprint, footprints, footprints_mut;
}

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
        let grant = Grant::for_maintenance(id, "command");
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
    pub async fn add<T: Kept>(&self, record: T) -> Stored<T> {
        self.try_add(record).await.expect("adds the record")
    }

    /// Adds a record; nothing is committed on an error.
    pub async fn try_add<T: Kept>(&self, record: T) -> Result<Stored<T>, StoreError> {
        let mut tx = self.write().await;
        let stored = T::writer(&mut *tx).add(record).await?;
        tx.commit().await?;
        Ok(stored)
    }

    /// Replaces a record whose version was seen.
    pub async fn update<T: Kept>(&self, record: T, seen: Version) -> Stored<T> {
        self.try_update(record, seen).await.expect("updates the record")
    }

    /// Replaces a record whose version was seen; nothing is committed on an error.
    pub async fn try_update<T: Kept>(&self, record: T, seen: Version) -> Result<Stored<T>, StoreError> {
        let mut tx = self.write().await;
        let stored = T::writer(&mut *tx).update(record, seen).await?;
        tx.commit().await?;
        Ok(stored)
    }

    /// Removes a record as it was stored.
    pub async fn remove<T: Kept>(&self, stored: &Stored<T>) {
        self.try_remove::<T>(stored.value.id(), stored.version).await.expect("removes the record");
    }

    /// Removes a record whose version was seen; nothing is committed on an error.
    pub async fn try_remove<T: Kept>(&self, id: T::Id, seen: Version) -> Result<(), StoreError> {
        let mut tx = self.write().await;
        T::writer(&mut *tx).remove(id, seen).await?;
        tx.commit().await?;
        Ok(())
    }

    /// The record of that id.
    pub async fn find<T: Kept>(&self, id: T::Id) -> Option<Stored<T>> {
        T::reader(&mut *self.read().await).find(id).await.expect("finds")
    }

    /// A page of records.
    pub async fn list<T: Kept>(&self, query: &Query) -> Listing<Stored<T>> {
        T::reader(&mut *self.read().await).list(query).await.expect("lists")
    }

    /// How many records there are of that record's kind.
    pub async fn count<T: Kept>(&self, like: &T) -> u64 {
        let query = Query { kind: like.kind(), parent: None, sync_id: None, page: Page::FIRST };
        self.list::<T>(&query).await.count
    }

    /// What refers to the record, by kind.
    pub async fn uses<T: Kept>(&self, id: T::Id) -> Vec<Use> {
        let mut uses = T::reader(&mut *self.read().await).uses(id).await.expect("finds uses");
        uses.sort_by_key(|one| one.kind);
        uses
    }
}
