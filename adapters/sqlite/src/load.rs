//! Filling an empty tenant: one transaction on a connection of its own, which keeps the writing thread waiting.

use std::collections::HashMap;

use async_trait::async_trait;
use domain::{PackedCells, SeriesKey};
use ports::import_batch::ImportBatch;
use ports::ledger::{PackedItems, PackedLines, PartPlace, Parts, Removal};
use ports::load::{AnyRecord, Load, LoadEnd};
use ports::store::{Conflict, StoreError};
use ports::{ChainHead, Change, Stored};
use rusqlite::Connection;
use uuid::Uuid;

use crate::activity;
use crate::error::{StoreErr as _, failed, of_commit};
use crate::file::open_another_writer;
use crate::identity::Identity;
use crate::import_batch;
use crate::ledger::{insert_change, insert_parts};
use crate::migration::TENANT;
use crate::options::Options;
use crate::owner::Owner;
use crate::queue::Queue;
use crate::series;
use crate::session::{HeadRow, read_head, update_head};
use crate::table::{self, Table};
use crate::thread::blocking;
use crate::usage::Usage;

/// A load under way. Dropping it closes the connection, and SQLite takes everything back.
#[derive(Debug)]
pub(crate) struct Loading(Option<Filling>);

impl Loading {
    /// Begins on a tenant's file, unless it has a history.
    pub(crate) async fn begin(owner: Owner, options: Options) -> Result<Self, StoreError> {
        blocking(move || {
            let conn = open_another_writer(&owner.path, &TENANT, &options)?;
            let queue = Queue::of(&owner.path);
            queue.begin(&conn, options.wait).store_err()?;
            TENANT.must_be_known(&conn, &owner.path)?;
            let head = read_head(&conn)?;
            owner.check(&head)?;
            let identity = Identity::of(&owner.path)?;
            let has_series: bool =
                conn.query_row("SELECT EXISTS (SELECT 1 FROM series)", [], |row| row.get(0)).store_err()?;
            if head.head.number > 0 || has_series {
                return Err(StoreError::Conflict(Conflict::NotEmpty));
            }
            let epoch = options.ids.random();
            let (series, usage) = (HashMap::new(), Usage::default());
            Ok(Self(Some(Filling { conn, identity, head, epoch, series, usage, changes: 0, _queue: queue })))
        })
        .await
    }

    /// Runs work on a thread where it may wait for the disk. After an error there is nothing to go on with.
    async fn run(
        &mut self,
        work: impl FnOnce(&mut Filling) -> Result<(), StoreError> + Send + 'static,
    ) -> Result<(), StoreError> {
        let mut filling = self.0.take().ok_or_else(|| failed("an earlier call of this load failed"))?;
        self.0 = Some(blocking(move || work(&mut filling).map(|()| filling)).await?);
        Ok(())
    }
}

#[async_trait]
impl Load for Loading {
    async fn series(&mut self, series: Vec<SeriesKey>) -> Result<(), StoreError> {
        self.run(move |filling| filling.series(series)).await
    }

    async fn records(&mut self, records: Vec<AnyRecord>) -> Result<(), StoreError> {
        self.run(move |filling| filling.records(records)).await
    }

    async fn changes(&mut self, changes: Vec<Change>) -> Result<(), StoreError> {
        self.run(move |filling| changes.iter().try_for_each(|change| filling.change(change))).await
    }

    async fn items(&mut self, items: Vec<(PartPlace, PackedItems)>) -> Result<(), StoreError> {
        self.run(move |filling| filling.items(items)).await
    }

    async fn postings(&mut self, postings: Vec<(PartPlace, PackedCells)>) -> Result<(), StoreError> {
        self.run(move |filling| insert_parts(&filling.conn, &Parts { postings, ..Parts::default() })).await
    }

    async fn lines(&mut self, lines: Vec<(PartPlace, PackedLines)>) -> Result<(), StoreError> {
        self.run(move |filling| insert_parts(&filling.conn, &Parts { lines, ..Parts::default() })).await
    }

    async fn imports(&mut self, imports: Vec<ImportBatch>) -> Result<(), StoreError> {
        self.run(move |filling| imports.iter().try_for_each(|batch| import_batch::put(&filling.conn, batch))).await
    }

    async fn finish(self: Box<Self>, end: LoadEnd) -> Result<ChainHead, StoreError> {
        let filling = self.0.ok_or_else(|| failed("an earlier call of this load failed"))?;
        blocking(move || filling.finish(end)).await
    }
}

/// The open transaction, and what is known of what it wrote.
#[derive(Debug)]
struct Filling {
    conn: Connection,
    identity: Identity,
    head: HeadRow,
    epoch: Uuid,
    series: HashMap<SeriesKey, u32>,
    usage: Usage,
    /// The number of the newest change that was loaded.
    changes: u64,
    // Left after the connection is closed.
    _queue: Queue,
}

impl Filling {
    fn series(&mut self, series: Vec<SeriesKey>) -> Result<(), StoreError> {
        for key in series {
            let index = u32::try_from(self.series.len()).map_err(|_| failed("there are too many series"))?;
            if self.series.insert(key, index).is_some() {
                return Err(failed(format!("series {index} stands twice")));
            }
            series::insert(&self.conn, index, key)?;
        }
        Ok(())
    }

    fn records(&mut self, records: Vec<AnyRecord>) -> Result<(), StoreError> {
        let conn = &self.conn;
        let mut activities = Vec::new();
        for record in records {
            match record {
                AnyRecord::Scope(stored) => add(conn, &stored)?,
                AnyRecord::Org(stored) => add(conn, &stored)?,
                AnyRecord::Taxonomy(stored) => add(conn, &stored)?,
                AnyRecord::Product(stored) => add(conn, &stored)?,
                AnyRecord::Factor(stored) => add(conn, &stored)?,
                AnyRecord::Model(stored) => add(conn, &stored)?,
                AnyRecord::Input(stored) => add(conn, &stored)?,
                AnyRecord::Switch(stored) => add(conn, &stored)?,
                AnyRecord::ClosedPeriod(stored) => add(conn, &stored)?,
                AnyRecord::Exclusion(stored) => add(conn, &stored)?,
                AnyRecord::Partner(stored) => add(conn, &stored)?,
                AnyRecord::Sharing(stored) => add(conn, &stored)?,
                AnyRecord::Footprint(stored) => add(conn, &stored)?,
                // Nothing refers to an activity, so they may come after all others of the call.
                AnyRecord::Activity(stored) => activities.push(stored),
            }
        }
        activity::load_all(conn, &self.series, &activities, &mut self.usage)
    }

    fn change(&mut self, change: &Change) -> Result<(), StoreError> {
        self.changes += 1;
        if change.number != self.changes {
            return Err(failed(format!("change {} does not come next", change.number)));
        }
        insert_change(&self.conn, change)
    }

    fn items(&mut self, items: Vec<(PartPlace, PackedItems)>) -> Result<(), StoreError> {
        let mut removals = Vec::new();
        for (place, part) in &items {
            for item in part.items() {
                let item = item.map_err(|error| StoreError::Failed(Box::new(error)))?;
                removals.extend(Removal::of(&item, place.change));
            }
        }
        insert_parts(&self.conn, &Parts { items, removals, ..Parts::default() })
    }

    fn finish(self, end: LoadEnd) -> Result<ChainHead, StoreError> {
        let Self { conn, identity, head, epoch, mut usage, .. } = self;
        let LoadEnd { number, digest, catalog, footprints } = end;
        let row = HeadRow { tenant: head.tenant, head: ChainHead { number, digest, epoch, catalog }, footprints };
        usage.write(&conn)?;
        update_head(&conn, &row)?;
        identity.check()?;
        conn.execute_batch("COMMIT").map_err(of_commit)?;
        Ok(row.head)
    }
}

fn add<T: Table>(conn: &Connection, stored: &Stored<T>) -> Result<(), StoreError> {
    table::insert(conn, stored).map(|_| ())
}
