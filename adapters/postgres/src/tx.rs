//! Transactions as the ports describe them, over a snapshot or a turn.

mod run;

use async_trait::async_trait;
use domain::{
    Activity, Factor, Footprint, Input, Model, Name, Node, NodeId, Product, ProductId, SeriesKey, Slug, Switch, SyncId,
};
use ports::repo::{
    ActivityReader, ActivityWrite, ActivityWriter, FactorReader, FootprintReader, LedgerReader, Listing, Page, Pending,
    Place, Query, Reader, Selection, SeriesCell, Use, Writer,
};
use ports::store::{ReadTx, StoreError, WriteTx};
use ports::{ChainHead, Change, ChangeItem, RecordKind, Stored, Version};
use uuid::Uuid;

use crate::table::{self, Table};
use crate::{activity, factor, footprint, ledger, node};

use run::Run;
pub(crate) use run::{Snapshot, Turn};

/// A transaction.
pub(crate) struct Tx<R> {
    run: R,
}

impl<R: Run> Tx<R> {
    /// The transaction that runs there.
    pub(crate) const fn new(run: R) -> Self {
        Self { run }
    }
}

#[async_trait]
impl<R: Run> ReadTx for Tx<R> {
    async fn head(&mut self) -> Result<ChainHead, StoreError> {
        Ok(self.run.head())
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
impl WriteTx for Tx<Turn> {
    fn number(&self) -> u64 {
        self.run.head().number + 1
    }

    fn activities_mut(&mut self) -> &mut dyn ActivityWriter {
        self
    }
    fn nodes_mut(&mut self) -> &mut dyn Writer<Node> {
        self
    }
    fn products_mut(&mut self) -> &mut dyn Writer<Product> {
        self
    }
    fn factors_mut(&mut self) -> &mut dyn Writer<Factor> {
        self
    }
    fn models_mut(&mut self) -> &mut dyn Writer<Model> {
        self
    }
    fn inputs_mut(&mut self) -> &mut dyn Writer<Input> {
        self
    }
    fn switches_mut(&mut self) -> &mut dyn Writer<Switch> {
        self
    }
    fn footprints_mut(&mut self) -> &mut dyn Writer<Footprint> {
        self
    }

    async fn commit(self: Box<Self>) -> Result<ChainHead, StoreError> {
        self.run.commit().await
    }
}

#[async_trait]
impl<R: Run, T: Table> Reader<T> for Tx<R> {
    async fn find(&mut self, id: T::Id) -> Result<Option<Stored<T>>, StoreError> {
        table::find(self.run.conn(), id.into()).await
    }

    async fn find_all(&mut self, ids: &[T::Id]) -> Result<Vec<Stored<T>>, StoreError> {
        let ids: Vec<Uuid> = ids.iter().map(|id| (*id).into()).collect();
        table::find_all(self.run.conn(), &ids).await
    }

    async fn find_by_sync_id(&mut self, kind: RecordKind, sync_id: &SyncId) -> Result<Option<Stored<T>>, StoreError> {
        table::find_by_sync_id(self.run.conn(), kind, sync_id).await
    }

    async fn list(&mut self, query: &Query) -> Result<Listing<Stored<T>>, StoreError> {
        table::list(self.run.conn(), query).await
    }

    async fn uses(&mut self, id: T::Id) -> Result<Vec<Use>, StoreError> {
        T::uses(self.run.conn(), id.into()).await
    }
}

#[async_trait]
impl<T: Table> Writer<T> for Tx<Turn> {
    async fn add(&mut self, record: T) -> Result<Stored<T>, StoreError> {
        let (before, conn, session) = self.run.open();
        let done = table::add(conn, session, record).await;
        self.run.settle(before, done)
    }

    async fn update(&mut self, record: T, seen: Version) -> Result<Stored<T>, StoreError> {
        let (before, conn, session) = self.run.open();
        let done = table::update(conn, session, record, seen).await;
        self.run.settle(before, done)
    }

    async fn remove(&mut self, id: T::Id, seen: Version) -> Result<(), StoreError> {
        let (before, conn, session) = self.run.open();
        let done = table::remove::<T>(conn, session, id.into(), seen).await;
        self.run.settle(before, done)
    }
}

#[async_trait]
impl<R: Run> ActivityReader for Tx<R> {
    async fn range(
        &mut self,
        selection: &Selection,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        match self.run.walk() {
            Some((conn, walk)) => walk.range(conn, selection, after, limit).await,
            None => activity::range(self.run.conn(), selection, after, limit, 0).await,
        }
    }

    async fn page(&mut self, selection: &Selection, page: Page) -> Result<Vec<Stored<Activity>>, StoreError> {
        activity::range(self.run.conn(), selection, None, page.size, page.offset()).await
    }

    async fn pending(
        &mut self,
        pending: &Pending,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        activity::pending(self.run.conn(), pending, after, limit).await
    }

    async fn with_sync_ids(&mut self, sync_ids: &[SyncId]) -> Result<Vec<Stored<Activity>>, StoreError> {
        activity::with_sync_ids(self.run.conn(), sync_ids).await
    }
}

#[async_trait]
impl ActivityWriter for Tx<Turn> {
    async fn put_all(&mut self, batch: Vec<ActivityWrite>) -> Result<(), StoreError> {
        let bulk = self.run.bulk();
        let (before, conn, session) = self.run.open();
        let done = activity::put_all(conn, session, bulk, batch).await;
        self.run.settle(before, done)
    }
}

#[async_trait]
impl<R: Run> LedgerReader for Tx<R> {
    async fn series(&mut self, from: u32) -> Result<Vec<SeriesKey>, StoreError> {
        ledger::series_from(self.run.conn(), from).await
    }

    async fn cells_since(&mut self, number: u64) -> Result<Vec<SeriesCell>, StoreError> {
        ledger::cells_since(self.run.conn(), number).await
    }

    async fn all_nodes(&mut self) -> Result<Vec<Stored<Node>>, StoreError> {
        ledger::all_nodes(self.run.conn()).await
    }

    async fn taxonomy_with_slug(&mut self, parent: Option<NodeId>, slug: &Slug) -> Result<Option<NodeId>, StoreError> {
        node::with_slug(self.run.conn(), parent, slug).await
    }

    async fn product_names(&mut self) -> Result<Vec<(ProductId, Name)>, StoreError> {
        ledger::product_names(self.run.conn()).await
    }

    async fn footprint_mark(&mut self) -> Result<u64, StoreError> {
        ledger::footprint_mark(self.run.conn()).await
    }

    async fn changes_since(&mut self, number: u64, limit: u32) -> Result<Vec<(Change, Vec<ChangeItem>)>, StoreError> {
        ledger::changes_since(self.run.conn(), number, limit).await
    }
}

#[async_trait]
impl<R: Run> FactorReader for Tx<R> {
    async fn of_products(&mut self, products: &[ProductId]) -> Result<Vec<Stored<Factor>>, StoreError> {
        factor::of_products(self.run.conn(), products).await
    }
}

#[async_trait]
impl<R: Run> FootprintReader for Tx<R> {
    async fn above(&mut self, number: u64, limit: u32) -> Result<Vec<Stored<Footprint>>, StoreError> {
        footprint::above(self.run.conn(), number, limit).await
    }
}
