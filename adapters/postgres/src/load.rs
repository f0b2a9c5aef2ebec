//! Filling an empty tenant: one transaction that holds the head's lock until it ends.

mod activities;
mod changes;

use std::collections::HashMap;

use async_trait::async_trait;
use domain::{PackedCells, SeriesKey};
use ports::import_batch::ImportBatch;
use ports::ledger::{PackedItems, PackedLines, PartPlace, Parts};
use ports::load::{AnyRecord, Load, LoadEnd};
use ports::store::{Conflict, StoreError};
use ports::{ChainHead, Change, TenantId};
use uuid::Uuid;

use crate::conn::{TenantConn, sql};
use crate::database::{Bulk, Database};
use crate::error::failed;
use crate::head::{self, HeadRow, Lock};
use crate::series::{self, Numbered};
use crate::table;
use crate::{import_batch, ledger};

/// Begins on a tenant, unless it has a history.
pub(crate) async fn open(database: &Database, tenant: TenantId) -> Result<Box<dyn Load>, StoreError> {
    let mut conn = database.write(tenant).await?;
    let head = head::read(&mut conn, Lock::Write).await?;
    let text = "SELECT EXISTS (SELECT FROM tonne.series WHERE tenant_id = $1)";
    let has_series: Option<bool> = conn.value(sql(text, [tenant.uuid().into()])).await?;
    if head.head.number > 0 || has_series != Some(false) {
        return Err(StoreError::Conflict(Conflict::NotEmpty));
    }
    // What is added up at the end takes longer than other statements.
    conn.lift_limit().await?;
    // Nobody else writes a tenant that is being filled, and what comes next may have to be read from afar.
    conn.batch("SET LOCAL idle_in_transaction_session_timeout = '1min'").await?;
    let (epoch, bulk) = (database.options().ids.random(), database.bulk());
    let filling = Filling { conn, bulk, head, epoch, series: HashMap::new(), changes: 0 };
    Ok(Box::new(Loading(Some(filling))))
}

/// A load under way. A call that fails, or is broken off, ends its transaction.
struct Loading(Option<Filling>);

impl Loading {
    fn take(&mut self) -> Result<Filling, StoreError> {
        self.0.take().ok_or_else(|| failed("an earlier call of this load failed or was broken off"))
    }
}

#[async_trait]
impl Load for Loading {
    async fn series(&mut self, series: Vec<SeriesKey>) -> Result<(), StoreError> {
        let mut filling = self.take()?;
        filling.series(series).await?;
        self.0 = Some(filling);
        Ok(())
    }

    async fn records(&mut self, records: Vec<AnyRecord>) -> Result<(), StoreError> {
        let mut filling = self.take()?;
        filling.records(records).await?;
        self.0 = Some(filling);
        Ok(())
    }

    async fn changes(&mut self, changes: Vec<Change>) -> Result<(), StoreError> {
        let mut filling = self.take()?;
        filling.changes(&changes).await?;
        self.0 = Some(filling);
        Ok(())
    }

    async fn items(&mut self, items: Vec<(PartPlace, PackedItems)>) -> Result<(), StoreError> {
        let mut filling = self.take()?;
        filling.items(items).await?;
        self.0 = Some(filling);
        Ok(())
    }

    async fn postings(&mut self, postings: Vec<(PartPlace, PackedCells)>) -> Result<(), StoreError> {
        let mut filling = self.take()?;
        ledger::write(&mut filling.conn, Parts { postings, ..Parts::default() }).await?;
        self.0 = Some(filling);
        Ok(())
    }

    async fn lines(&mut self, lines: Vec<(PartPlace, PackedLines)>) -> Result<(), StoreError> {
        let mut filling = self.take()?;
        ledger::write(&mut filling.conn, Parts { lines, ..Parts::default() }).await?;
        self.0 = Some(filling);
        Ok(())
    }

    async fn imports(&mut self, imports: Vec<ImportBatch>) -> Result<(), StoreError> {
        let mut filling = self.take()?;
        for batch in &imports {
            import_batch::insert(&mut filling.conn, batch).await?;
        }
        self.0 = Some(filling);
        Ok(())
    }

    async fn finish(mut self: Box<Self>, end: LoadEnd) -> Result<ChainHead, StoreError> {
        self.take()?.finish(end).await
    }
}

/// The open transaction, and what is known of what it wrote.
struct Filling {
    conn: TenantConn,
    bulk: Bulk,
    head: HeadRow,
    epoch: Uuid,
    series: HashMap<SeriesKey, u32>,
    /// The number of the newest change that was loaded.
    changes: u64,
}

impl Filling {
    async fn series(&mut self, series: Vec<SeriesKey>) -> Result<(), StoreError> {
        let mut numbered = Vec::with_capacity(series.len());
        for key in series {
            let index = u32::try_from(self.series.len()).map_err(|_| failed("there are too many series"))?;
            if self.series.insert(key, index).is_some() {
                return Err(failed(format!("series {index} stands twice")));
            }
            numbered.push(Numbered { index, key });
        }
        series::insert(&mut self.conn, self.bulk, &numbered).await
    }

    async fn records(&mut self, records: Vec<AnyRecord>) -> Result<(), StoreError> {
        let (conn, mut activities) = (&mut self.conn, Vec::new());
        for record in records {
            match record {
                AnyRecord::Scope(stored) => table::insert(conn, &stored).await.map(drop)?,
                AnyRecord::Org(stored) => table::insert(conn, &stored).await.map(drop)?,
                AnyRecord::Taxonomy(stored) => table::insert(conn, &stored).await.map(drop)?,
                AnyRecord::Product(stored) => table::insert(conn, &stored).await.map(drop)?,
                AnyRecord::Factor(stored) => table::insert(conn, &stored).await.map(drop)?,
                AnyRecord::Model(stored) => table::insert(conn, &stored).await.map(drop)?,
                AnyRecord::Input(stored) => table::insert(conn, &stored).await.map(drop)?,
                AnyRecord::Switch(stored) => table::insert(conn, &stored).await.map(drop)?,
                AnyRecord::ClosedPeriod(stored) => table::insert(conn, &stored).await.map(drop)?,
                AnyRecord::Exclusion(stored) => table::insert(conn, &stored).await.map(drop)?,
                AnyRecord::Partner(stored) => table::insert(conn, &stored).await.map(drop)?,
                AnyRecord::Sharing(stored) => table::insert(conn, &stored).await.map(drop)?,
                AnyRecord::Footprint(stored) => table::insert(conn, &stored).await.map(drop)?,
                // Nothing refers to an activity, so they may come after all others of the call.
                AnyRecord::Activity(stored) => activities.push(stored),
            }
        }
        for some in activities.chunks(activities::MOST) {
            self.activities(some).await?;
        }
        Ok(())
    }

    async fn finish(self, end: LoadEnd) -> Result<ChainHead, StoreError> {
        let Self { mut conn, head, epoch, .. } = self;
        let LoadEnd { number, digest, catalog, footprints } = end;
        let row = HeadRow { tenant: head.tenant, head: ChainHead { number, digest, epoch, catalog }, footprints };
        head::write(&mut conn, &row).await?;
        conn.commit().await?;
        Ok(row.head)
    }
}
