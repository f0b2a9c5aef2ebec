//! Footprints: their fields are in one column, in canonical form.

use domain::footprint::{FOOTPRINT, Fields, Stamps};
use domain::{Canonical as _, Footprint, FootprintId};
use ports::repo::Use;
use ports::store::{Conflict, StoreError};
use ports::{RecordKind, Stored};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use crate::error::StoreErr as _;
use crate::reference::count_uses;
use crate::row::{self, Columns, Damage};
use crate::session::Session;
use crate::table::{self, Table};

impl Table for Footprint {
    const NAME: &'static str = "footprint";
    const COLUMNS: &'static str =
        "footprint.number, footprint.recorded, footprint.amended, footprint.amendments, footprint.fields";
    const WRITTEN: &'static [&'static str] = &["number", "recorded", "amended", "amendments", "fields"];
    const ORDER: &'static str = "footprint.number";
    const SYNC_ID: bool = false;

    fn decode(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let (id, number): (FootprintId, u64) = (columns.record_id()?, columns.take()?);
        let stamps = Stamps::new(columns.timestamp()?)
            .with_updated(columns.timestamp_optional()?)
            .with_amendments(columns.take()?);
        let fields = columns.parse(|text| Fields::from_canonical(&FOOTPRINT, text))?;
        Ok(Self::new(id, number, stamps.created, fields).with_stamps(stamps))
    }

    fn values(&self, _: &Connection) -> Result<Vec<Value>, StoreError> {
        Ok(vec![
            Value::Integer(i64::try_from(self.number).unwrap_or(i64::MAX)),
            Value::Integer(self.stamps.created.millis()),
            self.stamps.updated.map_or(Value::Null, |at| Value::Integer(at.millis())),
            Value::Integer(self.stamps.amendments.into()),
            row::text(self.fields.canonical()),
        ])
    }

    /// Looks into the fields of every footprint: there are few, and few are ever removed.
    fn uses(conn: &Connection, id: Uuid) -> Result<Vec<Use>, StoreError> {
        let successors = "SELECT count(*) FROM footprint AS named, footprint \
             WHERE named.id = ? AND footprint.key <> named.key AND EXISTS (\
                 SELECT 1 FROM json_each(footprint.fields, '$.precedingPfIds') AS preceding \
                 WHERE preceding.type = 'integer' AND preceding.value = named.number)";
        count_uses(conn, id, &[(RecordKind::Footprint, successors)])
    }

    fn complete(mut self, session: &mut Session) -> Self {
        if self.number == 0 {
            self.number = session.footprints + 1;
        }
        session.footprints = session.footprints.max(self.number);
        self
    }

    fn check(&self, conn: &Connection) -> Result<(), StoreError> {
        let holder: Option<Uuid> = conn
            .prepare_cached("SELECT id FROM footprint WHERE number = ? AND id <> ?")
            .and_then(|mut statement| {
                statement.query_row(params![self.number, self.id.uuid()], |row| row.get(0)).optional()
            })
            .store_err()?;
        match holder {
            Some(holder) => Err(StoreError::Conflict(Conflict::Exists(holder))),
            None => Ok(()),
        }
    }
}

/// Up to `limit` footprints with a number above `number`, by number.
pub(crate) fn above(conn: &Connection, number: u64, limit: u32) -> Result<Vec<Stored<Footprint>>, StoreError> {
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    table::query(conn, "WHERE footprint.number > ? ORDER BY footprint.number LIMIT ?", params![number, limit])
}

/// The highest number a footprint ever had.
pub(crate) fn highest_number(conn: &Connection) -> Result<u64, StoreError> {
    // A write transaction moves the head when it is closed.
    conn.prepare_cached("SELECT max(footprints, (SELECT ifnull(max(number), 0) FROM footprint)) FROM head")
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
        .store_err()
}
