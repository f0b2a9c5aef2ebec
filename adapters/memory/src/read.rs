//! Transactions, and reading in them: everything is looked up in one state.

use async_trait::async_trait;
use domain::{Factor, Footprint, Input, Model, Node, Product, ProductId, Switch, SyncId};
use ports::repo::{ActivityReader, FactorReader, FootprintReader, LedgerReader, Listing, Query, Reader, Use};
use ports::store::{ReadTx, StoreError};
use ports::{ChainHead, RecordKind, Stored};
use uuid::Uuid;

use crate::kept::Kept;
use crate::state::State;
use crate::write::Pen;

/// A transaction: one state, and the means to write it, if any.
pub(crate) struct Tx<Means> {
    pub(crate) state: State,
    pub(crate) means: Means,
}

/// A transaction that writes.
pub(crate) type Writing = Tx<Pen>;

/// Those of the records that the query asks for.
pub(crate) fn matching<T: Kept>(state: &State, query: &Query) -> Vec<Stored<T>> {
    let wanted = |record: &T| {
        record.kind() == query.kind
            && (query.parent.is_none() || record.parent() == query.parent)
            && (query.sync_id.is_none() || record.sync_id() == query.sync_id.as_ref())
    };
    let mut found: Vec<&Stored<T>> = T::table(state).iter().filter(|stored| wanted(&stored.value)).collect();
    found.sort_by_key(|stored| stored.value.place()); // stable, and the table is in the order of ids
    found.into_iter().cloned().collect()
}

#[async_trait]
impl<T: Kept, Means: Send> Reader<T> for Tx<Means> {
    async fn find(&mut self, id: T::Id) -> Result<Option<Stored<T>>, StoreError> {
        Ok(T::table(&self.state).find(id.into()).map(|stored| stored.as_ref().clone()))
    }

    async fn find_all(&mut self, ids: &[T::Id]) -> Result<Vec<Stored<T>>, StoreError> {
        let mut ids: Vec<Uuid> = ids.iter().map(|id| (*id).into()).collect();
        ids.sort_unstable();
        ids.dedup();
        let table = T::table(&self.state);
        Ok(ids.into_iter().filter_map(|id| table.find(id)).map(|stored| stored.as_ref().clone()).collect())
    }

    async fn find_by_sync_id(&mut self, kind: RecordKind, sync_id: &SyncId) -> Result<Option<Stored<T>>, StoreError> {
        Ok(T::table(&self.state).find_by_sync_id(kind, sync_id).map(|stored| stored.as_ref().clone()))
    }

    async fn list(&mut self, query: &Query) -> Result<Listing<Stored<T>>, StoreError> {
        let found = matching::<T>(&self.state, query);
        let count = found.len() as u64;
        let before = usize::try_from(query.page.offset()).unwrap_or(usize::MAX);
        let data = found.into_iter().skip(before).take(query.page.size as usize).collect();
        Ok(Listing { count, page: query.page, data })
    }

    async fn uses(&mut self, id: T::Id) -> Result<Vec<Use>, StoreError> {
        let kind = T::table(&self.state).find(id.into()).map(|stored| stored.value.kind());
        Ok(kind.map(|kind| self.state.uses(kind, id.into())).unwrap_or_default())
    }
}

#[async_trait]
impl<Means: Send> ReadTx for Tx<Means> {
    async fn head(&mut self) -> Result<ChainHead, StoreError> {
        Ok(self.state.head)
    }

    fn activities(&mut self) -> &mut dyn ActivityReader {
        self
    }

    fn nodes(&mut self) -> &mut dyn Reader<Node> {
        self
    }

    fn products(&mut self) -> &mut dyn Reader<Product> {
        self
    }

    fn factors(&mut self) -> &mut dyn FactorReader {
        self
    }

    fn models(&mut self) -> &mut dyn Reader<Model> {
        self
    }

    fn inputs(&mut self) -> &mut dyn Reader<Input> {
        self
    }

    fn switches(&mut self) -> &mut dyn Reader<Switch> {
        self
    }

    fn footprints(&mut self) -> &mut dyn FootprintReader {
        self
    }

    fn ledger(&mut self) -> &mut dyn LedgerReader {
        self
    }
}

#[async_trait]
impl<Means: Send> FactorReader for Tx<Means> {
    async fn of_products(&mut self, products: &[ProductId]) -> Result<Vec<Stored<Factor>>, StoreError> {
        let of_one = |stored: &&Stored<Factor>| products.contains(&stored.value.product());
        Ok(self.state.factors.iter().filter(of_one).cloned().collect())
    }
}

#[async_trait]
impl<Means: Send> FootprintReader for Tx<Means> {
    async fn above(&mut self, number: u64, limit: u32) -> Result<Vec<Stored<Footprint>>, StoreError> {
        let mut above: Vec<_> = self.state.footprints.iter().filter(|stored| stored.value.number > number).collect();
        above.sort_by_key(|stored| stored.value.number);
        Ok(above.into_iter().take(limit as usize).cloned().collect())
    }
}
