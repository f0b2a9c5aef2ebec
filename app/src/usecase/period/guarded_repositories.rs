//! A write transaction in which nothing alters a figure of a closed period. What it reads, and writes of other kinds, goes
//! to the store's own.

use async_trait::async_trait;
use domain::{
    ClosedPeriod, Exclusion, Factor, Footprint, Input, Model, Org, Partner, Product, Scope, Sharing, Switch, Taxonomy,
};
use ports::repo::{
    ActivityWriter, AnswerWriter, ExchangeWriter, ImportWriter, LedgerWriter, Listing, Query, Reader, Use, Writer,
};
use ports::store::{ReadTx, StoreError, WriteTx};
use ports::{ChainHead, Stored, Version};

use super::guarded_kind::GuardedKind;
use super::guarded_tx::GuardedTx;

macro_rules! pass_on {
    ($($name:ident: $repository:ty,)*) => {$(
        fn $name(&mut self) -> &mut $repository {
            self.tx.$name()
        }
    )*};
}

#[async_trait]
impl ReadTx for GuardedTx {
    async fn head(&mut self) -> Result<ChainHead, StoreError> {
        self.tx.head().await
    }

    ports::reader_accessors!(tx);
}

#[async_trait]
impl WriteTx for GuardedTx {
    fn number(&self) -> u64 {
        self.tx.number()
    }

    fn activities_mut(&mut self) -> &mut dyn ActivityWriter {
        self
    }

    fn scopes_mut(&mut self) -> &mut dyn Writer<Scope> {
        self
    }

    fn orgs_mut(&mut self) -> &mut dyn Writer<Org> {
        self
    }

    fn taxonomies_mut(&mut self) -> &mut dyn Writer<Taxonomy> {
        self
    }

    fn closed_periods_mut(&mut self) -> &mut dyn Writer<ClosedPeriod> {
        self
    }

    pass_on! {
        products_mut: dyn Writer<Product>,
        factors_mut: dyn Writer<Factor>,
        models_mut: dyn Writer<Model>,
        inputs_mut: dyn Writer<Input>,
        switches_mut: dyn Writer<Switch>,
        footprints_mut: dyn Writer<Footprint>,
        exclusions_mut: dyn Writer<Exclusion>,
        partners_mut: dyn Writer<Partner>,
        sharings_mut: dyn Writer<Sharing>,
        ledger_mut: dyn LedgerWriter,
        answers_mut: dyn AnswerWriter,
        imports_mut: dyn ImportWriter,
        exchange_mut: dyn ExchangeWriter,
    }

    fn others_wait(&mut self) -> bool {
        self.tx.others_wait()
    }

    async fn commit(self: Box<Self>) -> Result<ChainHead, StoreError> {
        self.tx.commit().await
    }
}

#[async_trait]
impl<T: GuardedKind> Reader<T> for GuardedTx {
    async fn find(&mut self, id: T::Id) -> Result<Option<Stored<T>>, StoreError> {
        T::writer(self.tx.as_mut()).find(id).await
    }

    async fn find_all(&mut self, ids: &[T::Id]) -> Result<Vec<Stored<T>>, StoreError> {
        T::writer(self.tx.as_mut()).find_all(ids).await
    }

    async fn find_by_sync_id(&mut self, sync_id: &T::SyncId) -> Result<Option<Stored<T>>, StoreError> {
        T::writer(self.tx.as_mut()).find_by_sync_id(sync_id).await
    }

    async fn list(&mut self, query: &Query<T>) -> Result<Listing<Stored<T>>, StoreError> {
        T::writer(self.tx.as_mut()).list(query).await
    }

    async fn uses(&mut self, id: T::Id) -> Result<Vec<Use>, StoreError> {
        T::writer(self.tx.as_mut()).uses(id).await
    }
}

#[async_trait]
impl<T: GuardedKind> Writer<T> for GuardedTx {
    async fn add(&mut self, record: T) -> Result<Stored<T>, StoreError> {
        T::check(self, record.id(), Some(&record)).await?;
        let added = T::writer(self.tx.as_mut()).add(record).await?;
        T::written(self);
        Ok(added)
    }

    async fn update(&mut self, record: T, seen: Version) -> Result<Stored<T>, StoreError> {
        T::check(self, record.id(), Some(&record)).await?;
        let updated = T::writer(self.tx.as_mut()).update(record, seen).await?;
        T::written(self);
        Ok(updated)
    }

    async fn remove(&mut self, id: T::Id, seen: Version) -> Result<(), StoreError> {
        T::check(self, id, None).await?;
        T::writer(self.tx.as_mut()).remove(id, seen).await?;
        T::written(self);
        Ok(())
    }
}
