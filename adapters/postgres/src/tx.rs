//! Transactions as the ports describe them, over a snapshot or a write slot.

mod run;

use std::collections::HashSet;

use async_trait::async_trait;
use domain::footprint::Verdict;
use domain::{
    Activity, ActivityId, Digest, Factor, Filter, Footprint, FootprintId, ModelId, Name, PackedCells, Partner,
    PartnerId, PeriodSpan, Product, ProductId, ScopeId, SeriesKey, Sharing, Slug, SyncId, TaxonomyId, Timestamp,
    TreeNode,
};
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::import_batch::ImportBatch;
use ports::ledger::{Checkpoint, PackedItems, PackedLines, PartPlace, TextPlace};
use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey, StoredAnswer};
use ports::repo::{
    ActivityReader, ActivityWrite, ActivityWriter, AnswerReader, AnswerWriter, ExchangeReader, ExchangeWriter,
    FactorReader, FootprintReader, ImportReader, ImportWriter, LedgerReader, LedgerWriter, Listing, OnDays, Page,
    PartnerReader, Pending, PeriodReader, Place, ProductReader, Query, Reader, SharingReader, Shown, ShownBatch, Side,
    TaxonomyReader, TreeReader, Use, Valid, ValidBatch, Writer,
};
use ports::store::{ReadTx, StoreError, WriteTx};
use ports::{ChainHead, Change, ImportId, RecordKind, Stored, Version};
use uuid::Uuid;

use crate::table::{self, Table};
use crate::{
    activity, answer, blank, closed_period, exchange, factor, footprint, import_batch, ledger, node, partner, product,
    reference, sharing,
};

use run::Run;
pub(crate) use run::{Snapshot, WriteSlot};

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

    ports::reader_accessors!();
}

#[async_trait]
impl WriteTx for Tx<WriteSlot> {
    fn number(&self) -> u64 {
        self.run.head().number + 1
    }

    ports::writer_accessors!();

    async fn commit(self: Box<Self>) -> Result<ChainHead, StoreError> {
        let committed = self.run.commit().await;
        if committed.is_ok() {
            metrics::histogram!(ports::metric::GROUP_SIZE.name).record(1);
        }
        committed
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

    async fn find_by_sync_id(&mut self, sync_id: &T::SyncId) -> Result<Option<Stored<T>>, StoreError> {
        table::find_by_sync_id(self.run.conn(), sync_id).await
    }

    async fn list(&mut self, query: &Query<T>) -> Result<Listing<Stored<T>>, StoreError> {
        table::list(self.run.conn(), query).await
    }

    async fn uses(&mut self, id: T::Id) -> Result<Vec<Use>, StoreError> {
        T::uses(self.run.conn(), id.into()).await
    }
}

#[async_trait]
impl<T: Table> Writer<T> for Tx<WriteSlot> {
    async fn add(&mut self, record: T) -> Result<Stored<T>, StoreError> {
        let (conn, session) = self.run.begin();
        let done = table::add(conn, session, record).await;
        self.run.end(done).await
    }

    async fn update(&mut self, record: T, seen: Version) -> Result<Stored<T>, StoreError> {
        let (conn, session) = self.run.begin();
        let done = table::update(conn, session, record, seen).await;
        self.run.end(done).await
    }

    async fn remove(&mut self, id: T::Id, seen: Version) -> Result<(), StoreError> {
        let (conn, session) = self.run.begin();
        let done = table::remove::<T>(conn, session, id.into(), seen).await;
        self.run.forget_references();
        self.run.end(done).await
    }
}

#[async_trait]
impl<R: Run> ActivityReader for Tx<R> {
    async fn range(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        match self.run.walk() {
            Some((conn, walk)) => walk.range(conn, filter, not_spread, after, limit).await,
            None => activity::range(self.run.conn(), filter, not_spread, Side::After(after), (limit, 0)).await,
        }
    }

    async fn range_before(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        before: Place,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        activity::range(self.run.conn(), filter, not_spread, Side::Before(before), (limit, 0)).await
    }

    async fn on_days(
        &mut self,
        on: &OnDays,
        side: Side,
        skip: u64,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        activity::on_days(self.run.conn(), on, side, (limit, skip)).await
    }

    async fn page(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        offset: u64,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        activity::range(self.run.conn(), filter, not_spread, Side::After(None), (limit, offset)).await
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
impl ActivityWriter for Tx<WriteSlot> {
    async fn put_all(&mut self, batch: Vec<ActivityWrite>) -> Result<(), StoreError> {
        let bulk = self.run.bulk();
        let (conn, session, references) = self.run.begin_many();
        let done = activity::put_all(conn, session, bulk, references, batch).await;
        self.run.end(done).await
    }

    async fn remove_all(&mut self, removed: Vec<(ActivityId, Version)>) -> Result<(), StoreError> {
        let bulk = self.run.bulk();
        let (conn, session, references) = self.run.begin_many();
        let done = activity::remove_all(conn, session, bulk, references, &removed).await;
        self.run.end(done).await
    }
}

#[async_trait]
impl<R: Run, T: Table + TreeNode> TreeReader<T> for Tx<R> {
    async fn all(&mut self) -> Result<Vec<Stored<T>>, StoreError> {
        node::all(self.run.conn()).await
    }
}

#[async_trait]
impl<R: Run> TaxonomyReader for Tx<R> {
    async fn find_by_slug(
        &mut self,
        parent: Option<TaxonomyId>,
        slug: &Slug,
    ) -> Result<Option<TaxonomyId>, StoreError> {
        node::find_by_slug(self.run.conn(), parent, slug).await
    }
}

#[async_trait]
impl<R: Run> ProductReader for Tx<R> {
    async fn names(&mut self) -> Result<Vec<(ProductId, Name)>, StoreError> {
        product::names(self.run.conn()).await
    }

    async fn after(&mut self, after: Option<ProductId>, limit: u32) -> Result<Vec<Stored<Product>>, StoreError> {
        product::after(self.run.conn(), after, limit).await
    }
}

#[async_trait]
impl<R: Run> PeriodReader for Tx<R> {
    async fn closed(&mut self) -> Result<Vec<PeriodSpan>, StoreError> {
        closed_period::closed(self.run.conn()).await
    }
}

#[async_trait]
impl<R: Run> AnswerReader for Tx<R> {
    async fn find(&mut self, key: RequestKey, now: Timestamp) -> Result<Option<StoredAnswer>, StoreError> {
        answer::find(self.run.conn(), key, now).await
    }

    async fn count_outdated(&mut self, now: Timestamp) -> Result<u64, StoreError> {
        answer::count_outdated(self.run.conn(), now).await
    }
}

#[async_trait]
impl AnswerWriter for Tx<WriteSlot> {
    async fn add(&mut self, request: KeyedRequest, answer: FirstAnswer) -> Result<(), StoreError> {
        let (conn, session) = self.run.begin();
        let done = answer::add(conn, session, request, answer).await;
        self.run.end(done).await
    }
}

#[async_trait]
impl<R: Run> ImportReader for Tx<R> {
    async fn find(&mut self, id: ImportId) -> Result<Option<ImportBatch>, StoreError> {
        import_batch::find(self.run.conn(), id).await
    }

    async fn list(&mut self, page: Page) -> Result<Listing<ImportBatch>, StoreError> {
        import_batch::list(self.run.conn(), page).await
    }

    async fn with_hash(&mut self, hash: Digest) -> Result<Vec<ImportBatch>, StoreError> {
        import_batch::with_hash(self.run.conn(), hash).await
    }

    async fn undoing(&mut self) -> Result<Vec<ImportBatch>, StoreError> {
        import_batch::undoing(self.run.conn()).await
    }
}

#[async_trait]
impl ImportWriter for Tx<WriteSlot> {
    async fn put(&mut self, batch: ImportBatch) -> Result<(), StoreError> {
        let (conn, session) = self.run.begin();
        let done = import_batch::put(conn, session, &batch).await;
        self.run.end(done).await
    }
}

#[async_trait]
impl<R: Run> ExchangeReader for Tx<R> {
    async fn find(&mut self, kind: ExchangeKind, id: String) -> Result<Option<ExchangeRow>, StoreError> {
        exchange::find(self.run.conn(), kind, &id).await
    }

    async fn list(
        &mut self,
        kind: ExchangeKind,
        partner: PartnerId,
        page: Page,
    ) -> Result<Listing<ExchangeRow>, StoreError> {
        exchange::list(self.run.conn(), kind, partner, page).await
    }

    async fn due_partners(&mut self, now: Timestamp, limit: u32) -> Result<Vec<(PartnerId, Timestamp)>, StoreError> {
        exchange::due_partners(self.run.conn(), now, limit).await
    }

    async fn due(&mut self, partner: PartnerId, now: Timestamp, limit: u32) -> Result<Vec<ExchangeRow>, StoreError> {
        exchange::due(self.run.conn(), partner, now, limit).await
    }

    async fn waiting(&mut self, partner: PartnerId) -> Result<u64, StoreError> {
        exchange::waiting(self.run.conn(), partner).await
    }
}

#[async_trait]
impl ExchangeWriter for Tx<WriteSlot> {
    async fn put(&mut self, row: ExchangeRow) -> Result<(), StoreError> {
        let (conn, session) = self.run.begin();
        let done = exchange::put(conn, session, &row).await;
        self.run.end(done).await
    }

    async fn remove(&mut self, kind: ExchangeKind, id: String) -> Result<(), StoreError> {
        let (conn, session) = self.run.begin();
        let done = exchange::remove(conn, session, kind, &id).await;
        self.run.end(done).await
    }

    async fn remove_before(&mut self, kind: ExchangeKind, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let (conn, session) = self.run.begin();
        let done = exchange::remove_before(conn, session, kind, before, limit).await;
        self.run.end(done).await
    }

    async fn remove_partner(&mut self, partner: PartnerId) -> Result<(), StoreError> {
        let (conn, session) = self.run.begin();
        let done = exchange::remove_partner(conn, session, partner).await;
        self.run.end(done).await
    }
}

#[async_trait]
impl<R: Run> LedgerReader for Tx<R> {
    async fn series(&mut self, from: u32) -> Result<Vec<SeriesKey>, StoreError> {
        ledger::series_from(self.run.conn(), from).await
    }

    async fn checkpoint(&mut self) -> Result<Option<Checkpoint>, StoreError> {
        ledger::checkpoint(self.run.conn()).await
    }

    async fn checkpoint_part(&mut self, part: u32) -> Result<PackedCells, StoreError> {
        ledger::checkpoint_part(self.run.conn(), part).await
    }

    async fn postings_since(
        &mut self,
        after: PartPlace,
        limit: u32,
    ) -> Result<Vec<(PartPlace, PackedCells)>, StoreError> {
        ledger::postings_since(self.run.conn(), after, limit).await
    }

    async fn changes_since(&mut self, number: u64, limit: u32) -> Result<Vec<Change>, StoreError> {
        ledger::changes_since(self.run.conn(), number, limit).await
    }

    async fn items_since(&mut self, after: PartPlace, limit: u32) -> Result<Vec<(PartPlace, PackedItems)>, StoreError> {
        ledger::items_since(self.run.conn(), after, limit).await
    }

    async fn lines_since(&mut self, after: PartPlace, limit: u32) -> Result<Vec<(PartPlace, PackedLines)>, StoreError> {
        ledger::lines_since(self.run.conn(), after, limit).await
    }

    async fn version_of(&mut self, kind: RecordKind, id: Uuid) -> Result<Option<Version>, StoreError> {
        reference::version(self.run.conn(), kind, id).await
    }

    async fn removal_before(&mut self, kind: RecordKind, id: Uuid, number: u64) -> Result<Option<u64>, StoreError> {
        ledger::removal_before(self.run.conn(), kind, id, number).await
    }
}

#[async_trait]
impl LedgerWriter for Tx<WriteSlot> {
    async fn blank(&mut self, text: &TextPlace) -> Result<(), StoreError> {
        let (conn, session) = self.run.begin();
        let done = blank::blank(conn, session, text).await;
        self.run.end(done).await
    }

    async fn note_lines(&mut self, lines: Vec<u64>) -> Result<(), StoreError> {
        let (_, session) = self.run.begin();
        session.draft.note_lines(&lines);
        self.run.end(Ok(())).await
    }
}

#[async_trait]
impl<R: Run> PartnerReader for Tx<R> {
    async fn of_client(&mut self, client: Uuid) -> Result<Option<Stored<Partner>>, StoreError> {
        partner::of_client(self.run.conn(), client).await
    }
}

#[async_trait]
impl<R: Run> SharingReader for Tx<R> {
    async fn naming(&mut self, partner: PartnerId, limit: u32) -> Result<Vec<Stored<Sharing>>, StoreError> {
        sharing::naming(self.run.conn(), partner, limit).await
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

    async fn shown(&mut self, asked: Shown) -> Result<ShownBatch, StoreError> {
        footprint::shown(self.run.conn(), asked).await
    }

    async fn valid(&mut self, asked: Valid) -> Result<ValidBatch, StoreError> {
        footprint::valid(self.run.conn(), asked).await
    }

    async fn of_model(&mut self, model: ModelId) -> Result<Option<Stored<Footprint>>, StoreError> {
        footprint::of_model(self.run.conn(), model).await
    }

    async fn verdict(&mut self, id: FootprintId) -> Result<Option<Verdict>, StoreError> {
        footprint::verdict(self.run.conn(), id).await
    }

    async fn numbered(&mut self, numbers: &[u64]) -> Result<Vec<(u64, FootprintId)>, StoreError> {
        footprint::numbered(self.run.conn(), numbers).await
    }

    async fn highest_number(&mut self) -> Result<u64, StoreError> {
        footprint::highest_number(self.run.conn()).await
    }
}
