//! Footprints: their fields are in one column, in canonical form.

mod shown;

use domain::footprint::{Edition, FOOTPRINT, Fields, FootprintPlace, FromModel, RULE_SET, Stamps, Verdict, validate};
use domain::{Canonical as _, Footprint, FootprintId, ModelId};
use ports::repo::{Use, Valid, ValidBatch};
use ports::store::finding::{FOOTPRINT_PLACE, FOOTPRINT_PRODUCTS, FOOTPRINT_VERDICT};
use ports::store::{Conflict, StoreError};
use ports::{RecordKind, Stored};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use crate::error::StoreErr as _;
use crate::json;
use crate::reference::{count_uses, key_of};
use crate::row::{self, Columns, Damage};
use crate::session::Session;
use crate::sharing;
use crate::table::{self, Table};

pub(crate) use shown::shown;

impl Table for Footprint {
    const NAME: &'static str = "footprint";
    const COLUMNS: &'static str = "footprint.number, footprint.recorded, footprint.amended, footprint.amendments, footprint.fields, footprint.from_model";
    const WRITTEN: &'static [&'static str] = &[
        "number",
        "recorded",
        "amended",
        "amendments",
        "fields",
        "place_us",
        "rules",
        "shown_v2",
        "shown_v3",
        "valid",
        "verdict",
        "model",
        "from_model",
    ];
    const ORDER: &'static str = "footprint.number";
    const SYNC_ID: bool = false;

    fn decode(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let (id, number): (FootprintId, u64) = (columns.record_id()?, columns.take()?);
        let stamps = Stamps::new(columns.timestamp()?)
            .with_updated(columns.timestamp_optional()?)
            .with_amendments(columns.take()?);
        let fields = columns.parse(|text| Fields::from_canonical(&FOOTPRINT, text))?;
        let from_model = columns.parse_optional(|text| FromModel::from_canonical((), text))?;
        Ok(Self::new(id, number, stamps.created, fields).with_stamps(stamps).with_from_model(from_model.map(Box::new)))
    }

    fn values(&self, _: &Connection) -> Result<Vec<Value>, StoreError> {
        let verdict = Verdict::of(self);
        Ok(vec![
            Value::Integer(i64::try_from(self.number).unwrap_or(i64::MAX)),
            Value::Integer(self.stamps.created.millis()),
            self.stamps.updated.map_or(Value::Null, |at| Value::Integer(at.millis())),
            Value::Integer(self.stamps.amendments.into()),
            row::text(self.fields.canonical()),
            Value::Integer(FootprintPlace::of(self).created_us),
            Value::Integer(verdict.rules.into()),
            Value::Integer(verdict.is_shown(Edition::V2).into()),
            Value::Integer(verdict.is_shown(Edition::V3).into()),
            Value::Integer(verdict.is_valid.into()),
            row::text(verdict.canonical()),
            self.from_model.as_ref().map_or(Value::Null, |made| Value::Blob(made.model.uuid().as_bytes().to_vec())),
            row::text_or_null(self.from_model.as_ref().map(|made| made.canonical())),
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

    fn write_parts(&self, conn: &Connection) -> Result<(), StoreError> {
        let key = key_of(conn, "footprint", RecordKind::Footprint, self.id)?;
        remove_products(conn, key)?;
        let insert = "INSERT INTO footprint_product (product, footprint) VALUES (?, ?)";
        let mut insert = conn.prepare_cached(insert).store_err()?;
        for product in self.product_keys() {
            insert.execute(params![product, key]).store_err()?;
        }
        sharing::place(conn, self.id.uuid(), FootprintPlace::of(self))
    }

    fn remove_parts(conn: &Connection, _: &mut Session, id: Uuid) -> Result<(), StoreError> {
        remove_products(conn, key_of(conn, "footprint", RecordKind::Footprint, FootprintId::new(id))?)?;
        sharing::place(conn, id, FootprintPlace::START)
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

fn remove_products(conn: &Connection, footprint: i64) -> Result<(), StoreError> {
    conn.prepare_cached("DELETE FROM footprint_product WHERE footprint = ?")
        .and_then(|mut statement| statement.execute([footprint]))
        .map(drop)
        .store_err()
}

/// The newest footprint that was made of that model.
pub(crate) fn of_model(conn: &Connection, model: ModelId) -> Result<Option<Stored<Footprint>>, StoreError> {
    let newest = "WHERE footprint.model = ? ORDER BY footprint.number DESC LIMIT 1";
    Ok(table::query(conn, newest, [model.uuid()])?.pop())
}

/// A part of the interface's own list.
pub(crate) fn valid(conn: &Connection, asked: Valid) -> Result<ValidBatch, StoreError> {
    let limit = asked.limit.max(1);
    let place = "WHERE (footprint.valid = 1 OR footprint.rules <> ?1) AND footprint.number > ?2 AND footprint.number <= ?3 \
                 ORDER BY footprint.number LIMIT ?4";
    let bounds = params![RULE_SET, integer(asked.after), integer(asked.until), u64::from(limit) + 1];
    let mut records: Vec<Stored<Footprint>> = table::query(conn, place, bounds)?;
    let more = records.len() > limit as usize;
    records.truncate(limit as usize);
    let end = records.last().filter(|_| more).map(|last| last.value.number);
    let outdated = outdated(conn, &records)?;
    records.retain(|record| !outdated.contains(&record.value.number) || validate(&record.value).is_empty());
    Ok(ValidBatch { records, end })
}

/// Makes up to `most` verdicts anew that were made by other rules, and gives how many.
pub(crate) fn renew(conn: &Connection, most: u32) -> Result<u64, StoreError> {
    let outdated = "WHERE footprint.rules < ?1 OR footprint.rules > ?1 ORDER BY footprint.number LIMIT ?2";
    let records: Vec<Stored<Footprint>> = table::query(conn, outdated, params![RULE_SET, most])?;
    let update = "UPDATE footprint SET rules = ?, shown_v2 = ?, shown_v3 = ?, valid = ?, verdict = ? WHERE id = ?";
    let mut update = conn.prepare_cached(update).store_err()?;
    for record in &records {
        let verdict = Verdict::of(&record.value);
        let [v2, v3] = Edition::ALL.map(|edition| verdict.is_shown(edition));
        let values = params![verdict.rules, v2, v3, verdict.is_valid, verdict.canonical(), record.value.id.uuid()];
        update.execute(values).store_err()?;
    }
    Ok(records.len() as u64)
}

/// What is beside a footprint and does not follow from it, in words. A verdict by other rules is nothing wrong.
pub(crate) fn beside(conn: &Connection, footprint: &Footprint) -> Result<Option<&'static str>, StoreError> {
    let verdict = Verdict::of(footprint);
    let text = "SELECT place_us, rules, shown_v2, shown_v3, valid, verdict, model, \
                (SELECT group_concat(product, char(10)) FROM (SELECT product FROM footprint_product \
                 WHERE footprint_product.footprint = footprint.key ORDER BY product)) \
                FROM footprint WHERE id = ?";
    let is_of_now = |row: &rusqlite::Row<'_>| -> rusqlite::Result<(bool, bool, bool)> {
        let model: Option<Uuid> = row.get(6)?;
        let products: Option<String> = row.get(7)?;
        let place = row.get::<_, i64>(0)? == FootprintPlace::of(footprint).created_us
            && model == footprint.from_model.as_ref().map(|made| made.model.uuid());
        let is_verdict = (row.get::<_, bool>(2)?, row.get::<_, bool>(3)?, row.get::<_, bool>(4)?)
            == (verdict.is_shown(Edition::V2), verdict.is_shown(Edition::V3), verdict.is_valid)
            && row.get::<_, String>(5)? == verdict.canonical();
        let keys = footprint.product_keys();
        let is_found = products.unwrap_or_default() == keys.join("\n");
        Ok((place, row.get::<_, u32>(1)? != RULE_SET || is_verdict, is_found))
    };
    let mut statement = conn.prepare_cached(text).store_err()?;
    Ok(match statement.query_row([footprint.id.uuid()], is_of_now).store_err()? {
        (false, ..) => Some(FOOTPRINT_PLACE),
        (_, false, _) => Some(FOOTPRINT_VERDICT),
        (.., false) => Some(FOOTPRINT_PRODUCTS),
        (true, true, true) => None,
    })
}

/// The numbers of those whose verdict was made by other rules than those of now.
fn outdated(conn: &Connection, records: &[Stored<Footprint>]) -> Result<Vec<u64>, StoreError> {
    let numbers = json::numbers(records.iter().map(|record| record.value.number));
    let text = "SELECT number FROM footprint WHERE rules <> ? AND number IN (SELECT value FROM json_each(?))";
    let mut statement = conn.prepare_cached(text).store_err()?;
    let rows = statement.query_map(params![RULE_SET, numbers], |row| row.get(0)).store_err()?;
    rows.collect::<Result<_, _>>().store_err()
}

/// The verdict on a footprint, by the rules of now.
pub(crate) fn verdict(conn: &Connection, id: FootprintId) -> Result<Option<Verdict>, StoreError> {
    let text: Option<String> = conn
        .prepare_cached("SELECT verdict FROM footprint WHERE id = ?")
        .and_then(|mut statement| statement.query_row([id.uuid()], |row| row.get(0)).optional())
        .store_err()?;
    let Some(text) = text else { return Ok(None) };
    match Verdict::from_canonical((), &text) {
        Ok(verdict) if verdict.is_current() => Ok(Some(verdict)),
        // Other rules may have other names, which cannot be read.
        _ => Ok(table::find::<Footprint>(conn, id.uuid())?.map(|found| Verdict::of(&found.value))),
    }
}

/// The ids of the footprints with those numbers.
pub(crate) fn numbered(conn: &Connection, numbers: &[u64]) -> Result<Vec<(u64, FootprintId)>, StoreError> {
    let numbers = json::numbers(numbers.iter().copied());
    let text = "SELECT number, id FROM footprint WHERE number IN (SELECT value FROM json_each(?))";
    let mut statement = conn.prepare_cached(text).store_err()?;
    let rows = statement.query_map([numbers], |row| Ok((row.get(0)?, FootprintId::new(row.get(1)?)))).store_err()?;
    rows.collect::<Result<_, _>>().store_err()
}

/// The number as a column has it; none has a larger one.
fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The highest number a footprint ever had.
pub(crate) fn highest_number(conn: &Connection) -> Result<u64, StoreError> {
    // A write transaction moves the head when it is closed.
    conn.prepare_cached("SELECT max(footprints, (SELECT ifnull(max(number), 0) FROM footprint)) FROM head")
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
        .store_err()
}
