//! Transactions as the ports describe them, over a snapshot or a turn.

use std::sync::Arc;

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

use crate::run::Run;
use crate::table::{self, Table};
use crate::tenants::Tenant;
use crate::writer::Turn;
use crate::{activity, factor, footprint, ledger, node};

/// More rows than this are read on a thread of their own.
const MANY: u32 = 100;

/// A transaction.
#[derive(Debug)]
pub(crate) struct Tx<R> {
    // Ends before its file is let go.
    run: R,
    _tenant: Arc<Tenant>,
}

impl<R: Run> Tx<R> {
    /// The transaction that runs there, in the file of that tenant.
    pub(crate) const fn new(run: R, tenant: Arc<Tenant>) -> Self {
        Self { run, _tenant: tenant }
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
        let id: Uuid = id.into();
        self.run.run(move |conn| table::find(conn, id)).await
    }

    async fn find_all(&mut self, ids: &[T::Id]) -> Result<Vec<Stored<T>>, StoreError> {
        let ids: Vec<Uuid> = ids.iter().map(|id| (*id).into()).collect();
        self.run.run(move |conn| table::find_all(conn, &ids)).await
    }

    async fn find_by_sync_id(&mut self, kind: RecordKind, sync_id: &SyncId) -> Result<Option<Stored<T>>, StoreError> {
        let sync_id = sync_id.clone();
        self.run.run(move |conn| table::find_by_sync_id(conn, kind, &sync_id)).await
    }

    async fn list(&mut self, query: &Query) -> Result<Listing<Stored<T>>, StoreError> {
        let query = query.clone();
        if query.page.size > MANY {
            return self.run.run_long(move |conn| table::list(conn, &query)).await;
        }
        self.run.run(move |conn| table::list(conn, &query)).await
    }

    async fn uses(&mut self, id: T::Id) -> Result<Vec<Use>, StoreError> {
        let id: Uuid = id.into();
        self.run.run_long(move |conn| T::uses(conn, id)).await
    }
}

#[async_trait]
impl<T: Table> Writer<T> for Tx<Turn> {
    async fn add(&mut self, record: T) -> Result<Stored<T>, StoreError> {
        self.run.write(move |conn, session| table::add(conn, session, record)).await
    }

    async fn update(&mut self, record: T, seen: Version) -> Result<Stored<T>, StoreError> {
        self.run.write(move |conn, session| table::update(conn, session, record, seen)).await
    }

    async fn remove(&mut self, id: T::Id, seen: Version) -> Result<(), StoreError> {
        let id: Uuid = id.into();
        self.run.write(move |conn, session| table::remove::<T>(conn, session, id, seen)).await
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
        let selection = selection.clone();
        self.run.run_long(move |conn| activity::range(conn, &selection, after, limit, 0)).await
    }

    async fn page(&mut self, selection: &Selection, page: Page) -> Result<Vec<Stored<Activity>>, StoreError> {
        let selection = selection.clone();
        self.run.run_long(move |conn| activity::range(conn, &selection, None, page.size, page.offset())).await
    }

    async fn pending(
        &mut self,
        pending: &Pending,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let pending = pending.clone();
        self.run.run_long(move |conn| activity::pending(conn, &pending, after, limit)).await
    }

    async fn with_sync_ids(&mut self, sync_ids: &[SyncId]) -> Result<Vec<Stored<Activity>>, StoreError> {
        let sync_ids = sync_ids.to_vec();
        self.run.run(move |conn| activity::with_sync_ids(conn, &sync_ids)).await
    }
}

#[async_trait]
impl ActivityWriter for Tx<Turn> {
    async fn put_all(&mut self, batch: Vec<ActivityWrite>) -> Result<(), StoreError> {
        self.run.write(move |conn, session| activity::put_all(conn, session, batch)).await
    }
}

#[async_trait]
impl<R: Run> LedgerReader for Tx<R> {
    async fn series(&mut self, from: u32) -> Result<Vec<SeriesKey>, StoreError> {
        self.run.run_long(move |conn| ledger::series_from(conn, from)).await
    }

    async fn cells_since(&mut self, number: u64) -> Result<Vec<SeriesCell>, StoreError> {
        self.run.run_long(move |conn| ledger::cells_since(conn, number)).await
    }

    async fn all_nodes(&mut self) -> Result<Vec<Stored<Node>>, StoreError> {
        self.run.run_long(|conn| table::query(conn, "ORDER BY node.id", [])).await
    }

    async fn taxonomy_with_slug(&mut self, parent: Option<NodeId>, slug: &Slug) -> Result<Option<NodeId>, StoreError> {
        let slug = slug.clone();
        self.run.run(move |conn| node::with_slug(conn, parent, &slug)).await
    }

    async fn product_names(&mut self) -> Result<Vec<(ProductId, Name)>, StoreError> {
        self.run.run_long(ledger::product_names).await
    }

    async fn footprint_mark(&mut self) -> Result<u64, StoreError> {
        self.run.run(ledger::footprint_mark).await
    }

    async fn changes_since(&mut self, number: u64, limit: u32) -> Result<Vec<(Change, Vec<ChangeItem>)>, StoreError> {
        self.run.run_long(move |conn| ledger::changes_since(conn, number, limit)).await
    }
}

#[async_trait]
impl<R: Run> FactorReader for Tx<R> {
    async fn of_products(&mut self, products: &[ProductId]) -> Result<Vec<Stored<Factor>>, StoreError> {
        let products = products.to_vec();
        self.run.run(move |conn| factor::of_products(conn, &products)).await
    }
}

#[async_trait]
impl<R: Run> FootprintReader for Tx<R> {
    async fn above(&mut self, number: u64, limit: u32) -> Result<Vec<Stored<Footprint>>, StoreError> {
        self.run.run(move |conn| footprint::above(conn, number, limit)).await
    }
}
