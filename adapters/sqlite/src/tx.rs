//! Transactions as the ports describe them, over a snapshot or a write slot.

use std::collections::HashSet;
use std::sync::Arc;

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

use crate::run::Run;
use crate::table::{self, Table};
use crate::tenants::Tenant;
use crate::writer::WriteSlot;
use crate::{
    activity, answer, blank, closed_period, exchange, factor, footprint, import_batch, ledger, node, partner, product,
    sharing,
};

/// More rows than this are read on a thread of their own.
const MANY: u32 = 100;

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

    ports::reader_accessors!();
}

#[async_trait]
impl WriteTx for Tx<WriteSlot> {
    fn number(&self) -> u64 {
        self.run.head().number + 1
    }

    ports::writer_accessors!();

    fn others_wait(&mut self) -> bool {
        self.run.others_wait()
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

    async fn find_by_sync_id(&mut self, sync_id: &T::SyncId) -> Result<Option<Stored<T>>, StoreError> {
        let sync_id = sync_id.clone();
        self.run.run(move |conn| table::find_by_sync_id::<T>(conn, &sync_id)).await
    }

    async fn list(&mut self, query: &Query<T>) -> Result<Listing<Stored<T>>, StoreError> {
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
impl<T: Table> Writer<T> for Tx<WriteSlot> {
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
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let (filter, not_spread) = (filter.clone(), not_spread.clone());
        self.run.run_long(move |conn| activity::range(conn, &filter, &not_spread, Side::After(after), limit, 0)).await
    }

    async fn range_before(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        before: Place,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let (filter, not_spread) = (filter.clone(), not_spread.clone());
        self.run.run_long(move |conn| activity::range(conn, &filter, &not_spread, Side::Before(before), limit, 0)).await
    }

    async fn on_days(
        &mut self,
        on: &OnDays,
        side: Side,
        skip: u64,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let on = on.clone();
        self.run.run_long(move |conn| activity::on_days(conn, &on, side, limit, skip)).await
    }

    async fn page(
        &mut self,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        offset: u64,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let (filter, not_spread) = (filter.clone(), not_spread.clone());
        self.run
            .run_long(move |conn| activity::range(conn, &filter, &not_spread, Side::After(None), limit, offset))
            .await
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
impl ActivityWriter for Tx<WriteSlot> {
    async fn put_all(&mut self, batch: Vec<ActivityWrite>) -> Result<(), StoreError> {
        if batch.len() > activity::FEW {
            self.run.demand_room()?;
        }
        let batch = activity::Batch::of(batch, Some((self.run.at(), Version(self.number()))));
        self.run.write(move |conn, session| activity::put_all(conn, session, batch)).await
    }

    async fn remove_all(&mut self, removed: Vec<(ActivityId, Version)>) -> Result<(), StoreError> {
        if removed.len() > activity::FEW {
            self.run.demand_room()?;
        }
        self.run.write(move |conn, session| activity::remove_all(conn, session, &removed)).await
    }
}

#[async_trait]
impl<R: Run> AnswerReader for Tx<R> {
    async fn find(&mut self, key: RequestKey, now: Timestamp) -> Result<Option<StoredAnswer>, StoreError> {
        self.run.run(move |conn| answer::find(conn, key, now)).await
    }

    async fn count_outdated(&mut self, now: Timestamp) -> Result<u64, StoreError> {
        self.run.run(move |conn| answer::count_outdated(conn, now)).await
    }
}

#[async_trait]
impl AnswerWriter for Tx<WriteSlot> {
    async fn add(&mut self, request: KeyedRequest, answer: FirstAnswer) -> Result<(), StoreError> {
        self.run.write(move |conn, session| answer::add(conn, session.at(), request, &answer)).await
    }
}

#[async_trait]
impl<R: Run> ImportReader for Tx<R> {
    async fn find(&mut self, id: ImportId) -> Result<Option<ImportBatch>, StoreError> {
        self.run.run(move |conn| import_batch::find(conn, id)).await
    }

    async fn list(&mut self, page: Page) -> Result<Listing<ImportBatch>, StoreError> {
        self.run.run_long(move |conn| import_batch::list(conn, page)).await
    }

    async fn with_hash(&mut self, hash: Digest) -> Result<Vec<ImportBatch>, StoreError> {
        self.run.run(move |conn| import_batch::with_hash(conn, hash)).await
    }

    async fn undoing(&mut self) -> Result<Vec<ImportBatch>, StoreError> {
        self.run.run(import_batch::undoing).await
    }
}

#[async_trait]
impl ImportWriter for Tx<WriteSlot> {
    async fn put(&mut self, batch: ImportBatch) -> Result<(), StoreError> {
        self.run.write(move |conn, _| import_batch::put(conn, &batch)).await
    }
}

#[async_trait]
impl<R: Run> ExchangeReader for Tx<R> {
    async fn find(&mut self, kind: ExchangeKind, id: String) -> Result<Option<ExchangeRow>, StoreError> {
        self.run.run(move |conn| exchange::find(conn, kind, &id)).await
    }

    async fn list(
        &mut self,
        kind: ExchangeKind,
        partner: PartnerId,
        page: Page,
    ) -> Result<Listing<ExchangeRow>, StoreError> {
        self.run.run_long(move |conn| exchange::list(conn, kind, partner, page)).await
    }

    async fn due_partners(&mut self, now: Timestamp, limit: u32) -> Result<Vec<(PartnerId, Timestamp)>, StoreError> {
        self.run.run(move |conn| exchange::due_partners(conn, now, limit)).await
    }

    async fn due(&mut self, partner: PartnerId, now: Timestamp, limit: u32) -> Result<Vec<ExchangeRow>, StoreError> {
        self.run.run(move |conn| exchange::due(conn, partner, now, limit)).await
    }

    async fn waiting(&mut self, partner: PartnerId) -> Result<u64, StoreError> {
        self.run.run(move |conn| exchange::waiting(conn, partner)).await
    }
}

#[async_trait]
impl ExchangeWriter for Tx<WriteSlot> {
    async fn put(&mut self, row: ExchangeRow) -> Result<(), StoreError> {
        self.run.write(move |conn, _| exchange::put(conn, &row)).await
    }

    async fn remove(&mut self, kind: ExchangeKind, id: String) -> Result<(), StoreError> {
        self.run.write(move |conn, _| exchange::remove(conn, kind, &id)).await
    }

    async fn remove_before(&mut self, kind: ExchangeKind, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.run.write(move |conn, _| exchange::remove_before(conn, kind, before, limit)).await
    }

    async fn remove_partner(&mut self, partner: PartnerId) -> Result<(), StoreError> {
        self.run.write(move |conn, _| exchange::remove_partner(conn, partner)).await
    }
}

#[async_trait]
impl<R: Run> LedgerReader for Tx<R> {
    async fn series(&mut self, from: u32) -> Result<Vec<SeriesKey>, StoreError> {
        self.run.run_long(move |conn| ledger::series_from(conn, from)).await
    }

    async fn checkpoint(&mut self) -> Result<Option<Checkpoint>, StoreError> {
        self.run.run(ledger::checkpoint).await
    }

    async fn checkpoint_part(&mut self, part: u32) -> Result<PackedCells, StoreError> {
        self.run.run_long(move |conn| ledger::checkpoint_part(conn, part)).await
    }

    async fn postings_since(
        &mut self,
        after: PartPlace,
        limit: u32,
    ) -> Result<Vec<(PartPlace, PackedCells)>, StoreError> {
        self.run.run_long(move |conn| ledger::postings_since(conn, after, limit)).await
    }

    async fn changes_since(&mut self, number: u64, limit: u32) -> Result<Vec<Change>, StoreError> {
        self.run.run_long(move |conn| ledger::changes_since(conn, number, limit)).await
    }

    async fn items_since(&mut self, after: PartPlace, limit: u32) -> Result<Vec<(PartPlace, PackedItems)>, StoreError> {
        self.run.run_long(move |conn| ledger::items_since(conn, after, limit)).await
    }

    async fn lines_since(&mut self, after: PartPlace, limit: u32) -> Result<Vec<(PartPlace, PackedLines)>, StoreError> {
        self.run.run_long(move |conn| ledger::lines_since(conn, after, limit)).await
    }

    async fn version_of(&mut self, kind: RecordKind, id: Uuid) -> Result<Option<Version>, StoreError> {
        self.run.run(move |conn| ledger::version_of(conn, kind, id)).await
    }

    async fn removal_before(&mut self, kind: RecordKind, id: Uuid, number: u64) -> Result<Option<u64>, StoreError> {
        self.run.run(move |conn| ledger::removal_before(conn, kind, id, number)).await
    }
}

#[async_trait]
impl LedgerWriter for Tx<WriteSlot> {
    async fn blank(&mut self, text: &TextPlace) -> Result<(), StoreError> {
        let text = text.clone();
        self.run.write(move |conn, session| blank::blank(conn, session, &text)).await
    }

    async fn note_lines(&mut self, lines: Vec<u64>) -> Result<(), StoreError> {
        self.run
            .write(move |_, session| {
                session.note_lines(&lines);
                Ok(())
            })
            .await
    }
}

#[async_trait]
impl<R: Run, T: Table + TreeNode> TreeReader<T> for Tx<R> {
    async fn all(&mut self) -> Result<Vec<Stored<T>>, StoreError> {
        self.run.run_long(|conn| table::query(conn, "", [])).await
    }
}

#[async_trait]
impl<R: Run> TaxonomyReader for Tx<R> {
    async fn find_by_slug(
        &mut self,
        parent: Option<TaxonomyId>,
        slug: &Slug,
    ) -> Result<Option<TaxonomyId>, StoreError> {
        let slug = slug.clone();
        self.run.run(move |conn| node::with_slug(conn, parent, &slug)).await
    }
}

#[async_trait]
impl<R: Run> ProductReader for Tx<R> {
    async fn names(&mut self) -> Result<Vec<(ProductId, Name)>, StoreError> {
        self.run.run_long(product::names).await
    }

    async fn after(&mut self, after: Option<ProductId>, limit: u32) -> Result<Vec<Stored<Product>>, StoreError> {
        self.run.run(move |conn| product::after(conn, after, limit)).await
    }
}

#[async_trait]
impl<R: Run> PartnerReader for Tx<R> {
    async fn of_client(&mut self, client: Uuid) -> Result<Option<Stored<Partner>>, StoreError> {
        self.run.run(move |conn| partner::of_client(conn, client)).await
    }
}

#[async_trait]
impl<R: Run> SharingReader for Tx<R> {
    async fn naming(&mut self, partner: PartnerId, limit: u32) -> Result<Vec<Stored<Sharing>>, StoreError> {
        self.run.run_long(move |conn| sharing::naming(conn, partner, limit)).await
    }
}

#[async_trait]
impl<R: Run> PeriodReader for Tx<R> {
    async fn closed(&mut self) -> Result<Vec<PeriodSpan>, StoreError> {
        self.run.run(closed_period::closed).await
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

    async fn shown(&mut self, asked: Shown) -> Result<ShownBatch, StoreError> {
        self.run.run(move |conn| footprint::shown(conn, &asked)).await
    }

    async fn valid(&mut self, asked: Valid) -> Result<ValidBatch, StoreError> {
        self.run.run(move |conn| footprint::valid(conn, asked)).await
    }

    async fn of_model(&mut self, model: ModelId) -> Result<Option<Stored<Footprint>>, StoreError> {
        self.run.run(move |conn| footprint::of_model(conn, model)).await
    }

    async fn verdict(&mut self, id: FootprintId) -> Result<Option<Verdict>, StoreError> {
        self.run.run(move |conn| footprint::verdict(conn, id)).await
    }

    async fn numbered(&mut self, numbers: &[u64]) -> Result<Vec<(u64, FootprintId)>, StoreError> {
        let numbers = numbers.to_vec();
        self.run.run(move |conn| footprint::numbered(conn, &numbers)).await
    }

    async fn highest_number(&mut self) -> Result<u64, StoreError> {
        self.run.run(footprint::highest_number).await
    }
}
