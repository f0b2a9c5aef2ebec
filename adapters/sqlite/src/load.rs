//! Filling an empty tenant: one transaction on a connection of its own, which keeps the writing thread waiting.

use std::collections::HashMap;

use async_trait::async_trait;
use domain::SeriesKey;
use ports::load::{AnyRecord, Load, LoadEnd};
use ports::store::{Conflict, StoreError};
use ports::{ChainHead, Change, ChangeItem, RecordKind, Stored};
use rusqlite::{Connection, params};
use uuid::Uuid;

use crate::activity;
use crate::error::{Meaning as _, failed};
use crate::file::{Absent, open_writer};
use crate::migration::TENANT;
use crate::options::Options;
use crate::owner::Owner;
use crate::series::{self, Numbered};
use crate::session::{HeadRow, insert_change, insert_item, read_head, update_head};
use crate::store::blocking;
use crate::table::{self, Table};

/// A load under way. Dropping it closes the connection, and SQLite takes everything back.
#[derive(Debug)]
pub(crate) struct Loading(Option<Filling>);

impl Loading {
    /// Begins on a tenant's file, unless it has a history.
    pub(crate) async fn begin(owner: Owner, options: Options) -> Result<Self, StoreError> {
        blocking(move || {
            let conn = open_writer(&owner.path, &TENANT, Absent::Refuse, &options)?;
            conn.execute_batch("BEGIN IMMEDIATE").meant()?;
            let head = read_head(&conn)?;
            owner.check(&head)?;
            let has_series: bool =
                conn.query_row("SELECT EXISTS (SELECT 1 FROM series)", [], |row| row.get(0)).meant()?;
            if head.head.number > 0 || has_series {
                return Err(StoreError::Conflict(Conflict::NotEmpty));
            }
            let epoch = options.ids.random();
            Ok(Self(Some(Filling { conn, head, epoch, series: HashMap::new(), changes: 0, booked: 0 })))
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

    async fn changes(&mut self, changes: Vec<(Change, Vec<ChangeItem>)>) -> Result<(), StoreError> {
        self.run(move |filling| changes.iter().try_for_each(|(change, items)| filling.change(change, items))).await
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
    head: HeadRow,
    epoch: Uuid,
    series: HashMap<SeriesKey, u32>,
    /// The number of the newest change that was loaded.
    changes: u64,
    /// That of the newest that wrote an activity.
    booked: u64,
}

impl Filling {
    fn series(&mut self, series: Vec<SeriesKey>) -> Result<(), StoreError> {
        for key in series {
            let index = u32::try_from(self.series.len()).map_err(|_| failed("there are too many series"))?;
            if self.series.insert(key, index).is_some() {
                return Err(failed(format!("series {index} stands twice")));
            }
            series::insert(&self.conn, Numbered { index, key })?;
        }
        Ok(())
    }

    fn records(&mut self, records: Vec<AnyRecord>) -> Result<(), StoreError> {
        let conn = &self.conn;
        let mut activities = Vec::new();
        for record in records {
            match record {
                AnyRecord::Node(stored) => add(conn, &stored)?,
                AnyRecord::Product(stored) => add(conn, &stored)?,
                AnyRecord::Factor(stored) => add(conn, &stored)?,
                AnyRecord::Model(stored) => add(conn, &stored)?,
                AnyRecord::Input(stored) => add(conn, &stored)?,
                AnyRecord::Switch(stored) => add(conn, &stored)?,
                AnyRecord::Footprint(stored) => add(conn, &stored)?,
                // Nothing refers to an activity, so they may come after all others of the call.
                AnyRecord::Activity(stored) => activities.push(stored),
            }
        }
        activity::load_all(conn, &self.series, &activities)
    }

    fn change(&mut self, change: &Change, items: &[ChangeItem]) -> Result<(), StoreError> {
        self.changes += 1;
        if change.number != self.changes {
            return Err(failed(format!("change {} does not come next", change.number)));
        }
        insert_change(&self.conn, change)?;
        for (item, ordinal) in items.iter().zip(0_u32..) {
            insert_item(&self.conn, change.number, ordinal, item)?;
        }
        if items.iter().any(|item| item.kind == RecordKind::Activity) {
            self.booked = change.number;
        }
        Ok(())
    }

    fn finish(self, end: LoadEnd) -> Result<ChainHead, StoreError> {
        let Self { conn, head, epoch, booked, .. } = self;
        let LoadEnd { number, digest, catalog, footprints } = end;
        let row = HeadRow { tenant: head.tenant, head: ChainHead { number, digest, epoch, catalog }, footprints };
        conn.execute("UPDATE cell SET version = ?", params![booked]).meant()?;
        update_head(&conn, &row)?;
        conn.execute_batch("COMMIT").meant()?;
        Ok(row.head)
    }
}

fn add<T: Table>(conn: &Connection, stored: &Stored<T>) -> Result<(), StoreError> {
    table::insert(conn, stored).map(|_| ())
}
